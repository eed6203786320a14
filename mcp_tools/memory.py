"""The toolset `memory`: store, search and look after what was said."""

from typing import Annotated, Any

from mcp_types import CallToolResult
from pydantic import BaseModel, ConfigDict, Field

from hornbook.mcp_tools.arguments import Date, KnownAt, NodeType, Role, Said, Scope, UserId, ValidAt
from hornbook.mcp_tools.offer import Offer
from hornbook.mcp_tools.progress import doing
from hornbook.mcp_tools.services import Ctx, actor, services
from hornbook.mcp_tools.wire import budget, piece, reply

HITS = 10  # results unless the caller asks otherwise


class Reply(BaseModel):
    """What every reply has in common: more fields than these may stand in it."""

    model_config = ConfigDict(extra="allow")


class Stored(Reply):
    """Where a memory went. `claim_ref` and `disposition` when it was also a claim."""

    event_id: str
    node_id: str
    claim_ref: str | None = None
    disposition: str | None = None


class Hit(Reply):
    """One memory that a search found."""

    node_id: str
    content: str
    score: float
    node_type: str
    lifecycle_state: str


class Found(Reply):
    """What a search found, best first."""

    results: list[Hit]
    count: int
    metrics: dict[str, Any]
    as_known: str


class Ingested(Reply):
    """What became of a text: it is stored, whatever its extraction came to."""

    event_id: str
    status: str
    entities: int
    claims: list[dict[str, Any]]
    failed: list[dict[str, Any]]


class Node(Reply):
    """A memory with all its fields."""

    node_id: str
    content: str
    node_type: str
    scope: str
    lifecycle_state: str


class Organized(Reply):
    """Which maintenance ran, and for how long."""

    jobs_run: list[str]
    duration_ms: float


class Packed(Reply):
    """A text to read: beliefs, then passages."""

    text: str
    tokens: int
    as_known: str


def memory_store(
    ctx: Ctx,
    content: Said,
    user_id: UserId = None,
    node_type: NodeType = "note",
    scope: Scope = "personal",
    role: Role = "user",
    speaker: str | None = None,
    subject: str | None = None,
    predicate: str | None = None,
    value: Any = None,
    occurred_at: Date = None,
    session_id: str | None = None,
    idempotency_key: str | None = None,
) -> Annotated[CallToolResult, Stored]:
    """Store one memory as it is.

    With subject, predicate and value a fact, preference or decision is also a claim, which query_memory answers.
    For a conversation or a document use memory_ingest.
    """
    with services(ctx).memory(user_id) as memory:
        stored = memory.store(
            content,
            node_type=node_type,
            scope=scope,
            role=role,
            speaker=speaker,
            session=session_id,
            occurred_at=occurred_at,
            idempotency_key=idempotency_key,
            subject=subject,
            predicate=predicate,
            value=value,
            actor=actor(ctx, "memory_store"),
        )
    return reply(stored.as_dict())


def memory_retrieve(
    ctx: Ctx,
    query: str,
    user_id: UserId = None,
    scope: Scope | None = None,
    knowledge_at: KnownAt = None,
    min_score: float | None = None,
    limit: Annotated[int, Field(ge=1, le=200)] = HITS,
    valid_at: ValidAt = None,
    node_types: list[NodeType] | None = None,
    include_inactive: bool = False,
    explain: bool = False,
) -> Annotated[CallToolResult, Found]:
    """Search memories by meaning, words and entities.

    Finds what is true now; valid_at asks for another time in the world, knowledge_at for what was known then,
    include_inactive for ended and archived ones too.
    """
    with services(ctx).memory(user_id) as memory:
        found = memory.search(
            query,
            limit=limit,
            scope=scope,
            node_types=node_types,
            valid_at=valid_at,
            knowledge_at=knowledge_at,
            min_score=min_score,
            include_inactive=include_inactive,
            explain=explain,
        )
    return reply(found.as_dict(), budget(len(found.hits), limit, HITS))


def memory_ingest(
    ctx: Ctx,
    content: Said,
    user_id: UserId = None,
    role: Role = "user",
    speaker: str | None = None,
    scope: Scope = "personal",
    occurred_at: Date = None,
    session_id: str | None = None,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> Annotated[CallToolResult, Ingested]:
    """Store a text, then extract its entities and claims; the reply says what was decided about each.

    The text is kept even if extraction fails. dry_run shows what would be found and stores nothing.
    """
    with services(ctx).memory(user_id) as memory:
        ingested = memory.ingest(
            content,
            role=role,
            speaker=speaker,
            scope=scope,
            session=session_id,
            occurred_at=occurred_at,
            idempotency_key=idempotency_key,
            dry_run=dry_run,
            actor=actor(ctx, "memory_ingest"),
        )
    return reply(ingested.as_dict())


def memory_organize(
    ctx: Ctx,
    user_id: UserId = None,
    jobs: Annotated[str | None, Field(description="Comma-separated names; default all")] = None,
    budget_ms: Annotated[int, Field(ge=0)] = 5000,
) -> Annotated[CallToolResult, Organized]:
    """Run maintenance within a time budget; what is left over goes on with the next call. Nothing is destroyed."""
    names = [name.strip() for name in jobs.split(",") if name.strip()] if jobs else None
    with services(ctx).memory(user_id) as memory:
        organized = memory.organize(names, budget_ms, told=_told, actor=actor(ctx, "memory_organize"))
    return reply(organized.as_dict())


def _told(done: int, jobs: int, name: str) -> None:
    doing(f"{name}, job {done + 1} of {jobs}")


def memory_get_node(
    ctx: Ctx, node_id: str, user_id: UserId = None, offset: Annotated[int, Field(ge=0)] = 0
) -> Annotated[CallToolResult, Node]:
    """Read a memory whole. A long text comes in pieces: go on at next_offset."""
    with services(ctx).memory(user_id) as memory:
        node = memory.get(node_id)
    return reply(piece(node.as_dict(), "content", offset))


def memory_promote_node(ctx: Ctx, node_id: str, user_id: UserId = None) -> Annotated[CallToolResult, Node]:
    """Make a tentative memory stable."""
    with services(ctx).memory(user_id) as memory:
        node = memory.promote(node_id)
    return reply(piece(node.as_dict(), "content", 0))


def memory_archive_node(ctx: Ctx, node_id: str, user_id: UserId = None) -> Annotated[CallToolResult, Node]:
    """Archive a memory for good: it is out of search, its claims and its history stay."""
    with services(ctx).memory(user_id) as memory:
        node = memory.archive(node_id)
    return reply(piece(node.as_dict(), "content", 0))


def memory_context(
    ctx: Ctx,
    query: str,
    user_id: UserId = None,
    token_budget: Annotated[int, Field(ge=100, le=50_000)] = 4000,
    scope: Scope | None = None,
    valid_at: ValidAt = None,
    knowledge_at: KnownAt = None,
) -> Annotated[CallToolResult, Packed]:
    """Give a text to read before answering a question, within a budget of tokens.

    Beliefs first, disputes shown as disputes, then passages with who said them and when.
    """
    with services(ctx).memory(user_id) as memory:
        packed = memory.context(
            query, token_budget=token_budget, scope=scope, valid_at=valid_at, knowledge_at=knowledge_at
        )
    return reply(packed.as_dict(), token_budget * 8)  # its budget is in tokens; this only bounds the envelope


OFFERS = (
    Offer(memory_store),
    Offer(memory_retrieve, reads=True),
    Offer(memory_ingest),
    Offer(memory_organize, repeatable=True),
    Offer(memory_get_node, reads=True),
    Offer(memory_promote_node, repeatable=True),
    Offer(memory_archive_node, destroys=True, repeatable=True),
    Offer(memory_context, reads=True),
)
