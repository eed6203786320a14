"""Asserting a claim: find its lines, let the gate decide, record the decision and all that follows from it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hornbook.graph.belief.codec import claim_to_json, state_to_json
from hornbook.graph.belief.gate import decide_lines
from hornbook.graph.belief.line import Context, Decision, Line
from hornbook.graph.belief.state import ClaimState, Held
from hornbook.graph.belief.validate import checked_name, checked_value
from hornbook.graph.belief.windows import window_of
from hornbook.graph.claim import Claim, Disposition
from hornbook.graph.claims import changes
from hornbook.graph.claims.indexed import index_claim
from hornbook.graph.claims.lines import Place, claim_rows, place, to_decide
from hornbook.graph.displayed import Displayed, brief
from hornbook.graph.interval import ALWAYS
from hornbook.graph.store import Writing

if TYPE_CHECKING:
    from hornbook.graph.journal.vectors import Vector


@dataclass(frozen=True, slots=True, repr=False)
class Outcome(Displayed):
    """What became of a claim: its ref, or that of the claim it repeats, and what the gate decided about it and why."""

    claim_ref: str
    disposition: Disposition
    subject: str
    predicate: str
    value: Any
    contested_with: tuple[str, ...] = ()
    status_reason: str | None = None
    notes: tuple[str, ...] = ()
    row: int = 0
    state: ClaimState | None = None  # None where it only repeats another claim

    def _told(self) -> Iterator[str]:
        yield f"{brief(self.subject)} {self.predicate} {brief(self.value)}"
        yield self.disposition.value
        if self.contested_with:
            yield f"{len(self.contested_with)} contested_with"
        yield f"claim_ref={self.claim_ref!r}"

    def as_dict(self) -> dict[str, Any]:
        """The reply. A reason is given for whatever was not simply committed."""
        shown: dict[str, Any] = {
            "claim_ref": self.claim_ref,
            "disposition": self.disposition.value,
            "contested_with": list(self.contested_with),
        }
        if self.disposition not in COMMITTED:
            shown["status_reason"] = self.status_reason
        return shown | ({"notes": list(self.notes)} if self.notes else {})


COMMITTED = (Disposition.COMMITTED_CHEAP, Disposition.COMMITTED_INFERRED)


def assert_claim(writing: Writing, claim: Claim, vector: "Vector | None" = None) -> Outcome:
    """Write a claim in the open transaction. A `vector` of its words lets it be found by meaning at once.

    Raises NotFound for a premise that is not here, InvalidArgument for a blank subject, predicate or value, whoever
    made the claim.
    """
    checked_name(claim.subject, "subject")
    checked_name(claim.predicate, "predicate")
    checked_value(claim.value)
    premises = claim_rows(writing, claim.derived_from, "derived_from")
    predicate = writing.registry.named(claim.predicate)
    claim = replace(claim, predicate=predicate.key, value_key=predicate.key_of(claim.value))
    places, value_entity = place(writing, claim, predicate)
    lines = [_line(writing, claim, one) for one in places]
    decision = decide_lines(claim, lines, _context(writing, premises))
    if decision.state is None:
        return _repeated(writing, claim, places, decision)
    _declare(writing, claim, decision)
    seq = _record(writing, claim, places, value_entity, decision)
    index_claim(writing, seq, claim, places[0].line, decision.state, vector)
    changes.record_on(writing, places[0].line, decision.changes)
    if decision.declares is not None:
        changes.settle_lines_of(writing, claim.predicate, "its predicate takes several values")
    return _outcome(claim, decision, claim.id)


def _line(writing: Writing, claim: Claim, where: Place) -> Line:
    new = Held(claim, writing.upto + 1, writing.now, _accepted(claim), where.value_key, claim.polarity, where.mirrored)
    window = window_of(new, where.predicate.event)
    since = window.since if window.since > ALWAYS else window.begin
    if where.predicate.event:  # an event that has begun meets every other, whenever it ended
        since = ALWAYS
    live, same = to_decide(writing, where.line, since, window.until, where.value_key)
    said = tuple(one for one in same if one.polarity is claim.polarity)
    return Line(where.predicate, live, said, where.value_key, where.mirrored)


def _accepted(claim: Claim) -> ClaimState:
    return ClaimState(Disposition.COMMITTED_CHEAP, True, claim.valid)


def _context(writing: Writing, premises: Sequence[Held]) -> Context:
    store = writing.store
    return Context(
        known_at=writing.now,
        oracle=store.asks,
        owner=store.owner,
        premises=tuple((one.id, one.state) for one in premises),
        anchored=not premises or any(_anchored(writing, one) for one in premises),
    )


def _anchored(writing: Writing, premise: Held) -> bool:
    """Whether something External stands at the root of a premise; a circle of guesses has no root."""
    seen, asked = {premise.id}, [premise]
    while asked:
        if any(one.external for one in asked):
            return True
        further = {ref for one in asked for ref in one.claim.derived_from} - seen
        seen |= further
        asked = list(claim_rows(writing, further))
    return False


def _declare(writing: Writing, claim: Claim, decision: Decision) -> None:
    if decision.declares is not None:
        body = {"predicate": claim.predicate, "cardinality": decision.declares.value, "reason": "stated with a claim"}
        writing.append("predicate.declared", body)


def _record(
    writing: Writing, claim: Claim, places: Sequence[Place], value_entity: str | None, decision: Decision
) -> int:
    assert decision.state is not None, "a repetition is not recorded as a claim"
    return writing.append(
        "claim.recorded",
        {
            "claim": claim_to_json(claim),
            "lines": [
                {
                    "line": one.line,
                    "entity": one.entity,
                    "predicate": one.predicate.key,
                    "value_key": one.value_key,
                    "mirrored": one.mirrored,
                }
                for one in places
            ],
            "value_entity": value_entity,
            "state": state_to_json(decision.state),
            "ledger": decision.ledger.value,
            "row": decision.row,
            "reason": decision.reason,
            "compared_with": list(decision.compared_with),
            "repeats": decision.repeats,
            "memory": claim.memory,
        },
        event_id=claim.id,
    )


def _repeated(writing: Writing, claim: Claim, places: Sequence[Place], decision: Decision) -> Outcome:
    assert decision.repeats is not None, "a decision without a state repeats a claim"
    writing.append(
        "recall.detected",
        {
            "claim": decision.repeats,
            "line": places[0].line,
            "provenance": claim.provenance.value,
            "reason": decision.reason,
        },
    )
    return _outcome(claim, decision, decision.repeats)


def _outcome(claim: Claim, decision: Decision, ref: str) -> Outcome:
    return Outcome(
        ref,
        decision.disposition,
        claim.subject,
        claim.predicate,
        claim.value,
        decision.contested_with,
        decision.reason,
        decision.notes,
        decision.row,
        decision.state,
    )
