"""The connections of one journal: one that writes, and as many that read as there are readers at a time."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from hornbook.graph.errors import StoreBusy, StoreDamaged, StoreError, StoreMoved
from hornbook.graph.journal.database import Database, connect

IDLE = 8  # readers kept open between uses


class Connections:
    """Where a journal's connections come from. In memory one connection does everything."""

    def __init__(self, path: Path | None, *, read_only: bool, pack: bool) -> None:
        self.path = path
        self.read_only = read_only
        self.wal = path is not None and not pack and not read_only
        self.steady = path is not None and not pack  # whether a reader may hold a transaction: not where it blocks
        self.committed = 0  # the head in memory, where a reader shares the writer's connection
        self.closed = False
        self.pack = pack
        self.salvaged = False
        self._mutex = threading.Lock()
        self._idle: list[Database] = []
        self._writer: Database | None = None
        self._file: tuple[int, int] | None = None  # which file it is, whatever its name

    @property
    def writer(self) -> Database:
        """The one connection that writes; use it under the write lock."""
        if self.closed:
            raise closed()
        if self._writer is None:
            self._writer = connect("file::memory:" if self.path is None else uri(self.path, "rwc"))
            for pragma in ("synchronous = FULL", "wal_autocheckpoint = 0", "secure_delete = ON", "cache_size = -8000"):
                self._writer.rows(f"PRAGMA {pragma}")
        return self._writer

    def settled(self) -> bool:
        """Whether the file's mode is the one wanted: WAL in a directory, a rollback journal in a pack."""
        mode = self.writer.rows("PRAGMA journal_mode")[0][0]
        return self.path is None or mode == self._mode

    def settle(self) -> None:
        """Set the file's mode; under the write lock."""
        if self.path is not None:
            self._drop_idle()  # a reader that is open would stand in the way
            ((mode,),) = self.writer.rows(f"PRAGMA journal_mode = {self._mode}")
            if mode != self._mode:
                raise StoreError(
                    "the file system does not allow the journal's mode", hint="use another disk, or a pack"
                )

    def take_as_it_is(self) -> None:
        """For reading only: in a file with a rollback journal a reader may not stand in the writer's way."""
        with self.reader() as database:
            self.steady = database.rows("PRAGMA journal_mode")[0][0] == "wal"

    def pin(self) -> None:
        """Remember which file is open, so that another one under its name is noticed."""
        self._file = self._found()

    def check_pinned(self) -> None:
        """Refuse to go on when the file's name now stands for another one: writes would go where nobody looks."""
        if self._file is not None and self._found() != self._file:
            raise StoreMoved("the store was moved, replaced or removed while it was open", hint="open it again")

    def _found(self) -> tuple[int, int] | None:
        try:
            status = None if self.path is None else os.stat(self.path)
        except OSError:
            return None
        return None if status is None else (status.st_dev, status.st_ino)

    @property
    def _mode(self) -> str:
        return "delete" if self.pack else "wal"

    def salvage(self) -> None:
        """From now on read what can be read of a damaged file, and write nothing."""
        if self.salvaged or self.path is None:
            return
        self._drop()
        self.salvaged = self.read_only = True
        self.wal = False

    @contextmanager
    def reader(self) -> Iterator[Database]:
        """A connection for one reader."""
        if self.path is None:
            yield self.writer
            return
        database = self._take()
        try:
            yield database
        finally:
            self._give_back(database)

    def _take(self) -> Database:
        with self._mutex:
            if self.closed:
                raise closed()
            if self._idle:
                return self._idle.pop()
        return self._open()

    def _open(self) -> Database:
        assert self.path is not None
        if not self.read_only:
            self.writer.rows("PRAGMA journal_mode")  # the file is there once the writer has it open
            return self._prepared(uri(self.path, "rw"))
        try:
            return self._prepared(uri(self.path, "ro"))
        except (StoreDamaged, StoreBusy):
            raise
        except StoreError:
            if self.wal_bytes():
                raise
            # where we cannot write SQLite cannot share memory with writers: read the file as it lies there
            return self._prepared(uri(self.path, "ro") + "&immutable=1")

    def _prepared(self, address: str) -> Database:
        database = connect(address)
        try:
            database.rows("PRAGMA query_only = ON")
            if self.salvaged:
                # SQLite then takes a file that is shorter than its head says, and fails only on pages that are gone
                database.rows("PRAGMA writable_schema = ON")
            database.rows("SELECT count(*) FROM sqlite_master")
        except BaseException:
            database.close()
            raise
        return database

    def _give_back(self, database: Database) -> None:
        with self._mutex:
            if not self.closed and len(self._idle) < IDLE:
                self._idle.append(database)
                return
        database.close()

    def wal_bytes(self) -> int:
        """How long the WAL is."""
        assert self.path is not None
        log = self.path.with_name(self.path.name + "-wal")
        return log.stat().st_size if log.exists() else 0

    def close(self) -> None:
        """Close them all; one that a reader still holds is closed when it is given back."""
        self.closed = True
        self._drop()

    def _drop_idle(self) -> None:
        with self._mutex:
            idle, self._idle = self._idle, []
        for database in idle:
            database.close()

    def _drop(self) -> None:
        self._drop_idle()
        if self._writer is not None:
            self._writer.close()
            self._writer = None


def uri(path: Path, mode: str) -> str:
    """A path as SQLite's URI.

    >>> uri(Path("/a b/x?.db"), "ro")
    'file:/a%20b/x%3F.db?mode=ro'
    """
    return f"file:{quote(path.absolute().as_posix())}?mode={mode}"


def closed() -> StoreError:
    """What is said to whoever uses a journal that is closed."""
    return StoreError("the store is closed", hint="open it again")
