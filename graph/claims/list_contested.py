"""Listing what is contested: each line in dispute, with its sides, their evidence, and the instants it is about."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hornbook.graph.belief.dispute import Dispute, dispute
from hornbook.graph.belief.provenance import to_wire
from hornbook.graph.belief.rivalry import Side
from hornbook.graph.claims.lines import held
from hornbook.graph.claims.shown import displays, interval_json
from hornbook.graph.clock import rfc3339
from hornbook.graph.displayed import Displayed, brief, counted
from hornbook.graph.errors import InvalidArgument
from hornbook.graph.interval import ALWAYS, FOREVER
from hornbook.graph.store import Reading
from hornbook.graph.view import queries


@dataclass(frozen=True, slots=True, repr=False)
class ContestedLine(Displayed):
    """A line in dispute. `seq` orders lines by the first of their claims that is in it."""

    seq: int
    subject: str
    predicate: str
    dispute: Dispute

    def _told(self) -> Iterator[str]:
        yield f"{brief(self.subject)} {self.predicate}"
        yield from (brief(side.held[0].value) for side in self.dispute.sides)

    def as_dict(self) -> dict[str, Any]:
        """The line as a reply shows it."""
        return {
            "subject": self.subject,
            "predicate": self.predicate,
            "since": rfc3339(self.dispute.since),
            "disputed": [_span(since, until) for since, until in self.dispute.spans],
            "sides": [_side(side) for side in self.dispute.sides],
        }


@dataclass(frozen=True, slots=True, repr=False)
class Contests(Displayed):
    """A page of contested lines, oldest first."""

    lines: tuple[ContestedLine, ...]
    next_cursor: str | None
    as_known: str

    def _told(self) -> Iterator[str]:
        yield counted(len(self.lines), "contested line")
        yield from (f"{brief(one.subject)} {one.predicate}" for one in self.lines)

    def as_dict(self) -> dict[str, Any]:
        """The reply."""
        return {
            "lines": [line.as_dict() for line in self.lines],
            "next_cursor": self.next_cursor,
            "as_known": self.as_known,
        }


def list_contested(
    reading: Reading, *, limit: int = 20, cursor: str | None = None, valid_at: int | None = None
) -> Contests:
    """The lines in dispute at any instant, or at one; a page of them, and where the next begins."""
    first: dict[str, int] = {}
    for row in reading.ask(queries.contested_claims, upto=reading.upto, limit=MOST):
        first.setdefault(row.line, row.seq)
    found: list[ContestedLine] = []
    for line, seq in sorted(first.items(), key=lambda item: (item[1], item[0])):
        if seq > checked_cursor(cursor) and (one := _contested(reading, line, seq)) is not None:
            if valid_at is None or one.dispute.at(valid_at):
                found.append(one)
            if len(found) > limit:
                break
    more = str(found[limit - 1].seq) if len(found) > limit else None
    return Contests(tuple(found[:limit]), more, reading.as_known)


MOST = 1_000_000


def checked_cursor(cursor: str | None) -> int:
    """The seq that a cursor stands for; 0 for the beginning."""
    if cursor is None:
        return 0
    if not cursor.isascii() or not cursor.isdigit() or len(cursor) > 18:
        raise InvalidArgument("cursor is not one that a page returned", field="cursor", hint="leave it out to begin")
    return int(cursor)


def _contested(reading: Reading, line: str, seq: int) -> ContestedLine | None:
    rows = reading.ask(queries.live_on, line, ALWAYS, FOREVER, upto=reading.upto)
    claims = held(reading, rows)
    predicate = reading.registry.named(line.partition("|")[2])
    found = dispute(claims, predicate)
    return ContestedLine(seq, str(claims[0].subject), predicate.key, found) if found else None


def _side(side: Side) -> Mapping[str, Any]:
    told = max(side.told, key=lambda one: one.seq)
    shown: dict[str, Any] = {
        "claim_ref": told.id,
        "value": told.value,
        "polarity": told.polarity.value,
        "provenance": to_wire(told.claim.provenance),
        "valid_time": interval_json(told.state.valid),
        **displays(told.state.valid),
        "evidence": [_evidence(one.claim.evidence, one.claim.speaker, one.claim.source, one.id) for one in side.told],
    }
    return shown


def _evidence(quote: str | None, speaker: str | None, source: str | None, ref: str) -> dict[str, Any]:
    given = {"claim_ref": ref, "quote": quote, "speaker": speaker, "source": source}
    return {key: value for key, value in given.items() if value is not None}


def _span(since: int, until: int) -> dict[str, str]:
    ends = {"start": since if since > ALWAYS else None, "end": until if until < FOREVER else None}
    return {name: rfc3339(at) for name, at in ends.items() if at is not None}
