"""Vectors: float16 in the file, float32 in memory, and never two models side by side."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hornbook.graph.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    Vector = npt.NDArray[np.floating]

FLOAT16 = 65_504  # the largest


@dataclass(frozen=True, slots=True)
class Model:
    """What made the vectors: a name, the digest of its weights, and how many numbers a vector has."""

    name: str
    digest: str
    dimension: int


@dataclass(frozen=True, slots=True)
class Vectors:
    """Vectors of one model, as stored: row i of `matrix` belongs to document `documents[i]`; read on after `mark`.

    A product of float16 is ten times slower than one of float32: whoever computes with them takes them as that.
    """

    documents: "npt.NDArray[np.int64]"
    matrix: "npt.NDArray[np.float16]"
    mark: int


def packed(vector: "Vector", dimension: int) -> bytes:
    """A vector as the bytes that are stored."""
    import numpy as np

    row = np.asarray(vector)
    if row.shape != (dimension,) or not (np.abs(row) <= FLOAT16).all():  # NaN fails it too
        raise InvalidArgument(f"a vector must be {dimension} finite numbers, as the store's model has", field="vector")
    return row.astype("<f2").tobytes()


def unpacked(rows: "Sequence[tuple[int, int, bytes]]", dimension: int, mark: int) -> Vectors:
    """Rows of (mark, document, bytes) as one matrix."""
    import numpy as np

    matrix = np.frombuffer(b"".join([row[2] for row in rows]), dtype=np.dtype("<f2"))
    documents = np.fromiter((row[1] for row in rows), dtype=np.int64, count=len(rows))
    return Vectors(documents, matrix.reshape(len(rows), dimension), rows[-1][0] if rows else mark)
