"""Questions whose words stand in half of the store: in scripts that the model does not read, or with no model."""

from collections.abc import Iterator
from itertools import product

import pytest
from tests.graph.retrieval.store import read
from tests.graph.retrieval.test_search import opened, refs

from hornbook.graph.errors import EmbeddingError
from hornbook.graph.retrieval.embed import CallableEmbedder
from hornbook.memory import Memory

CASES = read("common")


@pytest.fixture(scope="module")
def stored() -> Iterator[Memory]:
    with opened() as memory:
        for who, when, what in product(CASES["who"], CASES["when"], CASES["what"]):
            memory.store(CASES["said"].format(who=who, when=when, what=what))
        for text in CASES["also"]:
            memory.store(text)
        yield memory


@pytest.mark.parametrize("question", CASES["answered"])
def test_a_question_of_common_words_is_answered(stored: Memory, question: str) -> None:
    assert refs(stored, question)


@pytest.mark.parametrize("question", CASES["refused"])
def test_a_question_about_what_nobody_said_is_not(stored: Memory, question: str) -> None:
    assert [] == refs(stored, question)


def test_without_a_model_too() -> None:
    def broken(said: object) -> list[list[float]]:
        raise EmbeddingError("the model has gone")

    with opened(embedder=CallableEmbedder(broken, "broken", 3)) as memory:
        for number in range(80):
            memory.store(f"Boat {number} leaves the harbour at noon, from pier {number % 9}.")
        assert 10 == len(refs(memory, "noon")) == len(refs(memory, "Which boats leave at noon?"))
        assert [] == refs(memory, "How warm is chocolate?")
