"""What a line is believed to say over the whole of time: the fold at every instant, as pieces. Rules read these.

Only what is believed: a value in dispute is not, in the window of its dispute; neither is what a model concluded
while somebody's word holds on the line.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from hornbook.graph.belief.fold import Reading, certain, read, standing
from hornbook.graph.belief.registry import Predicate
from hornbook.graph.belief.rivalry import Side, sides_of
from hornbook.graph.belief.state import Held
from hornbook.graph.interval import ALWAYS, FOREVER


@dataclass(frozen=True, slots=True)
class Piece:
    """Over `[start, end)` the side is believed that `held` speaks for; `uncertain` where it is only possible."""

    held: Held
    start: int
    end: int
    confidence: float
    uncertain: bool


def believed(held: Sequence[Held], predicate: Predicate) -> tuple[Piece, ...]:
    """The believed pieces of a line, from all its live claims."""
    sides = sides_of(held, predicate)
    if len(sides) == 1 and (plain := _plain(sides[0])) is not None:
        return plain
    told = [side for side in sides if side.external]
    guesses = [side for side in sides if not side.external]
    found = [piece for group in _apart(told, predicate) for piece in _pieces(group, [], predicate)]
    if guesses:
        found += _pieces(guesses, told, predicate)
    return tuple(found)


def _plain(side: Side) -> tuple[Piece, ...] | None:
    """The piece of a line that one side has alone, over one window that is certain throughout: most lines."""
    (window, *more) = side.windows
    if more or window.start is None or window.weak < FOREVER:
        return None
    told = max(one.claim.confidence for one in window.held)
    found = Piece(window.newest, window.since, window.until, told, False)
    return (found,) if window.since < window.until else ()


def _apart(sides: Sequence[Side], predicate: Predicate) -> list[list[Side]]:
    """Sides in groups that have nothing to do with each other: of a set each value, of another line everything."""
    if not (predicate.set_valued or (not predicate.declared and all(side.free for side in sides))):
        return [list(sides)] if sides else []
    groups: dict[str, list[Side]] = {}
    for side in sides:
        groups.setdefault(side.key[0], []).append(side)
    return list(groups.values())


def _pieces(sides: Sequence[Side], beside: Sequence[Side], predicate: Predicate) -> list[Piece]:
    """What is believed of some sides; those `beside` them are only in their way."""
    points = sorted({ALWAYS, *_edges((*sides, *beside))})
    open_: dict[Same, Piece] = {}
    found: list[Piece] = []
    for start, end in zip(points, (*points[1:], FOREVER), strict=True):
        readings = [reading for side in (*sides, *beside) if (reading := read(side, start)) is not None]
        believed_now = [one for one in standing(readings, predicate, start) if one.side not in beside]
        pieces = {_same(piece): piece for piece in (_piece(reading, start, end) for reading in believed_now)}
        now = {
            same: replace(piece, start=open_[same].start) if same in open_ else piece for same, piece in pieces.items()
        }
        found += [piece for same, piece in open_.items() if same not in now]
        open_ = now
    return [*found, *open_.values()]


Same = tuple[str, bool, float, bool]


def _same(piece: Piece) -> Same:
    return (piece.held.id, piece.held.mirrored, piece.confidence, piece.uncertain)


def _piece(reading: Reading, start: int, end: int) -> Piece:
    first = reading.newest
    told = [one.claim.confidence for window in reading.windows for one in window.held]
    return Piece(first, start, end, max(told), not certain(reading, start))


def _edges(sides: Iterable[Side]) -> Iterator[int]:
    """The instants at which a reading of the sides can change."""
    for side in sides:
        for window in side.windows:
            for at in (window.since, window.begin, window.until, window.weak):
                if ALWAYS < at < FOREVER:
                    yield at
            yield from (one.claim.attested_at for one in window.held if one.claim.attested_at is not None)
