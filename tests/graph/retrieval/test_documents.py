"""The corpus: rows that grow, and turns that find their neighbours in whatever order they come."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.graph.retrieval.documents import NOBODY, Corpus, Document

TURNS = st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 9)), max_size=20)


def corpus_of(turns: list[tuple[str, int]], dimension: int = 1) -> Corpus:
    corpus = Corpus(dimension)
    corpus.extend([Document(at, str(at), session=session, position=place) for at, (session, place) in enumerate(turns)])
    return corpus


@given(TURNS)
@settings(max_examples=50)
def test_neighbours_are_those_of_the_sorted_session(turns: list[tuple[str, int]]) -> None:
    corpus = corpus_of(turns)
    for session in "ab":
        rows = sorted((place, row) for row, (name, place) in enumerate(turns) if name == session)
        ordered = [row for _, row in rows]
        assert [NOBODY, *ordered[:-1]][: len(ordered)] == corpus.previous[ordered].tolist()
        assert [*ordered[1:], NOBODY][: len(ordered)] == corpus.following[ordered].tolist()


def test_one_by_one_is_all_at_once() -> None:
    turns = [("a", 1), ("b", 1), ("a", 2), ("a", 3), ("b", 2)] * 30
    together, single = corpus_of(turns), Corpus(1)
    for at, (session, place) in enumerate(turns):
        single.extend([Document(at, str(at), session=session, position=place)])

    assert together.documents == single.documents
    assert np.array_equal(together.previous, single.previous)
    assert np.array_equal(together.session, single.session)


def test_vectors_may_come_later() -> None:
    corpus = corpus_of([("a", 1), ("a", 2)], 2)
    corpus.attach({1: np.array([0, 1], np.float32), 99: np.array([1, 0], np.float32)})

    assert [[0, 0], [0, 1]] == corpus.vectors.tolist()


def test_a_document_that_comes_again_takes_its_row() -> None:
    corpus = corpus_of([("a", 1), ("a", 2), ("a", 3)])
    corpus.extend([Document(1, "1", session="b", position=9)])

    assert 3 == len(corpus)
    assert [NOBODY, NOBODY, 0] == corpus.previous.tolist()


def test_a_person_is_called_by_full_name_or_first_name() -> None:
    corpus = Corpus(1)
    corpus.extend([Document(1, "a", speaker="Ana Silva"), Document(2, "b", speaker="ANA  Berg"), Document(3, "c")])

    assert {"ana": {0, 1}, "ana silva": {0}, "ana berg": {1}} == corpus.called
    assert [0, 1, NOBODY] == corpus.speaker.tolist()
