"""Who sent the message that is being handled: known over HTTP, where a key says so; over stdio there is one caller."""

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass

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
    """Update notices that reach the listeners of the same owner only."""

    def subscribe(self, listener: Callable[[ServerEvent], None]) -> Callable[[], None]:
        """Register a listener for what its own owner's calls change."""
        mine = owner()

        def heard(event: ServerEvent) -> None:
            if owner() == mine:  # the publisher's, in whose context this runs
                listener(event)

        return super().subscribe(heard)
