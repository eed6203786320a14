"""A question of the present finds the text that says what holds now before the one that says what held."""

from collections.abc import Iterator

import pytest

from hornbook.memory import Memory

SAID = (
    ("Hi, I'm Ana. I live in Berlin and work for Tern Robotics.", "2023-05-02"),
    ("We moved to Munich in March 2024, it was a lot of boxes.", "2024-04-02"),
)


@pytest.fixture(scope="module")
def moved() -> Iterator[Memory]:
    with Memory.open(":memory:", user="ana") as memory:
        for text, day in SAID:
            memory.ingest(text, occurred_at=day)
        yield memory


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("Where does Ana live?", "Munich"),
        ("Where do I live?", "Munich"),
        ("Where did Ana live in 2023?", "Berlin"),
        ("Where does Ana work?", "Tern"),
    ],
)
def test_what_holds_now_comes_before_what_held(moved: Memory, asked: str, said: str) -> None:
    hits = moved.search(asked).hits

    assert said in hits[0].content
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_as_of_then_what_held_then_comes_first(moved: Memory) -> None:
    assert "Berlin" in moved.search("Where does Ana live?", valid_at="2023-06-01").hits[0].content
