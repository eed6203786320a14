"""The toolset `claims`: state what is so, read what is believed, end it, and settle disputes."""

from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

from mcp_types import CallToolResult
from pydantic import Field

from hornbook.graph.claim import Disposition
from hornbook.graph.errors import InvalidArgument
from hornbook.mcp_tools import asking
from hornbook.mcp_tools.arguments import Date, Provenance, Said, Unit, UserId, ValidAt
from hornbook.mcp_tools.memory import Reply
from hornbook.mcp_tools.offer import Offer
from hornbook.mcp_tools.services import Ctx, actor, services
from hornbook.mcp_tools.wire import Body, budget, naming, reply

if TYPE_CHECKING:
    from hornbook.graph.claims.adjudicate import Question
    from hornbook.memory import Memory

SIDES = 50  # that a belief or a dispute shows; the rest is counted, and stands in the history
LONGEST = 200  # lines of a subject, and claims of a history, that one reply shows
ENTRIES = 50  # ledger entries unless the caller asks otherwise
LINES = 20  # contested lines unless the caller asks otherwise

AsOf = Annotated[str | None, Field(description="Answer as known at this instant; default now")]
Cursor = Annotated[str | None, Field(description="next_cursor of the page before")]


class Unsaid(str):
    """A default that the caller did not send: it is shown as any other text, and known by its class."""


UNSAID: Any = Unsaid("Functional")


class Claimed(Reply):
    """What was decided about a claim, and against whom it stands."""

    claim_ref: str
    disposition: str
    contested_with: list[str]
    status_reason: str | None = None


class Believed(Reply):
    """What is believed: of one line as `belief`, of all lines of a subject as `beliefs`."""

    belief: dict[str, Any] | None = None
    beliefs: list[dict[str, Any]] | None = None
    history: list[dict[str, Any]] | None = None


class Reconciled(Reply):
    """What became of the claims that were looked at, as pairs of reference and disposition."""

    outcomes: list[list[str]]
    oracle_escalations: int


class Audited(Reply):
    """A page of the ledger, newest first."""

    entries: list[dict[str, Any]]
    next_cursor: str | None = None


class Ended(Reply):
    """Which claim was ended, and from when."""

    claim_ref: str
    disposition: str
    effective_at: str | None
    no_op: bool


class Contests(Reply):
    """Lines in dispute, each with its sides and their evidence."""

    lines: list[dict[str, Any]]
    next_cursor: str | None = None


class Resolution(Reply):
    """What became of each claim of the line, and how the line reads now."""

    outcomes: list[list[str]]
    status: str


def ingest_claim(
    ctx: Ctx,
    subject: Said,
    predicate: Said,
    value: Any,
    provenance: Provenance,
    cardinality: Literal["Functional", "SetValued", "Unknown"] = UNSAID,
    confidence_value: Unit = 0.9,
    confidence_valid_time: Annotated[float, Field(description="Ignored")] = 0.9,
    criticality: Literal["Low", "Medium", "High", "Critical"] = "Low",
    valid_time: Annotated[
        dict[str, Any] | None,
        Field(description="{start?, end?, valid_time_confidence, start_granularity?, end_granularity?}"),
    ] = None,
    derived_from: Annotated[list[str] | None, Field(description="claim_refs it rests on")] = None,
    evidence: Annotated[str | None, Field(description="The quote")] = None,
    source: Annotated[str | None, Field(description="Episode, document or system id")] = None,
    speaker: str | None = None,
    occurred_at: Date = None,
    intent: Annotated[Literal["state", "update"], Field(description="update: it changed")] = "state",
    polarity: Literal["holds", "not"] = "holds",
    mood: Literal["asserted", "planned", "possible", "conditional"] = "asserted",
    user_id: UserId = None,
) -> Annotated[CallToolResult, Claimed]:
    """State that subject has value for predicate.

    Nothing is overwritten: a conflict is kept as Contested, with both sides. Say intent update where it changed, and
    valid_time where it is known since when.
    """
    if (ref := asking.asked_before(ctx)) is not None:
        with services(ctx).memory(user_id) as memory:
            return _decided(ctx, memory, ref, asking.answered(ctx))
    with services(ctx).memory(user_id) as memory, naming(confidence="confidence_value"):
        outcome = memory.claim(
            subject,
            predicate,
            value,
            provenance=provenance,
            cardinality=None if isinstance(cardinality, Unsaid) else cardinality,
            confidence=confidence_value,
            criticality=criticality,
            valid_time=valid_time,
            derived_from=tuple(derived_from or ()),
            evidence=evidence,
            source=source,
            speaker=speaker,
            occurred_at=occurred_at,
            intent=intent,
            polarity=polarity,
            mood=mood,
            wire=True,
            actor=actor(ctx, "ingest_claim"),
        )
        if outcome.disposition is not Disposition.CONTESTED or not asking.can_ask(ctx):
            return reply(outcome.as_dict())
        question = memory.question(outcome.claim_ref)
    return _judged(ctx, user_id, outcome.claim_ref, question)


def _judged(ctx: Ctx, user_id: str | None, ref: str, question: "Question") -> CallToolResult:
    """Ask the person at the client about a contested claim, with no memory leased while they think."""
    words = asking.wording(question.subject, question.predicate, question.challenger, question.incumbents)
    answer = asking.ask(ctx, words, ref)
    if not isinstance(answer, str):
        return cast("CallToolResult", answer)  # the SDK passes the question on: the tool has not ended yet
    with services(ctx).memory(user_id) as memory:
        return _decided(ctx, memory, ref, answer)


def _decided(ctx: Ctx, memory: "Memory", ref: str, verdict: str) -> CallToolResult:
    """Carry out a person's verdict on a contested claim, and tell what became of it."""
    by = actor(ctx, "ingest_claim")
    against = [str(one["claim_ref"]) for one in memory.question(ref).incumbents]
    disposition = memory.judge(ref, verdict, actor=by)
    still = disposition is Disposition.CONTESTED
    reason = f"the person at the client was asked and said {verdict}"
    body = {"claim_ref": ref, "disposition": disposition.value, "contested_with": against if still else []}
    return reply({**body, "status_reason": reason})


def query_memory(
    ctx: Ctx,
    subject: Said,
    predicate: Annotated[Said | None, Field(description="All lines of the subject if left out")] = None,
    as_of_tx_time: AsOf = None,
    valid_at: ValidAt = None,
    history: Annotated[bool, Field(description="Every claim of the line too, newest first")] = False,
    user_id: UserId = None,
) -> Annotated[CallToolResult, Believed]:
    """Read what is believed about a subject: status, primary, alternatives.

    valid_at asks what was true then, as_of_tx_time what was known then.
    """
    with services(ctx).memory(user_id) as memory, naming(knowledge_at="as_of_tx_time"):
        found = memory.believe(subject, predicate, valid_at=valid_at, knowledge_at=as_of_tx_time)
        told = memory.history(subject, predicate, knowledge_at=as_of_tx_time) if history else None
    body: Body = {}
    if isinstance(found, tuple):
        body["beliefs"] = rows = [answer.as_dict(SIDES) for answer in found]
        body = few(body, "beliefs", LONGEST)
    else:
        body = {"belief": found.as_dict(SIDES), "as_known": found.as_known}
        rows = body["belief"]["alternatives"]
    if told is not None:
        body["history"] = [entry.as_dict() for entry in reversed(told)]
        body = few(body, "history", LONGEST)
    return reply(body, budget(len(told or rows)))


def few(body: Body, key: str, most: int) -> Body:
    """Show at most so many rows where no limit can be asked for; how many there are is said.

    >>> few({"sides": [1, 2, 3]}, "sides", 2)
    {'sides': [1, 2], 'sides_count': 3, 'truncated': True}
    """
    rows = body[key]
    return {**body, key: rows[:most], f"{key}_count": len(rows), "truncated": True} if len(rows) > most else body


def reconcile(
    ctx: Ctx,
    subject_lines: Annotated[
        list[Annotated[list[str], Field(min_length=2, max_length=2)]],
        Field(description="[subject, predicate] pairs", max_length=500),
    ],
    reason: Annotated[str | None, Field(description="Clears the reviews that wait on these lines")] = None,
    user_id: UserId = None,
) -> Annotated[CallToolResult, Reconciled]:
    """Read lines again and settle what can be decided now."""
    lines = [(line[0], line[1]) for line in subject_lines]
    with services(ctx).memory(user_id) as memory, naming(lines="subject_lines"):
        reconciled = memory.reconcile(lines, reason=reason, actor=actor(ctx, "reconcile"))
    return reply(reconciled.as_dict())


def audit(
    ctx: Ctx,
    limit: Annotated[int, Field(ge=1, le=1000)] = ENTRIES,
    claim_ref: str | None = None,
    from_tx_time: Annotated[str | None, Field(description="Recorded at or after")] = None,
    cursor: Cursor = None,
    user_id: UserId = None,
) -> Annotated[CallToolResult, Audited]:
    """Read the ledger, newest first: every decision with its reason."""
    with services(ctx).memory(user_id) as memory:
        page = memory.audit(limit=limit, claim_ref=claim_ref, from_tx_time=from_tx_time, cursor=cursor)
    body = page.as_dict()
    return reply(body, budget(len(body["entries"]), limit, ENTRIES))


def end_fact(
    ctx: Ctx,
    subject: Said,
    predicate: Said,
    at: Annotated[str | None, Field(description="When it stopped being true; required unless reopen")] = None,
    provenance: Provenance = "External:UserAsserted",
    confidence: Unit = 1.0,
    value: Annotated[Any, Field(description="Which one, where several hold")] = None,
    reopen: Annotated[bool, Field(description="Take all ends set on it back")] = False,
    user_id: UserId = None,
) -> Annotated[CallToolResult, Ended]:
    """Say that a fact stopped being true at an instant. Its past stays believed for that past."""
    if at is None and not reopen:
        raise InvalidArgument("at is required", field="at", hint="say when it stopped being true")
    with services(ctx).memory(user_id) as memory:
        ended = memory.end(
            subject,
            predicate,
            at,
            provenance=provenance,
            confidence=confidence,
            value=value,
            reopen=reopen,
            actor=actor(ctx, "end_fact"),
        )
    return reply(ended.as_dict())


def list_contested(
    ctx: Ctx,
    limit: Annotated[int, Field(ge=1, le=200)] = LINES,
    cursor: Cursor = None,
    valid_at: ValidAt = None,
    as_of_tx_time: AsOf = None,
    user_id: UserId = None,
) -> Annotated[CallToolResult, Contests]:
    """List lines in dispute, with both sides and their evidence."""
    with services(ctx).memory(user_id) as memory, naming(knowledge_at="as_of_tx_time"):
        page = memory.contested(limit=limit, cursor=cursor, valid_at=valid_at, knowledge_at=as_of_tx_time)
    body = page.as_dict()
    body["lines"] = [few(line, "sides", SIDES) for line in body["lines"]]
    return reply(body, budget(len(body["lines"]), limit, LINES))


def resolve_contested(
    ctx: Ctx,
    subject: Said,
    predicate: Said,
    outcome: Literal["winner", "split", "all", "none", "reopen"],
    reason: Said,
    winner: Annotated[Any, Field(description="claim_ref or value, for winner")] = None,
    windows: Annotated[
        dict[str, dict[str, Any]] | None, Field(description="{claim_ref: {start?, end?}}, for split")
    ] = None,
    provenance: Provenance = "External:UserAsserted",
    user_id: UserId = None,
) -> Annotated[CallToolResult, Resolution]:
    """Settle a dispute: one winner, a split in time, all hold, none holds; reopen undoes the last."""
    with services(ctx).memory(user_id) as memory:
        resolution = memory.resolve(
            subject,
            predicate,
            outcome,
            winner=winner,
            windows=windows,
            reason=reason,
            provenance=provenance,
            actor=actor(ctx, "resolve_contested"),
        )
    return reply(resolution.as_dict())


OFFERS = (
    Offer(ingest_claim),
    Offer(query_memory, reads=True),
    Offer(reconcile, repeatable=True),
    Offer(audit, reads=True),
    Offer(end_fact, destroys=True, repeatable=True),
    Offer(list_contested, reads=True),
    Offer(resolve_contested, destroys=True),
)
