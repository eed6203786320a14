"""The static embedder: smaller and nearly as good where words are shared."""

import numpy as np
import pytest
from tests.graph.retrieval.store import everyday, read, texts

from hornbook.graph.errors import EmbeddingError
from hornbook.graph.retrieval import static
from hornbook.graph.retrieval.static import StaticEmbedder

STATIC = StaticEmbedder()


def share(name: str, k: int) -> float:
    search = everyday(STATIC)
    return sum(case["memory"] in search(case["question"])[:k] for case in read(name)) / len(read(name))


def test_like_words_are_near() -> None:
    dog, puppy, tax = STATIC.embed(["the dog barked", "a puppy was barking", "income tax return"])

    assert float(dog @ puppy) > 0.5 > 0.3 > float(dog @ tax)


def test_a_text_without_words_is_a_vector_of_zeros() -> None:
    assert [0.0, 1.0] == pytest.approx(np.linalg.norm(STATIC.embed(["", "tea"]), axis=1).tolist(), abs=1e-5)
    assert (0, 192) == STATIC.embed([]).shape


def test_it_finds_what_is_asked_in_the_same_words_and_most_of_the_rest() -> None:
    assert share("answerable", 3) >= 0.95
    assert share("exact", 1) >= 0.9
    assert share("paraphrase", 3) >= 0.5


def test_most_unrelated_questions_get_nothing() -> None:
    empty = [question for question in read("unrelated") if not everyday(STATIC)(question)]

    assert len(empty) / len(read("unrelated")) >= 0.9
    assert len(texts()) >= 200


def test_another_table_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(static, "TABLE_DIGEST", "0" * 64)

    with pytest.raises(EmbeddingError, match="not the pinned one"):
        StaticEmbedder().embed(["hello"])
