"""Where view files live: in the cache folder, by journal and slot, so that every process has one of its own.

    <cache>/<journal id>/<slot>.lock      held by the process that has the slot
    <cache>/<journal id>/<slot>/<name>    the engine's file; a rebuilt view gets a new name
    <cache>/<journal id>/<slot>/open      the sentinel: stands while the view is open, and after a crash; says up to
                                          which erasure the view's journal had come when it was opened
    <cache>/<journal id>/<slot>/closed    written on a clean close: the file's name, size, time and checksum

A view is opened again only if it was closed cleanly and its file is byte for byte what it was then: opening a damaged
file can end the process. Everything else in a slot is deleted.
"""

import json
import os
import shutil
import zlib
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from filelock import FileLock, Timeout

from hornbook.graph.errors import StoreError

MOST_SLOTS = 64
BLOCK = 1 << 20
OPEN, CLOSED = "open", "closed"


@dataclass(slots=True)
class Slot:
    """A folder for one view that no other process uses while this one has it."""

    folder: Path
    lock: FileLock

    def fresh(self) -> Path:
        """A path that no engine has had open: a discarded one may still write beside its old path."""
        return self.folder / f"{uuid4().hex[:12]}.view"

    def left_over(self, erased: int = 0) -> Path | None:
        """The file of a view that was closed cleanly and is as it was then; all else in the slot is deleted.

        From here on the slot counts as open, by a view that knows of the erasures up to an event.
        """
        kept = None if (self.folder / OPEN).exists() else _sealed(self.folder)
        self.clear(keep=kept)
        (self.folder / OPEN).write_text(f"{os.getpid()} {erased}")
        return kept

    def clear(self, keep: Path | None = None) -> None:
        """Delete every file of the slot except the sentinel and the one to keep; somebody may have deleted all."""
        for path in self.folder.iterdir() if self.folder.is_dir() else ():
            if path != keep and path.name != OPEN:
                path.unlink(missing_ok=True)

    def seal(self, path: Path | None) -> None:
        """Leave the slot: with the file of a view that was closed cleanly, or with nothing."""
        if path is not None and (not path.exists() or _unfinished(path)):
            path = None
        self.clear(keep=path)
        if path is not None:
            (self.folder / CLOSED).write_text(json.dumps([path.name, *_look(path)]))
        (self.folder / OPEN).unlink(missing_ok=True)
        self.lock.release()


def take_slot(cache: Path, journal_id: str) -> Slot:
    """The first slot that this process can lock; a second view in one process gets another slot too."""
    home = cache / journal_id
    try:
        home.mkdir(parents=True, exist_ok=True)
        for number in range(MOST_SLOTS):
            lock = FileLock(home / f"{number}.lock", thread_local=False)
            try:
                lock.acquire(blocking=False)
            except Timeout:
                continue
            folder = home / str(number)
            folder.mkdir(exist_ok=True)
            return Slot(folder, lock)
    except OSError as error:
        raise StoreError("the cache folder cannot be written", hint="check its permissions") from error
    raise StoreError(f"{MOST_SLOTS} processes have this store open", hint="close some of them")


def forget(cache: Path, journal_id: str, erased: int = 0) -> int:
    """Delete every view of a journal that no process has open; how many open ones are older than an erasure.

    Those hold what was erased until their process follows the journal, throws them away and builds others.
    """
    stale = 0
    for lock_path in (cache / journal_id).glob("*.lock"):
        folder = lock_path.with_suffix("")
        lock = FileLock(lock_path, thread_local=False)
        try:
            with lock.acquire(blocking=False):
                shutil.rmtree(folder, ignore_errors=True)
        except Timeout:
            stale += _knows(folder) < erased
    return stale


def _knows(folder: Path) -> int:
    """Up to which erasure an open view knows; -1 when it is being opened or closed just now."""
    try:
        return int((folder / OPEN).read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return -1


def _sealed(folder: Path) -> Path | None:
    try:
        name, *looks = json.loads((folder / CLOSED).read_text())
        path = folder / name
        return path if path.parent == folder and _look(path) == looks else None
    except (OSError, ValueError, TypeError):
        return None


def _unfinished(path: Path) -> bool:
    """Whether the engine left a log behind: its rows are not in the file."""
    wal = path.with_name(f"{path.name}.wal")
    return wal.exists() and wal.stat().st_size > 0


def _look(path: Path) -> list[int]:
    """Size, time of change and checksum of a file that has no log beside it."""
    stat = path.stat()
    checksum = 0
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            checksum = zlib.crc32(block, checksum)
    return [stat.st_size, stat.st_mtime_ns, checksum]
