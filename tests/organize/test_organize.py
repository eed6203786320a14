"""Maintenance: what each job does and leaves alone, inside its budget, and what it says."""

from typing import Any

import pytest
from tests.records.shelves import says, shelves

from hornbook.extraction.candidate import Extraction
from hornbook.graph.clock import DAY, Clock, microseconds
from hornbook.graph.errors import InvalidArgument
from hornbook.graph.organize.extract_summary import extract_summary
from hornbook.graph.organize.run import JOBS
from hornbook.memory import Memory

NAMES = (*(name for name, _ in JOBS), "reextract")


class Days:
    """A clock that can be put forward."""

    def __init__(self) -> None:
        from datetime import UTC, datetime

        self.now = microseconds(datetime(2026, 1, 1, tzinfo=UTC))

    def __call__(self) -> int:
        """A millisecond later with every look."""
        self.now += 1_000
        return self.now

    def later(self, days: float) -> None:
        """Put it forward."""
        self.now += int(days * DAY)


def did(memory: Memory, job: str, **given: Any) -> dict[str, Any]:
    (report,) = memory.organize([job], **given).reports
    return report.as_dict()


def states(memory: Memory) -> list[str]:
    return [record.lifecycle_state for record in memory.list().records]


def test_all_jobs_run_on_an_empty_memory_and_say_why_they_did_nothing() -> None:
    with shelves() as memory:
        organized = memory.organize().as_dict()

        assert (NAMES, []) == (tuple(organized["jobs_run"]), organized["left"])
        assert all(report["done"] and report["changed"] == 0 and report["why"] for report in organized["reports"])


def test_a_fresh_memory_is_left_as_it_is() -> None:
    with shelves() as memory:
        memory.add("The ferry leaves at six.")
        memory.claim("ferry", "leaves_at", "six")
        before = memory.stats()["events"]
        memory.organize()

        assert (before, ["tentative"]) == (memory.stats()["events"], states(memory))


@pytest.mark.parametrize("wrong", [["polish_brass"], ["decay", "Decay"]])
def test_an_unknown_job_is_refused_with_the_known_ones(wrong: list[str]) -> None:
    with shelves() as memory, pytest.raises(InvalidArgument) as refused:
        memory.organize(wrong)

    assert ("jobs", NAMES) == (refused.value.field, refused.value.valid)


@pytest.mark.parametrize("wrong", [-1, True, 10**9])
def test_a_budget_has_bounds(wrong: int) -> None:
    with shelves() as memory, pytest.raises(InvalidArgument) as refused:
        memory.organize(budget_ms=wrong)

    assert "budget_ms" == refused.value.field


def test_a_budget_of_nothing_does_nothing_and_says_what_is_left() -> None:
    with shelves() as memory:
        organized = memory.organize(budget_ms=0)

        assert ((), NAMES) == (organized.jobs_run, organized.left)


def test_a_job_goes_on_where_its_budget_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    from hornbook.graph.organize import work

    monkeypatch.setattr(work, "PAGE", 2)
    with shelves() as memory:
        for _ in range(6):
            memory.add("The same.", infer=False)
        seen, changed, rounds = 0, 0, 0
        while rounds < 100:
            rounds += 1
            report = did(memory, "deduplicate", budget_ms=1)
            seen, changed = seen + report["looked_at"], changed + report["changed"]
            if report["done"]:
                break

        assert (6, 5) == (seen, changed)
        assert 1 == states(memory).count("tentative")


def test_decay_counts_what_has_faded_and_changes_nothing() -> None:
    clock = Days()
    with shelves(clock=clock) as memory:
        memory.add("Long ago", infer=False)
        clock.later(61)
        memory.add("Just now", infer=False)
        before = memory.stats()["events"]
        report = did(memory, "decay")

        assert (2, 1, 0) == (report["looked_at"], report["faded"], report["changed"])
        assert before == memory.stats()["events"]


def test_a_memory_that_another_source_confirms_is_promoted_after_a_day() -> None:
    clock = Days()
    with shelves({"I live in Oslo.": says("I live in Oslo.", "lives_in", "Oslo")}, clock) as memory:
        memory.add("I live in Oslo.")
        memory.add("Nothing said.")
        memory.claim("ana", "lives_in", "Oslo", source="register", provenance="External:ExternalFirstHand")
        assert 0 == did(memory, "promote")["changed"]
        clock.later(2)

        assert 1 == did(memory, "promote")["changed"]
        assert ["stable", "tentative"] == states(memory)


def test_what_was_superseded_long_ago_is_archived() -> None:
    clock = Days()
    with shelves(clock=clock) as memory:
        for _ in range(2):
            memory.add("The same.", infer=False)
        did(memory, "deduplicate")
        assert (1, 0) == ((report := did(memory, "archive"))["looked_at"], report["changed"])
        clock.later(91)

        assert 1 == did(memory, "archive")["changed"]
        assert ["tentative"] == states(memory)


def test_two_identical_stores_are_one_after_deduplication() -> None:
    with shelves() as memory:
        for metadata in ({"deck": 1}, {"deck": 1}, {"deck": 2}):
            memory.store("The ferry leaves at six.", metadata=metadata)
        memory.store("The ferry leaves at six.", metadata={"deck": 1}, occurred_at="2024")

        assert 1 == did(memory, "deduplicate")["changed"]
        assert ["tentative", "superseded", "tentative", "tentative"] == states(memory)
        assert 0 == did(memory, "deduplicate")["changed"]


def test_an_entity_that_only_repeats_an_alias_is_merged() -> None:
    with shelves() as memory:
        memory.claim("Robert Smith", "lives_in", "Oslo")
        memory.claim("Bob", "age", 34)
        memory.alias("Robert Smith", "Bob")

        assert 1 == did(memory, "alias_resolve")["changed"]
        assert 34 == memory.believe("Robert Smith", "age").belief.primary.value  # type: ignore[union-attr]  # one line


def test_a_merge_that_would_contradict_is_left_to_people() -> None:
    with shelves() as memory:
        memory.claim("Robert Smith", "birthplace", "Oslo", source="one")
        memory.claim("Bob", "birthplace", "Bergen", source="two")
        memory.alias("Robert Smith", "Bob")
        before = memory.stats()["events"]
        report = did(memory, "alias_resolve")

        assert (0, 1) == (report["changed"], report["left_to_people"])
        assert before == memory.stats()["events"]


def test_what_was_parted_is_not_merged_again() -> None:
    with shelves() as memory:
        memory.claim("Robert Smith", "lives_in", "Oslo")
        memory.claim("Bob", "age", 34)
        memory.alias("Robert Smith", "Bob")
        merged = memory.merge("Robert Smith", memory.entity("Bob").entity.id, reason="same man")
        memory.part(merged.merge_id, reason="no, two men")

        assert 0 == did(memory, "alias_resolve")["changed"]


TURNS = [f"The pump on deck {at} needs a seal before the regatta." for at in range(9)]


def conversation(memory: Memory, turns: list[str] = TURNS) -> None:
    for at, turn in enumerate(turns):
        memory.ingest(turn, session="dock", speaker="Ben" if at % 2 else "Ana", role="participant")


def test_a_conversation_at_rest_is_summed_up_once_and_linked_to_its_turns() -> None:
    clock = Days()
    with shelves(clock=clock) as memory:
        conversation(memory)
        assert 0 == did(memory, "summarize")["changed"]
        clock.later(2)
        report = did(memory, "summarize")
        (summary,) = memory.list().records

        assert (1, "extractive", "summary") == (report["changed"], report["by"], summary.node_type)
        assert "regatta" in summary.content
        graph = memory.graph()
        assert 9 == sum(key == "sums" for _, _, key in graph.out_edges(summary.node_id, keys=True))
        assert 0 == did(memory, "summarize")["changed"]


def test_a_conversation_that_has_grown_is_summed_up_again_and_a_model_may_do_it() -> None:
    clock = Days()
    with shelves(clock=clock) as memory:
        conversation(memory)
        clock.later(2)
        did(memory, "summarize")
        conversation(memory, [f"More of {turn}" for turn in TURNS])
        clock.later(2)
        organized = memory.organize(["summarize"], summarise=lambda turns: f"{len(turns)} turns about a pump.")

        assert 1 == organized.reports[0].changed
        assert ["superseded", "tentative"] == states(memory)
        assert "18 turns about a pump." in memory.list().records[1].content


def test_a_summary_keeps_what_is_come_back_to() -> None:
    assert "The pump leaks by the seal." == extract_summary(["Hello!", "The pump leaks by the seal.", "The pump!"], 1)
    assert "" == extract_summary([])


def test_time_settles_disputes_when_they_are_looked_at_again() -> None:
    clock = Days()
    with shelves(clock=clock) as memory:
        memory.claim("gate", "code", 4, source="one", valid_from="2025", valid_to="2026-02", valid_time_confidence=1)
        memory.claim("gate", "code", 6, source="two", valid_from="2025", valid_time_confidence=1)
        assert memory.contested().as_dict()["lines"]
        assert 0 == did(memory, "consolidate")["changed"]
        clock.later(60)

        assert did(memory, "consolidate")["changed"]
        assert 6 == memory.believe("gate", "code").belief.primary.value  # type: ignore[union-attr]  # one line


def test_answers_from_outside_are_applied_where_an_oracle_is_set(tmp_path: Any) -> None:
    from tests.records.shelves import EMBEDDER

    answers: list[str] = []

    def later(_: object) -> str:
        return answers.pop()

    with Memory.open(tmp_path, user="ana", embedder=EMBEDDER, oracle=later, oracle_deadline=5) as memory:
        oracle, memory._oracle = memory._oracle, None  # nobody answers yet
        memory.claim("gate", "code", 4, source="one")
        memory.claim("gate", "code", 6, source="two")
        waiting = did(memory, "feedback_apply")
        assert (1, 0) == (waiting["looked_at"], waiting["changed"])
        memory._oracle = oracle
        answers.append("affirm")

        assert 1 == did(memory, "feedback_apply")["changed"]
        assert 6 == memory.believe("gate", "code").belief.primary.value  # type: ignore[union-attr]  # one line


def test_the_key_of_a_text_deleted_a_month_ago_is_given_free() -> None:
    clock = Days()
    with shelves(clock=clock) as memory:
        memory.add("one", idempotency_key="k", infer=False)
        memory.delete(1)
        assert 0 == did(memory, "tombstone_sweep")["changed"]
        clock.later(31)

        assert 1 == did(memory, "tombstone_sweep")["changed"]
        assert 2 == memory.add("one", idempotency_key="k", infer=False)[0].record.memory_id


def test_the_index_is_compacted_and_what_waits_is_embedded() -> None:
    with shelves() as memory:
        for at in range(40):
            memory.claim(f"thing {at}", "colour", "red")
        report = did(memory, "index_compaction")

        assert (40, True) == (report["embedded"], report["done"])
        assert memory.search("thing 7 colour").hits


def test_a_text_whose_extraction_failed_is_read_again() -> None:
    class Broken:
        name = "broken 1"

        def extract(self, passage: object) -> Extraction:
            raise RuntimeError("no")

        def extract_many(self, passages: Any) -> Any:
            raise RuntimeError("no")

    with shelves({"I live in Oslo.": says("I live in Oslo.", "lives_in", "Oslo")}) as memory:
        sound, memory._extractor = memory._extractor, Broken()
        memory.ingest("I live in Oslo.")
        assert (1, 0) == ((report := did(memory, "reextract"))["looked_at"], report["changed"])
        memory._extractor = sound

        assert 1 == did(memory, "reextract")["changed"]
        assert "Oslo" == memory.believe("ana", "lives_in").belief.primary.value  # type: ignore[union-attr]  # one line


def test_the_clock_of_the_tests_is_a_clock() -> None:
    clock: Clock = Days()

    assert clock() < clock()
