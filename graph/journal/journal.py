"""The journal: one SQLite file a tenant, append-only, hash-chained, shared by threads and processes.

On disk it is in WAL mode: readers hold one SQLite transaction and never wait. A pack uses a rollback journal, so that
it is one file between transactions; there and in memory a reader holds no lock between statements, and its instant is
kept by its bound alone, which an append-only log allows.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from hornbook.graph.clock import Clock
from hornbook.graph.errors import Conflict, Forbidden, InvalidArgument, NotFound, StoreDamaged, StoreError
from hornbook.graph.events import VOCABULARY, Actor, Vocabulary
from hornbook.graph.ids import new_id
from hornbook.graph.journal.check import Damage, check_tail, refusal
from hornbook.graph.journal.connections import Connections
from hornbook.graph.journal.database import BUSY_SECONDS, Database, check_library
from hornbook.graph.journal.place import check_place
from hornbook.graph.journal.read import Snapshot
from hornbook.graph.journal.salvage import Salvaged
from hornbook.graph.journal.schema import VERSION, check_version, create, migrate, read_version
from hornbook.graph.journal.write import Transaction
from hornbook.graph.lock import WriteLock

DEADLINE = 30.0
CLOSING = 1.0  # seconds that closing waits for the lock; without it the WAL stays, and loses nothing
WAL_BYTES = 4 * 1024 * 1024


class Journal:
    """An open journal. Any thread may use it; one writes at a time.

    >>> from hornbook.graph.clock import ticking
    >>> with Journal.open(":memory:", clock=ticking()) as journal:
    ...     with journal.writing(Actor(tool="example")) as tx:
    ...         seq = tx.append("memory.recorded", {"content": "Ana drinks tea"})
    ...     with journal.reading() as snap:
    ...         snap.head, snap.event(seq).body["content"]
    (1, 'Ana drinks tea')
    """

    def __init__(self, connections: Connections, clock: Clock, vocabulary: Vocabulary) -> None:
        self._connections = connections
        self._clock = clock
        self._vocabulary = vocabulary
        self._lock = WriteLock(None if connections.read_only else connections.path)
        self._checkpoint_at = WAL_BYTES
        self.id = ""
        self.damage: Damage | None = None

    @classmethod
    def open(
        cls,
        path: Path | str | None,
        *,
        clock: Clock,
        read_only: bool = False,
        pack: bool = False,
        owner: str | None = None,
        vocabulary: Vocabulary = VOCABULARY,
    ) -> Self:
        """Open a journal, or create it; `None` or ":memory:" for one that ends with the process.

        A damaged one opens all the same, on its good prefix: `damage` says where it ends, and writing is refused.
        An `owner` binds a pack to whoever named himself first.
        """
        check_library(sqlite3.sqlite_version_info, options())
        place = None if path is None or str(path) == ":memory:" else Path(path)
        prepare(place, read_only, pack)
        journal = cls(Connections(place, read_only=read_only, pack=pack), clock, vocabulary)
        try:
            journal._begin()
            journal._bind(owner)
            journal._connections.pin()
        except BaseException:
            journal._connections.close()
            raise
        return journal

    # opening

    def _begin(self) -> None:
        """Make sure that the tables are there and of our version, then check the end of the chain."""
        try:
            self._settle()
        except StoreDamaged:
            self._connections.salvage()  # once more, as far as the file goes
            check_version(self._version())
        with self.checking() as database:
            found = database.one("SELECT value FROM meta WHERE key = 'id'")
            if found is None:
                raise StoreDamaged("the journal has lost its id", hint="restore a backup")
            self.id = str(found[0])
            self.damage = check_tail(database, self.id)
            if self.damage is None and self._connections.salvaged:
                self.damage = Damage(self._head(database) + 1, "a page of the file cannot be read")

    def _settle(self) -> None:
        version = self._version()
        check_version(version)
        if self._connections.read_only:
            if version != VERSION:
                raise StoreError("the journal needs to be brought up to date", hint="open it once for writing")
            self._connections.take_as_it_is()
        elif version != VERSION or not self._connections.settled():
            with self._lock.held(DEADLINE):
                self._connections.settle()
                self._make()

    def _version(self) -> int:
        with self.checking() as database:
            return read_version(database)

    def _make(self) -> None:
        """Create or migrate, under the lock, if nobody else has in the meantime."""
        with transaction(self._connections.writer) as database:
            if read_version(database) == 0:
                create(database, {"id": new_id()})
            migrate(database)

    def _bind(self, owner: str | None) -> None:
        if owner is None or self.owner == owner:
            return
        if self.owner is None and not self._connections.read_only and self.damage is None:
            with self._lock.held(DEADLINE), transaction(self._connections.writer) as database:
                database.rows("INSERT OR IGNORE INTO meta VALUES ('owner', ?)", (owner,))
        if self.owner not in (owner, None):
            raise Forbidden("this store belongs to someone else", hint="open it as its owner, or export from it")

    # what it is

    @property
    def path(self) -> Path | None:
        """The file, None in memory."""
        return self._connections.path

    @property
    def owner(self) -> str | None:
        """Whose it is, if it is bound."""
        with self.checking() as database:
            found = database.one("SELECT value FROM meta WHERE key = 'owner'")
        return str(found[0]) if found else None

    @property
    def read_only(self) -> bool:
        """Whether writing is refused, for the way it was opened or for its damage."""
        return self._connections.read_only or self.damage is not None

    def head(self) -> int:
        """The last seq, by a look that costs microseconds: whether anybody has written since."""
        with self.checking() as database:
            return self._head(database)

    def _head(self, database: Database) -> int:
        if self._connections.path is None:
            return self._connections.committed
        sql = "SELECT seq FROM event ORDER BY seq DESC LIMIT 1"
        if self.damage is not None:
            return self.damage.seq - 1
        found = database.one(sql)
        return int(found[0]) if found else 0

    # reading

    @contextmanager
    def reading(self) -> Iterator[Snapshot]:
        """One instant of the journal; on disk it holds until the end of the block, whoever writes meanwhile."""
        self._connections.check_pinned()
        with self.checking() as database:
            steady = self._connections.steady
            if steady:
                database.rows("BEGIN")
            kind = Snapshot if self.damage is None else Salvaged
            snapshot = kind(database, self.id, self._head(database), self._vocabulary)
            try:
                yield snapshot
            finally:
                snapshot.finish()
                if steady:
                    database.rows("ROLLBACK")

    @contextmanager
    def checking(self) -> Iterator[Database]:
        """A connection for reading that belongs to the block alone."""
        with self._connections.reader() as database:
            yield database

    def recalled(self, key: str) -> str | None:
        """What an idempotency key stands for."""
        with self.reading() as snapshot:
            return snapshot.recalled(key)

    def ref_of(self, number: int) -> str | None:
        """What a number stands for."""
        with self.reading() as snapshot:
            return snapshot.ref_of(number)

    # writing

    @contextmanager
    def writing(
        self, actor: Actor, deadline: float = DEADLINE, *, known_at: int | None = None
    ) -> Iterator[Transaction]:
        """One transaction: committed at the end of the block, undone when an error leaves it.

        StoreBusy when another writer holds the store past the deadline, StoreMoved when its file is another one by
        now. `known_at` is for an import alone, which
        keeps the time of the original; it must be later than all that is known.
        """
        if self.damage is not None:
            raise refusal(self.damage)
        if self._connections.read_only:
            raise Conflict("the store is open for reading only", hint="open it for writing")
        with self._lock.held(deadline):
            self._connections.check_pinned()
            with transaction(self._connections.writer) as database:
                tx = Transaction(database, self.id, self._vocabulary, actor, self._clock, known_at)
                try:
                    yield tx
                    if not tx.sealed:
                        tx.seal()
                finally:
                    tx.finish()
            self._connections.committed = tx.head
            with suppress(StoreError):  # it is committed: what fails now is tried again later
                self._checkpoint(at_once=tx.erased_here)

    def _checkpoint(self, *, at_once: bool) -> bool:
        """Move the WAL into the file once it is long, or at once; whether nothing is left in it.

        A reader may stand in the way: then the WAL grows by a quarter before the next try.
        """
        connections = self._connections
        if not connections.wal:
            return True
        if not at_once and connections.wal_bytes() < self._checkpoint_at:
            return False
        connections.writer.rows("PRAGMA wal_checkpoint(PASSIVE)")
        connections.writer.rows("PRAGMA busy_timeout = 0")
        ((left, *_),) = connections.writer.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        connections.writer.rows(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000:.0f}")
        self._checkpoint_at = max(WAL_BYTES, connections.wal_bytes() * 5 // 4)
        return not left

    def vacuum(self) -> bool:
        """Rewrite the file without what was erased or freed; whether no copy is left.

        False while a reader, of this process or another, still stands on the old pages: try again when it has ended.
        """
        if self.read_only:
            raise Conflict("the store is open for reading only", hint="open it for writing")
        with self._lock.held(DEADLINE):
            self._connections.writer.rows("VACUUM")
            return self._checkpoint(at_once=True)

    def settle(self, key: str) -> None:
        """Take back what a transaction has noted under a key: it has been seen to."""
        with self._lock.held(DEADLINE), transaction(self._connections.writer) as database:
            database.rows("DELETE FROM meta WHERE key = ?", (key,))

    # closing

    def close(self) -> None:
        """Close it; the WAL is moved into the file if no one else is writing. Harmless when it is closed."""
        if not self._connections.closed and not self.read_only:
            with suppress(StoreError, Conflict), self._lock.held(CLOSING):
                self._checkpoint(at_once=True)
                self._connections.close()
                if self._connections.pack:
                    self._lock.remove()
        self._connections.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def options() -> list[str]:
    """What this Python's SQLite was built with."""
    with Database(sqlite3.connect(":memory:")) as database:
        return [row[0] for row in database.rows("PRAGMA compile_options")]


def prepare(place: Path | None, read_only: bool, pack: bool) -> None:
    """Refuse a place that does not do; make the directory of a new journal."""
    if place is None:
        if read_only:
            raise InvalidArgument("a journal in memory cannot be read-only", field="read_only")
        return
    check_place(place, pack=pack)
    if read_only:
        if not place.exists():
            raise NotFound("there is no store here", hint="check the path, or open it for writing to create it")
        return
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError("the store's directory cannot be made", hint="name a directory you may write to") from error


@contextmanager
def transaction(database: Database) -> Iterator[Database]:
    """One SQLite transaction for writing, under the write lock."""
    database.rows("BEGIN IMMEDIATE")
    try:
        yield database
        database.rows("COMMIT")
    finally:
        if database.in_transaction:
            database.rows("ROLLBACK")


def forked(one: Journal, other: Journal) -> bool:
    """Whether two journals are copies of one that have since been written apart: neither continues the other."""
    with one.reading() as first, other.reading() as second:
        common = min(first.head, second.head)
        return one.id == other.id and first.hash_at(common) != second.hash_at(common)
