"""Over stdio: a line that is no message is answered too, so that no client waits for ever."""

from types import TracebackType
from typing import Any, Self

from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage

from hornbook.mcp_tools.server import Server
from hornbook.mcp_tools.unread import answer


class Heard:
    """The stream of what comes in; what cannot be read is answered at once, and does not come out of it."""

    def __init__(self, inner: Any, answers: Any) -> None:
        self._inner, self._answers = inner, answers

    def __getattr__(self, name: str) -> Any:
        """Whatever else the stream has."""
        return getattr(self._inner, name)

    async def receive(self) -> Any:
        """The next message."""
        while isinstance(item := await self._inner.receive(), Exception):
            await self._answers.send(SessionMessage(answer(item)))
        return item

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Any:
        """The next message."""
        while isinstance(item := await self._inner.__anext__(), Exception):
            await self._answers.send(SessionMessage(answer(item)))
        return item

    async def __aenter__(self) -> Self:
        await self._inner.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self._inner.__aexit__(kind, error, at)


async def serve(server: Server) -> None:
    """Serve over stdin and stdout until the client hangs up."""
    low = server._lowlevel_server  # what the SDK's own `run` does, but for the stream
    async with stdio_server() as (heard, answers):
        await low.run(Heard(heard, answers), answers, low.create_initialization_options())
