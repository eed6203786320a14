"""Reading beliefs: what the lines of a subject say at a valid instant, as known at the instant of the read."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hornbook.graph import entities
from hornbook.graph.belief.belief import Belief
from hornbook.graph.belief.fold import believe as fold
from hornbook.graph.belief.registry import Predicate
from hornbook.graph.belief.state import Held
from hornbook.graph.claims.lines import find_line, held, with_sides
from hornbook.graph.claims.shown import slot_json
from hornbook.graph.displayed import Displayed, brief, counted
from hornbook.graph.interval import ALWAYS
from hornbook.graph.store import Reading
from hornbook.graph.view import queries


@dataclass(frozen=True, slots=True, repr=False)
class Answer(Displayed):
    """A belief with the line it is about, as it was asked for, and the known instant of the read."""

    subject: str
    predicate: str
    belief: Belief
    as_known: str
    event: bool = False  # whether it tells what happened rather than how things are

    @property
    def status(self) -> str:
        """NoBelief, Resolved, TimingUncertain, Contested or Conflict."""
        return self.belief.status.value

    @property
    def value(self) -> Any:
        """The believed value; None where nothing is believed."""
        return self.belief.value

    @property
    def primary(self) -> Any:
        """The side that is believed."""
        return self.belief.primary

    @property
    def alternatives(self) -> tuple[Any, ...]:
        """The other sides that are shown."""
        return self.belief.alternatives

    @property
    def markers(self) -> tuple[str, ...]:
        """What a reader should know beside the status."""
        return self.belief.markers

    def _told(self) -> Iterator[str]:
        yield f"{brief(self.subject)} {self.predicate}"
        yield from self.belief._told()

    def as_dict(self, most: int | None = None) -> dict[str, Any]:
        """The belief as a reply shows it; of many alternatives the first, where there is a limit, and how many."""
        found = self.belief
        others = len(found.alternatives)
        cut = {"alternatives_count": others, "truncated": True} if most is not None and others > most else {}
        return {
            "subject": self.subject,
            "predicate": self.predicate,
            "status": found.status.value,
            "primary": slot_json(found.primary) if found.primary else None,
            "alternatives": [slot_json(slot) for slot in found.alternatives[:most]],
            "markers": list(found.markers),
            "currency": found.currency.value if found.currency else None,
            "criticality": found.criticality.value if found.criticality else None,
            "stale": found.stale,
            **cut,
        }


class Answers(Displayed, tuple[Answer, ...]):
    """What several lines say, in the order in which they came to be."""

    __slots__ = ()

    def _told(self) -> Iterator[str]:
        yield counted(len(self), "line")
        yield from (f"{one.predicate} {brief(one.value)}" for one in self)


def believe(reading: Reading, subject: str, predicate: str, at: int, scope: str | None = None) -> Answer:
    """What one line says; a line that nobody spoke about has no belief."""
    found = find_line(reading, subject, predicate)
    named = reading.registry.named(predicate)
    if found is None:
        return Answer(subject, named.key, fold((), named, at), reading.as_known, named.event)
    return Answer(subject, named.key, belief_on(reading, found[0], named, at, scope), reading.as_known, named.event)


def believe_all(reading: Reading, subject: str, at: int, scope: str | None = None) -> Iterator[Answer]:
    """What each line of a subject says, in the order in which the lines came to be."""
    entity = entities.find(reading, subject)
    if entity is None:
        return
    for line in reading.ask(queries.line_ids_of, entity.id, upto=reading.upto):
        predicate = reading.registry.named(line.partition("|")[2])
        yield Answer(
            subject, predicate.key, belief_on(reading, line, predicate, at, scope), reading.as_known, predicate.event
        )


def belief_on(reading: Reading, line: str, predicate: Predicate, at: int, scope: str | None = None) -> Belief:
    """The belief of a line. With a scope only claims with evidence in it count."""
    claims = relevant(reading, line, predicate, at)
    if scope is not None:
        claims = tuple(one for one in claims if one.claim.scope == scope)
    return fold(claims, predicate, at)


def relevant(reading: Reading, line: str, predicate: Predicate, at: int) -> tuple[Held, ...]:
    """The claims that decide what a line says at an instant: those read then, with all live claims of their sides."""
    if (rows := reading.ask(queries.short_line, line, upto=reading.upto)) is not None:
        return held(reading, rows)
    rows = reading.ask(queries.read_on, line, at, upto=reading.upto, long=True)
    if predicate.event:  # once it has begun it stays believed, whenever it ended
        begun = reading.ask(queries.live_on, line, ALWAYS, at, upto=reading.upto)
        rows = tuple({row.id: row for row in (*rows, *begun)}.values())
    return with_sides(reading, line, rows)
