"""How several signals become one order: weighted reciprocal rank fusion, or a weighted sum."""

from collections.abc import Mapping

import numpy as np

from hornbook.graph.retrieval.documents import Floats, Ints

SMOOTHING = 10  # k of the fusion; the usual 60 flattens the first ten ranks, where the answer is


def ranks(scores: Floats) -> Ints:
    """The rank of each score, 1 for the highest; equal scores share a rank and 0 means the signal is silent there.

    >>> ranks(np.array([0.2, 0.9, 0.0, 0.2], np.float32)).tolist()
    [2, 1, 0, 2]
    """
    descending = np.sort(-scores[scores > 0])
    return np.asarray(np.where(scores > 0, np.searchsorted(descending, -scores) + 1, 0), np.int64)


def reciprocal(signals: Mapping[str, Floats], weights: Mapping[str, float], k: int = SMOOTHING) -> Floats:
    """Weighted reciprocal rank fusion, scaled so that first place everywhere is 1.

    score = Σ w / (k + rank) ÷ Σ w / (k + 1), a silent signal adding nothing. It ranks; it is no similarity.

    >>> a, b = np.array([3.0, 2.0, 0.0], np.float32), np.array([0.0, 1.0, 0.0], np.float32)
    >>> reciprocal({"a": a, "b": b}, {"a": 1, "b": 1}, k=1).tolist()
    [0.5, 0.8333333134651184, 0.0]
    """
    used = {name: weights.get(name, 0.0) for name in signals}
    total = sum(used.values()) / (k + 1)
    fused = np.zeros(_size(signals), np.float64)
    for name, weight in used.items():
        rank = ranks(signals[name])
        fused += np.where(rank > 0, weight / (k + rank), 0)
    return np.asarray(fused / total if total else fused, np.float32)


def weighted(signals: Mapping[str, Floats], weights: Mapping[str, float]) -> Floats:
    """The weighted mean of the scores, each of them 0 to 1.

    >>> weighted({"a": np.array([1.0, 0.5], np.float32)}, {"a": 2}).tolist()
    [1.0, 0.5]
    """
    used = {name: weights.get(name, 0.0) for name in signals}
    total = sum(used.values())
    fused = np.zeros(_size(signals), np.float64)
    for name, weight in used.items():
        fused += weight * signals[name]
    return np.asarray(fused / total if total else fused, np.float32)


def _size(signals: Mapping[str, Floats]) -> int:
    return len(next(iter(signals.values()), ()))
