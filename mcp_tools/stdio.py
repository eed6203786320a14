"""Over stdio: a line that is no message is answered too, and so is what was asked before the client hung up."""

from types import TracebackType
from typing import Any, Self

import anyio
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

from hornbook.mcp_tools.server import Server
from hornbook.mcp_tools.unread import answer

PATIENCE = 5.0  # seconds for the answers that are owed at the end: a tool that asks the client waits in vain


class Owed:
    """The requests that no answer has gone out to yet: the SDK drops them where the client's lines end."""

    def __init__(self) -> None:
        self._ids: set[str | int] = set()
        self._told = anyio.Event()

    def heard(self, message: Any) -> None:
        """Count a request in; one that the client takes back is owed nothing."""
        if isinstance(message, JSONRPCRequest):
            self._ids.add(message.id)
        elif isinstance(message, JSONRPCNotification) and message.method == "notifications/cancelled":
            self._ids.discard((message.params or {}).get("requestId", ""))

    def told(self, message: Any) -> None:
        """Count an answer out."""
        if isinstance(message, JSONRPCResponse | JSONRPCError) and message.id is not None:
            self._ids.discard(message.id)
            self._told.set()

    async def paid(self) -> None:
        """Wait until nothing is owed."""
        with anyio.move_on_after(PATIENCE):
            while self._ids:
                self._told = anyio.Event()
                await self._told.wait()


class Stream:
    """One of the SDK's streams, with something done on the way."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        """Whatever else the stream has."""
        return getattr(self._inner, name)

    async def __aenter__(self) -> Self:
        await self._inner.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self._inner.__aexit__(kind, error, at)


class Told(Stream):
    """The stream of what goes out."""

    def __init__(self, inner: Any, owed: Owed) -> None:
        super().__init__(inner)
        self._owed = owed

    async def send(self, item: SessionMessage) -> None:
        """Send a message."""
        await self._inner.send(item)
        self._owed.told(item.message)


class Heard(Stream):
    """The stream of what comes in; what cannot be read is answered at once, and does not come out of it.

    It ends when what was asked has been answered.
    """

    def __init__(self, inner: Any, answers: Any, owed: Owed) -> None:
        super().__init__(inner)
        self._answers, self._owed = answers, owed

    async def receive(self) -> Any:
        """The next message."""
        try:
            while isinstance(item := await self._inner.receive(), Exception):
                await self._answers.send(SessionMessage(answer(item)))
        except anyio.EndOfStream:
            await self._owed.paid()
            raise
        self._owed.heard(item.message)
        return item

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Any:
        """The next message."""
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None


async def serve(server: Server) -> None:
    """Serve over stdin and stdout until the client hangs up."""
    low = server._lowlevel_server  # what the SDK's own `run` does, but for the streams
    owed = Owed()
    async with stdio_server() as (heard, answers):
        told = Told(answers, owed)
        await low.run(Heard(heard, told, owed), told, low.create_initialization_options())
