"""Personalised PageRank on a small neighbourhood: how near everything is to what the question names."""

from collections.abc import Iterable, Mapping

import numpy as np


def pagerank(
    edges: Iterable[tuple[str, str, float]], seeds: Mapping[str, float], damping: float = 0.7, rounds: int = 20
) -> dict[str, float]:
    """The share of a walker's time at each node, who follows edges either way and starts over at the seeds.

    p = (1 - damping) · seeds + damping · Aᵀp, A the edge weights divided by each node's total. A dead end starts over.
    The neighbourhood is bounded by the walk that gathered it, so plain power iteration is enough.

    >>> near = pagerank([("ana", "turn 1", 1), ("turn 1", "munich", 1), ("munich", "turn 2", 1)], {"ana": 1})
    >>> sorted(near, key=near.get, reverse=True)
    ['ana', 'turn 1', 'munich', 'turn 2']
    """
    links = list(edges)
    index = {name: at for at, name in enumerate(dict.fromkeys([*seeds, *(end for a, b, _ in links for end in (a, b))]))}
    start = np.array([seeds.get(name, 0.0) for name in index])
    if not start.sum():
        return {}
    start /= start.sum()
    tails = np.array([index[a] for a, b, _ in links] + [index[b] for a, b, _ in links], np.int64)
    heads = np.array([index[b] for a, b, _ in links] + [index[a] for a, b, _ in links], np.int64)
    weights = np.array([weight for _, _, weight in links] * 2, np.float64)
    degree = np.bincount(tails, weights, len(index))
    flow = weights / degree[tails] if len(links) else weights
    rank = start
    for _ in range(rounds):
        moved = np.bincount(heads, flow * rank[tails], len(index))
        rank = damping * moved + (1 - damping * moved.sum()) * start
    return dict(zip(index, rank.tolist(), strict=True))
