"""A line at each instant at which something about it became known, from the view's logs: what makes sliding exact."""

import json
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from hornbook.display.markup import said
from hornbook.display.page.pieces import Piece, pieces
from hornbook.graph.belief.codec import claim_from_json, state_from_json
from hornbook.graph.belief.registry import Registry, built_in
from hornbook.graph.belief.state import ClaimState, Held
from hornbook.graph.claim import Claim
from hornbook.graph.claims.lines import written
from hornbook.graph.names import name_key
from hornbook.graph.store import DECLARATIONS, Reading
from hornbook.graph.view.spoken import LoggedEntity, PlaceRow, Spoken, spoken

MOST_WORK = 100_000  # claims squared over the known instants of one line: some two seconds


@dataclass(frozen=True, slots=True)
class Then:
    """A line from one known instant (`seq`: the last event of that transaction) until the next change."""

    known_at: int
    seq: int
    pieces: tuple[Piece, ...]


@dataclass(slots=True)
class Past:
    """Everything said, with its history, and the questions that a picture asks of it."""

    reading: Reading
    spoken: Spoken
    claims: dict[str, Claim]
    states: dict[str, tuple[tuple[int, ClaimState], ...]]
    born: dict[str, int]  # the event that recorded a claim
    places: dict[str, list[PlaceRow]]  # by line
    own: dict[str, list[PlaceRow]]  # by claim, those that are not mirrored
    named: dict[str, list[tuple[str, int, int]]]  # the entities that a claim's value names
    entities: dict[str, LoggedEntity]
    registries: list[tuple[int, Registry]]
    bearers: dict[str, str] = field(default_factory=dict)
    knowns: dict[int, tuple[int, int]] = field(default_factory=dict)
    cut: dict[str, int] = field(default_factory=dict)  # lines with too much said, and since when they are worked out

    def known(self, seq: int) -> tuple[int, int]:
        """When an event became known, and the last event that became known then."""
        if seq not in self.knowns:
            at = self.reading.known_at(seq)
            self.knowns[seq] = at, self.reading.snapshot.seq_at(at)
        return self.knowns[seq]

    def registry(self, seq: int) -> Registry:
        """The declarations known at an event."""
        return self.registries[bisect_right(self.registries, seq, key=lambda one: one[0]) - 1][1]

    def kept(self, entity: str, seq: int) -> str:
        """The entity that one was merged into, as known at an event."""
        seen = {entity}
        while (into := self._merged(entity, seq)) is not None and into not in seen:
            seen.add(into)
            entity = into
        return entity

    def _merged(self, entity: str, seq: int) -> str | None:
        found = None
        for at, change in self.entities[entity].changes if entity in self.entities else ():
            if at <= seq and "merged_into" in change:
                found = change["merged_into"]
        return found

    def source(self, claim: str, seq: int) -> str | None:
        """The entity that a claim is about, as known at an event."""
        for place in self.own.get(claim, ()):
            if place.seq <= seq < place.until_seq:
                return place.line.partition("|")[0]
        return None

    def target(self, claim: str, seq: int) -> str | None:
        """The entity that a claim's value means, as known at an event; None where it is a mere value."""
        for entity, since, until in self.named.get(claim, ()):
            if since <= seq < until:
                return self.kept(entity, seq)
        return self.bearing(self.claims[claim].value)

    def joined(self) -> dict[str, set[str]]:
        """Which entities a claim joined at any time: whoever is within reach is so here too."""
        found: defaultdict[str, set[str]] = defaultdict(set)
        for claim, places in self.own.items():
            named = {entity for entity, _, _ in self.named.get(claim, ())} | {self.bearing(self.claims[claim].value)}
            targets = {later for entity in named if entity is not None for later in self._ever(entity)}
            for source in {place.line.partition("|")[0] for place in places}:
                for target in targets:
                    found[source].add(target)
                    found[target].add(source)
        return found

    def _ever(self, entity: str) -> set[str]:
        """An entity and all that it was ever merged into."""
        found, waiting = {entity}, [entity]
        while waiting:
            for _, change in self.entities[waiting.pop()].changes:
                into = change.get("merged_into")
                if into is not None and into not in found:
                    found.add(into)
                    waiting.append(into)
        return found

    def bearing(self, value: object) -> str | None:
        """The entity that a mere name came to be the name of, so that both are one node at all times."""
        return self.bearers.get(name_key(said(value)))

    def line(self, line: str, *, latest: bool = False) -> tuple[Then, ...]:
        """What a line shows, at each known instant at which that changed, or at the last."""
        found: list[Then] = []
        changes = sorted({self.known(at) for at in self._changes(line) if at <= self.reading.upto})
        for known_at, seq in changes[-1:] if latest else self.affordable(line, changes):
            shown = pieces(self.held(line, seq), self.registry(seq).named(line.partition("|")[2]))
            if shown or found:
                found.append(Then(known_at, seq, shown))
        return tuple(found)

    def affordable(self, line: str, changes: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Of known instants, with their events, the latest at which a line can be worked out; what is cut is noted.

        Each costs the square of the line's claims.
        """
        first, left = len(changes), MOST_WORK
        while first and (left > 0 or first == len(changes)):
            first -= 1
            left -= len(self.held(line, changes[first][1])) ** 2
        if first:
            self.cut[line] = max(self.cut.get(line, 0), changes[first][0])
        return changes[first:]

    def held(self, line: str, seq: int) -> tuple[Held, ...]:
        """The claims of a line as they stood at an event, oldest first."""
        standing = [one for one in self.places[line] if one.seq <= seq < one.until_seq and self.born[one.claim] <= seq]
        standing.sort(key=lambda one: (self.born[one.claim], one.mirrored))
        return tuple(self._held(one, seq) for one in standing)

    def _held(self, place: PlaceRow, seq: int) -> Held:
        claim, born = self.claims[place.claim], self.born[place.claim]
        state = self.state(place.claim, seq)
        return Held(claim, born, self.known(born)[0], state, place.value_key, claim.polarity, place.mirrored)

    def state(self, claim: str, seq: int) -> ClaimState:
        """How a claim stood at an event."""
        every = self.states[claim]
        return every[max(bisect_right(every, seq, key=lambda one: one[0]) - 1, 0)][1]

    def _changes(self, line: str) -> Iterator[int]:
        """The events with which something about a line, or about what its values mean, can have changed."""
        predicate, first = line.partition("|")[2], self.reading.upto
        for place in self.places[line]:
            first = min(first, place.seq)
            yield from (place.seq, place.until_seq)
            yield from (seq for seq, _ in self.states[place.claim])
            yield from self._turns(place.claim)
        before = None
        for seq, registry in self.registries:
            named = registry.named(predicate)
            if named != before and seq > first:
                yield seq
            before = named

    def _turns(self, claim: str) -> Iterator[int]:
        """The events at which what a claim's value means can have changed."""
        for entity, _, _ in self.named.get(claim, ()):
            for at, change in self.entities[entity].changes:
                if "merged_into" in change:
                    yield at


def past(reading: Reading) -> Past:
    """The past of a memory, up to the event that is read."""
    found = reading.ask(spoken, upto=reading.upto)
    claims = {id_: claim_from_json(dict(data)) for id_, data in written(reading).items()}
    states = {
        one.id: tuple((seq, state_from_json(json.loads(text))) for seq, text in one.states) for one in found.claims
    }
    places: defaultdict[str, list[PlaceRow]] = defaultdict(list)
    own: defaultdict[str, list[PlaceRow]] = defaultdict(list)
    for place in found.places:
        places[place.line].append(place)
        if not place.mirrored:
            own[place.claim].append(place)
    named: defaultdict[str, list[tuple[str, int, int]]] = defaultdict(list)
    for claim, entity, since, until in found.names:
        named[claim].append((entity, since, until))
    entities = {one.id: one for one in found.entities}
    born = {one.id: one.seq for one in found.claims}
    registries = list(_registries(reading))
    made = Past(reading, found, claims, states, born, places, own, named, entities, registries)
    standing = (one for one in found.entities if made.kept(one.id, reading.upto) == one.id)
    made.bearers = {name_key(str(one.changes[0][1]["name"])): one.id for one in standing}  # of several the last
    return made


def _registries(reading: Reading) -> Iterator[tuple[int, Registry]]:
    registry = built_in()
    yield 0, registry
    for event in reading.snapshot.events(0, reading.upto, kinds=DECLARATIONS):
        if event.body is not None:
            registry = registry.declare(event.body)
            yield event.seq, registry
