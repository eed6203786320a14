"""Update notices: whoever listens to a resource is told when a call has changed what it shows."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hornbook.mcp_tools.services import Ctx, Services

if TYPE_CHECKING:
    from mcp_types import CallToolResult, InputRequiredResult

CHANGES = "memory://changes"
ALWAYS = (CHANGES, "memory://stats")
CONTESTS = ("memory_ingest", "memory_store", "ingest_claim", "reconcile", "end_fact", "resolve_contested", "add_memory")
RECORDS = ("add_memory", "update_memory", "delete_memory", "delete_all_memories")


def changed_by(tool: str, *, records: bool) -> tuple[str, ...]:
    """The resources that may show something else after a tool has written.

    >>> changed_by("memory_archive_node", records=False)
    ('memory://changes', 'memory://stats')
    """
    more = [
        *(["memory://contested"] if tool in CONTESTS else []),
        *(["powermem://memory"] if records and (tool in RECORDS or tool == "memory_store") else []),
    ]
    return (*ALWAYS, *more)


async def notify(
    ctx: Ctx,
    services: Services,
    tool: str,
    arguments: Mapping[str, Any],
    result: "CallToolResult | InputRequiredResult",
    *,
    records: bool,
) -> None:
    """Tell the listeners; not of a call that failed or only tried, nor of another user's memory than resources show."""
    tried = getattr(result, "is_error", True) or arguments.get("dry_run") is True
    if tried or not _shown(services, arguments.get("user_id")):
        return
    for uri in changed_by(tool, records=records):
        await ctx.notify_resource_updated(uri)


def _shown(services: Services, user: object) -> bool:
    owner = services.user_for(None)
    return user is None or (isinstance(user, str) and user.strip() == owner)
