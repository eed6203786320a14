"""Fusion: what its two forms promise whatever the scores."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.graph.retrieval import fuse

SCORES = st.lists(st.floats(0, 1, width=32), min_size=1, max_size=20)


@given(SCORES)
@settings(max_examples=50)
def test_ranks_are_counts_of_what_is_better(scores: list[float]) -> None:
    expected = [sum(other > score for other in scores) + 1 if score > 0 else 0 for score in scores]

    assert expected == fuse.ranks(np.array(scores, np.float32)).tolist()


@given(SCORES)
@settings(max_examples=50)
def test_one_signal_alone_keeps_its_order_and_its_ties(scores: list[float]) -> None:
    given_scores = np.array(scores, np.float32)
    fused = fuse.reciprocal({"only": given_scores}, {"only": 2.0})

    assert np.array_equal(fuse.ranks(given_scores), fuse.ranks(fused))
    assert 0 <= float(fused.min()) <= float(fused.max()) <= 1 + 1e-6


@given(SCORES, st.integers(0, 19))
@settings(max_examples=50)
def test_a_better_rank_in_one_signal_never_hurts(scores: list[float], which: int) -> None:
    row = which % len(scores)
    base = np.array(scores, np.float32)
    raised = base.copy()
    raised[row] = 2.0
    other = base[::-1].copy()
    weights = {"a": 1.0, "b": 1.0}
    before = fuse.reciprocal({"a": base, "b": other}, weights)
    after = fuse.reciprocal({"a": raised, "b": other}, weights)

    assert after[row] >= before[row]


def test_a_signal_without_weight_is_not_heard() -> None:
    a, b = np.array([1.0, 0.5], np.float32), np.array([0.0, 1.0], np.float32)

    assert np.array_equal(fuse.reciprocal({"a": a}, {"a": 1}), fuse.reciprocal({"a": a, "b": b}, {"a": 1}))
    assert np.array_equal(fuse.weighted({"a": a}, {"a": 1}), fuse.weighted({"a": a, "b": b}, {"a": 1}))


def test_nothing_to_fuse_is_nothing() -> None:
    assert [] == fuse.reciprocal({}, {}).tolist()
    assert [0.0] == fuse.weighted({"a": np.array([0.7], np.float32)}, {}).tolist()
