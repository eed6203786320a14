"""What a line shows over valid time, in pieces within which nothing changes: the fold, asked at every edge."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from hornbook.graph.belief.belief import Slot, Status
from hornbook.graph.belief.believed import Piece as Believed
from hornbook.graph.belief.believed import believed
from hornbook.graph.belief.fold import believe as fold
from hornbook.graph.belief.registry import Predicate
from hornbook.graph.belief.rivalry import Side, sides_of
from hornbook.graph.belief.state import Held, Marker
from hornbook.graph.belief.windows import window_of
from hornbook.graph.interval import ALWAYS, FOREVER

PRIMARY, MEMBER, CONTESTED, BESIDE = "p", "b", "c", "o"  # how a side is shown; "?" is added where it is only possible
AGING = frozenset({Marker.AGED_SET_MEMBER.value})  # says how long ago something was said: it changes every day


@dataclass(frozen=True, slots=True)
class Shown:
    """One side as a piece shows it: the claim that speaks for it, how it stands, and the claims that support it."""

    held: Held
    role: str
    claims: tuple[str, ...]
    markers: tuple[str, ...] = ()

    @property
    def alike(self) -> tuple[object, ...]:
        """What two pieces are compared by."""
        return self.held.id, self.held.mirrored, self.role, self.claims, self.markers


@dataclass(frozen=True, slots=True)
class Piece:
    """What is shown over the valid instants `[since, until)`."""

    since: int
    until: int
    status: Status
    shown: tuple[Shown, ...]

    @property
    def alike(self) -> tuple[object, ...]:
        """What two pieces are compared by, their ends aside."""
        return self.status, tuple(one.alike for one in self.shown)


Concluded = Callable[[int], Sequence[Held]]  # what rules derive for the line at a valid instant, as claims
Spans = Sequence[tuple[int, int]]


def pieces(
    held: Sequence[Held],
    predicate: Predicate,
    *,
    edges: Iterable[int] = (),
    concluded: Concluded | None = None,
    broken: Spans = (),
) -> tuple[Piece, ...]:
    """The pieces of a line, oldest first, those in which nothing is shown left out.

    `edges` are further instants at which it can change, `concluded` gives what rules derive, and in the spans `broken`
    a denial is, so that the line reads as contested.
    """
    points = sorted(
        {ALWAYS, *(at for at in (*_edges(held, predicate), *edges, *_ends(broken)) if ALWAYS < at < FOREVER)}
    )
    sure = believed(held, predicate)
    found: list[Piece] = []
    for since, until in zip(points, (*points[1:], FOREVER), strict=True):
        derived = tuple(concluded(since)) if concluded else ()
        status, shown = _at(held, predicate, since, derived, sure)
        if any(begin <= since < end for begin, end in broken):
            status, shown = Status.CONTESTED, tuple(_denied(one) for one in shown)
        piece = Piece(since, until, status, shown)
        if found and found[-1].until == since and found[-1].alike == piece.alike:
            found[-1] = replace(found[-1], until=until)
        elif shown:
            found.append(piece)
    return tuple(found)


def _ends(spans: Spans) -> Iterator[int]:
    return (at for span in spans for at in span)


def _at(
    held: Sequence[Held], predicate: Predicate, at: int, derived: Sequence[Held], sure: Sequence[Believed]
) -> tuple[Status, tuple[Shown, ...]]:
    from hornbook.reasoning.beliefs import several

    every = (*held, *derived)
    named = several(predicate, held) if derived else predicate
    belief = fold(every, named, at)
    found = believed(every, named) if derived else sure
    holding = {piece.held.side for piece in found if piece.start <= at < piece.end}
    return belief.status, tuple(_shown(slot, slot is belief.primary, holding) for slot in belief.slots)


def _shown(slot: Slot, primary: bool, holding: Collection[object]) -> Shown:
    if slot.contested:
        role = CONTESTED
    elif primary:
        role = PRIMARY
    else:
        role = MEMBER if slot.held.counts and slot.held.side in holding else BESIDE
    markers = tuple(marker for marker in slot.markers if marker not in AGING)
    return Shown(slot.held, f"{role}?" if slot.timing_uncertain else role, slot.claims, markers)


def _denied(one: Shown) -> Shown:
    """A side of a line that breaks a denial: what was believed of it is in dispute."""
    return replace(one, role=one.role.replace(PRIMARY, CONTESTED).replace(MEMBER, CONTESTED))


def _edges(held: Sequence[Held], predicate: Predicate) -> Iterator[int]:
    """The instants at which the fold of these claims can change."""
    yield from _windows(sides_of(held, predicate))
    for one in held:
        if one.claim.attested_at is not None:
            yield one.claim.attested_at
        if one.state.review is not None and one.state.review.since is not None:
            yield one.state.review.since
        if not one.counts:
            window = window_of(one)
            yield from (window.since, window.begin, window.until, window.weak)


def _windows(sides: Iterable[Side]) -> Iterator[int]:
    for side in sides:
        for window in side.windows:
            yield from (window.since, window.begin, window.until, window.weak)
