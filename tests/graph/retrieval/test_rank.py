"""The ranking as a whole: what moves a document up, what must not, and what is said about it."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.graph.retrieval.store import MINILM, words

from hornbook.graph.clock import DAY
from hornbook.graph.dates import parse_moment
from hornbook.graph.retrieval.documents import Corpus, Document, Floats
from hornbook.graph.retrieval.embed import spoken
from hornbook.graph.retrieval.floor import above
from hornbook.graph.retrieval.question import Question, Steer, analyse
from hornbook.graph.retrieval.rank import Evidence, Hit, rank
from hornbook.graph.retrieval.said import spoken_of
from hornbook.graph.retrieval.scoring import Fusion, Scoring, Weights

TURN = Document(0, "0", session="s", length=80)
ASKED = Question("tea?", terms=("tea",))


def corpus_of(*documents: Document, vectors: Floats | None = None) -> Corpus:
    corpus = Corpus(2)
    placed = [replace(one, id=at, ref=str(at), position=at) for at, one in enumerate(documents)]
    corpus.extend(placed, vectors)
    return corpus


def refs(hits: list[Hit]) -> list[str]:
    return [hit.document.ref for hit in hits]


def test_the_answer_comes_before_the_turns_around_its_question() -> None:
    corpus = corpus_of(TURN, TURN, replace(TURN, asks=True), TURN, TURN)

    assert ["2", "3"] == refs(rank(corpus, ASKED, Evidence({2: 5.0}), now=0))[:2]


def test_who_is_named_is_believed_to_have_said_it() -> None:
    corpus = corpus_of(replace(TURN, speaker="Ana", session=None), replace(TURN, speaker="Ben", session=None))
    found = rank(corpus, analyse("What does Ben drink?"), Evidence({0: 5.0, 1: 5.0}), now=0)

    assert ["1", "0"] == refs(found)
    assert found[0].signals["speaker"].score


@pytest.mark.parametrize("question", ["Where did Ana move to?", "Which food does Ana dislike?"])
def test_what_another_says_of_a_person_beats_what_the_person_chats_about(question: str) -> None:
    said = [
        ("Ben", "Ana moved to Munich last week."),
        ("Ana", "I might move the meeting to Monday."),
        ("Ana", "I moved the sofa to the other room."),
        ("Ben", "Ana hates olives, don't buy any."),
        ("Ana", "I ate too much pizza."),
        ("Ana", "What a long day at the office."),
    ]
    spoken_texts = [spoken(text, speaker) for speaker, text in said]
    corpus = Corpus(MINILM.dimension)
    documents = [
        Document(at, str(at), speaker=speaker, length=len(text), about=spoken_of(text))
        for at, (speaker, text) in enumerate(said)
    ]
    corpus.extend(documents, MINILM.embed(spoken_texts))
    evidence = Evidence(words(spoken_texts)(question), MINILM.embed([question])[0])

    assert refs(rank(corpus, analyse(question), evidence, now=0))[0] in ("0", "3")


def test_the_time_asked_about_decides_between_equals() -> None:
    corpus = corpus_of(*(replace(TURN, session=None, occurred_at=at * DAY) for at in (10, 50, 90)))
    evidence = Evidence({0: 5.0, 1: 5.0, 2: 5.0})

    def first(question: Question) -> str:
        return refs(rank(corpus, question, evidence, now=100 * DAY))[0]

    assert "1" == first(replace(ASKED, window=(45 * DAY, 55 * DAY)))
    assert "2" == first(replace(ASKED, steer=Steer.CURRENT))
    assert "0" == first(replace(ASKED, steer=Steer.PAST))


def test_a_month_without_a_year_is_the_last_one_on_record() -> None:
    days = ("2022-05-10", "2022-09-10", "2023-05-10", "2023-09-10")
    corpus = corpus_of(*(replace(TURN, session=None, occurred_at=parse_moment(day).at) for day in days))
    evidence = Evidence(dict.fromkeys(range(4), 5.0))
    now = parse_moment("2026-01-01").at
    found = rank(corpus, analyse("What broke in May?", now=now), evidence, now=now)

    assert "2" == refs(found)[0]


def test_what_only_the_graph_knows_is_found_and_says_so() -> None:
    corpus = corpus_of(replace(TURN, session=None), replace(TURN, session=None))
    found = rank(corpus, ASKED, Evidence({0: 5.0}, graph={1: 0.4}), now=0)

    assert ["0", "1"] == refs(found)
    assert "graph" in found[1].why
    assert "graph" not in found[0].why


def test_an_exact_token_is_never_drowned() -> None:
    vectors = np.array([[1, 0]] * 30 + [[0, 1]], np.float32)
    corpus = corpus_of(*[replace(TURN, session=None)] * 31, vectors=vectors)
    evidence = Evidence(dict.fromkeys(range(31), 3.0), np.array([1, 0], np.float32), exact={30: 1})

    assert "30" == refs(rank(corpus, ASKED, evidence, now=0))[0]


def test_without_vectors_the_words_still_rank() -> None:
    found = rank(corpus_of(TURN, TURN), ASKED, Evidence({1: 9.0, 0: 3.0}), now=0)

    assert ["1", "0"] == refs(found)
    assert [None, None] == [hit.cosine for hit in found]


def test_ids_that_are_not_in_the_corpus_are_left_out() -> None:
    assert ["0"] == refs(rank(corpus_of(TURN), ASKED, Evidence({0: 1.0, 77: 9.0}, graph={78: 1.0}), now=0))


def test_nothing_stored_is_nothing_found() -> None:
    assert [] == rank(Corpus(2), ASKED, Evidence({1: 1.0}, np.array([1, 0], np.float32)), now=0)


@given(st.lists(st.booleans(), min_size=8, max_size=8), st.lists(st.floats(0, 9, width=32), min_size=8, max_size=8))
@settings(max_examples=40, deadline=None)
def test_what_may_not_be_seen_changes_nothing(mask: list[bool], bm25: list[float]) -> None:
    """As-of exactness: the eligible rows rank as if the others had lost their words and vectors."""
    vectors = np.random.default_rng(0).normal(size=(8, 2)).astype(np.float32)
    eligible = np.array(mask, bool)
    corpus = corpus_of(*[TURN] * 8, vectors=vectors)
    blind = corpus_of(*[TURN] * 8, vectors=vectors * eligible[:, None])
    query = np.array([1, 0], np.float32)
    found = rank(corpus, ASKED, Evidence(dict(enumerate(bm25)), query), now=0, eligible=eligible)
    clean = Evidence({at: score for at, score in enumerate(bm25) if mask[at]}, query)

    assert all(mask[hit.document.id] for hit in found)
    assert refs(found) == refs(rank(blind, ASKED, clean, now=0, eligible=eligible))


@pytest.mark.parametrize("fusion", Fusion)
def test_scores_fall_and_stay_between_nothing_and_one(fusion: Fusion) -> None:
    corpus = corpus_of(*[TURN] * 20)
    found = rank(corpus, ASKED, Evidence({at: 1.0 + at for at in range(20)}), now=0, scoring=Scoring(fusion))
    scores = [hit.score for hit in found]

    assert sorted(scores, reverse=True) == scores
    assert all(0 < score <= 1.00001 for score in scores)


def test_a_signal_can_be_switched_off() -> None:
    corpus = corpus_of(replace(TURN, speaker="Ana", session=None), replace(TURN, speaker="Ben", session=None))
    asked, evidence = analyse("What does Ben drink?"), Evidence({0: 5.0, 1: 5.0})

    assert ["0", "1"] == refs(rank(corpus, asked, evidence, now=0, scoring=Scoring(weights=Weights(speaker=0))))


def test_below_the_floor_nothing_is_returned() -> None:
    vectors = np.array([[0.3, 0.954], [0.2, 0.98]], np.float32)
    corpus = corpus_of(*[replace(TURN, session=None)] * 2, vectors=vectors)
    asked = analyse("How do volcanoes and geysers erupt?")
    query = np.array([1, 0], np.float32)

    def kept(evidence: Evidence) -> list[str]:
        return refs(above(rank(corpus, asked, evidence, now=0), asked))

    assert [] == kept(Evidence({}, query))
    assert [] == kept(Evidence({0: 0.9}, query)), "one word of three is no answer"
    assert ["0"] == kept(Evidence({0: 4.0}, query))[:1], "all its words, near in meaning"
    assert ["1"] == kept(Evidence({}, query, exact={1: 1}))[:1], "an exact token speaks for itself"
    assert [] == above([], asked)
