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

    assert list(together.documents) == list(single.documents)
    assert np.array_equal(together.previous, single.previous)
    assert np.array_equal(together.session, single.session)


def test_vectors_may_come_later() -> None:
    corpus = corpus_of([("a", 1), ("a", 2)], 2)
    corpus.attach(np.array([1, 99]), np.array([[0, 1], [1, 0]], np.float32))

    assert [[0, 0], [0, 1]] == corpus.vectors.tolist()


def test_a_document_is_given_back_as_it_came() -> None:
    given = [
        Document(7, "a", "memory", "Ana", "s", 3, 5, 9, True, ("ben", "cleo"), "e", 0.25, 0.5),
        Document(8, "b", speaker="", session=""),
    ]
    corpus = Corpus()
    corpus.extend(given)

    assert given == list(corpus.documents)
    assert given[:1] == corpus.documents[:1]
    assert ("b", 1, None) == (corpus.ref(1), corpus.row(8), corpus.row(9))
    assert [True, False] == corpus.speaks_of(["Cleo Berg", "cleo"]).tolist()


def test_a_person_is_called_by_full_name_or_first_name() -> None:
    corpus = Corpus(1)
    corpus.extend([Document(1, "a", speaker="Ana Silva"), Document(2, "b", speaker="ANA  Berg"), Document(3, "c")])

    assert {"ana": {0, 1}, "ana silva": {0}, "ana berg": {1}} == corpus.called
    assert [0, 1, NOBODY] == corpus.speaker.tolist()
