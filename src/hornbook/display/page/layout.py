"""Where the nodes of a picture stand: the same graph is laid out the same way, and thousands of nodes in seconds.

Nodes are put as far from each other as they are apart in steps (stress majorization), each part that hangs together
for itself, the parts in rows below each other. A part of many nodes is put by its distances from a few of them, its
pivots, and pushed apart by forces that are summed up on a grid.
"""

from collections import deque
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

Place = tuple[float, float]

STEP = 120.0  # from a node to the next, in the units of the picture
SMALL = 160  # nodes that are laid out from several beginnings, of which the best is taken
STARTS, SHAKEN = 5, 0.7  # how many more beginnings, and how many steps off the first
FEW = 500  # nodes whose distances from each other are all looked at
PIVOTS = 50
ROUNDS, ROUNDS_OF_MANY = 120, 220
GRID = 128  # cells along a side, on which forces are summed up
LEAST = 0.36  # steps between two nodes: nearer ones are put apart
NEAR, PARTINGS = 40, 30  # how many to the right of each are looked at, and how often
ROOM = 0.3  # how far a part of many nodes spreads: about a square step for each
GAP = 1.3  # steps between parts
MANY_ENDS = 5  # ends of one node that have room around it
FURTHER, FURTHEST = 0.07, 1.5  # steps that each one more puts all of them further off, and how far at most
SEED = 7


def places(count: int, ends: Collection[tuple[int, int]]) -> Sequence[Place]:
    """A place for each of `count` nodes that arrows join.

    >>> places(0, []), places(1, [])
    ([], [(0.0, 0.0)])
    >>> [one, other] = places(2, [(0, 1)])
    >>> round(abs(complex(*one) - complex(*other)))
    120
    """
    import numpy as np

    joined: list[list[int]] = [[] for _ in range(count)]
    for one, other in dict.fromkeys((min(pair), max(pair)) for pair in ends):
        if one != other:
            joined[one].append(other)
            joined[other].append(one)
    parts = _parts(joined)
    laid = [(part, _upright(_laid(joined, part))) for part in parts]
    found = np.zeros((count, 2))
    for part, at, corner in zip(parts, (at for _, at in laid), _packed([at for _, at in laid]), strict=True):
        found[part] = at - at.min(axis=0) + np.array(corner)
    found = (found - found.mean(axis=0)) * STEP if count else found
    return [(round(float(x), 1) + 0.0, round(float(y), 1) + 0.0) for x, y in found]


def _parts(joined: Sequence[Sequence[int]]) -> list[list[int]]:
    """What hangs together, the largest first."""
    seen: set[int] = set()
    found = []
    for start in range(len(joined)):
        if start not in seen:
            part = sorted(_distances(joined, start))
            seen.update(part)
            found.append(part)
    return sorted(found, key=lambda part: -len(part))


def _distances(joined: Sequence[Sequence[int]], start: int) -> dict[int, int]:
    """How many steps from a node every node is that can be reached."""
    found, waiting = {start: 0}, deque([start])
    while waiting:
        here = waiting.popleft()
        for other in joined[here]:
            if other not in found:
                found[other] = found[here] + 1
                waiting.append(other)
    return found


def _laid(joined: Sequence[Sequence[int]], part: Sequence[int]) -> "Floats":
    import numpy as np

    if len(part) == 1:
        return np.zeros((1, 2))
    index = {node: number for number, node in enumerate(part)}
    if len(part) > FEW:
        return _many(joined, part, index)
    apart = np.zeros((len(part), len(part)))
    for node in part:
        for other, steps in _distances(joined, node).items():
            apart[index[node], index[other]] = steps
    further = _further(joined, part)
    apart += further[:, None] + further[None]
    np.fill_diagonal(apart, 0.0)
    begun = _begun(apart)
    shaken = np.random.default_rng(SEED).normal(scale=SHAKEN, size=(STARTS, *begun.shape))
    starts = [begun, *(begun + one for one in shaken)] if len(part) <= SMALL else [begun]
    return min((_stress(apart, start) for start in starts), key=lambda found: found[1])[0]


def _further(joined: Sequence[Sequence[int]], part: Sequence[int]) -> "Floats":
    """How much further off ends stand that are many at one node, so that their names have room."""
    import numpy as np

    further = np.zeros(len(part))
    index = {node: number for number, node in enumerate(part)}
    for node in part:
        ends = [other for other in joined[node] if len(joined[other]) == 1]
        if len(ends) > MANY_ENDS:
            further[[index[end] for end in ends]] = min(FURTHER * (len(ends) - MANY_ENDS), FURTHEST)
    return further


def _begun(apart: "Floats") -> "Floats":
    """Places to begin with: the two directions in which distances differ most (classical scaling)."""
    import numpy as np

    square = apart**2
    centred = -0.5 * (square - square.mean(0) - square.mean(1)[:, None] + square.mean())
    values, vectors = np.linalg.eigh(centred)
    best = vectors[:, -2:][:, ::-1]
    best = best * np.where(best[np.abs(best).argmax(0), [0, 1]] < 0, -1, 1)  # an eigenvector has no sign of its own
    shaken = np.random.default_rng(SEED).normal(scale=0.02, size=best.shape)  # so that no two nodes begin at one place
    return np.asarray(best * np.sqrt(np.maximum(values[-2:][::-1], 0.05)) + shaken)


def _stress(apart: "Floats", at: "Floats") -> "tuple[Floats, float]":
    """Places whose distances are as near to the steps as they come, and how far off they are; near pairs weigh more.

    It is Guttman's transform, over and over (SMACOF): it finds the best near where it begins.
    """
    import numpy as np

    weights = 1.0 / np.maximum(apart, 1.0) ** 2
    np.fill_diagonal(weights, 0.0)
    laplacian = np.diag(weights.sum(1)) - weights
    solved = np.linalg.pinv(laplacian)
    for _ in range(ROUNDS):
        away = np.sqrt(((at[:, None] - at[None]) ** 2).sum(-1))
        pulled = -weights * apart / np.maximum(away, 1e-6)
        np.fill_diagonal(pulled, 0.0)
        np.fill_diagonal(pulled, -pulled.sum(1))
        at = solved @ (pulled @ at)
    away = np.sqrt(((at[:, None] - at[None]) ** 2).sum(-1))
    return np.asarray(at), round(float((weights * (away - apart) ** 2).sum()), 6)


def _many(joined: Sequence[Sequence[int]], part: Sequence[int], index: dict[int, int]) -> "Floats":
    """A part of many nodes: begun by pivots, then pulled along its arrows and pushed apart on a grid."""
    import numpy as np

    at = _by_pivots(joined, part, index)
    ends = np.array([(index[one], index[other]) for one in part for other in joined[one] if one < other])
    degree = np.bincount(ends.ravel(), minlength=len(part)).astype(float)
    at *= np.sqrt(len(part)) / max(float(at.std()), 1e-9)
    for number in range(ROUNDS_OF_MANY):
        moved = _pushed(at, degree) + _pulled(at, ends)
        length = np.sqrt((moved**2).sum(1))[:, None]
        most = 0.15 + 2.5 * (1 - number / ROUNDS_OF_MANY) ** 2
        at = at + moved * np.minimum(1.0, most / np.maximum(length, 1e-9))
    return _parted((at - at.mean(0)) * ROOM * np.sqrt(len(part)) / max(float(at.std()), 1e-9))


def _parted(at: "Floats") -> "Floats":
    """Nodes that stand too near to each other are moved apart, step by step."""
    import numpy as np

    for _ in range(PARTINGS):
        order = np.argsort(at[:, 0], kind="stable")
        moved = np.zeros_like(at)
        for ahead in range(1, min(NEAR, len(at))):
            one, other = order[:-ahead], order[ahead:]
            along = at[other] - at[one]
            length = np.sqrt((along**2).sum(1))
            close = length < LEAST
            push = along[close] / np.maximum(length[close], 1e-6)[:, None] * (LEAST - length[close])[:, None] * 0.4
            moved[other[close]] += push
            moved[one[close]] -= push
        at = at + moved
    return np.asarray(at)


def _by_pivots(joined: Sequence[Sequence[int]], part: Sequence[int], index: dict[int, int]) -> "Floats":
    """Places by the distances from pivots, each as far as can be from those before it."""
    import numpy as np

    nearest = np.full(len(part), np.inf)
    columns = []
    pivot = part[0]
    for _ in range(min(PIVOTS, len(part))):
        column = np.zeros(len(part))
        for node, steps in _distances(joined, pivot).items():
            column[index[node]] = steps
        columns.append(column)
        nearest = np.minimum(nearest, column)
        pivot = part[int(nearest.argmax())]
    square = np.array(columns).T ** 2
    centred = -0.5 * (square - square.mean(0) - square.mean(1)[:, None] + square.mean())
    _, vectors = np.linalg.eigh(centred.T @ centred)
    best = centred @ vectors[:, -2:][:, ::-1]
    best = best * np.where(best[np.abs(best).argmax(0), [0, 1]] < 0, -1, 1)
    best = best / np.maximum(best.std(0), 1e-9)
    return np.asarray(best + np.random.default_rng(SEED).normal(scale=0.05, size=best.shape))


def _pulled(at: "Floats", ends: "Ints") -> "Floats":
    import numpy as np

    along = at[ends[:, 1]] - at[ends[:, 0]]
    length = np.sqrt((along**2).sum(1))[:, None]
    pull = along * 0.25 * length / (length + 1.0)
    moved = np.zeros_like(at)
    np.add.at(moved, ends[:, 0], pull)
    np.add.at(moved, ends[:, 1], -pull)
    count = np.bincount(ends.ravel(), minlength=len(at))[:, None]
    return np.asarray(moved / np.maximum(np.sqrt(count), 1.0))


def _pushed(at: "Floats", degree: "Floats") -> "Floats":
    """How all nodes push each one away, as 1 / distance: summed up on a grid, by convolution."""
    import numpy as np

    low = at.min(0)
    cell = float((at.max(0) - low).max()) / (GRID - 3) or 1.0
    place = (at - low) / cell + 1.0
    corner = place.astype(np.int64)
    part = place - corner
    shares = [
        (corner[:, 0] + x, corner[:, 1] + y, np.abs(1 - x - part[:, 0]) * np.abs(1 - y - part[:, 1]))
        for x in (0, 1)
        for y in (0, 1)
    ]
    mass = np.zeros((2 * GRID, 2 * GRID))
    for x, y, share in shares:
        np.add.at(mass, (x, y), share * (1.0 + 0.3 * np.minimum(degree, 30)))
    spread = np.fft.rfft2(mass)
    moved = np.zeros_like(at)
    for axis, kernel in enumerate(_kernels(cell)):
        field = np.fft.irfft2(spread * np.fft.rfft2(kernel), s=mass.shape)
        for x, y, share in shares:
            moved[:, axis] += field[x, y] * share
    return moved


def _kernels(cell: float) -> "tuple[Floats, Floats]":
    """The push of a node at the origin on every cell, along each axis."""
    import numpy as np

    away = (np.arange(2 * GRID) + GRID) % (2 * GRID) - GRID
    x, y = np.meshgrid(away * cell, away * cell, indexing="ij")
    square = x**2 + y**2 + (0.6 * cell) ** 2 + 0.05
    return x / square, y / square


def _upright(at: "Floats") -> "Floats":
    """Turned so that the longer side lies: screens are wide."""
    import numpy as np

    if len(at) < 3:
        return at[:, ::-1] if len(at) == 2 and np.ptp(at[:, 1]) > np.ptp(at[:, 0]) else at
    centred = at - at.mean(axis=0)
    _, vectors = np.linalg.eigh(centred.T @ centred)
    turned = centred @ vectors[:, ::-1]
    return np.asarray(turned * np.where(turned[np.abs(turned).argmax(0), [0, 1]] < 0, -1, 1))


def _packed(parts: "Sequence[Floats]") -> list[Place]:
    """A corner for each part, so that they stand in rows, about twice as wide as high in all."""
    import numpy as np

    sizes = [(float(np.ptp(at[:, 0])) + GAP, float(np.ptp(at[:, 1])) + GAP) for at in parts]
    wide = max([size[0] for size in sizes] + [1.6 * float(np.sqrt(sum(one * other for one, other in sizes)))])
    corners: list[Place] = []
    x = y = high = 0.0
    for width, height in sizes:
        if x and x + width > wide:
            x, y, high = 0.0, y + high, 0.0
        corners.append((x, y))
        x, high = x + width, max(high, height)
    return corners
