"""A memory in memory, with a clock that ticks and an embedder of two letters."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from hornbook.graph.clock import ticking
from hornbook.graph.retrieval.embed import CallableEmbedder
from hornbook.memory import Memory


def letters(texts: Sequence[str]) -> list[list[float]]:
    """Vectors that tell texts with an a from texts with a b."""
    return [[1 + text.count("a"), 1 + text.count("b")] for text in texts]


OPENED: list[Memory] = []


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    """Close what a test has left open; closing twice is harmless."""
    yield
    while OPENED:
        OPENED.pop().close()


def small(**more: Any) -> Memory:
    """An empty memory that loads no model."""
    embedder = CallableEmbedder(letters, "letters", 2)
    memory = Memory.open(":memory:", user="ana", clock=ticking(), embedder=embedder, **more)
    OPENED.append(memory)
    return memory


@pytest.fixture
def memory() -> Iterator[Memory]:
    with small() as opened:
        yield opened
