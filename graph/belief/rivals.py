"""Who stands against whom on a line, claim by claim: as much of it as a state records, and all where it is asked.

A line on which a hundred people disagree has thousands of pairs. A claim's state names the first few of its rivals:
enough to say that it is in dispute, and with whom for example. All of them are found from the line when it is read.
"""

from bisect import insort
from collections.abc import Collection, Iterable, Iterator, Sequence

from hornbook.graph.belief.registry import Predicate
from hornbook.graph.belief.rivalry import (
    Clash,
    Side,
    arenas,
    clash_of,
    clashes_between,
    conflict,
    exclusive,
    reaches_into,
    side_of,
    sides_of,
    spans_of,
)
from hornbook.graph.belief.state import Held
from hornbook.graph.belief.windows import Window

NAMED = 8  # rivals that a claim's state names

Span = tuple[Window, Side]


class Seats:
    """The External claims of a line in the windows that they make: who stands against whom is asked here."""

    def __init__(self, held: Iterable[Held], predicate: Predicate) -> None:
        self.predicate = predicate
        self.sides = tuple(side for side in sides_of(held, predicate) if side.external)
        self._at: dict[str, list[tuple[Held, Window, Side]]] = {}
        for side in self.sides:
            for window in side.windows:
                for one in window.held:
                    self._at.setdefault(one.id, []).append((one, window, side))

    def side(self, ref: str) -> Side | None:
        """The side that a claim belongs to."""
        return self._at[ref][0][2] if ref in self._at else None

    def opposed(self, one: str, other: str) -> bool:
        """Whether two claims contradict each other at some instant."""
        return any(
            against(mine, window, side, theirs, rest, facing, self.predicate)
            for mine, window, side in self._at.get(one, ())
            for theirs, rest, facing in self._at.get(other, ())
        )

    def all_against(self, ref: str) -> tuple[str, ...]:
        """Every claim that contradicts one, in the order in which they were said."""
        found = [one for rows in self._at.values() for one, *_ in rows[:1] if self.opposed(ref, one.id)]
        return tuple(one.id for one in sorted(found, key=_seq))

    def first_against(self, wanted: Collection[str]) -> dict[str, tuple[str, ...]]:
        """For each of some claims, the first few that contradict it; those that have none are left out."""
        search = _Search(self.predicate, wanted)
        for group in arenas(self.sides, self.predicate, _itself):
            search.along(spans_of(group))
        return {ref: tuple(sorted(found, key=lambda r: (found[r], r))) for ref, found in search.found.items()}


def against(
    one: Held, window: Window, side: Side, other: Held, rest: Window, facing: Side, predicate: Predicate
) -> bool:
    """Whether two claims, each in a window of its side, contradict each other."""
    if side is facing or not exclusive(side, facing, predicate) or not conflict(window, rest):
        return False
    since, until = max(window.begin, rest.begin), min(window.until, rest.until)
    return reaches_into(one, since, until) and reaches_into(other, since, until)


def stand_against(claims: Sequence[Held], sides: Iterable[Side], predicate: Predicate) -> bool:
    """Whether claims of one side, taken by themselves, contradict one of these sides."""
    mine = side_of(claims[0].side, claims, predicate)
    return any(exclusive(mine, side, predicate) and clashes_between(mine, side) for side in sides)


def telling_clashes(group: Iterable[Side], predicate: Predicate) -> Iterator[Clash]:
    """Enough of the conflicts among sides to know who is in one, over which instants, and since when it is known.

    For each window two: with the window known first of those that it conflicts with, and with the one that lasts
    longest of those that begin before it.
    """
    spans = _in_conflict(spans_of(group), predicate)
    by_known = sorted(spans, key=lambda span: known_of(span[0]))
    lasting: list[Span] = []  # those that began before, the longest first
    for span in spans:
        window, side = span
        for others in (by_known, lasting):
            found = next((other for other in others if _meet(span, other, predicate)), None)
            if found is not None:
                yield clash_of(side, found[1], window, found[0])
        insort(lasting, span, key=_lasts)


def _in_conflict(spans: Sequence[Span], predicate: Predicate) -> list[Span]:
    """The windows with a claim that is in a conflict: a peaceful history is left out at once."""
    search = _Search(predicate, {one.id for window, _ in spans for one in window.held})
    search.along(spans)
    return [span for span in spans if any(one.id in search.found for one in span[0].held)]


def _meet(span: Span, other: Span, predicate: Predicate) -> bool:
    (window, side), (rest, facing) = span, other
    return side is not facing and exclusive(side, facing, predicate) and conflict(window, rest)


def _lasts(span: Span) -> int:
    return -span[0].until


def known_of(window: Window) -> int:
    """When a window became known: with the first of its claims."""
    return min(one.known_at for one in window.held)


class _Search:
    """Goes along a line once. Windows whose claims have found enough rivals are passed over."""

    def __init__(self, predicate: Predicate, wanted: Collection[str]) -> None:
        self.predicate = predicate
        self.wanted = wanted
        self.found: dict[str, dict[str, int]] = {}

    def along(self, spans: Sequence[Span]) -> None:
        further = list(range(1, len(spans) + 2))  # of a window that wants nothing: where to go on
        for index, (window, side) in enumerate(spans):
            at, all_of_them = index + 1, self._wants(window)
            while (at := at if all_of_them else self._next(spans, further, at)) < len(spans):
                rest, facing = spans[at]
                if rest.begin >= window.until:
                    break
                if side is not facing and exclusive(side, facing, self.predicate) and conflict(window, rest):
                    self._meet(window, rest)
                    all_of_them = all_of_them and self._wants(window)
                at += 1

    def _next(self, spans: Sequence[Span], further: list[int], at: int) -> int:
        """The next window from `at` on that wants rivals; who comes that way again goes there in one step."""
        passed: list[int] = []
        while at < len(spans) and not self._wants(spans[at][0]):
            passed.append(at)
            at = further[at]
        for one in passed:
            further[one] = at
        return at

    def _wants(self, window: Window) -> bool:
        return any(one.id in self.wanted and len(self.found.get(one.id, ())) < NAMED for one in window.held)

    def _meet(self, window: Window, rest: Window) -> None:
        since, until = max(window.begin, rest.begin), min(window.until, rest.until)
        mine = [one for one in window.held if reaches_into(one, since, until)]
        theirs = [one for one in rest.held if reaches_into(one, since, until)]
        self._note(mine, theirs)
        self._note(theirs, mine)

    def _note(self, claims: Sequence[Held], rivals: Sequence[Held]) -> None:
        for one in claims:
            if one.id in self.wanted and rivals:
                known = self.found.setdefault(one.id, {})
                for rival in rivals[: NAMED - len(known)]:
                    known[rival.id] = rival.seq


def _seq(held: Held) -> int:
    return held.seq


def _itself(side: Side) -> Side:
    return side
