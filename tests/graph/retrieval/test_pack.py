"""Packing: inside the budget whatever comes, in an order that reads, and honest about what it left out."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.graph.retrieval.pack import Passage, fold, pack, tokens
from hornbook.graph.retrieval.pagerank import pagerank

PASSAGES = st.lists(
    st.builds(
        Passage,
        ref=st.uuids().map(str),
        text=st.text("ab c茶", min_size=1, max_size=900),
        speaker=st.sampled_from([None, "Ana", "Ben"]),
        date=st.sampled_from([None, "2024-01-02"]),
        session=st.sampled_from([None, "s", "t"]),
        order=st.integers(0, 9),
    ),
    max_size=12,
)


@given(PASSAGES, st.lists(st.text("ab ", max_size=200), max_size=8), st.integers(100, 1_000))
@settings(max_examples=50, deadline=None)
def test_the_budget_is_kept_and_every_passage_accounted_for(
    passages: list[Passage], beliefs: list[str], budget: int
) -> None:
    packed = pack(beliefs, passages, budget)

    assert packed.tokens <= budget
    assert len(passages) + len(beliefs) >= len(packed.shown) + packed.left_out + packed.folded
    assert (packed.left_out + packed.shortened > 0) == ("(cut to " in packed.text)


def test_neighbours_read_on_and_a_gap_is_shown() -> None:
    said = [
        Passage("c", "Three.", "Ana", "2024-01-02", "s", 3, "b"),
        Passage("a", "One.", "Ana", "2024-01-02", "s", 1),
        Passage("d", "Four.", "Ben", "2024-01-02", "s", 4, "c"),
    ]

    assert "What was said\n[2024-01-02]\nAna: One.\n…\nAna: Three.\nBen: Four." == pack([], said, 200).text


def test_the_same_words_of_the_same_person_stand_once() -> None:
    said = [Passage("a", "Yes!", "Ana"), Passage("b", "yes!", "Ana"), Passage("c", "Yes!", "Ben")]

    assert ["a", "c"] == [one.ref for one in fold(said)[0]]
    assert 1 == pack([], said, 200).folded


def test_what_does_not_fit_is_cut_at_a_word_and_said() -> None:
    packed = pack([], [Passage("a", "word " * 400), Passage("b", "word " * 300)], 150)

    assert ("a",) == packed.shown
    assert packed.text.endswith("word …\n\n(cut to 150 tokens: 1 left out, 1 shortened)")


def test_nothing_found_is_no_text() -> None:
    assert "" == pack([], [], 100).text


@pytest.mark.parametrize(("text", "count"), [("a" * 4_000, 1_000), ("a", 1), ("茶" * 10, 10), ("café", 2)])
def test_tokens_are_counted_without_a_tokenizer(text: str, count: int) -> None:
    assert count == tokens(text)


def test_a_walk_gives_out_everything_and_loses_nothing() -> None:
    near = pagerank([("a", "b", 1), ("b", "c", 2), ("d", "e", 1)], {"a": 2.0})

    assert 1.0 == pytest.approx(sum(near.values()))
    assert 0.0 == near["d"] == near["e"]
    assert near["a"] > near["c"]


def test_a_seed_without_edges_keeps_what_it_has() -> None:
    assert {"a": pytest.approx(1.0)} == pagerank([], {"a": 1.0})
    assert {} == pagerank([("a", "b", 1)], {})
