"""Belief folded from the journal's events alone: no view, no engine; what a store answers must be this."""

from dataclasses import dataclass, field
from typing import Any

from hornbook.graph.belief.belief import Belief
from hornbook.graph.belief.codec import claim_from_json, state_from_json
from hornbook.graph.belief.fold import believe
from hornbook.graph.belief.registry import Registry, built_in
from hornbook.graph.belief.state import ClaimState, Held
from hornbook.graph.claim import Claim
from hornbook.memory import Memory

Seat = tuple[str, str, bool]  # a line, what is said on it, whether it is seen from the value


@dataclass
class Folded:
    """What the events up to one of them amount to."""

    registry: Registry = field(default_factory=built_in)
    claims: dict[str, tuple[Claim, int, int]] = field(default_factory=dict)
    states: dict[str, ClaimState] = field(default_factory=dict)
    seats: dict[str, list[Seat]] = field(default_factory=dict)

    def take(self, event: Any) -> None:
        """Take in the next event."""
        body = event.body
        if event.kind == "claim.recorded":
            claim = claim_from_json(body["claim"])
            self.claims[claim.id] = claim, event.seq, event.known_at
            self.states[claim.id] = state_from_json(body["state"])
            self.seats[claim.id] = [(one["line"], one["value_key"], one["mirrored"]) for one in body["lines"]]
        elif event.kind == "claim.changed":
            self.states[body["claim"]] = state_from_json(body["state"])
        elif event.kind == "predicate.declared":
            self.registry = self.registry.declare(body)
        elif event.kind in ("entities.merged", "entities.parted"):
            for move in body["moves"]:
                there = (move["to"], move["value_key"], move["mirrored"])
                gone = (move["from"], move["mirrored"])
                kept = [seat for seat in self.seats[move["claim"]] if (seat[0], seat[2]) != gone]
                self.seats[move["claim"]] = [*kept, there]

    def line(self, line: str) -> tuple[Held, ...]:
        """Every claim of a line, oldest first; one that names itself, after a merge, from both its ends."""
        found = (
            Held(*self.claims[ref], self.states[ref], key, self.claims[ref][0].polarity, mirrored)
            for ref in self.claims
            for at, key, mirrored in self.seats[ref]
            if at == line
        )
        return tuple(sorted(found, key=lambda one: (one.seq, one.mirrored)))

    @property
    def lines(self) -> list[str]:
        """The lines that have a claim."""
        return list(dict.fromkeys(line for seats in self.seats.values() for line, *_ in seats))

    def believe(self, line: str, at: int) -> Belief:
        """What a line says."""
        return believe(self.line(line), self.registry.named(line.partition("|")[2]), at)


def folded(memory: Memory, known_at: int | None = None) -> Folded:
    """The journal of a memory, read from the beginning."""
    found = Folded()
    with memory._store.reading(known_at) as reading:
        for event in reading.snapshot.events(0, reading.upto):
            found.take(event)
    return found
