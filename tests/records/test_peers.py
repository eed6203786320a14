"""Faults of other record stores that must not be ours; the numbers are those of the list they are from."""

from typing import Any

import pytest
from tests.records.shelves import EMBEDDER, shelves

from hornbook.graph.errors import InvalidArgument, NotFound
from hornbook.memory import Memory


def test_24_unknown_operators_are_refused_and_filters_are_honoured() -> None:
    with shelves() as memory:
        memory.add("Pump at the bow", metadata={"deck": "upper"})
        memory.add("Pump at the stern", metadata={"deck": "lower"})
        for look in (memory.list, lambda **given: memory.search_records("pump", **given)):
            records = look(filters={"deck": "lower"}).records
            assert ["Pump at the stern"] == [record.content for record in records]
            assert () == look(filters={"no such key": 1}).records
            with pytest.raises(InvalidArgument) as refused:
                look(filters={"deck": {"contains": "low"}})
            assert refused.value.valid is not None and "in" in refused.value.valid


def test_25_reading_never_lowers_a_memory() -> None:
    with shelves() as memory:
        memory.add("Never forget my penicillin allergy")
        first = memory.search_records("penicillin allergy").as_dict()["results"]
        events = memory.stats()["events"]
        for _ in range(5):
            memory.search_records("penicillin allergy")
            memory.get_record(1)

        assert first == memory.search_records("penicillin allergy").as_dict()["results"]
        assert events == memory.stats()["events"]


@pytest.mark.parametrize("fusion", ["rrf", "weighted"])
@pytest.mark.parametrize("threshold", [0.1, 0.7, 1.0])
def test_27_an_exact_match_is_never_below_a_threshold(fusion: str, threshold: float) -> None:
    from hornbook.settings import read

    settings = read({"scoring": {"fusion": fusion}}, environ={})
    with Memory.open(":memory:", user="ana", settings=settings, embedder=EMBEDDER) as memory:
        memory.add("The bilge pump needs a new impeller", infer=False)
        memory.add("Lunch is at one", infer=False)
        (record,) = memory.search_records("the bilge pump needs a new impeller!", threshold=threshold).records

        assert (record.memory_id, record.score) == (1, 1.0)


def test_34_deleting_all_of_nobody_deletes_nothing() -> None:
    with shelves() as memory:
        memory.add("Owns a barometer")
        with pytest.raises(InvalidArgument) as refused:
            memory.delete_all()

        assert (refused.value.field, memory.list().total) == ("user_id", 1)


def test_35_a_number_of_one_owner_means_nothing_to_another(tmp_path: Any) -> None:
    opened: dict[str, Any] = {"embedder": EMBEDDER}
    with Memory.open(tmp_path, user="ana", **opened) as ana, Memory.open(tmp_path, user="ben", **opened) as ben:
        (added,) = ana.add("Secret: heron-31", infer=False)
        ben.add("Coffee, black", infer=False)

        assert "Coffee, black" == ben.get_record(added.record.memory_id).content
        with pytest.raises(NotFound):
            ben.get_record(added.record.node_id)
        assert ["Coffee, black"] == [record.content for record in ben.search_records("coffee").records]


@pytest.mark.parametrize(("name", "wrong"), [("limit", -1), ("limit", 0), ("limit", 1001), ("offset", -1)])
def test_39_bounds_are_named(name: str, wrong: int) -> None:
    with shelves() as memory, pytest.raises(InvalidArgument) as refused:
        memory.list(**{name: wrong})  # type: ignore[arg-type]  # limit and offset

    assert name == refused.value.field
