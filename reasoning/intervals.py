"""Valid time in rules: half-open pieces `(start, end)` of integer microseconds, ALWAYS and FOREVER when open.

The snapshot law: a program without interval variables, sliced at an instant, gives what ordinary evaluation of the
facts sliced at that instant gives. A conclusion is therefore kept as disjoint pieces, and each new derivation adds
only what no piece covers yet. Joined pieces (`coalesce`) are for display, and for what looks at whole intervals.
"""

from collections.abc import Iterable
from itertools import pairwise
from typing import TypeAlias

from hornbook.graph.interval import ALWAYS, FOREVER

Piece: TypeAlias = tuple[int, int]
WHOLE: Piece = (ALWAYS, FOREVER)


def coalesce(pieces: Iterable[Piece]) -> list[Piece]:
    """The same instants in as few pieces as possible, in order.

    >>> coalesce([(5, 7), (1, 3), (3, 4), (2, 3)])
    [(1, 4), (5, 7)]
    """
    joined: list[Piece] = []
    for start, end in sorted(piece for piece in pieces if piece[0] < piece[1]):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return joined


def subtract(piece: Piece, taken: Iterable[Piece]) -> list[Piece]:
    """What is left of a piece.

    >>> subtract((0, 10), [(2, 3), (8, 12)])
    [(0, 2), (3, 8)]
    """
    left: list[Piece] = []
    start, end = piece
    for lower, upper in coalesce(taken):
        if lower >= end:
            break
        if start < lower:
            left.append((start, lower))
        start = max(start, upper)
    return [*left, (start, end)] if start < end else left


def segments(pieces: Iterable[Piece]) -> list[Piece]:
    """The stretches between the ends of the pieces, within which nothing changes.

    >>> segments([(0, 5), (3, 9)])
    [(0, 3), (3, 5), (5, 9)]
    """
    ends = sorted({end for piece in pieces for end in piece})
    return list(pairwise(ends))


def normal(pieces: Iterable[tuple[int, int, bool]]) -> list[tuple[int, int, bool]]:
    """Pieces with a flag "timing uncertain", in normal form: certain where any certain piece holds.

    >>> normal([(0, 5, True), (3, 9, False)])
    [(0, 3, True), (3, 9, False)]
    """
    given = list(pieces)
    certain = coalesce((start, end) for start, end, uncertain in given if not uncertain)
    rest = coalesce(left for start, end, doubt in given if doubt for left in subtract((start, end), certain))
    return sorted([(*piece, False) for piece in certain] + [(*piece, True) for piece in rest])


# Allen's thirteen relations, as comparisons of the four ends: "a.start", "a.end", "b.start", "b.end".
ALLEN: dict[str, tuple[tuple[str, str, str], ...]] = {
    "before": (("a.end", "<", "b.start"),),
    "meets": (("a.end", "=", "b.start"),),
    "overlaps": (("a.start", "<", "b.start"), ("b.start", "<", "a.end"), ("a.end", "<", "b.end")),
    "starts": (("a.start", "=", "b.start"), ("a.end", "<", "b.end")),
    "during": (("b.start", "<", "a.start"), ("a.end", "<", "b.end")),
    "finishes": (("b.start", "<", "a.start"), ("a.end", "=", "b.end")),
    "equals": (("a.start", "=", "b.start"), ("a.end", "=", "b.end")),
    "after": (("b.end", "<", "a.start"),),
    "met_by": (("b.end", "=", "a.start"),),
    "overlapped_by": (("b.start", "<", "a.start"), ("a.start", "<", "b.end"), ("b.end", "<", "a.end")),
    "started_by": (("a.start", "=", "b.start"), ("b.end", "<", "a.end")),
    "contains": (("a.start", "<", "b.start"), ("b.end", "<", "a.end")),
    "finished_by": (("a.start", "<", "b.start"), ("a.end", "=", "b.end")),
    # not Allen's, but what is mostly asked: some instant lies in both
    "intersects": (("a.start", "<", "b.end"), ("b.start", "<", "a.end")),
}


def related(name: str, a: Piece, b: Piece) -> bool:
    """Whether two intervals stand in a relation. Of Allen's thirteen exactly one holds.

    >>> [name for name in ALLEN if related(name, (1, 3), (3, 5))]
    ['meets']
    """
    ends = {"a.start": a[0], "a.end": a[1], "b.start": b[0], "b.end": b[1]}
    return all(ends[x] < ends[y] if op == "<" else ends[x] == ends[y] for x, op, y in ALLEN[name])
