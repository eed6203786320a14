"""Resources: what can be read by address, always of the server's default user."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from mcp.server.mcpserver import MCPServer
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS

from hornbook.graph.errors import HornbookError
from hornbook.mcp_tools.services import Services
from hornbook.mcp_tools.wire import ASKED, compact, fit

if TYPE_CHECKING:
    from hornbook.memory import Memory

JSON = "application/json"
CHANGES = 200  # events of one answer
CALLERS_FAULT = ("invalid_argument", "not_found", "forbidden", "too_large")


@contextmanager
def reading(services: Services) -> "Iterator[Memory]":
    """Lease the default user's memory; its errors become the protocol's, with ours as their data."""
    try:
        with services.memory(None) as memory:
            yield memory
    except HornbookError as error:
        code = INVALID_PARAMS if error.code in CALLERS_FAULT else INTERNAL_ERROR
        raise MCPError(code=code, message=error.message, data={"error": error.as_dict()}) from None


def shown(body: dict[str, Any]) -> str:
    """Write a body as JSON, its long texts shortened to what a resource may take."""
    return compact(fit(body, ASKED))


def offer_resources(server: MCPServer[Services], services: Services, toolsets: Sequence[str] = ()) -> None:
    """Put every resource on a server; those of a toolset that is on request with that toolset."""
    if "records" in toolsets:

        @server.resource("powermem://memory", mime_type=JSON)
        def records() -> str:
            """What the record store holds, in sum."""
            with reading(services) as memory:
                return shown(memory.summary())

    @server.resource("memory://health", mime_type=JSON)
    def health() -> str:
        """Whether the store answers, and which version serves it."""
        with reading(services) as memory:
            return shown(memory.health())

    @server.resource("memory://stats", mime_type=JSON)
    def stats() -> str:
        """How much is stored."""
        with reading(services) as memory:
            return shown(memory.stats())

    @server.resource("memory://contested", mime_type=JSON)
    def contested() -> str:
        """The lines in dispute."""
        with reading(services) as memory:
            return shown(memory.contested(limit=200).as_dict())

    @server.resource("memory://changes{?since,cursor}", mime_type=JSON)
    def changes(since: str | None = None, cursor: str | None = None) -> str:
        """What changed since an instant, or after next_cursor of an earlier answer: events, without their texts."""
        with reading(services) as memory:
            return shown(memory.changes(since, cursor=cursor, limit=CHANGES).as_dict())

    @server.resource("memory://nodes/{node_id}", mime_type=JSON)
    def node(node_id: str) -> str:
        """One memory with all its fields."""
        with reading(services) as memory:
            return shown(memory.get(node_id).as_dict())

    @server.resource("memory://claims/{claim_ref}", mime_type=JSON)
    def claim(claim_ref: str) -> str:
        """One claim: what was said, what was decided about it, and what became of it."""
        with reading(services) as memory:
            return shown(memory.claim_at(claim_ref).as_dict())

    @server.resource("memory://entities/{entity_id}", mime_type=JSON)
    def entity(entity_id: str) -> str:
        """One entity: its names, and the lines about it."""
        with reading(services) as memory:
            return shown(memory.entity(entity_id).as_dict())
