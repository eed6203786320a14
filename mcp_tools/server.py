"""The server: which toolsets it offers, built when first asked for, and every failure in one shape."""

import importlib
import logging
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import cached_property
from typing import Any

import anyio.to_thread
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp_types import CallToolResult, InputRequiredResult
from mcp_types import Tool as ToolCard

import hornbook
from hornbook.graph.errors import InvalidArgument, NotFound
from hornbook.mcp_tools.caller import OwnersBus
from hornbook.mcp_tools.notices import Notices
from hornbook.mcp_tools.offer import Offer, tool
from hornbook.mcp_tools.progress import with_progress
from hornbook.mcp_tools.services import Services
from hornbook.mcp_tools.wire import refusal, translated
from hornbook.settings import Settings

TOOLSETS = ("memory", "claims", "reasoning", "records")  # each a module here; in the order they are listed
DEFAULT = ("memory", "claims", "reasoning")

INSTRUCTIONS = (
    "Memory that keeps what was said, what is believed, since when, and what contradicts it. "
    "Store with memory_store or ingest_claim, search with memory_retrieve, read a belief with query_memory. "
    "Nothing is overwritten: a conflict is kept as contested until resolve_contested."
)


def chosen(names: Sequence[str]) -> tuple[str, ...]:
    """The toolsets meant by what a user asked for; an unknown one is refused with those there are.

    >>> chosen([]), chosen(["claims"]), chosen(["all"])
    (('memory', 'claims', 'reasoning'), ('claims',), ('memory', 'claims', 'reasoning', 'records'))
    """
    asked = [part.strip() for name in names for part in name.split(",") if part.strip()]
    for name in asked:
        if name not in (*TOOLSETS, "all"):
            raise InvalidArgument(f"there is no toolset {name}", field="toolset", valid=[*TOOLSETS, "all"])
    wanted = DEFAULT if not asked else TOOLSETS if "all" in asked else asked
    return tuple(name for name in TOOLSETS if name in wanted)


class Server(MCPServer[Services]):
    """An MCP server that builds its tools when a client first asks for one, so that starting costs next to nothing."""

    def __init__(self, settings: Settings) -> None:
        self.services = services = Services(settings)

        @asynccontextmanager
        async def held(_: MCPServer[Services]) -> AsyncIterator[Services]:
            try:
                async with self.notices.running():
                    yield services
            finally:
                await anyio.to_thread.run_sync(services.close)

        bus = OwnersBus()
        self.notices = Notices(services, bus)
        # before the SDK does: it would draw every traceback in boxes
        logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(asctime)s %(levelname)s %(message)s")
        super().__init__(
            "hornbook",
            version=hornbook.__version__,
            instructions=INSTRUCTIONS,
            log_level="WARNING",
            lifespan=held,
            subscriptions=bus,
        )
        self.notices.serve(self._lowlevel_server)
        self.toolsets = chosen(settings.toolsets)

    @cached_property
    def _offered(self) -> dict[str, Tool]:
        modules = (importlib.import_module(f"hornbook.mcp_tools.{name}") for name in self.toolsets)
        offers: list[Offer] = [offer for module in modules for offer in module.OFFERS]
        return {made.name: made for made in map(tool, offers)}

    def _tool_input_schema(self, name: str) -> dict[str, Any] | None:
        """What the SDK holds headers that repeat an argument against."""
        made = self._offered.get(name)
        return made.parameters if made is not None else None

    async def list_tools(self) -> list[ToolCard]:
        """Describe the tools of the chosen toolsets."""
        return [
            ToolCard(
                name=made.name,
                description=made.description,
                input_schema=made.parameters,
                output_schema=made.output_schema,
                annotations=made.annotations,
            )
            for made in self._offered.values()
        ]

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Services, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool; whatever goes wrong comes back as an error of the one shape."""
        made = self._offered.get(name)
        if made is None:
            return refusal(NotFound(f"there is no tool {name}", field="name", valid=list(self._offered)))
        if context is None:
            return await self._run(made, arguments, Context(mcp_server=self))
        if made.annotations is None or made.annotations.read_only_hint:
            return await with_progress(context, lambda: self._run(made, arguments, context))
        await self.notices.ready()
        result = await with_progress(context, lambda: self._run(made, arguments, context))
        await self.notices.look()
        return result

    @staticmethod
    async def _run(
        made: Tool, arguments: dict[str, Any], context: Context[Services, Any]
    ) -> CallToolResult | InputRequiredResult:
        try:
            result: CallToolResult | InputRequiredResult = await made.run(arguments, context, convert_result=True)
        except ToolError as error:
            return refusal(translated(error.__cause__ or error))
        return result


def build(settings: Settings) -> Server:
    """Make a server with its resources and prompts; nothing of a store is opened."""
    from hornbook.mcp_tools.prompts import offer_prompts
    from hornbook.mcp_tools.resources import offer_resources

    server = Server(settings)
    offer_prompts(server, server.services)
    offer_resources(server, server.services, server.toolsets)
    return server
