"""A statement held to a time: a join whose rows nobody will ever see may run for ever without taking memory."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb


@contextmanager
def stopped_after(con: "duckdb.DuckDBPyConnection", seconds: float) -> Iterator[None]:
    """Interrupt what the connection runs inside, once it has taken so long: it then raises InterruptException."""
    done, turn = False, threading.Lock()

    def stop() -> None:
        with turn:
            if not done:  # the next statement is not to be hit
                con.interrupt()

    timer = threading.Timer(seconds, stop)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        with turn:
            done = True
        timer.cancel()
