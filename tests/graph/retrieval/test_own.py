"""A question with "I" or "my" is about the owner: what is believed of them is told where strangers' texts are not."""

import pytest

from hornbook.memory import Memory

TOLD = {
    "allergic_to": "penicillin",
    "lives_in": "Ghent",
    "works_for": "Tern Robotics",
    "likes": "green tea",
    "plays": "cello",
    "drives": "Volvo",
    "speaks": "Dutch",
}


@pytest.fixture(scope="module")
def stated() -> Memory:
    memory = Memory.open(":memory:", user="ana")
    for predicate, value in TOLD.items():
        memory.claim("ana", predicate, value)
    memory.claim("Bob", "allergic_to", "peanuts")
    return memory


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("Which medicine must I avoid?", "penicillin"),
        ("what medicine must I avoid?", "penicillin"),
        ("Where do I live?", "Ghent"),
        ("What do I drink?", "green tea"),
        ("What is my car?", "Volvo"),
    ],
)
def test_what_the_owner_said_of_themselves_answers_them(stated: Memory, asked: str, said: str) -> None:
    assert said in stated.search(asked).hits[0].content
    assert said in stated.context(asked).text.splitlines()[1]


@pytest.mark.parametrize("asked", ["What should I cook for dinner?", "Can I get a mortgage?", "How tall is Everest?"])
def test_a_question_about_something_else_gets_nothing(stated: Memory, asked: str) -> None:
    assert () == stated.search(asked).hits
    assert "" == stated.context(asked).text


def test_what_was_said_in_a_text_is_found_with_it_and_what_has_ended_is_not() -> None:
    with Memory.open(":memory:", user="ana") as memory:
        long = "The tap drips and the plumber never calls. The car needs tyres. The tent is at the shop. "
        memory.ingest(f"{long}I live in Ghent. {long}", occurred_at="2024-05-01")

        found = memory.search("Where do I live?").hits
        assert "I live in Ghent" in found[0].content
        assert "lives in: Ghent" in memory.context("Where do I live?").text
        memory.end("ana", "lives_in", at="2024-06-01")
        assert "Ghent" not in memory.context("Where do I live?").text.partition("What was said")[0]
