"""What a line would hold had some of its claims never been said: what came after them is decided once more.

What people did to the line since (an end, a resolution, a verdict) is no statement, and stays as they did it.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hornbook.graph.belief.codec import state_from_json
from hornbook.graph.belief.gate import decide
from hornbook.graph.belief.line import Context, Line
from hornbook.graph.belief.registry import Predicate
from hornbook.graph.belief.state import ClaimState, Held, Ledger, Marker
from hornbook.graph.claim import Disposition
from hornbook.graph.claims.lines import all_of, held
from hornbook.graph.events import Event
from hornbook.graph.store import Writing
from hornbook.graph.view import queries

MOST = 200  # later transitions of a line; of more the line keeps what was decided, but for what the claims closed
STATEMENTS = ("claim.recorded", "claim.changed")
WITHDRAWN = (Ledger.INVALIDATED.value, Ledger.SUPERSEDED.value)


@dataclass(slots=True)
class Retold:
    """A line while it is told once more: its claims as they were and as they would be, by their refs."""

    writing: Writing
    predicate: Predicate
    now: Mapping[str, Held]
    gone: frozenset[str]
    was: dict[str, ClaimState]
    would: dict[str, Held]
    arrival: tuple[int, str] = (0, "")  # the transaction of the claim recorded last, and the claim
    withdrawn: int = 0  # the last transaction that withdrew a claim


def unsaid(writing: Writing, line: str, gone: Collection[str]) -> dict[str, ClaimState] | None:
    """The states that the other claims of a line would have without those that are `gone`.

    None where that cannot be told from the line alone: it is read from both ends and takes one value at either, claims
    have come to it or left it by a merge, something on it was erased, or too much has happened since.
    """
    predicate = writing.registry.named(line.partition("|")[2])
    now = {one.id: one for one in all_of(writing, line)}
    if not _alone(writing, predicate) or not now.keys() >= set(gone):
        return None
    if predicate.set_valued and _was_set(writing, predicate, min(now[ref].seq for ref in gone)):
        # a member has nothing to do with the others
        keys = {now[ref].value_key for ref in gone}
        now = {ref: one for ref, one in now.items() if one.value_key in keys}
    changed = writing.ask(queries.transitions, tuple(now), upto=writing.upto)
    never = frozenset((*gone, *(ref for ref, one in now.items() if _withdrawn(writing, one, changed[ref]))))
    first = min(now[ref].seq for ref in never)
    places = sorted(seq for every in changed.values() for seq in every if seq >= first)
    if len(places) > MOST:
        return None
    events = [event for seq in places if (event := writing.snapshot.event(seq)) is not None]
    before = {one.id: one for one in held(writing, writing.ask(queries.line, line, upto=first - 1)) if one.id in now}
    if not _told_here(events, line) or before.keys() != {ref for ref, one in now.items() if one.seq < first}:
        return None
    retold = Retold(writing, predicate, now, never, _states(before), dict(before))
    for event in events:
        _tell(retold, event)
    return {ref: one.state for ref, one in retold.would.items() if ref not in gone}


def _alone(writing: Writing, predicate: Predicate) -> bool:
    """Whether a claim meets on this line all that it meets anywhere.

    One that is seen from its value too, on a line that takes several, meets there only what says the same of the same
    two, and that is on this line as well.
    """
    return predicate.mirror is None or writing.registry.named(predicate.mirror).set_valued


def _was_set(writing: Writing, predicate: Predicate, seq: int) -> bool:
    """Whether a predicate that takes several values did so at an event already."""
    return not writing.registry.own or writing.registry_at(seq - 1).named(predicate.key).set_valued


def _told_here(events: Sequence[Event], line: str) -> bool:
    """Whether the journal still holds what happened, and all of it happened on this line."""
    return all(
        event.body is not None
        and event.kind in STATEMENTS
        and (event.kind != "claim.recorded" or event.body["lines"][0]["line"] == line)
        for event in events
    )


def _states(held: Mapping[str, Held]) -> dict[str, ClaimState]:
    return {ref: one.state for ref, one in held.items()}


def _withdrawn(writing: Writing, one: Held, changed: Sequence[int]) -> bool:
    """Whether a claim was withdrawn before, and not brought back: then it was never said either."""
    event = None if one.state.live or len(changed) == 1 else writing.snapshot.event(changed[-1])
    return event is not None and event.body is not None and _withdraws(event.body)


def _withdraws(body: Mapping[str, Any]) -> bool:
    return body["ledger"] in WITHDRAWN and not body["because"] and not body["state"]["live"]


def _tell(retold: Retold, event: Event) -> None:
    body: Mapping[str, Any] = event.body or {}
    state = state_from_json(body["state"])
    if event.kind == "claim.recorded":
        ref = event.event_id
        retold.arrival, retold.was[ref] = (event.txn, ref), state
        if ref not in retold.gone:
            _decide(retold, ref, event.seq, state, body["lines"][0]["value_key"])
        return
    ref = body["claim"]
    was, retold.was[ref] = retold.was[ref], state
    if ref in retold.gone and _withdraws(body):
        retold.withdrawn = event.txn  # what else changed then followed from it
    followed = event.txn == retold.arrival[0] and retold.arrival[1] in body["because"]
    if ref in retold.would and not followed and event.txn != retold.withdrawn:
        one = retold.would[ref]
        retold.would[ref] = replace(one, state=_carried(one.state, was, state))


def _decide(retold: Retold, ref: str, seq: int, state: ClaimState, value_key: str) -> None:
    """Let the gate decide about a claim again, among those that would be there."""
    claim, writing = retold.now[ref].claim, retold.writing
    registry = writing.registry_at(seq - 1) if writing.registry.own else writing.registry
    here = retold.would.values()
    line = Line(
        registry.named(retold.predicate.key),
        tuple(one for one in here if one.state.live),
        tuple(one for one in here if one.value_key == value_key and one.polarity is claim.polarity),
        value_key,
    )
    asked = state.disposition is Disposition.QUEUED
    anchored = Marker.LOW_DERIVATION_ANCHOR.value not in state.markers
    known_at = writing.known_at(seq)
    decision = decide(claim, line, Context(known_at, asked, writing.store.owner, anchored=anchored))
    own = replace(decision.state, review=state.review) if decision.state else state
    retold.would[ref] = replace(retold.now[ref], state=own, value_key=value_key)
    for change in decision.changes:
        if change.claim_id in retold.would:
            one = retold.would[change.claim_id]
            retold.would[change.claim_id] = replace(one, state=replace(change.state, review=one.state.review))


def _carried(state: ClaimState, was: ClaimState, now: ClaimState) -> ClaimState:
    """A state with what people changed about the claim: what differs between what it was and what they made of it."""
    valid, then, given = state.valid, was.valid, now.valid
    if then.start != given.start or then.confidence != given.confidence:
        valid = replace(valid, start=given.start, confidence=given.confidence)
    if (then.end, then.end_confidence) != (given.end, given.end_confidence):
        valid = replace(valid, end=given.end, end_confidence=given.end_confidence)
    names = ("disposition", "live", "markers", "approximate", "review")
    changed = {name: getattr(now, name) for name in names if getattr(was, name) != getattr(now, name)}
    return replace(state, valid=valid, **changed)
