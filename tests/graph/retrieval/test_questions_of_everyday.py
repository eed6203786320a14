"""Whole questions against a store of some 200 everyday memories: by meaning, by exact token, and not at all."""

import pytest
from tests.graph.retrieval.store import everyday, read, texts


def found_within(cases: list[dict[str, str]], k: int) -> float:
    search = everyday()
    return sum(case["memory"] in search(case["question"])[:k] for case in cases) / len(cases)


def test_the_sets_are_as_large_as_promised() -> None:
    assert (60, 60) == (len(read("paraphrase")), len(read("unrelated")))
    assert len(texts()) >= 200


def test_a_question_in_other_words_finds_its_memory() -> None:
    assert found_within(read("paraphrase"), 3) >= 0.9


def test_a_question_in_the_same_words_finds_its_memory_first() -> None:
    assert 1.0 == found_within(read("answerable"), 1)


@pytest.mark.parametrize("case", read("exact"), ids=lambda case: case["question"])
def test_an_exact_token_finds_its_memory_first(case: dict[str, str]) -> None:
    assert case["memory"] == everyday()(case["question"])[0]


@pytest.mark.parametrize("case", read("foreign"), ids=lambda case: case["question"])
def test_other_scripts_are_found(case: dict[str, str]) -> None:
    assert case["memory"] in everyday()(case["question"])[:3]


def test_unrelated_questions_get_nothing() -> None:
    empty = [question for question in read("unrelated") if not everyday()(question)]

    assert len(empty) / len(read("unrelated")) >= 0.95


def test_what_has_nothing_to_do_with_the_question_is_not_padded_in() -> None:
    assert len(everyday()("Where does the cat sleep?")) < len(texts()) / 2
