"""A memory that was exported and imported is the same memory: now, and as it was known at any time before."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.properties.acts import ACTS, Act, do, memory_in
from tests.properties.test_stores import ASKED, known

from hornbook.graph.clock import rfc3339
from hornbook.graph.errors import Conflict, Forbidden, InvalidArgument, StoreNewer
from hornbook.graph.journal import verify
from hornbook.memory import Memory

MANY = st.lists(ACTS, min_size=5, max_size=20)


def told(memory: Memory, at: str | None, stored: list[str]) -> dict[str, Any]:
    """All that is known at an instant, and what a search finds then, in its order."""
    found = {query: memory.search(query, limit=200, valid_at="2024", knowledge_at=at).hits for query in ASKED}
    there = [id_ for id_ in stored if at is None]
    return {**known(memory, at, there), **found, "audit": memory.audit(1_000).as_dict()}


def instants(memory: Memory) -> Iterator[str]:
    """Every instant at which something became known."""
    with memory._store.journal.reading() as snapshot:
        yield from dict.fromkeys(rfc3339(event.known_at) for event in snapshot.events())


@settings(max_examples=8, deadline=None)
@given(MANY, st.data())
def test_an_import_tells_what_the_export_told_at_any_known_instant(acts: list[Act], data: st.DataObject) -> None:
    with memory_in() as memory, memory_in() as other:
        stored: list[str] = []
        for act in acts:
            do(memory, act, stored)
        lines = list(memory.export())
        moved = other.load(lines)
        assert moved.events == memory._store.journal.head()
        assert verify(other._store.journal) is None
        past: list[str | None] = [None, *instants(memory)]
        for at in (None, data.draw(st.sampled_from(past))):
            assert told(memory, at, stored) == told(other, at, stored)


@pytest.fixture
def memory() -> Iterator[Memory]:
    """A memory with a text, a record and a dispute."""
    with memory_in() as memory:
        memory.ingest("I moved to Munich.", session="one", idempotency_key="k1", occurred_at="2024-03-02")
        memory.store("The spare key is under the blue pot.", idempotency_key="k2")
        memory.claim("Ana", "lives_in", "Berlin", speaker="Ben")
        yield memory


def test_importing_the_same_file_again_changes_nothing(memory: Memory) -> None:
    lines = list(memory.export())
    with memory_in() as other:
        first, second = other.load(lines), other.load(lines)
        assert (second.events, second.already) == (0, first.events)
        assert list(other.export())[1:-1] == lines[1:-1]


def test_an_import_goes_on_where_another_stopped(memory: Memory) -> None:
    lines = list(memory.export())
    memory.store("Ben drinks tea.")
    with memory_in() as other:
        other.load(lines)
        assert other.load(memory.export()).transactions == 1
        assert list(other.export())[1:-1] == list(memory.export())[1:-1]


def test_keys_and_numbers_come_along(memory: Memory) -> None:
    with memory_in() as other:
        other.load(memory.export())
        assert other.ingest("I moved to Munich.", idempotency_key="k1").status == "known"
        assert other.get(1).content == memory.get(1).content
        assert other.store("Ben drinks tea.").number == memory.store("Ben drinks tea.").number == 2


def test_an_import_keeps_the_times_and_says_so(memory: Memory) -> None:
    with memory_in() as other:
        moved = other.load(memory.export())
        assert moved.known is not None and list(moved.known) == [*instants(memory)][:: len([*instants(memory)]) - 1]
        with other._store.journal.reading() as snapshot:
            origins = {event.origin for event in snapshot.events()}
        assert origins == {memory._store.journal.id} != {other._store.journal.id}


BROKEN = {
    "not json": ("{", "it is not JSON"),
    "a list": ("[]", "it is not an object"),
    "unknown": ('{"verse": {}}', "it is none of event"),
    "no fields": ('{"event": {}}', "the transaction before it is not whole"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_bad_line_is_named_and_its_transaction_left_out(memory: Memory, name: str) -> None:
    lines = list(memory.export())
    bad, why = BROKEN[name]
    last = max(at for at, line in enumerate(lines) if line.startswith('{"event"'))
    with memory_in() as other:
        with pytest.raises(InvalidArgument, match=f"line {last + 1}: {why}"):
            other.load([*lines[:last], bad, *lines[last + 1 :]])
        kept = other._store.journal.head()
        assert 0 < kept < memory._store.journal.head()
        assert other.load(lines).already == kept  # what was kept is whole: the rest goes on from there


def test_an_event_that_no_view_could_be_built_from_is_refused(memory: Memory) -> None:
    lines = list(memory.export())
    at = next(at for at, line in enumerate(lines) if '"claim.recorded"' in line)
    event = json.loads(lines[at])
    del event["event"]["body"]["claim"]["provenance"]
    with memory_in() as other:
        with pytest.raises(InvalidArgument, match=f"line {at + 1}:"):
            other.load([*lines[:at], json.dumps(event), *lines[at + 1 :]])
        assert other.search("spare key").hits == ()


def test_a_file_that_was_cut_off_is_noticed(memory: Memory) -> None:
    lines = list(memory.export())
    with memory_in() as other, pytest.raises(InvalidArgument, match="ends before its end line"):
        other.load(lines[:-2])


def test_a_store_with_another_history_is_left_alone(memory: Memory) -> None:
    with memory_in() as other:
        other.store("Ben drinks tea.")
        before = list(other.export())
        with pytest.raises(Conflict, match="another history"):
            other.load(memory.export())
        assert list(other.export()) == before


def test_a_newer_export_is_refused(memory: Memory) -> None:
    head = {**json.loads(next(memory.export())), "version": 99}
    with memory_in() as other, pytest.raises(StoreNewer):
        other.load([json.dumps(head)])


def test_anothers_export_is_taken_in_only_where_it_is_said_whose_it_is(memory: Memory) -> None:
    lines = list(memory.export())
    with Memory.open(":memory:", user="eve", settings=memory.settings) as other:
        with pytest.raises(Forbidden) as refused:
            other.load(lines)
        assert (refused.value.field, other.stats()["events"]) == ("owner", 0)
        with pytest.raises(Forbidden):
            other.load(lines, owner="ben")
        assert other.load(lines, owner=memory.user).events == memory.stats()["events"]


def test_what_was_erased_stays_so_when_the_file_still_has_it(memory: Memory) -> None:
    lines = list(memory.export())
    with memory_in() as other:
        other.load(lines)
        other.erase(episode=other.get(1).node_id)
        again = other.load(lines)
        assert again.events == 0 and again.erased > 0 and again.as_dict()["stay_erased"] == again.erased
        memory.store("Ben drinks tea.")
        with pytest.raises(Conflict, match="gone on by itself since event") as refused:
            other.load(memory.export())
        assert "erased" in (refused.value.hint or "")
