"""Signs of life on long calls: a progress notification every second, for clients that asked for them."""

from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
from mcp.shared.exceptions import MCPError

if TYPE_CHECKING:
    from mcp.server.mcpserver import Context

EVERY = 1.0  # seconds
T = TypeVar("T")

# what the call is at, shared with the thread that its tool runs in
_doing: ContextVar[list[str] | None] = ContextVar("_doing", default=None)


def doing(what: str) -> None:
    """Say what the call is at; the next progress notification tells it."""
    at = _doing.get()
    if at is not None:
        at[:] = [what]


async def with_progress(ctx: "Context[Any, Any]", work: Callable[[], Awaitable[T]]) -> T:
    """Await some work and tell meanwhile that it goes on: `progress` counts seconds, since nobody knows the total."""
    at = ["working"]
    token = _doing.set(at)
    done: list[T] = []
    refused: list[MCPError] = []
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(_beat, ctx, at)
            try:
                done.append(await work())
            except MCPError as error:  # a task group would wrap it
                refused.append(error)
            group.cancel_scope.cancel()
    finally:
        _doing.reset(token)
    if refused:
        raise refused[0]
    return done[0]


async def _beat(ctx: "Context[Any, Any]", at: list[str]) -> None:
    seconds = 0
    while True:
        await anyio.sleep(EVERY)
        seconds += 1
        await ctx.report_progress(seconds * EVERY, None, at[0])
