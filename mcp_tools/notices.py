"""Update notices: whoever listens to a resource is told when what it shows may have changed, whoever changed it.

What changed is read from the journal's own events, after each call that writes and every second while somebody
listens, so that another process's writes are told of too. Clients from 2026-07-28 on listen on a stream of their own,
which the SDK serves; those before subscribe to addresses, which is served here.
"""

import logging
from collections import defaultdict
from collections.abc import Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
from mcp.server.context import ServerRequestContext
from mcp.server.subscriptions import ServerEvent
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import ResourceUpdated
from mcp_types import INVALID_PARAMS, EmptyResult, SubscribeRequestParams, UnsubscribeRequestParams

from hornbook.graph.errors import HornbookError
from hornbook.mcp_tools.caller import CALLER, Caller, OwnersBus, owner
from hornbook.mcp_tools.services import Services

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from anyio.abc import TaskGroup
    from mcp.server.lowlevel import Server as LowServer
    from mcp.server.session import ServerSession

    from hornbook.graph.changed import Touched

log = logging.getLogger(__name__)

EVERY = 1.0  # seconds between two looks at what other processes wrote
AT_ONCE = 1_000  # events of one look
MOST, LONGEST = 1_000, 2_000  # addresses of one client, characters of one
ALWAYS = ("memory://changes", "memory://stats", "memory://health", "powermem://memory")
OF_ONE = ("memory://nodes/", "memory://claims/", "memory://entities/")


def changed_by(touched: "Touched") -> Iterator[str]:
    """The addresses of what may show something else after some events.

    >>> from hornbook.graph.changed import Touched
    >>> list(changed_by(Touched(9, frozenset(), claims=True)))[-1]
    'memory://contested'
    """
    yield from ALWAYS
    if touched.claims:
        yield "memory://contested"
    for id_ in touched.ids:
        yield from (start + id_ for start in OF_ONE)


class Notices:
    """Looks at what was written, and tells the listeners of the owner whose memory it is."""

    def __init__(self, services: Services, bus: OwnersBus) -> None:
        self._services = services
        self._bus = bus
        self._seen: dict[str | None, int] = {}  # the event up to which the listeners of an owner were told
        self._turns: defaultdict[str | None, anyio.Lock] = defaultdict(anyio.Lock)  # a slow store delays its owner only
        self._older: dict[int, Subscribed] = {}  # by connection
        self._tasks: TaskGroup | None = None

    @asynccontextmanager
    async def running(self) -> "AsyncIterator[None]":
        """Look every second while somebody listens, for as long as the block runs."""
        async with anyio.create_task_group() as self._tasks:
            self._tasks.start_soon(self._watch)
            yield
            self._tasks.cancel_scope.cancel()

    async def _watch(self) -> None:
        while True:
            await self._bus.listened()
            for whose in self._bus.owners:
                with calling(whose):
                    await self.look()
            with anyio.move_on_after(EVERY):
                await self._bus.begun()

    async def ready(self) -> None:
        """Before a write: let what it changes be told to whoever has just begun to listen."""
        if owner() not in self._seen:
            await self.look()

    async def look(self) -> None:
        """Tell the caller's listeners of what was written since the last look; the first only takes note of where."""
        whose = owner()
        if whose not in self._bus.owners:
            self._seen.pop(whose, None)  # who listens next is told of nothing that is written until then
            return
        async with self._turns[whose]:
            try:
                touched = await anyio.to_thread.run_sync(partial(self._touched, self._seen.get(whose)))
            except HornbookError:  # the memory cannot be opened: whoever reads it is told why
                return
            except Exception:  # a call that has written, or the whole server, must not fail over a notice
                log.exception("what changed could not be read, and no notice is sent")
                return
            first = whose not in self._seen
            if not first and touched.upto != self._seen[whose]:
                for uri in changed_by(touched):
                    await self._bus.publish(ResourceUpdated(uri=uri))
            self._seen[whose] = touched.upto

    def _touched(self, seen: int | None) -> "Touched":
        with self._services.memory(None) as memory:
            return memory.touched(seen, AT_ONCE)

    # clients up to 2025-11-25

    def serve(self, low: "LowServer[Any]") -> None:
        """Let clients of older protocols subscribe."""
        low.add_request_handler("resources/subscribe", SubscribeRequestParams, self._subscribe)
        low.add_request_handler("resources/unsubscribe", UnsubscribeRequestParams, self._unsubscribe)

    async def _subscribe(self, ctx: ServerRequestContext[Any, Any], params: SubscribeRequestParams) -> EmptyResult:
        connection = ctx.session._connection  # the SDK gives no other name to what a session outlives its requests in
        one = self._older.get(id(connection))
        if one is None:
            one = self._older[id(connection)] = Subscribed(ctx.session)
            connection.exit_stack.callback(self._gone, id(connection), self._bus.subscribe(one.heard))
            if self._tasks is not None:
                self._tasks.start_soon(one.telling)
        if (len(one.uris) >= MOST and params.uri not in one.uris) or len(params.uri) > LONGEST:
            raise MCPError(INVALID_PARAMS, f"at most {MOST} addresses of {LONGEST} characters can be subscribed to")
        one.uris.add(params.uri)
        await self.look()
        return EmptyResult()

    async def _unsubscribe(self, ctx: ServerRequestContext[Any, Any], params: UnsubscribeRequestParams) -> EmptyResult:
        one = self._older.get(id(ctx.session._connection))
        if one is not None:
            one.uris.discard(params.uri)
        return EmptyResult()

    def _gone(self, connection: int, unsubscribe: Any) -> None:
        unsubscribe()
        self._older.pop(connection).ended.cancel()


class Subscribed:
    """A client of an older protocol, the addresses it subscribed to, and those it is still to be told of."""

    def __init__(self, session: "ServerSession") -> None:
        self.session = session
        self.uris: set[str] = set()
        self.ended = anyio.CancelScope()
        self._due: dict[str, None] = {}
        self._woken = anyio.Event()

    def heard(self, event: ServerEvent) -> None:
        """Take note; a client that reads slowly is told once of what changed often."""
        if isinstance(event, ResourceUpdated) and event.uri in self.uris:
            self._due[event.uri] = None
            self._woken.set()

    async def telling(self) -> None:
        """Send what is due, until the client is gone."""
        with self.ended:
            while True:
                await self._woken.wait()
                self._woken = anyio.Event()
                due, self._due = list(self._due), {}
                try:
                    for uri in due:
                        if uri in self.uris:
                            await self.session.send_resource_updated(uri)
                except Exception:  # the server, which serves others too, must not end with one client
                    log.exception("a client could not be told of what changed")


@contextmanager
def calling(whose: str | None) -> Iterator[None]:
    """Do something as one of an owner's own requests does it."""
    token = CALLER.set(Caller(whose, "notices") if whose is not None else None)
    try:
        yield
    finally:
        CALLER.reset(token)
