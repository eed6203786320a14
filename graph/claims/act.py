"""Ending a contest, ending a fact, looking at lines again: pure decisions carried out in one transaction each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hornbook.graph.belief.belief import Status
from hornbook.graph.belief.codec import state_from_json, state_to_json
from hornbook.graph.belief.end import End, end_fact, reopen_fact
from hornbook.graph.belief.fold import believe
from hornbook.graph.belief.provenance import to_wire
from hornbook.graph.belief.reconcile import reconcile
from hornbook.graph.belief.registry import Predicate
from hornbook.graph.belief.resolve import Resolution, reopen, resolve
from hornbook.graph.belief.state import Held, Marker
from hornbook.graph.claim import Cardinality, Disposition, Provenance
from hornbook.graph.claims import changes
from hornbook.graph.claims.lines import all_of, claim_rows, find_line, held, live_on
from hornbook.graph.clock import rfc3339
from hornbook.graph.dates import Moment
from hornbook.graph.displayed import Displayed
from hornbook.graph.errors import Conflict, NotFound
from hornbook.graph.store import Writing
from hornbook.graph.view import queries

RESOLVED, REOPENED = "contest.resolved", "contest.reopened"


@dataclass(frozen=True, slots=True, repr=False)
class Resolved(Displayed):
    """What a resolution made of the claims of a line, and how the line stands now."""

    outcomes: tuple[tuple[str, str], ...]
    status: Status

    def as_dict(self) -> dict[str, Any]:
        """The reply."""
        return {"outcomes": [list(pair) for pair in self.outcomes], "status": self.status.value}


@dataclass(frozen=True, slots=True, repr=False)
class Ended(Displayed):
    """What an end changed; `at` is None where the ends were taken back."""

    claim_ref: str
    disposition: Disposition
    at: Moment | None
    no_op: bool

    def as_dict(self) -> dict[str, Any]:
        """The reply."""
        return {
            "claim_ref": self.claim_ref,
            "disposition": self.disposition.value,
            "effective_at": rfc3339(self.at.at) if self.at else None,
            "no_op": self.no_op,
        }


@dataclass(frozen=True, slots=True, repr=False)
class Reconciled(Displayed):
    """Every claim that was looked at with its disposition, and how many questions went to the oracle."""

    outcomes: tuple[tuple[str, str], ...]
    oracle_escalations: int = 0

    def as_dict(self) -> dict[str, Any]:
        """The reply."""
        return {"outcomes": [list(pair) for pair in self.outcomes], "oracle_escalations": self.oracle_escalations}


def known_line(writing: Writing, subject: str, predicate: str, nothing: type[Exception]) -> tuple[str, Predicate]:
    """The line of a subject and a predicate; the error given where nobody spoke about it."""
    found = find_line(writing, subject, predicate)
    if found is None:
        raise nothing(f"nothing is known of {predicate} of {subject}")
    return found


# contests


def resolve_contested(
    writing: Writing,
    subject: str,
    predicate: str,
    outcome: str,
    *,
    winner: Any = None,
    windows: Any = None,
    reason: str,
    provenance: Provenance,
) -> Resolved:
    """End the contest of a line, or undo what last ended it."""
    line, named = known_line(writing, subject, predicate, Conflict)
    if outcome == "reopen":
        return _reopened(writing, line, named, reason, provenance)
    claims = live_on(writing, line)
    decided = resolve(claims, named, outcome, reason=reason, provenance=provenance, winner=winner, windows=windows)
    before = {one.id: one for one in claims}
    writing.append(
        RESOLVED,
        {
            "line": line,
            "subject": subject,
            "predicate": named.key,
            "outcome": decided.outcome,
            "winner": decided.winner,
            "windows": windows,
            "reason": decided.reason,
            "provenance": to_wire(provenance),
            "before": {one.claim_id: state_to_json(before[one.claim_id].state) for one in decided.changes},
            "cardinality": named.cardinality.value,
        },
    )
    return _settled(writing, line, named, decided)


def _settled(writing: Writing, line: str, predicate: Predicate, decided: Resolution) -> Resolved:
    if decided.declares is not None:
        _declare(writing, predicate, decided.declares, decided.reason)
    changes.record_on(writing, line, decided.changes)
    if decided.declares is not None:
        changes.settle_lines_of(writing, predicate.key, "its predicate takes several values")
    now = believe(live_on(writing, line), writing.registry.named(predicate.key), writing.now)
    return Resolved(tuple((one.claim_id, one.state.disposition.value) for one in decided.changes), now.status)


def _declare(writing: Writing, predicate: Predicate, cardinality: Cardinality, reason: str) -> None:
    body = {"predicate": predicate.key, "cardinality": cardinality.value, "reason": reason}
    writing.append("predicate.declared", body)


def _reopened(writing: Writing, line: str, predicate: Predicate, reason: str, provenance: Provenance) -> Resolved:
    resolution, succession = _last_resolution(writing, line), _last_succession(writing, line)
    if succession is not None and (resolution is None or succession.seq > resolution[0]):
        return _unsucceeded(writing, line, predicate, succession, reason, provenance)
    if resolution is None:
        raise Conflict("nothing was resolved on this line: there is nothing to reopen")
    _, event_id, body = resolution
    if body["cardinality"] != predicate.cardinality.value:
        _declare(writing, predicate, Cardinality(body["cardinality"]), reason)
    before = {ref: state_from_json(state) for ref, state in body["before"].items()}
    here = {one.id: one for one in all_of(writing, line) if one.state.live or one.id in before}
    gone = [ref for ref in before if ref not in here]  # to another line, by a merge
    touched = {**{one.id: one for one in claim_rows(writing, gone)}, **here}
    named = writing.registry.named(predicate.key)
    decided = reopen(tuple(touched.values()), named, before, reason=reason, provenance=provenance)
    writing.append(REOPENED, {"resolution": event_id, "line": line, "reason": decided.reason})
    reopened = _settled(writing, line, named, decided)
    if named != predicate:
        changes.settle_lines_of(writing, predicate.key, "its predicate takes one value again")
    return reopened


def _last_resolution(writing: Writing, line: str) -> tuple[int, str, Any] | None:
    """The last resolution of a line that was not undone: its seq, its id and its body."""
    undone: set[str] = set()
    for event in writing.snapshot.events(kinds=(RESOLVED, REOPENED), descending=True):
        if event.body is None or event.body["line"] != line:
            continue
        if event.kind == REOPENED:
            undone.add(event.body["resolution"])
        elif event.event_id not in undone:
            return event.seq, event.event_id, event.body
    return None


def _last_succession(writing: Writing, line: str) -> Held | None:
    """The claim that succeeded last by implication, and still does."""
    mark = Marker.IMPLIED_SUCCESSION.value
    implied = [one for one in live_on(writing, line) if mark in one.state.markers and not one.mirrored]
    return max(implied, key=lambda one: one.seq, default=None)


def _unsucceeded(
    writing: Writing, line: str, predicate: Predicate, newcomer: Held, reason: str, provenance: Provenance
) -> Resolved:
    now = live_on(writing, line)
    earlier = writing.ask(queries.claims, [one.id for one in now if one.seq < newcomer.seq], upto=newcomer.seq - 1)
    then = {one.id: one.state for one in held(writing, earlier)}
    before = {one.id: then[one.id] for one in now if one.id in then and one.state.valid != then[one.id].valid}
    decided = reopen(now, predicate, before, reason=reason, provenance=provenance, newcomer=newcomer.id)
    writing.append(REOPENED, {"resolution": newcomer.id, "line": line, "reason": decided.reason})
    return _settled(writing, line, predicate, decided)


# ends


def end(
    writing: Writing,
    subject: str,
    predicate: str,
    at: Moment | None,
    *,
    provenance: Provenance,
    value: Any = None,
    confidence: float = 1.0,
    again: bool = False,
) -> Ended:
    """Say that a fact stopped being true, or (`again`) take back the ends that were set on it."""
    line, named = known_line(writing, subject, predicate, NotFound)
    claims = live_on(writing, line)
    if again:
        done = reopen_fact(claims, named, provenance=provenance, value=value)
    else:
        done = end_fact(claims, named, at, now=writing.now, provenance=provenance, value=value, confidence=confidence)
    changes.record_on(writing, line, done.changes)
    return _ended(done)


def _ended(done: End) -> Ended:
    return Ended(done.claim_id, done.disposition, done.at, done.no_op)


# reconciling


def reconcile_lines(writing: Writing, lines: Sequence[tuple[str, str]], reason: str | None = None) -> Reconciled:
    """Look at lines again and apply what can be decided now."""
    outcomes: list[tuple[str, str]] = []
    for subject, predicate in lines:
        found = find_line(writing, subject, predicate)
        if found is None:
            continue
        done = reconcile(live_on(writing, found[0]), found[1], now=writing.now, reason=reason)
        changes.record_on(writing, found[0], done.changes)
        outcomes.extend(done.outcomes)
    return Reconciled(tuple(outcomes))
