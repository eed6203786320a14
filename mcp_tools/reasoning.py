"""The toolset `reasoning`: rules over what is believed, questions to what follows, and the proof of it."""

from typing import Annotated, Any

from mcp_types import CallToolResult
from pydantic import Field

from hornbook.mcp_tools.arguments import KnownAt, Said, UserId, ValidAt
from hornbook.mcp_tools.claims import Cursor
from hornbook.mcp_tools.memory import Reply
from hornbook.mcp_tools.offer import Offer
from hornbook.mcp_tools.services import Ctx, actor, services
from hornbook.mcp_tools.wire import ASKED, budget, naming, reply

ROWS = 50  # of an answer unless the caller asks otherwise


class AddedRules(Reply):
    """The rules with their ids, how many conclusions came and went with them, and what looks like a slip."""

    rules: list[dict[str, Any]]
    derived: int
    withdrawn: int
    warnings: list[dict[str, Any]]


class Rules(Reply):
    """The rules in force."""

    rules: list[dict[str, Any]]


class Removed(Reply):
    """The rule that is no longer in force."""

    rule_id: str
    text: str


class Rows(Reply):
    """A row for each answer, in the order of the columns."""

    columns: list[str]
    rows: list[list[Any]]
    truncated: bool
    next_cursor: str | None = None


class Explained(Reply):
    """A proof as a tree and as text; or the rule that came nearest and what it lacks."""

    holds: bool
    text: str
    proofs: list[dict[str, Any]]


def add_rules(
    ctx: Ctx,
    text: Annotated[
        str | None, Field(description='head(x, y) :- p(x, z), not q(z, _), z != "Bo". Variables are bare')
    ] = None,
    dry_run: Annotated[bool, Field(description="Only count what would follow")] = False,
    pack: Annotated[
        str | None,
        Field(description="Instead of text: kinship, places, organisations, time, preferences, consistency"),
    ] = None,
    user_id: UserId = None,
) -> Annotated[CallToolResult, AddedRules]:
    """Add Datalog rules: what follows from beliefs, as p(subject, value). `:- body.` denies a combination."""
    with services(ctx).memory(user_id) as memory:
        added = memory.rules(text, pack=pack, dry_run=dry_run, actor=actor(ctx, "add_rules"))
    return reply(added.as_dict(), budget(len(added.rules)))


def list_rules(ctx: Ctx, user_id: UserId = None) -> Annotated[CallToolResult, Rules]:
    """List the rules in force."""
    with services(ctx).memory(user_id) as memory:
        rules = memory.list_rules()
    return reply({"rules": [rule.as_dict() for rule in rules]}, budget(len(rules)))


def remove_rule(ctx: Ctx, rule_id: Said, user_id: UserId = None) -> Annotated[CallToolResult, Removed]:
    """Take a rule out of force; what only it gave goes with it."""
    with services(ctx).memory(user_id) as memory:
        gone = memory.remove_rule(rule_id, actor=actor(ctx, "remove_rule"))
    return reply(gone.as_dict())


def ask(
    ctx: Ctx,
    query: Annotated[Said, Field(description='p(x, "Ana"), q(x, n), n > 3')],
    limit: Annotated[int, Field(ge=1, le=1000)] = ROWS,
    cursor: Cursor = None,
    valid_at: ValidAt = None,
    knowledge_at: KnownAt = None,
    user_id: UserId = None,
) -> Annotated[CallToolResult, Rows]:
    """Ask for every binding of the variables, over beliefs and what rules derive."""
    with services(ctx).memory(user_id) as memory, naming(text="query"):
        found = memory.ask(query, limit, cursor, valid_at=valid_at, knowledge_at=knowledge_at)
    return reply(found.as_dict(), budget(len(found.rows), limit, ROWS))


def why(
    ctx: Ctx,
    fact: Annotated[Said, Field(description='p("Ana", "Bo"), or the id of a claim')],
    depth: Annotated[int, Field(ge=1, le=200)] = 40,
    valid_at: ValidAt = None,
    knowledge_at: KnownAt = None,
    user_id: UserId = None,
) -> Annotated[CallToolResult, Explained]:
    """Prove a fact: rules down to claims and their evidence; or say what is missing."""
    with services(ctx).memory(user_id) as memory, naming(text="fact"):
        found = memory.why(fact, depth=depth, valid_at=valid_at, knowledge_at=knowledge_at)
    return reply(found.as_dict(), ASKED)


OFFERS = (
    Offer(add_rules, repeatable=True),
    Offer(list_rules, reads=True),
    Offer(remove_rule, destroys=True),
    Offer(ask, reads=True),
    Offer(why, reads=True),
)
