"""Threads in which pages are made: one a page, told to stop where it would keep the command from ending."""

import asyncio
import ctypes
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeVar

T = TypeVar("T")
LAST = 10.0  # seconds that the threads have to stop once they are told to


class Ended(BaseException):
    """The command ends, and with it the page that is being made. No `except Exception` holds it up."""


@dataclass(slots=True)
class Workers:
    """The threads that are making pages now."""

    threads: set[threading.Thread] = field(default_factory=set)

    async def run(self, make: Callable[[], T]) -> T:
        """What `make` gives, made in a thread of its own, so that a page that takes long keeps no other waiting."""
        loop = asyncio.get_running_loop()
        made: asyncio.Future[T] = loop.create_future()
        thread = threading.Thread(target=self._made, args=(loop, made, make), daemon=True)
        self.threads.add(thread)
        thread.start()
        return await made

    def _made(self, loop: asyncio.AbstractEventLoop, made: "asyncio.Future[T]", make: Callable[[], T]) -> None:
        try:
            give = _given(made, make)
            with suppress(RuntimeError):  # the loop has ended meanwhile: nobody waits for the page any more
                loop.call_soon_threadsafe(give)
        except Ended:
            pass
        finally:
            self.threads.discard(threading.current_thread())

    def stop(self) -> bool:
        """Stop what is still being made, each thread at its next step; whether all have stopped."""
        left = list(self.threads)
        for thread in left:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(Ended))
        for thread in left:
            thread.join(LAST)
        return not any(thread.is_alive() for thread in left)


def _given(made: "asyncio.Future[T]", make: Callable[[], T]) -> Callable[[], None]:
    """Make a page; what then hands it over, unless whoever asked for it has gone."""
    try:
        page = make()
    except Exception as error:
        failed = error
        return lambda: None if made.done() else made.set_exception(failed)
    return lambda: None if made.done() else made.set_result(page)
