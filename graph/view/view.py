"""The graph view of one journal, in this process: opened, brought up to date, written and asked here.

The view is a projection and may be thrown away at any time. Whatever is in doubt - a crash while it was open, a file
that is not as it was left, a journal whose hash at the watermark is another one, an engine that failed - is answered
the same way: another view is built from the journal.
"""

import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from hornbook.graph.errors import Conflict, EngineFault, StoreError
from hornbook.graph.view.advance import advance
from hornbook.graph.view.catch_up import Source, Way, by_statements, fill, mark, marked, way_to
from hornbook.graph.view.engine import Engine, Row, remove
from hornbook.graph.view.gather import gathered
from hornbook.graph.view.project import Recorded, project
from hornbook.graph.view.slots import Slot, take_slot
from hornbook.graph.view.statements import run

if TYPE_CHECKING:
    import pyarrow as pa

T = TypeVar("T")
log = logging.getLogger(__name__)

IN_MEMORY_BELOW = 5_000  # events: a smaller store keeps its view in memory, some 30 MB and 50 ms
CHECKPOINT_EVERY = 1_000  # events: the engine keeps some 60 kB of each until then
RENEW_AFTER, RENEW_SHARE = 1_000, 4  # events after which a view in memory is built anew, at least this part of it
PATIENCE = 0.25  # seconds that what is beside the projection waits for a thread that writes
REBUILD_POOLS = (1 << 30, 1 << 32, 1 << 34)  # bytes; 100,000 claims fit in the first


class Followed(Protocol):
    """A journal, as far as a view needs to know it."""

    @property
    def id(self) -> str: ...
    def reading(self) -> AbstractContextManager[Source]: ...


class GraphView:
    """One view of one journal. `seq` and `hash` say up to where it has followed and been committed.

    Threads may ask it at any time and see what is committed; one at a time writes it, and sees what it has written.
    """

    def __init__(self, journal_id: str, engine: Engine, slot: Slot | None = None) -> None:
        self.journal_id = journal_id
        self._stands = (0, b"")
        self._engine = engine
        self._slot = slot
        self._turn = threading.Lock()  # held by the thread that writes, catches up or closes
        self._writer: int | None = None  # that thread
        self._applied = 0  # events since the last checkpoint, or since it was built
        self._beside = 0  # changes of what is beside the projection since the last checkpoint
        self._closed = False

    def __repr__(self) -> str:
        """Where the view lives, and up to where it has followed."""
        place = "in memory" if self.in_memory else "on disk"
        return f"GraphView({self.journal_id!r}, {place}, seq={self.seq})"

    @property
    def seq(self) -> int:
        """The last event of the journal that is in the view and committed."""
        return self._stands[0]

    @property
    def hash(self) -> bytes:
        """The hash of the journal's chain at that event."""
        return self._stands[1]

    @property
    def in_memory(self) -> bool:
        """Whether it has no file."""
        return self._slot is None

    @property
    def grown(self) -> bool:
        """Whether a view in memory has taken so much in one by one that it is worth building it anew.

        The engine keeps what each transaction needed for as long as it is open; a file gives it back at a checkpoint.
        """
        return self.in_memory and self._applied >= max(RENEW_AFTER, self.seq // RENEW_SHARE)

    @property
    def usable(self) -> bool:
        """Whether the engine still answers; if not, `catch_up` builds another."""
        return not self._engine.broken

    @property
    def busy(self) -> bool:
        """Whether some thread is writing or catching up: its outcome is not waited for by readers."""
        return self._turn.locked()

    def rows(self, text: str, values: Mapping[str, Any] | None = None) -> list[Row]:
        """The rows of a statement; for `hornbook.graph.view.queries`, which holds the texts."""
        return self._answer(lambda engine: engine.rows(text, values))

    def arrow(self, text: str, values: Mapping[str, Any] | None = None) -> "pa.Table":
        """The same as an Arrow table."""
        return self._answer(lambda engine: engine.arrow(text, values))

    def _answer(self, ask: Callable[[Engine], T]) -> T:
        while True:
            engine = self._engine
            try:
                return ask(engine)
            except EngineFault:
                if engine is self._engine:
                    raise  # otherwise it was replaced in between

    # writing

    @property
    def _mine(self) -> bool:
        return self._writer == threading.get_ident()

    def _take_turn(self) -> None:
        if self._mine:
            raise Conflict("the graph view is already being written by this thread")
        self._turn.acquire()
        self._writer = threading.get_ident()

    def _give_turn(self) -> None:
        self._writer = None
        self._turn.release()

    def begin(self) -> None:
        """Begin to write, after the thread that does so now; ends with `commit` or `rollback` in the same thread."""
        self._take_turn()
        try:
            self._engine.begin()
        except BaseException:
            self._give_turn()
            raise

    def apply(self, event: Recorded) -> None:
        """Apply an event between `begin` and `commit`. On EngineFault the view is of no use any more."""
        self._check_mine()
        run(self._engine, project(event))
        self._applied += 1

    def commit(self, seq: int, hash: bytes) -> None:
        """Keep what was applied: the view now stands at `seq` of the journal. On EngineFault it is of no use."""
        self._check_mine()
        try:
            self._commit(seq, hash)
            if self._applied >= CHECKPOINT_EVERY:
                self._checkpoint()
        finally:
            self.rollback()

    def _commit(self, seq: int, digest: bytes) -> None:
        mark(self._engine, self.journal_id, seq, digest)
        self._engine.commit()
        self._stands = (seq, digest)

    def _checkpoint(self) -> None:
        if not self.in_memory:  # there is nothing that one would give back
            self._engine.checkpoint()
            self._applied = self._beside = 0

    def rollback(self) -> None:
        """Forget what was applied; nothing to do where this thread has begun nothing."""
        if not self._mine:
            return
        try:
            self._engine.rollback()
        finally:
            self._give_turn()

    def _check_mine(self) -> None:
        if not self._mine:
            raise Conflict("the graph view is not being written by this thread", hint="call begin first")

    @contextmanager
    def writing(self) -> Iterator["GraphView"]:
        """Begin, and roll back unless `commit` was called inside."""
        self.begin()
        try:
            yield self
        finally:
            self.rollback()

    def beside(self, act: Callable[[Engine], int]) -> bool:
        """Write, in a transaction of its own, what is beside the projection: `act` gives how much it changed.

        Whether that was done: a thread that is writing for long is not waited for. On EngineFault the view is of no
        use any more.
        """
        if self._mine or not self._turn.acquire(timeout=PATIENCE):
            return False
        self._writer = threading.get_ident()
        try:
            if self._closed:
                return False
            self._engine.begin()
            self._beside += act(self._engine)
            self._engine.commit()
            if self._beside >= CHECKPOINT_EVERY:
                self._checkpoint()
            return True
        finally:
            self.rollback()

    # following the journal

    def catch_up(self, source: Source, upto: int | None = None) -> int:
        """Bring the view to `upto` of a journal's snapshot, or of its transaction; the seq it then stands at.

        A view that is of no use, or that follows another history than this journal's, is built anew.
        """
        last = source.head if upto is None else min(upto, source.head)
        if self.seq >= last and self._sound(source) and (self.busy or last < self.seq or not self.grown):
            return self.seq  # nothing to do, and no need to wait for a thread that is writing
        self._take_turn()
        try:
            if self._closed:
                raise StoreError("the graph view is closed", hint="open it again")
            if not self._sound(source):
                self._restart()
            if self.seq < last or (self.seq == last and self.grown):
                self._follow(source, last)
        finally:
            self.rollback()
        return self.seq

    def _sound(self, source: Source) -> bool:
        """Whether the engine answers and the journal still has the hash that the view has seen."""
        if self._engine.broken:
            return False
        # a snapshot that is older than the view says nothing about it: another thread has moved the view on
        seq, digest = self._stands
        return seq == 0 or seq > source.head or source.hash_at(seq) == digest

    def _follow(self, source: Source, last: int) -> None:
        way = Way.REBUILD if self.grown else way_to(self.seq, last)
        if way is Way.REBUILD:
            self._rebuild(source, last)
            return
        apply = advance if way is Way.BULK else by_statements
        while self.seq < last:
            stop = min(self.seq + way.value, last)
            self._engine.begin()
            self._applied += apply(self._engine, source.events(self.seq, stop))
            self._commit(stop, source.hash_at(stop))
            if self._applied >= CHECKPOINT_EVERY:
                self._checkpoint()

    def _rebuild(self, source: Source, last: int) -> None:
        """Build another engine from the whole journal, then put it in the place of the old one."""
        digest = source.hash_at(last)
        columns = gathered(source.events(0, last))
        for pool in REBUILD_POOLS:
            engine = Engine(self._slot.fresh() if self._slot else None, pool=pool)
            try:
                fill(engine, columns, self.journal_id, last, digest)
                engine.reopen()
                break
            except EngineFault:  # as when the pool was too small for this store
                self._drop(engine)
                if pool == REBUILD_POOLS[-1]:
                    raise
            except BaseException:
                self._drop(engine)
                raise
        self._replace(engine, last, digest)

    @staticmethod
    def _drop(engine: Engine) -> None:
        engine.close()
        if engine.path is not None:
            remove(engine.path)

    def _restart(self) -> None:
        """Throw away what is there and begin with an empty view."""
        self._replace(Engine(self._slot.fresh() if self._slot else None), 0, b"")

    def _replace(self, engine: Engine, seq: int, digest: bytes) -> None:
        old, self._engine = self._engine, engine
        self._stands, self._applied, self._beside = (seq, digest), 0, 0
        self._drop(old)

    # the end

    def close(self) -> None:
        """Close the view; on disk it is kept for the next process, if it is in good order."""
        self._close(keep=True)

    def discard(self) -> None:
        """Close the view and delete its file."""
        self._close(keep=False)

    def _close(self, *, keep: bool) -> None:
        self.rollback()
        self._take_turn()
        try:
            if self._closed:
                return
            self._closed = True
            clean = self._engine.close() and keep
            if self._slot is not None:
                self._slot.seal(self._engine.path if clean else None)
        finally:
            self._give_turn()


def open_view(cache: Path | None, journal: Followed, *, in_memory_below: int = IN_MEMORY_BELOW) -> GraphView:
    """The view of a journal: from the cache folder if one is there and fits the journal, else empty.

    Small journals have theirs in memory, and so has every journal without a cache folder or with one that cannot be
    written. What is behind is made up for by `catch_up`.
    """
    with journal.reading() as source:
        if cache is None or source.head < in_memory_below:
            return GraphView(journal.id, Engine(None))
        try:
            slot = take_slot(cache, journal.id)
        except StoreError as error:
            log.warning("the graph view is kept in memory: %s", error.message)
            return GraphView(journal.id, Engine(None))
        return _opened(journal.id, slot, source)


def _opened(journal_id: str, slot: Slot, source: Source) -> GraphView:
    found = slot.left_over(source.erased)
    if found is not None:
        try:
            return _taken_up(journal_id, slot, Engine(found), source)
        except EngineFault:
            log.warning("a graph view could not be opened and is rebuilt")
            slot.clear()
    return GraphView(journal_id, Engine(slot.fresh()), slot)


def _taken_up(journal_id: str, slot: Slot, engine: Engine, source: Source) -> GraphView:
    """A view found on disk, if it stands where this journal has been and holds nothing erased; else an empty one."""
    seq, digest = marked(engine, journal_id)
    if 0 < seq <= source.head and seq >= source.erased and source.hash_at(seq) == digest:
        view = GraphView(journal_id, engine, slot)
        view._stands = (seq, digest)
        return view
    log.info("a graph view does not belong to this journal's history and is rebuilt")
    engine.close()
    slot.clear()
    return GraphView(journal_id, Engine(slot.fresh()), slot)
