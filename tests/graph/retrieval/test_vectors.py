"""The exact scan, against the plain loop."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.graph.retrieval.vectors import best, cosines, loaded, stored


@given(
    st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.5, 0.9, -0.3]), max_size=30),
    st.integers(0, 35),
    st.randoms(use_true_random=False),
)
@settings(max_examples=50)
def test_the_scan_under_a_mask_is_the_plain_loop(scores: list[float], most: int, random: object) -> None:
    mask = [bool(hash((at, str(random))) % 2) for at in range(len(scores))]
    plain = sorted((-score, row) for row, score in enumerate(scores) if mask[row] and score > 0)[:most]

    assert [row for _, row in plain] == best(np.array(scores, np.float32), most, np.array(mask, bool)).tolist()


def test_cosines_are_the_products_of_the_rows() -> None:
    random = np.random.default_rng(0)
    vectors = random.normal(size=(50, 8)).astype(np.float32)
    query = random.normal(size=8).astype(np.float32)

    assert np.allclose(
        [sum(a * b for a, b in zip(row, query, strict=True)) for row in vectors], cosines(vectors, query), atol=1e-5
    )


def test_half_precision_loses_nothing_that_matters() -> None:
    vectors = np.random.default_rng(1).normal(size=(20, 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    back = loaded(stored(vectors), 384)

    assert np.float32 == back.dtype
    assert float((vectors * back).sum(1).min()) > 0.9999
