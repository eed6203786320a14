"""Exact nearest neighbours: one matrix product over all rows. No index that could lose a hit under a filter."""

import numpy as np

from hornbook.graph.retrieval.documents import Floats, Ints, Mask


def cosines(vectors: Floats, query: Floats) -> Floats:
    """The cosine of the query with every row; both sides are unit vectors, a row of zeros gives 0.

    >>> cosines(np.eye(2, dtype=np.float32), np.array([0.6, 0.8], np.float32)).round(1).tolist()
    [0.6000000238418579, 0.800000011920929]
    """
    # not `@`: BLAS wakes its threads for it, which costs 8 ms however few the rows; for so thin a product one will do
    return np.asarray(np.einsum("ij,j->i", vectors, np.asarray(query, np.float32).ravel()), np.float32)


def best(scores: Floats, most: int, eligible: Mask | None = None) -> Ints:
    """The rows of the highest positive scores, best first, ties by the lower row; only eligible ones.

    >>> best(np.array([0.1, 0.9, 0.0, 0.9], np.float32), 3).tolist()
    [1, 3, 0]
    """
    masked = scores if eligible is None else np.where(eligible, scores, 0)
    if 0 < most < len(masked):
        # everything tied with the last one stays, so that ties are broken by row and not by the partition
        threshold = np.partition(masked, -most)[-most]
        rows = np.flatnonzero(masked >= max(threshold, np.finfo(np.float32).tiny))
    else:
        rows = np.flatnonzero(masked > 0)
    return rows[np.lexsort((rows, -masked[rows]))][: max(most, 0)]


def stored(vectors: Floats) -> bytes:
    """Vectors as the journal keeps them: float16, little-endian, row after row."""
    return np.ascontiguousarray(vectors, "<f2").tobytes()


def loaded(raw: bytes, dimension: int) -> Floats:
    """Vectors as they are held: float32, since a float16 product is ten times slower.

    >>> loaded(stored(np.eye(2, dtype=np.float32)), 2).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    return np.frombuffer(raw, "<f2").astype(np.float32).reshape(-1, dimension)
