"""An embedder that asks a server: any provider that litellm reaches, from OpenAI to a model on the next machine."""

import atexit
import importlib
import inspect
import os
import threading
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from hornbook.graph.errors import EmbeddingError
from hornbook.graph.retrieval.embed import unit

if TYPE_CHECKING:
    from hornbook.graph.retrieval.embed import Vectors

AT_ONCE = 64  # texts of one request
SECONDS = 60.0


class LitellmEmbedder:
    """Vectors from a provider, under the name `provider/model`.

    litellm is imported with the first text, and never fetches its price list. Without `dims` the length of a vector is
    learned from the first answer. A server that does not answer, or answers with something else, is an EmbeddingError.
    """

    def __init__(
        self,
        provider: str,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        dims: int | None = None,
    ) -> None:
        self.model = f"{provider}/{model}"
        self._base_url, self._api_key, self._dims = base_url, api_key, dims
        self._learned = dims
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        """The model; where it is asked and with which key is nobody's business."""
        return f"LitellmEmbedder({self.model!r})"

    @property
    def digest(self) -> str:
        """A server does not say which bytes its model has: its name and the length asked for stand for them."""
        return sha256(f"{self.model}/{self._dims or ''}".encode()).hexdigest()

    @property
    def dimension(self) -> int:
        """The length of a vector; 0 until the server has answered once, where nobody has said it."""
        with self._lock:
            return self._learned or 0

    def embed(self, texts: Sequence[str]) -> "Vectors":
        """Unit vectors of the texts, in requests of at most 64."""
        import numpy as np

        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        rows = [row for start in range(0, len(texts), AT_ONCE) for row in self._asked(texts[start : start + AT_ONCE])]
        return self._checked(rows, len(texts))

    def _asked(self, texts: Sequence[str]) -> list[Any]:
        given = {"dimensions": self._dims} if self._dims is not None and self.model.startswith("openai/text-") else {}
        # an empty text is refused by most servers, and has no meaning anyway
        said = [text or " " for text in texts]
        try:
            answer = _litellm().embedding(
                self.model,
                input=said,
                api_base=self._base_url,
                api_key=self._api_key,
                encoding_format="float",
                timeout=SECONDS,
                **given,
            )
            return [row["embedding"] for row in sorted(answer.data, key=lambda row: row["index"])]
        except Exception as error:  # each provider's library has its own errors, and their texts may hold a key
            raise EmbeddingError(
                f"{self.model} gave no vectors ({type(error).__name__})",
                hint="check HORNBOOK_EMBEDDING__BASE_URL, __API_KEY and __MODEL, and whether the server is up",
            ) from None

    def _checked(self, rows: list[Any], count: int) -> "Vectors":
        import numpy as np

        with self._lock:
            width = self._learned or len(rows[0])
            vectors = np.asarray(rows, np.float32) if {len(row) for row in rows} == {width} else np.zeros((0, 0))
            if vectors.shape != (count, width) or not np.isfinite(vectors).all():
                raise EmbeddingError(f"{self.model} did not give {count} finite vectors of length {width}")
            self._learned = width
        return unit(vectors)


@lru_cache(1)
def _litellm() -> Any:
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # else the import fetches a price list
    litellm: Any = importlib.import_module("litellm")
    litellm.suppress_debug_info = True
    litellm.telemetry = False
    atexit.register(_leave, litellm)
    return litellm


def _leave(litellm: Any) -> None:
    """Close what litellm keeps open for the next request; what belongs to an event loop is left to its owner."""
    for client in list(litellm.in_memory_llm_clients_cache.cache_dict.values()):
        if hasattr(client, "close") and not inspect.iscoroutinefunction(client.close):
            client.close()
