"""Records over their lives: what is added is found, what is revised keeps its past, what is deleted stays deleted."""

from dataclasses import replace
from typing import Any

import pytest
from tests.records.shelves import says, shelves

from hornbook.extraction.candidate import Extraction
from hornbook.graph.claim import Intent
from hornbook.graph.errors import Conflict, HornbookError, InvalidArgument, NotFound
from hornbook.memory import Memory

BERLIN, MUNICH, OSLO = "I live in Berlin.", "I live in Munich.", "I live in Oslo."
HOMES = {text: says(text, "lives_in", text[10:-1]) for text in (BERLIN, MUNICH, OSLO)}


def contents(memory: Memory, **given: Any) -> list[str]:
    return [record.content for record in memory.list(**given).records]


def home(memory: Memory, **given: Any) -> Any:
    primary = memory.believe("ana", "lives_in", **given).belief.primary
    return primary.value if primary else None


def test_each_message_of_a_list_becomes_a_record_with_a_number_of_its_own() -> None:
    with shelves() as memory:
        said = [{"role": "user", "content": "Which glaze?", "name": "Ben"}, {"role": "assistant", "content": "Copper."}]
        added = memory.add(said, run="r-1", metadata={"deck": 3})

        assert [1, 2] == [one.record.memory_id for one in added]
        assert [("Which glaze?", "user", "Ben"), ("Copper.", "assistant", None)] == [
            (record.content, record.role, record.speaker) for record in memory.list(run="r-1").records
        ]


@pytest.mark.parametrize(
    ("messages", "field"),
    [
        (" ", "messages"),
        ([], "messages"),
        ({"role": "user"}, "messages.content"),
        ([{"content": "x"}, {"role": "alien", "content": "y"}], "messages.1.role"),
        ([{"content": "x"}, {"content": ""}], "messages.1.content"),
        (7, "messages"),
    ],
)
def test_nothing_is_added_when_one_message_is_wrong(messages: Any, field: str) -> None:
    with shelves() as memory:
        with pytest.raises(InvalidArgument) as refused:
            memory.add(messages)

        assert (refused.value.field, memory.list().total) == (field, 0)


def test_a_revision_keeps_the_number_and_the_past() -> None:
    with shelves() as memory:
        (added,) = memory.add("Prefers tea with milk", metadata={"tone": "calm"})
        before = memory.list().as_known
        revised = memory.update(added.record.memory_id, "Prefers mate")

        assert (revised.memory_id, revised.node_id) == (added.record.memory_id, added.record.node_id)
        assert revised.metadata == {"tone": "calm"}
        assert revised.created_at < revised.updated_at
        assert ["Prefers mate"] == contents(memory)
        assert ["Prefers tea with milk"] == contents(memory, knowledge_at=before)
        then = memory.search_records("tea with milk", knowledge_at=before)
        assert ["Prefers tea with milk"] == [record.content for record in then.records]
        assert () == memory.search_records("tea with milk", threshold=0.9).records
        assert "Prefers mate" == memory.get(revised.node_id).content


def test_a_revision_of_metadata_alone_leaves_the_claims_alone() -> None:
    with shelves(HOMES) as memory:
        (added,) = memory.add(BERLIN, metadata={"seen": 1})
        before = memory.believe("ana", "lives_in").belief.primary
        memory.update(added.record.memory_id, BERLIN, metadata={"seen": 2})

        assert before == memory.believe("ana", "lives_in").belief.primary
        assert {"seen": 2} == memory.get_record(1).metadata


def test_a_revision_contests_nothing_that_only_the_old_text_said() -> None:
    with shelves(HOMES) as memory:
        (added,) = memory.add(BERLIN)
        before = memory.list().as_known
        memory.update(added.record.memory_id, MUNICH)

        assert ("Munich", "Berlin") == (home(memory), home(memory, knowledge_at=before))
        assert not memory.contested().as_dict()["lines"]


def test_a_record_that_was_not_read_is_not_read_when_it_is_revised() -> None:
    with shelves(HOMES) as memory:
        (added,) = memory.add(BERLIN, infer=False)
        memory.update(added.record.memory_id, MUNICH)

        assert home(memory) is None


def test_a_claim_that_a_deleted_record_alone_supported_is_no_longer_believed() -> None:
    with shelves(HOMES) as memory:
        (added,) = memory.add(BERLIN)
        before = memory.list().as_known
        deleted = memory.delete(added.record.memory_id)

        assert (deleted.deleted, deleted.claims) == (1, 1)
        assert (None, "Berlin") == (home(memory), home(memory, knowledge_at=before))
        (told,) = memory.history("ana", "lives_in")
        assert "Invalidated" in str(told.as_dict())


def test_a_claim_that_another_record_supports_too_stays() -> None:
    with shelves(HOMES) as memory:
        (first, second) = (*memory.add(BERLIN), *memory.add(BERLIN))
        memory.delete(first.record.memory_id)

        assert "Berlin" == home(memory)
        memory.delete(second.record.memory_id)
        assert home(memory) is None


def test_deleting_one_side_ends_the_contest() -> None:
    sides = {text: says(text, "birthplace", text[10:-1]) for text in (BERLIN, MUNICH)}
    with shelves(sides) as memory:
        memory.claim("ana", "birthplace", "Berlin")
        (added,) = memory.add({"role": "participant", "name": "ana", "content": MUNICH})
        assert memory.contested().as_dict()["lines"]
        memory.delete(added.record.memory_id)

        assert not memory.contested().as_dict()["lines"]
        assert "Berlin" == memory.believe("ana", "birthplace").belief.primary.value  # type: ignore[union-attr]  # one


def test_what_a_deleted_record_had_closed_is_open_again() -> None:
    moved = {**HOMES, MUNICH: says(MUNICH, "lives_in", "Munich", intent=Intent.UPDATE)}
    with shelves(moved) as memory:
        memory.add(BERLIN, occurred_at="2020-01-01")
        (added,) = memory.add(MUNICH, occurred_at="2022-01-01")
        assert ("Munich", "Berlin") == (home(memory), home(memory, valid_at="2021"))
        memory.delete(added.record.memory_id)

        assert "Berlin" == home(memory)


def test_deleted_means_gone_everywhere_but_in_the_past() -> None:
    with shelves() as memory:
        (added,) = memory.add("Owns a barometer")
        before = memory.list().as_known
        memory.delete(added.record.memory_id)

        for look in (memory.get_record, memory.get, memory.delete):
            with pytest.raises(NotFound):
                look(added.record.memory_id)
        assert ([], ["Owns a barometer"]) == (contents(memory), contents(memory, knowledge_at=before))
        assert not memory.search("barometer").hits and not memory.search("barometer", include_inactive=True).hits
        assert memory.search("barometer", knowledge_at=before).hits


def test_nothing_of_a_deleted_record_is_found_whatever_is_asked_for() -> None:
    with shelves(HOMES) as memory:
        memory.add(BERLIN)
        memory.update(1, MUNICH)
        memory.delete(1)

        for question in ("Berlin", "Munich", "where does ana live"):
            assert not memory.search(question, include_inactive=True).hits
        assert "Munich" not in memory.context("where does ana live?").text


def test_a_number_is_never_given_again() -> None:
    with shelves() as memory:
        memory.add("one")
        memory.delete(1)

        assert 2 == memory.add("two")[0].record.memory_id


def test_an_archived_record_is_not_listed_and_cannot_be_revised() -> None:
    with shelves() as memory:
        (added,) = memory.add("Owns a barometer")
        memory.archive(added.record.node_id)

        assert [] == contents(memory)
        with pytest.raises(Conflict):
            memory.update(1, "Owns two")


def test_a_record_that_is_a_claim_can_be_revised_and_is_found() -> None:
    with shelves() as memory:
        stored = memory.store(
            "The gate code is 4.", node_type="fact", subject="gate", predicate="code", value=4, source="doc"
        )
        memory.update(stored.node_id, "The gate has no code.")

        assert ["The gate has no code."] == contents(memory)
        assert memory.search("gate").hits
        assert memory.believe("gate", "code").belief.primary is None


def test_one_of_an_idempotency_key_is_one_record() -> None:
    with shelves() as memory:
        first, again = memory.add("one", idempotency_key="k"), memory.add("one", idempotency_key="k")

        assert first[0].record.memory_id == again[0].record.memory_id
        assert (False, True, 1) == (first[0].already, again[0].already, memory.list().total)


def test_what_was_deleted_is_not_brought_back_by_its_key() -> None:
    with shelves() as memory:
        memory.add("one", idempotency_key="k")
        memory.delete(1)
        with pytest.raises(Conflict):
            memory.add("one", idempotency_key="k")

        assert [] == contents(memory)


SCOPES = [("a-1", "r-1"), ("a-1", "r-2"), ("a-2", "r-1"), (None, None)]


@pytest.mark.parametrize("agent", [None, "a-1", "a-2", "a-9"])
@pytest.mark.parametrize("run", [None, "r-1", "r-9"])
def test_agents_and_runs_narrow_every_tool_alike(agent: str | None, run: str | None) -> None:
    with shelves() as memory:
        for whose, which in SCOPES:
            memory.add(f"Pump of {whose} in {which}", agent=whose, run=which)
        expected = [
            f"Pump of {whose} in {which}" for whose, which in SCOPES if agent in (None, whose) and run in (None, which)
        ]

        assert expected == contents(memory, agent=agent, run=run)
        found = memory.search_records("pump", agent=agent, run=run)
        assert set(expected) == {record.content for record in found.records}
        assert len(expected) == memory.delete_all(user="ana", agent=agent, run=run, dry_run=True).deleted
        assert len(expected) == memory.delete_all(user="ana", agent=agent, run=run).deleted
        assert len(SCOPES) - len(expected) == memory.list().total


def test_another_agents_record_is_not_found() -> None:
    with shelves() as memory:
        memory.add("Pump", agent="a-1")
        looks = (
            lambda: memory.get_record(1, agent="a-2"),
            lambda: memory.update(1, "x", agent="a-2"),
            lambda: memory.delete(1, agent="a-2"),
        )
        for look in looks:
            with pytest.raises(NotFound):
                look()
        assert "Pump" == memory.get_record(1, agent="a-1").content


def test_deleting_all_takes_ingested_texts_along_and_counts_what_it_takes() -> None:
    with shelves(HOMES) as memory:
        memory.add("Owns a sextant", infer=False)
        memory.ingest(BERLIN)
        memory.claim("Ana", "likes", "tea")
        tried = memory.delete_all(user="ana", dry_run=True)
        assert memory.search("Berlin").hits and memory.list().total == 1
        done = memory.delete_all(user="ana")

        assert (1, 2, (1,)) == (done.deleted, done.texts, done.memory_ids)
        assert replace(tried, dry_run=False) == done and done.claims >= 1
        assert not memory.search("Berlin").hits and home(memory) is None
        assert "tea" == memory.believe("Ana", "likes").value  # it was told without a text
        assert (0, 0) == tuple(memory.stats()[what] for what in ("episodes", "memories"))
        assert 0 == memory.delete_all(user="ana").texts


def test_deleting_a_run_leaves_the_texts_of_others() -> None:
    with shelves() as memory:
        memory.add("Pump", run="r-1")
        memory.ingest("The gate has a code.", session="s-1")
        assert (1, 1) == (memory.delete_all(run="r-1").deleted, memory.stats()["episodes"])
        assert memory.search("gate").hits


def test_everything_is_deleted_in_short_transactions() -> None:
    with shelves() as memory:
        for at in range(40):
            memory.add(f"Instrument {at}", infer=False)
        sizes: dict[int, int] = {}
        head = memory.stats()["events"]
        assert 40 == memory.delete_all(user="ana").deleted
        with memory._store.reading() as reading:
            for event in reading.snapshot.events(head):
                sizes[event.txn] = sizes.get(event.txn, 0) + 1

        assert max(sizes.values()) <= 64
        assert 0 == memory.list().total


@pytest.mark.parametrize("given", [{}, {"user": "ben"}])
def test_deleting_all_needs_a_scope_that_is_this_memorys(given: dict[str, str]) -> None:
    with shelves() as memory:
        memory.add("Owns a sextant")
        with pytest.raises(InvalidArgument):
            memory.delete_all(**given)  # type: ignore[arg-type]  # only texts

        assert 1 == memory.list().total


def test_pages_walk_every_record_once_though_others_are_added() -> None:
    with shelves() as memory:
        for at in range(5):
            memory.add(f"Record {at}", infer=False)
        first = memory.list(limit=2)
        memory.add("Record 5", infer=False)
        rest = [*memory.list(limit=2, offset=2).records, *memory.list(limit=2, offset=4).records]

        assert [f"Record {at}" for at in range(6)] == [record.content for record in (*first.records, *rest)]
        assert {"next_offset": 2, "total": 5}.items() <= first.as_dict().items()


def test_a_failed_extraction_keeps_the_record() -> None:
    class Broken:
        name = "broken 1"

        def extract(self, passage: object) -> Extraction:
            raise RuntimeError("no")

        def extract_many(self, passages: Any) -> Any:
            raise RuntimeError("no")

    with shelves() as memory:
        memory._extractor = Broken()
        (added,) = memory.add("Prefers tea")
        memory.update(1, "Prefers mate")

        assert added.ingested is not None and added.ingested.status == "stored"
        assert ["Prefers mate"] == contents(memory)


def test_a_record_whose_reading_was_cut_off_is_read_by_the_next_run() -> None:
    class Cut:
        name = "cut 1"

        def extract(self, passage: object) -> Extraction:
            raise KeyboardInterrupt

        def extract_many(self, passages: Any) -> Any:
            raise KeyboardInterrupt

    with shelves(HOMES) as memory:
        sound, memory._extractor = memory._extractor, Cut()
        with pytest.raises(KeyboardInterrupt):
            memory.add(BERLIN)
        memory._extractor = sound
        assert (None, [BERLIN]) == (home(memory), contents(memory))
        memory.organize(["reextract"])

        assert "Berlin" == home(memory)


def test_revising_and_deleting_survive_a_rebuilt_view(tmp_path: Any) -> None:
    with shelves(HOMES) as memory:
        memory.add(BERLIN)
        memory.update(1, MUNICH)
        memory.add(OSLO, infer=False)
        memory.delete(2)
        before = (contents(memory), home(memory), memory.stats())
        memory._store.discard_view()
        memory._index = None

        assert before == (contents(memory), home(memory), memory.stats())


def test_errors_carry_a_code() -> None:
    with shelves() as memory:
        for call in (lambda: memory.get_record("x1"), lambda: memory.search_records("x", threshold=5)):
            with pytest.raises(HornbookError) as refused:
                call()
            assert "invalid_argument" == refused.value.code
