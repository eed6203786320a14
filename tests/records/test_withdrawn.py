"""Deleting the newest record leaves the beliefs that there were before it.

Of an older one that is not asked: what came after it was decided in its light, and stays as it was decided.
"""

from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.records.shelves import says, shelves

from hornbook.extraction.candidate import Extraction
from hornbook.graph.claim import Intent
from hornbook.memory import Memory

VALUES, YEARS = ("Berlin", "Munich", "Oslo"), (2020, 2021, 2022, 2023)
INTENTS = (Intent.STATE, Intent.UPDATE)
SAID = st.tuples(st.sampled_from(VALUES), st.sampled_from(YEARS), st.sampled_from(INTENTS))

Said = tuple[str, int, Intent]


def text_of(said: Said, at: int) -> str:
    return f"{said[0]} {said[1]} {said[2].value} {at}"


def script(every: list[Said]) -> dict[str, Extraction]:
    return {
        text_of(said, at): says(text_of(said, at), "lives_in", said[0], intent=said[2]) for at, said in enumerate(every)
    }


def believed(memory: Memory) -> list[Any]:
    found = []
    for year in (*YEARS, 2026):
        answer: Any = memory.believe("ana", "lives_in", valid_at=f"{year}-06")
        primary = answer.belief.primary
        found.append((year, answer.status, primary.value if primary else None))
    return found


FOUND = [  # the change ends where the value was said again: that end is its own, and not handed back
    ("Berlin", 2021, Intent.STATE),
    ("Berlin", 2022, Intent.STATE),
    ("Munich", 2021, Intent.UPDATE),
]


@given(st.lists(SAID, min_size=1, max_size=4))
@example(FOUND)
@settings(max_examples=15, deadline=None)
def test_beliefs_after_a_delete_are_those_before_the_record(every: list[Said]) -> None:
    with shelves(script(every)) as memory:
        for at, said in enumerate(every):
            before = believed(memory)
            (added,) = memory.add(text_of(said, at), occurred_at=str(said[1]))
        after = believed(memory)
        memory.delete(added.record.memory_id)
        assert before == believed(memory), after
