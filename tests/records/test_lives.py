"""Random lives of records against a plain model: at every known instant the list is what the model was then."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.records.shelves import shelves

TEXTS = st.sampled_from(["Owns a sextant", "Owns a barometer", "Prefers tea", "Sails a dinghy"])
METADATA = st.none() | st.fixed_dictionaries({"deck": st.integers(1, 2)})
ACTS = st.one_of(
    st.tuples(st.just("add"), TEXTS, METADATA),
    st.tuples(st.just("update"), TEXTS, METADATA, st.integers(0, 5)),
    st.tuples(st.just("delete"), st.integers(0, 5)),
    st.tuples(st.just("archive"), st.integers(0, 5)),
)
Shelf = dict[int, tuple[str, Any]]


def act(memory: Any, shelf: Shelf, numbers: list[int], done: tuple[Any, ...]) -> None:
    """One act on the memory and on the model."""
    if done[0] == "add":
        (added,) = memory.add(done[1], metadata=done[2], infer=False)
        numbers.append(added.record.memory_id)
        shelf[added.record.memory_id] = (done[1], done[2] or {})
        return
    present = [number for number in numbers if number in shelf]
    if not present:
        return
    number = present[done[-1] % len(present)]
    if done[0] == "update":
        memory.update(number, done[1], metadata=done[2])
        shelf[number] = (done[1], shelf[number][1] if done[2] is None else done[2])
    elif done[0] == "delete":
        memory.delete(number)
        del shelf[number]
    else:
        memory.archive(memory.get_record(number).node_id)
        del shelf[number]


def told(memory: Any, **given: Any) -> Shelf:
    return {record.memory_id: (record.content, dict(record.metadata)) for record in memory.list(**given).records}


@given(st.lists(ACTS, min_size=1, max_size=10))
@settings(max_examples=15, deadline=None)
def test_at_every_known_instant_the_records_are_what_they_were(acts: list[tuple[Any, ...]]) -> None:
    with shelves() as memory:
        shelf: Shelf = {}
        numbers: list[int] = []
        then: list[tuple[str, Shelf]] = []
        for done in acts:
            act(memory, shelf, numbers, done)
            then.append((memory.list().as_known, dict(shelf)))

        assert shelf == told(memory)
        assert {n: kept for n, kept in shelf.items() if kept[1].get("deck") == 1} == told(memory, filters={"deck": 1})
        for known, was in then:
            assert was == told(memory, knowledge_at=known)
        memory._index = None  # an index built anew knows the same
        for known, was in then:
            assert was == told(memory, knowledge_at=known)
