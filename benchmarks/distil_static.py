"""Make the table of the static embedder out of the sentence model: one short vector a word piece, for numpy alone.

    python benchmarks/distil_static.py graph/assets/minilm-static-192.npz

Every piece of the vocabulary goes through the model by itself; the vectors are centred, cut to their 192 principal
directions, weighted by rarity (smooth inverse frequency, the vocabulary being in order of frequency) and kept as int8
with one scale a row. About a minute of CPU. Prints the digest that `graph/retrieval/static.py` pins.
"""

import argparse
import hashlib
from pathlib import Path

import numpy as np

from hornbook.graph.retrieval import wordpiece
from hornbook.graph.retrieval.documents import Floats
from hornbook.graph.retrieval.embed import MiniLM

DIMENSION = 192
SMOOTHING = 5e-5
FIRST, WORDS = 999, 1_030  # rows before FIRST are special or unused, those before WORDS are punctuation
PUNCTUATION = 0.05


def raw_vectors(model: MiniLM, size: int) -> Floats:
    """The model's vector of each piece standing alone, in the order of the vocabulary."""
    return np.concatenate([model.embed_ids([[101, piece, 102] for piece in batch]) for batch in batches(size)])


def batches(size: int, step: int = 256) -> list[range]:
    """The ids 0 to size, in runs."""
    return [range(start, min(start + step, size)) for start in range(0, size, step)]


def directions(vectors: Floats) -> Floats:
    """The principal directions; a third of the rows is plenty to find them."""
    _, _, rows = np.linalg.svd(vectors[::3], full_matrices=False)
    return np.asarray(rows[:DIMENSION].T, np.float32)


def rarity(size: int) -> Floats:
    """SMOOTHING ÷ (SMOOTHING + p) with p ≈ 1 ÷ (10.5 · rank), by Zipf."""
    rank = np.maximum(np.arange(size) - WORDS + 35, 1)
    weight = SMOOTHING / (SMOOTHING + 1 / (10.5 * rank))
    weight[:FIRST] = 0
    weight[FIRST:WORDS] *= PUNCTUATION
    return np.asarray(weight, np.float32)


def quantised(table: Floats) -> tuple[np.ndarray, np.ndarray]:
    """int8 rows and the scale of each."""
    scale = np.abs(table).max(1) / 127
    scale[scale == 0] = 1
    return np.round(table / scale[:, None]).astype(np.int8), scale.astype(np.float32)


def main() -> None:
    """Distil and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    given = parser.parse_args()
    size = len(wordpiece.vocabulary())
    raw = raw_vectors(MiniLM(), size)
    centred = raw - raw[FIRST:].mean(0)
    rows, scale = quantised(centred @ directions(centred[FIRST:]) * rarity(size)[:, None])
    np.savez(given.file, rows=rows, scale=scale)
    print(hashlib.sha256(given.file.read_bytes()).hexdigest(), given.file.stat().st_size)


if __name__ == "__main__":
    main()
