"""Opening: where a user's memory lives, and what it is put together from."""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from hornbook.graph.clock import Clock
from hornbook.graph.errors import InvalidArgument, StoreError
from hornbook.settings import IN_MEMORY, PACK, Embedding, Extraction, Settings
from hornbook.tenants import folder_of

if TYPE_CHECKING:
    from hornbook.extraction.candidate import Extractor
    from hornbook.graph.journal import Journal
    from hornbook.graph.retrieval.embed import Embedder
    from hornbook.graph.store import Store
    from hornbook.graph.view import GraphView

JOURNAL = "journal.db"


def open_store(where: str | Path, user: str, settings: Settings, clock: Clock, *, read_only: bool = False) -> "Store":
    """The store of a user: one file `name.hornbook`, `:memory:`, or a directory that holds one folder a user."""
    from hornbook.graph.journal import Journal
    from hornbook.graph.store import Store

    place, pack = journal_path(where, user)
    journal = Journal.open(place, clock=clock, read_only=read_only, pack=pack, owner=user)
    return Store(journal, view_in(cache_folder(settings)), clock, owner=user)


def journal_path(where: str | Path, user: str) -> tuple[Path | None, bool]:
    """The journal's file and whether it is a pack; None is memory.

    >>> journal_path("memories", "ana")[0].parts, journal_path(":memory:", "ana")
    (('memories', 'ana', 'journal.db'), (None, False))
    """
    if str(where) == IN_MEMORY:
        return None, False
    path = Path(where).expanduser()
    if path.suffix == PACK:
        return path, True
    if path.is_file():
        raise StoreError("the store is a file, not a directory", hint=f"name a directory, or a file ending in {PACK}")
    return path / folder_of(user) / JOURNAL, False


def cache_folder(settings: Settings) -> Path:
    """Where graph views are kept: the user's cache folder unless it is set."""
    return Path(settings.cache_dir or platformdirs.user_cache_path("hornbook", False)) / "views"


def view_in(cache: Path) -> "Callable[[Journal], GraphView]":
    """How a store opens its view: in memory while it is small, else in a slot of the cache folder."""

    def opened(journal: "Journal") -> "GraphView":
        from hornbook.graph.view.view import open_view

        return open_view(cache, journal)

    return opened


LOCAL = ("onnx", "local", "minilm")


@lru_cache(8)
def embedder_of(embedding: Embedding) -> "Embedder":
    """The embedder that the settings name: one for the whole process, loaded when it is first used."""
    provider = (embedding.provider or "").strip().lower()
    if provider == "static":
        from hornbook.graph.retrieval.static import StaticEmbedder

        return StaticEmbedder()
    if provider in LOCAL or not (provider or embedding.model):
        from hornbook.graph.retrieval.embed import MiniLM

        return MiniLM()
    if not provider or not embedding.model:
        lacking = "MODEL" if provider else "PROVIDER"
        raise InvalidArgument(
            "a provider of embeddings needs a model, and a model a provider",
            field=f"HORNBOOK_EMBEDDING__{lacking}",
            valid=[LOCAL[0], "static", "any provider of litellm, with a model"],
            hint="leave both out for the model that ships with hornbook",
        )
    from hornbook.graph.retrieval.remote import LitellmEmbedder

    key = embedding.api_key.get_secret_value() if embedding.api_key else None
    return LitellmEmbedder(provider, embedding.model, base_url=embedding.base_url, api_key=key, dims=embedding.dims)


OFFLINE = (None, "offline", "spacy", "local")


def extractor_of(extraction: Extraction) -> "Extractor":
    """The extractor that the settings name; offline unless a model is set. Nothing heavy is loaded yet."""
    if extraction.model is None and extraction.provider in OFFLINE:
        return _offline()
    if extraction.model is None:
        raise InvalidArgument(
            f"no model of '{extraction.provider}' is named",
            field="HORNBOOK_EXTRACTION__MODEL",
            hint="set it, or leave the provider out: the offline extractor needs no model",
        )
    from hornbook.extraction.model.opening import model_extractor

    return model_extractor(extraction)


@lru_cache(1)
def _offline() -> "Extractor":
    from hornbook.extraction.offline.spacy_extractor import SpacyExtractor

    return SpacyExtractor()
