"""An embedder for machines that cannot spare the model's 350 MB: a small table of word-piece vectors, numpy only.

Distilled from the sentence model by `benchmarks/distil_static.py`. It finds as much as the model where words are
shared, and less where they are not; `docs/reference/retrieval.md` has both figures.
"""

import threading
from collections.abc import Sequence
from hashlib import sha256
from importlib.resources import files
from io import BytesIO
from typing import TYPE_CHECKING, Any

from hornbook.graph.errors import EmbeddingError
from hornbook.graph.retrieval import wordpiece
from hornbook.graph.retrieval.embed import unit

if TYPE_CHECKING:
    from hornbook.graph.retrieval.embed import Vectors

TABLE = "assets/minilm-static-192.npz"
TABLE_DIGEST = "e0804370d0095e00cf0ac2d2806e7c8fdb57a81be54984a886717dce1b78c903"


class StaticEmbedder:
    """The mean of the vectors of a text's word pieces: 192 dimensions, 6 MB, a fraction of a millisecond a text."""

    model = "minilm-static-192"
    digest = TABLE_DIGEST
    dimension = 192

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._table: Any = None

    def __repr__(self) -> str:
        """The model, and whether it is in memory yet."""
        return f"StaticEmbedder({self.model!r}, {'not loaded' if self._table is None else 'loaded'})"

    def embed(self, texts: Sequence[str]) -> "Vectors":
        """Unit vectors of the texts; a text without a known word has a vector of zeros."""
        import numpy as np

        rows, scale = self._loaded()
        out = np.zeros((len(texts), self.dimension), np.float32)
        for at, text in enumerate(texts):
            ids = wordpiece.encode(text)
            out[at] = (rows[ids].astype(np.float32) * scale[ids, None]).mean(0)
        return unit(out)

    def _loaded(self) -> Any:
        with self._lock:
            if self._table is None:
                self._table = _read()
            return self._table


def _read() -> Any:
    import numpy as np

    raw = files("hornbook.graph").joinpath(TABLE).read_bytes()
    if sha256(raw).hexdigest() != TABLE_DIGEST:
        raise EmbeddingError("the static embedder's table is not the pinned one", hint="reinstall hornbook")
    with np.load(BytesIO(raw)) as table:
        return table["rows"], table["scale"]
