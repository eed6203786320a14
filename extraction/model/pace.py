"""When the next call may go out: so many a minute, and none while the provider asks to wait."""

import asyncio
from collections.abc import Callable


class Pace:
    """Spaces calls out. Used from one event loop; `now` is its clock."""

    def __init__(self, per_minute: int | None, now: Callable[[], float]) -> None:
        self._apart = 60 / per_minute if per_minute else 0.0
        self._now = now
        self._next = 0.0

    async def turn(self) -> None:
        """Wait until it is this call's turn."""
        at = max(self._next, self._now())
        self._next = at + self._apart  # taken before the wait, so that the next one lines up behind
        if (wait := at - self._now()) > 0:
            await asyncio.sleep(wait)

    def hold(self, seconds: float) -> None:
        """Let nobody go for a while: the provider said that it is too much."""
        self._next = max(self._next, self._now() + seconds)
