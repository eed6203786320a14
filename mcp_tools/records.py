"""The toolset `records`: a store of memories with numbers, metadata and filters, as record servers document it."""

from typing import Annotated, Any

from mcp.server.elicitation import AcceptedElicitation, ElicitationResult
from mcp.server.mcpserver.resolve import Elicit, Resolve
from mcp_types import CallToolResult
from pydantic import BaseModel, Field, StrictInt

from hornbook.mcp_tools.arguments import Date, KnownAt, Unit, UserId, ValidAt
from hornbook.mcp_tools.memory import Reply
from hornbook.mcp_tools.offer import Offer
from hornbook.mcp_tools.services import Ctx, actor, services
from hornbook.mcp_tools.wire import budget, naming, piece, reply

HITS, LISTED = 10, 100  # results unless the caller asks otherwise

AgentId = Annotated[str | None, Field(description="Only this agent's")]
RunId = Annotated[str | None, Field(description="Only this run's or conversation's")]
MemoryId = Annotated[StrictInt | str, Field(description="The number, or a UUID")]
Filters = Annotated[
    dict[str, Any] | None,
    Field(
        description='Conditions on metadata, created_at, occurred_at, ...: {"priority": "high", "rank": {"gte": 2}}; '
        "eq ne gt gte lt lte in nin; and, or, not"
    ),
]


class Recorded(Reply):
    """A memory of the record store."""

    id: int
    memory_id: int
    content: str
    created_at: str


class Records(Reply):
    """Memories of the record store."""

    results: list[Recorded]


class Deleted(Reply):
    """How many memories were deleted."""

    deleted: int


def add_memory(
    ctx: Ctx,
    messages: Annotated[
        str | dict[str, Any] | list[Any], Field(description="A text, a message {role, content}, or a list of messages")
    ],
    user_id: UserId = None,
    agent_id: str | None = None,
    run_id: str | None = None,
    metadata: dict[str, Any] | None = None,
    scope: Annotated[str | None, Field(description="user, agent, session, personal, project, organisation")] = None,
    memory_type: str | None = None,
    filters: Annotated[dict[str, Any] | None, Field(description="More metadata to filter by")] = None,
    infer: Annotated[bool, Field(description="Extract entities and claims too")] = True,
    occurred_at: Date = None,
    session_id: str | None = None,
    idempotency_key: str | None = None,
) -> Annotated[CallToolResult, Records]:
    """Add a text, a message or a list of messages; each message becomes a memory with its own memory_id."""
    with services(ctx).memory(user_id) as memory:
        added = memory.add(
            messages,
            agent=agent_id,
            run=run_id,
            metadata=metadata,
            scope=scope,
            memory_type=memory_type,
            filters=filters,
            infer=infer,
            occurred_at=occurred_at,
            session=session_id,
            idempotency_key=idempotency_key,
            actor=actor(ctx, "add_memory"),
        )
    return reply({"results": [one.as_dict() for one in added]}, budget(len(added)))


def search_memories(
    ctx: Ctx,
    query: str,
    user_id: UserId = None,
    agent_id: AgentId = None,
    run_id: RunId = None,
    limit: Annotated[int, Field(ge=1, le=200)] = HITS,
    filters: Filters = None,
    threshold: Annotated[Unit | None, Field(description="Least score: similarity to the query, 0 to 1")] = None,
    valid_at: ValidAt = None,
    knowledge_at: KnownAt = None,
) -> Annotated[CallToolResult, Records]:
    """Search memories by meaning and words, best first. score is the similarity that threshold is compared with."""
    with services(ctx).memory(user_id) as memory:
        found = memory.search_records(
            query,
            limit=limit,
            filters=filters,
            threshold=threshold,
            agent=agent_id,
            run=run_id,
            valid_at=valid_at,
            knowledge_at=knowledge_at,
        )
    return reply(found.as_dict(), budget(len(found.records), limit, HITS))


def get_memory(
    ctx: Ctx,
    memory_id: MemoryId,
    user_id: UserId = None,
    agent_id: AgentId = None,
    offset: Annotated[int, Field(ge=0)] = 0,
) -> Annotated[CallToolResult, Recorded]:
    """Read a memory whole. A long text comes in pieces: go on at next_offset."""
    with services(ctx).memory(user_id) as memory:
        record = memory.get_record(memory_id, agent=agent_id)
    return reply(piece(record.as_dict(), "content", offset))


def update_memory(
    ctx: Ctx,
    memory_id: MemoryId,
    content: str,
    user_id: UserId = None,
    agent_id: AgentId = None,
    metadata: Annotated[dict[str, Any] | None, Field(description="In place of the old; kept if left out")] = None,
) -> Annotated[CallToolResult, Recorded]:
    """Give a memory another text, and other metadata if given. What it said before stays in its history."""
    with services(ctx).memory(user_id) as memory:
        record = memory.update(memory_id, content, metadata=metadata, agent=agent_id, actor=actor(ctx, "update_memory"))
    return reply(piece(record.as_dict(), "content", 0))


def delete_memory(
    ctx: Ctx, memory_id: MemoryId, user_id: UserId = None, agent_id: AgentId = None
) -> Annotated[CallToolResult, Deleted]:
    """Delete a memory. Claims that rested on it alone are no longer believed; its history stays."""
    with services(ctx).memory(user_id) as memory:
        deleted = memory.delete(memory_id, agent=agent_id, actor=actor(ctx, "delete_memory"))
    return reply(deleted.as_dict())


class Sure(BaseModel):
    """What a person is asked before all of something is deleted."""

    delete: bool = Field(description="Delete them all")


def asked(
    ctx: Ctx, user_id: str | None, agent_id: str | None, run_id: str | None, dry_run: bool, confirm: bool
) -> Sure | Elicit[Sure]:
    """Ask the person at the client, where the client can and the call does not say that it is confirmed."""
    capabilities = ctx.client_capabilities
    can = capabilities is not None and capabilities.elicitation is not None
    scope = {"user": user_id, "agent": agent_id, "run": run_id}
    named = ", ".join(f"{kind} {word}" for kind, word in scope.items() if word is not None)
    if dry_run or confirm or not can or not named:
        return Sure(delete=True)
    return Elicit(f"Delete all memories of {named}? Their history stays, but they are no longer found.", Sure)


def delete_all_memories(
    ctx: Ctx,
    sure: Annotated[ElicitationResult[Sure], Resolve(asked)],
    user_id: Annotated[str | None, Field(description="Whose; to delete all of a user's it must be named")] = None,
    agent_id: AgentId = None,
    run_id: RunId = None,
    dry_run: Annotated[bool, Field(description="Only count")] = False,
    confirm: Annotated[bool, Field(description="Do not ask the person at the client")] = False,
) -> Annotated[CallToolResult, Deleted]:
    """Delete all memories of a user, an agent or a run, with their texts: of all that are named together.

    At least one must be named. Ingested texts that are no memories go too; claims that were told without a text stay.
    """
    if not (isinstance(sure, AcceptedElicitation) and sure.data.delete):
        return reply({"deleted": 0, "declined": True})
    with services(ctx).memory(user_id) as memory, naming(user="user_id"):
        deleted = memory.delete_all(
            user=user_id, agent=agent_id, run=run_id, dry_run=dry_run, actor=actor(ctx, "delete_all_memories")
        )
    return reply(deleted.as_dict())


def list_memories(
    ctx: Ctx,
    user_id: UserId = None,
    agent_id: AgentId = None,
    run_id: RunId = None,
    limit: Annotated[int, Field(ge=1, le=1000)] = LISTED,
    offset: Annotated[int, Field(ge=0)] = 0,
    filters: Filters = None,
    knowledge_at: KnownAt = None,
) -> Annotated[CallToolResult, Records]:
    """List memories, oldest first, a page at a time."""
    with services(ctx).memory(user_id) as memory:
        page = memory.list(
            limit=limit, offset=offset, filters=filters, agent=agent_id, run=run_id, knowledge_at=knowledge_at
        )
    return reply(page.as_dict(), budget(len(page.records), limit, LISTED))


OFFERS = (
    Offer(add_memory),
    Offer(search_memories, reads=True),
    Offer(get_memory, reads=True),
    Offer(update_memory, destroys=True, repeatable=True),
    Offer(delete_memory, destroys=True),
    Offer(delete_all_memories, destroys=True, repeatable=True),
    Offer(list_memories, reads=True),
)
