"""Belief over dated statements, said as simply as it can be: days are numbers, windows are sets of days.

Knows External and inferred claims with a first and a last day, `end_fact` and winners. No rows, no states, no folding:
every answer is worked out from the whole list of what was said, for the first `upto` entries of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

HORIZON = 40  # one day later than every day that a test asks about


@dataclass(frozen=True)
class Said:
    """A statement about the days from `first` up to, and without, `last`."""

    value: str
    first: int
    last: int = HORIZON
    external: bool = True


@dataclass(frozen=True)
class Ended:
    """That a value stopped being true on a day."""

    value: str
    day: int


@dataclass(frozen=True)
class Won:
    """That a value was right, against all that contradicts it."""

    value: str


Entry = Said | Ended | Won


@dataclass
class World:
    """What is left of what was said: per value, the statements still standing, oldest first."""

    external: dict[str, list[Said]] = field(default_factory=dict)
    guesses: list[Said] = field(default_factory=list)
    heard: set[str] = field(default_factory=set)

    def days(self, value: str) -> set[int]:
        """The days on which a value holds."""
        return set().union(*self.periods(value))

    def running(self, value: str) -> set[int]:
        """The period of a value that has no end yet."""
        return next((period for period in self.periods(value) if HORIZON - 1 in period), set())

    def periods(self, value: str) -> list[set[int]]:
        """The periods of a value: a newer statement that shares a day with an older period takes its place."""
        periods: list[set[int]] = []
        for said in self.external.get(value, []):
            new = set(range(said.first, said.last))
            if not new:
                continue
            kept = [period for period in periods if not period & new]
            touching = [period for period in kept if {min(period) - 1, max(period) + 1} & new]
            periods = [period for period in kept if period not in touching]
            periods.append(new.union(*touching))
        return periods

    def rivals(self, value: str) -> set[str]:
        """The values that share a day with this one, and those that share one with them."""
        found = {value}
        while True:
            more = {other for other in self.external for one in found if self.days(other) & self.days(one)}
            if more <= found:
                return found
            found |= more


def world(history: Sequence[Entry]) -> World:
    """What a history comes to."""
    now = World()
    for entry in history:
        if isinstance(entry, Said) and entry.external:
            hear(now, entry)
        elif isinstance(entry, Said):
            if entry.value not in now.heard:
                now.guesses.append(entry)
            now.heard.add(entry.value)
        elif isinstance(entry, Ended):
            end(now, entry)
        else:
            win(now, entry)
    return now


def hear(now: World, said: Said) -> None:
    """A person speaks: guesses that say otherwise go, unless it only confirms, or is itself contradicted."""
    agrees = _agrees(now, said)
    now.external.setdefault(said.value, []).append(said)
    now.heard.add(said.value)
    new = set(range(said.first, said.last))
    mine = next((period for period in now.periods(said.value) if period & new), set())
    opposed = any(mine & now.days(other) for other in now.external if other != said.value)
    if not opposed and not agrees:
        spoken = new | now.days(said.value)
        now.guesses = [g for g in now.guesses if g.value == said.value or not set(range(g.first, g.last)) & spoken]


def _agrees(now: World, said: Said) -> bool:
    known = [*now.external.get(said.value, []), *(g for g in now.guesses if g.value == said.value)]
    return any(one.first <= said.last and said.first <= one.last for one in known)


def end(now: World, ended: Ended) -> None:
    """The period of the value that still runs stops there, and the guesses beside it."""
    period = now.running(ended.value)

    def cut(said: Said) -> Said:
        runs = said.value == ended.value and ended.day < said.last
        inside = bool(period & set(range(said.first, said.last))) or not said.external
        return Said(said.value, said.first, ended.day, said.external) if runs and inside else said

    now.external = {value: [cut(said) for said in all_said] for value, all_said in now.external.items()}
    now.guesses = [cut(said) for said in now.guesses]


def win(now: World, won: Won) -> None:
    """What contradicts the winner, and what contradicts that, goes; guesses of the same values with it."""
    for value in now.rivals(won.value) - {won.value}:
        del now.external[value]
        now.guesses = [guess for guess in now.guesses if guess.value != value]


def believed(history: Sequence[Entry], day: int) -> tuple[str, str | None, set[str]]:
    """Status, believed value and the values of the other External sides, on a day, of what was said so far."""
    now = world(history)
    holding = {value for value in now.external if day in now.days(value)}
    if len(holding) > 1:
        return "Contested", None, holding
    if holding:
        return "Resolved", holding.pop(), set()
    guessed = {g.value for g in now.guesses if g.first <= day < g.last and not now.external.get(g.value)}
    if len(guessed) > 1:
        return "Conflict", None, set()
    return ("Resolved", guessed.pop(), set()) if guessed else ("NoBelief", None, set())
