"""Who sent the message that is being handled: known over HTTP, where a key says so; over stdio there is one caller."""

from collections import Counter
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass

import anyio
from mcp.server.subscriptions import InMemorySubscriptionBus, ServerEvent


@dataclass(frozen=True, slots=True)
class Caller:
    """The owner of the key that came with a request, and the request's own number in the log."""

    owner: str
    request_id: str


CALLER: ContextVar[Caller | None] = ContextVar("caller", default=None)


def owner() -> str | None:
    """Whose key the message came with; None over stdio.

    >>> owner() is None
    True
    """
    caller = CALLER.get()
    return caller.owner if caller is not None else None


class OwnersBus(InMemorySubscriptionBus):
    """Update notices that reach the listeners of the same owner only; it knows who listens, and when one begins to."""

    def __init__(self) -> None:
        super().__init__()
        self._owners: Counter[str | None] = Counter()
        self._begun = anyio.Event()

    @property
    def owners(self) -> tuple[str | None, ...]:
        """Whose listeners there are; None stands for the one caller over stdio."""
        return tuple(+self._owners)

    async def begun(self) -> None:
        """Wait until another one begins to listen, or has since this was last waited for."""
        await self._begun.wait()
        self._begun = anyio.Event()

    async def listened(self) -> None:
        """Wait until somebody listens."""
        while not self.owners:
            await self.begun()

    def subscribe(self, listener: Callable[[ServerEvent], None]) -> Callable[[], None]:
        """Register a listener for what its own owner's memory shows."""
        mine = owner()

        def heard(event: ServerEvent) -> None:
            if owner() == mine:  # the publisher's, in whose context this runs
                listener(event)

        unsubscribe = super().subscribe(heard)
        self._owners[mine] += 1
        self._begun.set()

        listening = [mine]  # emptied when it has ended, which may be said twice

        def ended() -> None:
            unsubscribe()
            while listening:
                self._owners[listening.pop()] -= 1

        return ended
