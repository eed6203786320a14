"""Asking the person at the client about a contradiction, where the client can: never required, never waited for long.

Older clients are asked in the middle of the call. Newer ones get the question as the result of the call, and call again
with the answer; what was stored by then comes back in the state that the server sealed for them.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import anyio
import anyio.from_thread
from mcp.server.elicitation import AcceptedElicitation, render_elicitation_schema
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitRequest, ElicitRequestFormParams, ElicitResult, InputRequiredResult
from mcp_types.version import is_version_at_least
from pydantic import BaseModel, Field, ValidationError

from hornbook.mcp_tools.services import Ctx, services

IN_THE_RESULT = "2026-07-28"  # from this version of the protocol on, a question is the result of a call
KEY = "verdict"
SIDES = 5  # of those that a claim contradicts, in a question
LONGEST = 200  # characters of a value or a quote in a question


class Verdict(BaseModel):
    """The form that a person fills in."""

    verdict: Literal["affirm", "deny", "unknown"] = Field(
        description="affirm: the new statement is right; deny: it is wrong; unknown: leave it contested"
    )


def can_ask(ctx: Ctx) -> bool:
    """Whether the server is to ask, and the client can put a form before a person."""
    if not services(ctx).settings.ask_about_contests:
        return False
    capabilities = ctx.client_capabilities
    elicitation = capabilities.elicitation if capabilities is not None else None
    return elicitation is not None and (elicitation.form is not None or elicitation.url is None)


def ask(ctx: Ctx, message: str, state: str) -> InputRequiredResult | str:
    """Put the question: the verdict, or what to return so that the client calls again with it and with `state`."""
    version = ctx.protocol_version
    if version is not None and is_version_at_least(version, IN_THE_RESULT):
        form = ElicitRequestFormParams(message=message, requested_schema=render_elicitation_schema(Verdict))
        return InputRequiredResult(input_requests={KEY: ElicitRequest(params=form)}, request_state=state)
    return anyio.from_thread.run(_asked, ctx, message)


async def _asked(ctx: Ctx, message: str) -> str:
    """Ask in the middle of a call. Whatever is no verdict, late or malformed, is `unknown`."""
    with anyio.move_on_after(services(ctx).settings.ask_seconds):
        try:
            answer = await ctx.elicit(message, Verdict)
        except (ValueError, MCPError):  # accepted without an answer, or one that fits no form; or it could not ask
            return "unknown"
        return answer.data.verdict if isinstance(answer, AcceptedElicitation) else "unknown"
    return "unknown"


def asked_before(ctx: Ctx) -> str | None:
    """The state of the call that this one goes on from; None for a first call."""
    return ctx.request_state


def answered(ctx: Ctx) -> str:
    """The verdict that a client calls again with."""
    given = (ctx.input_responses or {}).get(KEY)
    if not isinstance(given, ElicitResult) or given.action != "accept":
        return "unknown"
    try:
        return Verdict.model_validate(given.content).verdict
    except ValidationError:
        return "unknown"


def wording(subject: str, predicate: str, new: Mapping[str, Any], known: Sequence[Mapping[str, Any]]) -> str:
    """The question in words.

    >>> new = {"fact": {"value": "D-2"}, "speaker": "Ana"}
    >>> print(wording("Dora", "desk_number", new, [{"fact": {"value": "D-1"}}]))
    Dora, desk number: "D-2" (Ana) was stated, and contradicts "D-1". Is the new statement right?
    """
    held = ", ".join(_told(one) for one in known[:SIDES])
    more = f" and {len(known) - SIDES} more" if len(known) > SIDES else ""
    about = f"{subject}, {predicate.replace('_', ' ')}"
    return f"{about}: {_told(new)} was stated, and contradicts {held}{more}. Is the new statement right?"


def _told(claim: Mapping[str, Any]) -> str:
    dates = [claim.get("valid_from_display"), claim.get("valid_until_display")]
    since, until = (f"{word} {date}" if date else None for word, date in zip(("since", "until"), dates, strict=True))
    about = "; ".join(part for part in (claim.get("speaker") or claim.get("source"), since, until) if part)
    denied = "not " if claim.get("polarity") == "not" else ""
    value = str(claim["fact"]["value"])
    return f'{denied}"{value[:LONGEST]}"{f" ({about})" if about else ""}'
