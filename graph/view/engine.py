"""The one place that touches the embedded graph engine, with a way round each of its known faults.

An engine has two connections: one for the thread that is writing, one for everybody else, who see what is committed.
Any error of the engine makes it unusable for good: a failed statement has already ended the transaction, and what
followed would be committed on its own. The view above then builds another from the journal.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from hornbook.graph.errors import Conflict, EngineFault, InvalidArgument
from hornbook.graph.view.schema import definitions

if TYPE_CHECKING:
    import kuzu
    import pyarrow as pa

POOL = 256 << 20  # bytes that an open file may take in memory; taken as they are needed
MEMORY_POOL = 8 << 30  # in memory everything is in the pool
SPACE = 1 << 36  # bytes of address space reserved for each open file
FRAME_GROUP = 8 << 20  # every checkpoint uses up this much of SPACE for as long as the file stays open
THREADS = 2
MEMORY = ":memory:"
CHUNK = 1 << 20  # rows of a piece of an answer
SET = " SET "
NOT_TAKEN = "Unable to cast Python instance"

Row = list[Any]
T = TypeVar("T")

_open_paths: set[str] = set()  # the engine's own file lock does not stop a second open in one process
_registry = threading.Lock()


class Engine:
    """One open graph: a file, or memory. Refuses a file that is already open in this process."""

    def __init__(self, path: Path | None, *, space: int = SPACE, pool: int = POOL) -> None:
        self.path = path.resolve() if path is not None else None
        self.space = space
        self.pool = MEMORY_POOL if path is None else pool
        self.broken = False
        self._checkpoints = 0
        self._writing = threading.Lock()
        self._reading = threading.Lock()
        self._writer: int | None = None  # the thread in the open transaction
        self._changes = False  # whether that transaction has set anything on what was there
        if self.path is not None:
            _register(str(self.path))
        try:
            self._start()
        except BaseException:
            self._unregister()
            raise

    def _start(self) -> None:
        fresh = self.path is None or not self.path.exists()
        self._database = database(self.path, self.space, self.pool)
        self._connect()
        if fresh:
            for text in ("BEGIN TRANSACTION", *definitions(), "COMMIT"):  # one transaction: one wait for the disk
                self._run(self._write_connection, text, {}, keep=False)

    def _connect(self) -> None:
        import kuzu

        self._write_connection = kuzu.Connection(self._database, num_threads=THREADS)
        self._read_connection = kuzu.Connection(self._database, num_threads=THREADS)
        self._prepared: dict[tuple[int, str], kuzu.PreparedStatement] = {}

    # reading, and writing inside a transaction

    def rows(self, text: str, values: Mapping[str, Any] | None = None) -> list[Row]:
        """The rows of a statement: inside this thread's transaction if it has one, else of what is committed."""
        if self._writer == threading.get_ident():
            self._changes = self._changes or SET in text
            return self._run(self._write_connection, text, values or {})
        with self._reading:
            return self._run(self._read_connection, text, values or {})

    def arrow(self, text: str, values: Mapping[str, Any] | None = None) -> "pa.Table":
        """The same as an Arrow table, which does not need the engine any more: for answers of many rows."""
        if self._writer == threading.get_ident():
            return self._taken(self._write_connection, text, values or {}, _table)
        with self._reading:
            return self._taken(self._read_connection, text, values or {}, _table)

    def load(self, text: str, table: Any) -> list[Row]:
        """Run a bulk statement over an Arrow table, `$arrow` in the text."""
        self._changes = self._changes or SET in text
        return self._run(self._write_connection, text, {"arrow": table}, keep=False)

    @contextmanager
    def with_one_thread(self) -> Iterator[None]:
        """Load with one thread: a copy by two takes a quarter more of CPU, and on a busy machine no less time."""
        self._write_connection.set_max_threads_for_exec(1)
        try:
            yield
        finally:
            self._write_connection.set_max_threads_for_exec(THREADS)

    def _run(
        self, connection: "kuzu.Connection", text: str, values: Mapping[str, Any], *, keep: bool = True
    ) -> list[Row]:
        return self._taken(connection, text, values, _rows, keep)

    def _taken(
        self,
        connection: "kuzu.Connection",
        text: str,
        values: Mapping[str, Any],
        take: "Callable[[kuzu.QueryResult], T]",
        keep: bool = True,
    ) -> T:
        """What is taken of the last result of a statement, before it is closed."""
        if self.broken:
            raise EngineFault("the graph view has failed and is being discarded", hint="try again: it is rebuilt")
        try:
            prepared = self._prepare(connection, text) if keep else text
            result = connection.execute(prepared, dict(values))
            last = result[-1] if isinstance(result, list) else result
            try:
                return take(last)
            finally:
                last.close()  # a result that outlives its database crashes the process
        except (RuntimeError, ValueError, TypeError, MemoryError) as error:
            if str(error).startswith(NOT_TAKEN):  # said before the engine is asked: it and its transaction are well
                raise InvalidArgument(
                    "a text holds half of a surrogate pair, or a number is too large", hint="send valid Unicode"
                ) from error
            raise self.fault() from error

    def _prepare(self, connection: "kuzu.Connection", text: str) -> "kuzu.PreparedStatement":
        key = (id(connection), text)
        if key not in self._prepared:
            self._prepared[key] = connection.prepare(text)
        return self._prepared[key]

    def fault(self) -> EngineFault:
        """From here on this engine answers nothing more."""
        self.broken = True
        return EngineFault("the graph engine failed; the view is discarded", hint="try again: it is rebuilt")

    # transactions

    @property
    def busy(self) -> bool:
        """Whether a transaction is open."""
        return self._writer is not None

    @property
    def mine(self) -> bool:
        """Whether the calling thread has the open transaction."""
        return self._writer == threading.get_ident()

    def begin(self) -> None:
        """Open the one write transaction, after waiting for the thread that has it."""
        if self.mine:
            raise Conflict("the graph view is already being written by this thread")
        self._writing.acquire()
        self._writer, self._changes = threading.get_ident(), False
        try:
            self._run(self._write_connection, "BEGIN TRANSACTION", {}, keep=False)
        except BaseException:
            self._leave()
            raise

    def commit(self) -> None:
        """End the transaction and keep what it did."""
        self._end("COMMIT")

    def rollback(self) -> None:
        """End the transaction and forget what it did; nothing to do where none is open.

        What was set on a row and rolled back stays in the engine's list of versions: the next change of the row is
        refused, writes what was rolled back, or crashes the process. So a file is opened anew from what was committed,
        and a view in memory is discarded.
        """
        if not self.mine:
            return
        if self.broken:  # the engine has ended it, or is in no state to be asked
            self._leave()
            return
        with self._reading if self._changes else nullcontext():
            try:
                self._run(self._write_connection, "ROLLBACK", {}, keep=False)
                if self._changes:
                    self._forget_versions()
            finally:
                self._leave()

    def _forget_versions(self) -> None:
        if self.path is None:
            self.broken = True
            return
        self._run(self._write_connection, "CALL force_checkpoint_on_close=false", {}, keep=False)
        self._reopen()

    def _end(self, text: str) -> None:
        if not self.mine:
            raise Conflict("the graph view is not being written by this thread")
        try:
            self._run(self._write_connection, text, {}, keep=False)
        finally:
            self._leave()

    def _leave(self) -> None:
        self._writer = None
        self._writing.release()

    # files

    def checkpoint(self) -> None:
        """Move what was committed from the log into the file; no reader and no writer is in the engine meanwhile.

        Every checkpoint uses up address space until the file is closed, and a file that has used up all of it
        can never be opened again: at half of the budget it is closed and opened anew.
        """
        if self.path is None or self.broken:
            return
        with self._writing, self._reading:
            self._run(self._write_connection, "CHECKPOINT", {}, keep=False)
            self._checkpoints += 1
            if self._checkpoints >= self.space // FRAME_GROUP // 2:
                self._reopen()

    def reopen(self) -> None:
        """Close a file and open it again with the usual pool: what filling it took in memory is given back."""
        if self.path is not None:
            with self._writing, self._reading:
                self.pool = POOL
                self._reopen()

    def _reopen(self) -> None:
        try:
            self._shut()
            self._database = database(self.path, self.space, self.pool)
            self._connect()
        except RuntimeError as error:
            raise self.fault() from error
        self._checkpoints = 0

    def _shut(self) -> None:
        self._prepared.clear()
        self._read_connection.close()
        self._write_connection.close()
        self._database.close()

    def close(self) -> bool:
        """Close the file; whether it was closed in good order, so that it may be opened again."""
        clean = not self.broken
        with self._reading:
            self.broken = True  # a reader that comes late is told so
            try:
                self._shut()
            except RuntimeError:  # the file is in doubt: the caller discards it
                clean = False
            self._unregister()
        give_back()
        return clean

    def _unregister(self) -> None:
        if self.path is not None:
            with _registry:
                _open_paths.discard(str(self.path))


def _rows(result: "kuzu.QueryResult") -> list[Row]:
    return list(result)  # type: ignore[arg-type]  # rows are lists unless asked for as dictionaries


def _table(result: "kuzu.QueryResult") -> "pa.Table":
    return result.get_as_arrow(CHUNK)


def give_back() -> None:
    """Give what an engine has freed back to the system: glibc would keep it, 100 MB and more, for the process."""
    import ctypes

    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (AttributeError, OSError, TypeError):  # another C library, which does so by itself
        return


def _register(path: str) -> None:
    with _registry:
        if path in _open_paths:
            raise Conflict("this graph view is already open in this process", hint="use the view that is open")
        _open_paths.add(path)


def database(path: Path | None, space: int, pool: int) -> "kuzu.Database":
    """Open the engine's database; EngineFault when it cannot be."""
    import importlib.util  # noqa: F401  # the engine uses it without importing it

    import kuzu

    try:
        return kuzu.Database(
            MEMORY if path is None else str(path),
            buffer_pool_size=pool,
            max_num_threads=THREADS,
            max_db_size=space,
            auto_checkpoint=False,
        )
    except RuntimeError as error:
        raise EngineFault("the graph view cannot be opened", hint="try again: it is rebuilt") from error


def remove(path: Path) -> None:
    """Delete a view's file and what the engine keeps beside it."""
    for suffix in FILES:
        with suppress(FileNotFoundError):
            path.with_name(path.name + suffix).unlink()


FILES: Iterable[str] = ("", ".wal", ".shadow")
