"""The write lock: one writer of a store at a time, over threads and processes, each in its turn.

SQLite's own busy wait starves: beside a bulk writer an interactive one may wait for ever. So a writer takes an OS file
lock before it begins. Two files make it fair: whoever wants the lock first takes the turnstile, waits there for the
lock, and leaves the turnstile when it has it. A bulk writer that comes back finds the turnstile taken and queues.
"""

import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from hornbook.graph.errors import Conflict, StoreBusy, StoreError, StoreMoved

NEXT_POLL = 0.002  # seconds: the one writer at the turnstile looks often, since it alone can be next
QUEUE_POLL = 0.010


class Queue:
    """A lock that threads get in the order in which they asked, or not at all by their deadline."""

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._waiting: deque[threading.Event] = deque()
        self._holder: int | None = None
        self._taken = False

    @property
    def mine(self) -> bool:
        """Whether the calling thread holds it."""
        return self._holder == threading.get_ident()

    @property
    def waiting(self) -> int:
        """How many threads wait for their turn."""
        return len(self._waiting)

    def acquire(self, seconds: float) -> bool:
        """Wait for the turn; False when it has not come in time."""
        turn = threading.Event()
        with self._mutex:
            if not self._taken:
                self._taken = True
                turn.set()
            else:
                self._waiting.append(turn)
        if not turn.wait(max(0.0, seconds)) and not self._handed(turn):
            return False
        self._holder = threading.get_ident()
        return True

    def _handed(self, turn: threading.Event) -> bool:
        """After a time-out: leave the queue, unless the turn came in that very moment."""
        with self._mutex:
            if turn.is_set():
                return True
            self._waiting.remove(turn)
            return False

    def release(self) -> None:
        """Hand the lock to the thread that has waited longest."""
        with self._mutex:
            self._holder = None
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._taken = False


class WriteLock:
    """The lock beside a journal; without a path, for threads only.

    >>> lock = WriteLock(None)
    >>> with lock.held(1.0):
    ...     lock.mine
    True
    """

    def __init__(self, path: Path | None) -> None:
        self._threads = Queue()
        self._file = self._turnstile = None
        if path is not None:
            self._file = FileLock(path.with_name(path.name + ".lock"), thread_local=False)
            self._turnstile = FileLock(path.with_name(path.name + ".next"), thread_local=False)

    @property
    def mine(self) -> bool:
        """Whether the calling thread holds it."""
        return self._threads.mine

    @contextmanager
    def held(self, deadline: float) -> Iterator[None]:
        """Hold the lock; StoreBusy when it cannot be had within so many seconds. Nested use is refused."""
        if self.mine:
            raise Conflict("this thread is already writing to the store", hint="use the transaction that is open")
        until = time.monotonic() + deadline
        if not self._threads.acquire(deadline):
            raise busy(deadline)
        try:
            self._take_file(until, deadline)
            try:
                yield
            finally:
                if self._file is not None:
                    self._file.release()
        finally:
            self._threads.release()

    def remove(self) -> None:
        """Take the lock's files away, while it is held. A writer that waits for them meets SQLite's own lock then."""
        for lock in (self._file, self._turnstile):
            if lock is not None:
                with suppress(OSError):  # Windows keeps a file that is open
                    Path(lock.lock_file).unlink(missing_ok=True)

    def _take_file(self, until: float, deadline: float) -> None:
        if self._file is None or self._turnstile is None:
            return
        if not Path(self._file.lock_file).parent.is_dir():  # filelock would make it anew, where nobody looks
            raise StoreMoved("the store was moved or removed while it was open", hint="open it again")
        try:
            with self._turnstile.acquire(timeout=left(until), poll_interval=QUEUE_POLL):
                self._file.acquire(timeout=left(until), poll_interval=NEXT_POLL)
        except Timeout as error:
            raise busy(deadline) from error
        except (OSError, NotImplementedError) as error:
            raise StoreError(
                "the store's directory cannot be written", hint="check its permissions, or open it read-only"
            ) from error


def left(until: float) -> float:
    """Seconds until then, never negative: filelock takes a negative time for 'wait for ever'."""
    return max(0.0, until - time.monotonic())


def busy(deadline: float) -> StoreBusy:
    """What a writer is told whose turn did not come."""
    return StoreBusy(
        f"another writer held the store for more than {deadline:g} s; nothing was written",
        hint="try again; if it stays so, look for a process that hangs while it writes",
    )
