"""When two sides of a line can not both be right."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from hornbook.graph.belief.registry import Predicate
from hornbook.graph.belief.state import Held
from hornbook.graph.belief.windows import Window, window_of, windows
from hornbook.graph.claim import Cardinality, Channel, Polarity
from hornbook.graph.interval import FOREVER
from hornbook.graph.names import within

Key = tuple[str, Polarity]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Side:
    """The live claims of a line that say the same, External and inferred ones apart.

    `windows` are the External claims' where there are any: then `inferred` ones only support them.
    """

    key: Key
    external: bool
    held: tuple[Held, ...]
    windows: tuple[Window, ...]
    free: bool = False  # every claim was extracted, and states no cardinality

    @property
    def positive(self) -> bool:
        """Whether it says that its value holds."""
        return self.key[1] is Polarity.HOLDS

    @property
    def told(self) -> tuple[Held, ...]:
        """The claims that make its windows."""
        return tuple(one for one in self.held if one.external == self.external)


@dataclass(frozen=True, slots=True)
class Clash:
    """Two sides that conflict, over `[since, until)`, through these windows."""

    one: Side
    other: Side
    since: int
    until: int
    windows: tuple[Window, Window] = field(repr=False)


def sides_of(held: Iterable[Held], predicate: Predicate) -> tuple[Side, ...]:
    """The sides of a line, in the order in which they were first said."""
    grouped: dict[Key, list[Held]] = {}
    for one in held:
        if one.counts:
            grouped.setdefault(one.side, []).append(one)
    sides = [side_of(key, members, predicate) for key, members in grouped.items()]
    return tuple(sorted(sides, key=lambda side: min(one.seq for one in side.held)))


def side_of(key: Key, held: Iterable[Held], predicate: Predicate) -> Side:
    """One side from its live claims."""
    members = tuple(held)
    if len(members) == 1:  # most sides: one person said so, once
        (one,) = members
        return Side(key, one.external, members, (window_of(one, predicate.event),), states_no_cardinality(one))
    told = tuple(one for one in members if one.external) or members
    return Side(
        key, told[0].external, members, windows(told, predicate.event), all(states_no_cardinality(one) for one in told)
    )


def states_no_cardinality(held: Held) -> bool:
    """Whether a claim was extracted without a word on how many values its line has."""
    return held.claim.channel is Channel.EXTRACTED and held.claim.cardinality is None


def exclusive(one: Side, other: Side, predicate: Predicate) -> bool:
    """Whether two sides of a line can be rivals at all, whatever their times.

    The two polarities of a value always are. Two values are on a functional line; on a line that nobody declared they
    are too, unless both were only ever extracted, or unless they are dates of which one lies in the other. A negative
    claim fills no line, so it rivals no other value.
    """
    if one.key[0] == other.key[0]:
        return one.key[1] is not other.key[1]
    if not (one.positive and other.positive) or predicate.set_valued or _agree(one, other, predicate):
        return False
    return predicate.cardinality is Cardinality.FUNCTIONAL or not (one.free and other.free)


def _agree(one: Side, other: Side, predicate: Predicate) -> bool:
    return finer(one, other, predicate) or finer(other, one, predicate)


def finer(one: Side, other: Side, predicate: Predicate) -> bool:
    """Whether a side says more precisely what another says: the day of a year, on a line whose values are dates."""
    return predicate.dated and one.key[1] is other.key[1] and within(one.key[0], other.key[0])


def conflict(one: Window, other: Window) -> bool:
    """Whether two windows overlap for every choice of instants inside their coarse dates.

    A window that is not trusted counts from where it is taken to begin up to a trusted end.
    """
    if one.begin >= one.until or other.begin >= other.until:
        return False
    return one.latest < other.until and other.latest < one.until


def arenas(items: Iterable[T], predicate: Predicate, side_of: Callable[[T], Side]) -> list[list[T]]:
    """What can be rivals, in groups: the two polarities of a value, and the values of a line that takes one.

    So the members of a set, of which there may be a thousand, are not compared with one another.
    """
    by_value: dict[str, list[T]] = {}
    positive: list[T] = []
    for item in items:
        side = side_of(item)
        by_value.setdefault(side.key[0], []).append(item)
        if side.positive:
            positive.append(item)
    found = [group for group in by_value.values() if len(group) > 1]
    if predicate.set_valued or len(positive) < 2:
        return found
    if predicate.declared or not all(side_of(item).free for item in positive):
        found.append(positive)
    return found


def clashes_in(sides: Iterable[Side], predicate: Predicate) -> Iterator[Clash]:
    """Every conflict between the External sides of a line, one after the other, found by going along it once."""
    for group in arenas((side for side in sides if side.external), predicate, _itself):
        yield from _clashes_of(group, predicate)


def _clashes_of(group: Iterable[Side], predicate: Predicate) -> Iterator[Clash]:
    spans = spans_of(group)
    for index, (window, side) in enumerate(spans):
        for later, other in spans[index + 1 :]:
            if later.begin >= window.until:
                break
            if side is not other and exclusive(side, other, predicate) and conflict(window, later):
                yield clash_of(side, other, window, later)


def spans_of(sides: Iterable[Side]) -> list[tuple[Window, Side]]:
    """The windows of sides in the order in which they are taken to begin."""
    spans = [(window, side) for side in sides for window in side.windows if window.begin < window.until]
    spans.sort(key=lambda span: span[0].begin)
    return spans


def _itself(side: Side) -> Side:
    return side


def clash_of(one: Side, other: Side, a: Window, b: Window) -> Clash:
    """The conflict of two windows."""
    return Clash(one, other, max(a.begin, b.begin), min(a.until, b.until), (a, b))


def clashes_between(one: Side, other: Side) -> list[Clash]:
    """The conflicts of two exclusive sides, window by window."""
    return [clash_of(one, other, a, b) for a in one.windows for b in other.windows if conflict(a, b)]


def rivals_in(clashing: Iterable[Clash], ref: str) -> tuple[str, ...]:
    """The claims that one is in conflict with, in conflicts of its side, in the order in which they were said."""
    found: dict[str, int] = {}
    for clash in clashing:
        if any(one.id == ref and _takes_part(one, clash) for one in clash.windows[0].held):
            found.update({one.id: one.seq for one in clash.windows[1].held if _takes_part(one, clash)})
    return tuple(sorted(found, key=lambda r: (found[r], r)))


def _takes_part(held: Held, clash: Clash) -> bool:
    return reaches_into(held, clash.since, clash.until)


def reaches_into(held: Held, since: int, until: int) -> bool:
    """Whether a claim of a joined window reaches into a conflict itself."""
    valid = held.state.valid
    ends = valid.until if valid.end_trusted else FOREVER
    return held.external and valid.since < until and since < ends
