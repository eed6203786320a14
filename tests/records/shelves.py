"""A memory to keep records in: in memory, on a clock of its own, with a small embedder and a scripted extractor."""

from collections.abc import Mapping
from typing import Any

from hornbook.extraction.candidate import Candidate, Extraction
from hornbook.extraction.scripted import ScriptedExtractor
from hornbook.graph.clock import Clock, ticking
from hornbook.graph.retrieval.static import StaticEmbedder
from hornbook.memory import Memory

EMBEDDER = StaticEmbedder()


def says(text: str, predicate: str, value: Any, **more: Any) -> Extraction:
    """What the script reads in a text: one claim of whoever speaks."""
    return Extraction(candidates=(Candidate("user", predicate, value, text, **more),))


def shelves(script: Mapping[str, Extraction] | None = None, clock: Clock | None = None, user: str = "ana") -> Memory:
    """An empty memory."""
    extractor = ScriptedExtractor(script or {})
    return Memory.open(":memory:", user=user, clock=clock or ticking(), embedder=EMBEDDER, extractor=extractor)
