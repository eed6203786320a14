"""Deleting records leaves the beliefs that there would be had they never been said.

The law: where nothing but statements has come to a line, deleting some of its records, in any order, gives the beliefs
and the contests of a memory in which they were never said. What people did since (an end, a resolution) is no
statement: it stays as they did it. What a model only repeated was no claim, so nothing of it is left either.
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


def script(every: list[Said], predicate: str = "lives_in") -> dict[str, Extraction]:
    return {
        text_of(said, at): says(text_of(said, at), predicate, said[0], intent=said[2]) for at, said in enumerate(every)
    }


def believed(memory: Memory, predicate: str = "lives_in") -> list[Any]:
    found = []
    for year in (*YEARS, 2026):
        answer: Any = memory.believe("ana", predicate, valid_at=f"{year}-06")
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


KEPT_TO_MUNICH = [("Munich", 2023, Intent.UPDATE), ("Berlin", 2021, Intent.STATE)]  # Berlin ended where Munich began


@given(st.lists(SAID, min_size=2, max_size=5), st.data())
@settings(max_examples=25, deadline=None)
def test_deleting_records_is_as_if_they_had_never_been_said(every: list[Said], data: st.DataObject) -> None:
    gone = data.draw(st.lists(st.sampled_from(range(len(every))), min_size=1, max_size=2, unique=True))
    assert_unsaid(every, gone, data.draw(st.sampled_from(("lives_in", "works_for", "gate_code"))))


def test_a_value_that_ended_where_a_deleted_one_began_goes_on() -> None:
    assert_unsaid(KEPT_TO_MUNICH, [0])
    with shelves(script(KEPT_TO_MUNICH)) as memory:
        refs = [memory.add(text_of(said, at), occurred_at=str(said[1])) for at, said in enumerate(KEPT_TO_MUNICH)]
        memory.delete(refs[0][0].record.memory_id)
        assert ("Resolved", "Berlin") == believed(memory)[-1][1:]


def assert_unsaid(every: list[Said], gone: list[int], predicate: str = "lives_in") -> None:
    with shelves(script(every, predicate)) as memory, shelves(script(every, predicate)) as never:
        added = {}
        for at, said in enumerate(every):
            (added[at],) = memory.add(text_of(said, at), occurred_at=str(said[1]))
            if at not in gone:
                never.add(text_of(said, at), occurred_at=str(said[1]))
        for at in gone:
            memory.delete(added[at].record.memory_id)
        assert believed(never, predicate) == believed(memory, predicate)
        assert sides(never) == sides(memory)


def sides(memory: Memory) -> list[list[Any]]:
    return [[side["value"] for side in line.as_dict()["sides"]] for line in memory.contested().lines]


def test_what_people_did_since_stays_as_they_did_it() -> None:
    every = [("Berlin", 2020, Intent.STATE), ("Munich", 2021, Intent.UPDATE), ("Oslo", 2022, Intent.UPDATE)]
    with shelves(script(every)) as memory:
        added = [memory.add(text_of(said, at), occurred_at=str(said[1])) for at, said in enumerate(every)]
        memory.end("ana", "lives_in", at="2024")
        memory.delete(added[1][0].record.memory_id)
        assert ["Berlin", "Berlin", "Oslo", "Oslo", None] == [value for *_, value in believed(memory)]
        memory.delete(added[2][0].record.memory_id)
        assert ["Berlin"] * 5 == [value for *_, value in believed(memory)]  # it was Oslo that was said to have ended


def test_a_value_that_was_closed_when_there_could_be_one_is_open_where_there_can_be_several() -> None:
    every = [("Berlin", 2020, Intent.STATE), ("Munich", 2021, Intent.UPDATE)]
    with shelves(script(every)) as memory:
        added = [memory.add(text_of(said, at), occurred_at=str(said[1])) for at, said in enumerate(every)]
        memory.declare({"predicate": "lives_in", "cardinality": "SetValued"})
        memory.delete(added[1][0].record.memory_id)
        assert "Berlin" == memory.believe("ana", "lives_in").value
