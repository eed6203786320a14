"""Undoing brings back what was believed, offered and found before, by new events: the past is not touched."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.processes.kit import views
from tests.properties.acts import ACTS, PEOPLE, PREDICATES, Act, do, memory_in
from tests.properties.test_stores import INSTANTS, offered

from hornbook.graph.errors import Conflict, NotFound
from hornbook.memory import Memory


@pytest.fixture
def memory() -> Iterator[Memory]:
    """A memory with one thing in it."""
    with memory_in() as memory:
        memory.claim("Ana", "lives_in", "Berlin", speaker="Ana", valid_from="2019")
        yield memory


def believed(memory: Memory) -> dict[str, Any]:
    """What is believed, disputed and offered, without the instant at which it is asked."""
    told: dict[str, Any] = {}
    for subject in PEOPLE:
        for predicate in PREDICATES:
            for at in INSTANTS:
                belief = memory.believe(subject, predicate, valid_at=at).belief
                sides = sorted(str(slot.value) for slot in belief.alternatives)
                told[f"{subject} {predicate} {at}"] = (belief.status, belief.primary and belief.primary.value, sides)
    told["contested"] = sorted((one["subject"], one["predicate"]) for one in memory.contested(100).as_dict()["lines"])
    told["offered"] = [sorted(offered(memory, None, at)) for at in INSTANTS]
    return told


def transactions(memory: Memory) -> int:
    """How many there are."""
    with memory._store.journal.reading() as snapshot:
        last = snapshot.event(snapshot.head)
        return last.txn if last else 0


RARE = st.sampled_from(
    (
        Act("forget", {"client": "python"}),
        Act("merge", {"kept": "Ana", "merged": "Ben", "reason": "one person"}),
        Act("alias", {"entity": "Ana", "alias": "Annie"}),
        Act("declare", {"declarations": {"predicate": "lives in", "cardinality": "SetValued"}}),
        Act("delete", {"memory_id": 1}),
        Act("update", {"memory_id": 1, "content": "Tea is out.", "metadata": {"v": 2}}),
    )
)
ANY = st.one_of(ACTS, ACTS, ACTS, RARE)


@settings(max_examples=20, deadline=None)
@given(st.lists(ANY, min_size=2, max_size=10), st.integers(1, 3))
def test_undoing_what_was_done_last_gives_back_what_was_there(acts: list[Act], last: int) -> None:
    with memory_in() as memory:
        stored: list[str] = []
        for act in acts[:-last]:
            do(memory, act, stored)
        before, began = believed(memory), transactions(memory)
        for act in acts[-last:]:
            do(memory, act, stored)
        for _ in range(transactions(memory) - began):
            memory.undo()
        assert believed(memory) == before
        had, wanted = views(memory)
        assert had == wanted


def test_a_stored_memory_is_gone_and_can_be_stored_again(memory: Memory) -> None:
    stored = memory.store("The spare key is under the pot.", source="notes", position=1)
    memory.undo()
    with pytest.raises(NotFound):
        memory.get(stored.node_id)
    assert not memory.store("The spare key is under the pot.", source="notes", position=1).already


def test_a_deletion_is_taken_back(memory: Memory) -> None:
    stored = memory.store("The spare key is under the pot.")
    memory.delete(stored.number)
    memory.undo()
    assert memory.get_record(stored.number).content == "The spare key is under the pot."
    assert memory.search("spare key").hits


def test_an_update_is_taken_back(memory: Memory) -> None:
    stored = memory.store("The spare key is under the pot.", metadata={"room": 1})
    memory.update(stored.number, "The spare key is lost.", metadata={"room": 2})
    memory.undo()
    record = memory.get_record(stored.number)
    assert (record.content, record.as_dict()["metadata"]) == ("The spare key is under the pot.", {"room": 1})
    assert [hit.content for hit in memory.search("spare key").hits] == ["The spare key is under the pot."]


def test_a_forgetting_is_taken_back(memory: Memory) -> None:
    memory.ingest("I moved to Munich.", source="letters", occurred_at="2024-03-02")
    memory.forget(source="letters")
    memory.undo()
    assert "I moved to Munich." in [hit.content for hit in memory.search("Munich").hits]
    belief = memory.believe("ana", "lives_in", valid_at="2024-06-01").belief
    assert "Munich" in {slot.value for slot in belief.slots}


def test_a_merge_a_parting_and_an_alias_are_taken_back(memory: Memory) -> None:
    memory.claim("Annie", "likes", "tea")
    merged = memory.merge("Ana", "Annie", reason="one person")
    memory.part(merged.merge_id, reason="two after all")
    memory.undo()
    assert memory.believe("Annie", "lives_in").belief.primary
    memory.undo()
    assert memory.believe("Annie", "lives_in").belief.primary is None
    memory.alias("Ana", "Anuschka")
    memory.undo()
    assert "Anuschka" not in str(memory.entity("Ana").as_dict())


def test_a_declaration_is_taken_back(memory: Memory) -> None:
    memory.declare({"predicate": "gate code", "cardinality": "SetValued"})
    memory.undo()
    with memory._store.reading() as reading:
        assert not reading.registry.declared("gate code")


def test_a_resolution_is_taken_back_and_its_undoing_is_no_transaction_to_undo(memory: Memory) -> None:
    memory.claim("Ana", "lives_in", "Rome", speaker="Ben", valid_from="2020")
    memory.resolve("Ana", "lives_in", "winner", winner="Rome", reason="asked her")
    memory.undo()
    assert memory.contested().lines
    memory.undo()
    assert memory.contested().lines == ()
    memory.undo()
    assert memory.believe("Ana", "lives_in").belief.primary is None
    with pytest.raises(Conflict, match="nothing to undo"):
        memory.undo()


def test_an_erasure_is_not_taken_back_and_nothing_is_written(memory: Memory) -> None:
    memory.ingest("I moved to Munich.", source="letters")
    memory.erase(source="letters")
    head = memory.stats()["events"]
    with pytest.raises(Conflict, match="erasure"):
        memory.undo()
    assert memory.stats()["events"] == head


def test_the_past_stays_as_it_was(memory: Memory) -> None:
    at = memory.search("Berlin").as_known
    memory.undo()
    assert memory.believe("Ana", "lives_in").belief.primary is None
    assert memory.believe("Ana", "lives_in", knowledge_at=at).belief.primary
    assert memory.audit(1).entries[0].as_dict()["reason"] == "undone"


def test_rules_are_taken_back_and_given_back(memory: Memory) -> None:
    memory.claim("Berlin", "located_in", "Germany", valid_from="1900")
    rules = memory.rules("lives_in_country(x, c) :- lives_in(x, y), located_in(y, c).")
    memory.undo()
    assert memory.list_rules() == ()
    assert rules.derived == 1


def test_what_followed_from_what_was_erased_follows_no_more(memory: Memory) -> None:
    memory.claim("Berlin", "located_in", "Germany", valid_from="1900", source="letters")
    memory.rules("lives_in_country(x, c) :- lives_in(x, y), located_in(y, c).")
    assert memory.ask("lives_in_country(x, c)").rows
    memory.erase(source="letters")
    assert memory.ask("lives_in_country(x, c)").rows == ()
