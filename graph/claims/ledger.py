"""The ledger: every transition with its reason, newest first; and the history of a line, claim by claim."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hornbook.graph import entities
from hornbook.graph.belief.state import Held
from hornbook.graph.claims.lines import all_of, find_line
from hornbook.graph.claims.list_contested import checked_cursor
from hornbook.graph.claims.shown import claim_json
from hornbook.graph.clock import rfc3339
from hornbook.graph.displayed import Displayed, counted
from hornbook.graph.events import Event
from hornbook.graph.interval import Interval
from hornbook.graph.store import Reading
from hornbook.graph.view import queries

KINDS = {
    "claim.recorded": "ClaimCommitted",
    "claim.changed": "ClaimChanged",
    "recall.detected": "RecallReEntryDetected",
    "contest.resolved": "ContestResolution",
    "contest.reopened": "ContestReopened",
    "predicate.declared": "PredicateDeclared",
    "entities.merged": "EntitiesMerged",
    "entities.parted": "EntitiesParted",
    "oracle.asked": "AdjudicationRequested",
    "oracle.answered": "AdjudicationResolved",
    "oracle.expired": "AdjudicationExpired",
    "rules.added": "RulesAdded",
    "rule.removed": "RuleRemoved",
}


@dataclass(frozen=True, slots=True, repr=False)
class Entry(Displayed):
    """One transition: what was decided about which claim, when it became known, why, and through whom."""

    seq: int
    event: Event
    claim_ref: str | None
    disposition: str | None

    def as_dict(self) -> dict[str, Any]:
        """The entry as a reply shows it."""
        body = self.event.body or {}
        actor = self.event.actor
        shown: dict[str, Any] = {
            "entry_id": self.event.event_id,
            "claim_ref": self.claim_ref,
            "event_kind": body.get("ledger") or KINDS[self.event.kind],
            "disposition": self.disposition,
            "recorded_at": rfc3339(self.event.known_at),
            "reason": body.get("reason"),
            "because": list(body.get("because", ())) or None,
            "compared_with": list(body.get("compared_with", ())) or None,
            "outcome": body.get("outcome"),
            "line": [body["subject"], body["predicate"]] if "outcome" in body else None,
            "rules": _rules(body),
            "client": actor.client or None,
            "tool": actor.tool or None,
        }
        return {key: value for key, value in shown.items() if value is not None}

    def _told(self) -> Iterator[str]:
        body = self.event.body or {}
        yield str(body.get("ledger") or KINDS[self.event.kind])
        yield from (word for word in (self.disposition, body.get("reason")) if word)
        yield rfc3339(self.event.known_at)


def _rules(body: Mapping[str, Any]) -> list[str] | None:
    """The rules that an entry is about, by their ids."""
    if "rule_id" in body:
        return [body["rule_id"]]
    return [one["rule_id"] for one in body.get("rules", ())] or None


@dataclass(frozen=True, slots=True, repr=False)
class Audit(Displayed):
    """A page of the ledger, newest first."""

    entries: tuple[Entry, ...]
    next_cursor: str | None

    def _told(self) -> Iterator[str]:
        yield counted(len(self.entries), "decision")
        if self.entries:
            yield f"{rfc3339(self.entries[-1].event.known_at)} to {rfc3339(self.entries[0].event.known_at)}"
        if self.next_cursor:
            yield "more"

    def as_dict(self) -> dict[str, Any]:
        """The reply."""
        return {"entries": [entry.as_dict() for entry in self.entries], "next_cursor": self.next_cursor}


def audit(
    reading: Reading,
    *,
    limit: int = 50,
    claim_ref: str | None = None,
    from_known: int | None = None,
    cursor: str | None = None,
) -> Audit:
    """The ledger, newest first. The filters come before the limit; a cursor goes on where a page ended."""
    last = reading.upto if cursor is None else checked_cursor(cursor) - 1
    events = reading.snapshot.events(0, max(last, 0), kinds=tuple(KINDS), descending=True)
    found: list[Entry] = []
    for entry in map(_entry, events):
        if from_known is not None and entry.event.known_at < from_known:
            break
        if claim_ref is None or _concerns(entry, claim_ref):
            found.append(entry)
        if len(found) > limit:
            break
    more = str(found[limit - 1].seq) if len(found) > limit else None
    return Audit(tuple(found[:limit]), more)


def _entry(event: Event) -> Entry:
    body = event.body or {}
    if event.kind == "claim.recorded":
        return Entry(event.seq, event, body["claim"]["id"], body["state"]["disposition"]) if body else _bare(event)
    if event.kind == "claim.changed":
        return Entry(event.seq, event, body["claim"], body["state"]["disposition"]) if body else _bare(event)
    if event.kind == "recall.detected":
        return Entry(event.seq, event, body.get("claim"), None)
    return _bare(event)


def _bare(event: Event) -> Entry:
    return Entry(event.seq, event, None, None)


def _concerns(entry: Entry, claim_ref: str) -> bool:
    """Whether an entry is about a claim, itself or as one that a resolution changed."""
    body = entry.event.body or {}
    return entry.claim_ref == claim_ref or claim_ref in body.get("before", {})


@dataclass(frozen=True, slots=True, repr=False)
class Told(Displayed):
    """A claim of a line's history, as it stands at the instant of the read."""

    held: Held

    @property
    def claim_ref(self) -> str:
        """The claim's ref."""
        return self.held.id

    def _told(self) -> Iterator[str]:
        yield self.held.told()

    def as_dict(self) -> dict[str, Any]:
        """The claim with its windows and its disposition."""
        return claim_json(self.held)


class History(Displayed, tuple[Told, ...]):
    """The claims of one line or of several, oldest first."""

    __slots__ = ()

    def _told(self) -> Iterator[str]:
        yield counted(len(self), "claim")
        yield from (f"{one.held.predicate} {one.held.words(Interval())}" for one in self)


def history(reading: Reading, subject: str, predicate: str | None = None) -> History:
    """Every claim of a line, or of all lines of a subject, oldest first."""
    every = {one.id: one for line in _lines(reading, subject, predicate) for one in all_of(reading, line)}
    return History(Told(one) for one in sorted(every.values(), key=lambda one: one.seq))


def _lines(reading: Reading, subject: str, predicate: str | None) -> Iterator[str]:
    if predicate is not None:
        found = find_line(reading, subject, predicate)
        if found is not None:
            yield found[0]
    elif (entity := entities.find(reading, subject)) is not None:
        yield from reading.ask(queries.line_ids_of, entity.id, upto=reading.upto)
