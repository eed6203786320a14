"""The pipeline with a scripted extractor: nothing is lost, failures wait, a better extractor corrects its own only."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

import pytest

from hornbook.extraction.candidate import Candidate, Extraction, Mention, Passage
from hornbook.extraction.scripted import ScriptedExtractor
from hornbook.graph.claim import Intent
from hornbook.graph.errors import ExtractionError, NotFound
from hornbook.memory import Memory

OSLO = Candidate("Ana", "lives_in", "Oslo", "Ana lives in Oslo", "person", "place")
BERGEN = replace(OSLO, value="Bergen", quote="Ana lives in Bergen")
TEA = Candidate("Ana", "likes", "tea", "Ana likes tea")


def said(*candidates: Candidate, name: str = "scripted 1") -> Extraction:
    """An extraction with these claims."""
    return Extraction((), candidates, name)


def memory_with(script: dict[str, Extraction] | None = None) -> Memory:
    """A memory whose extractor knows these texts."""
    return Memory.open(":memory:", user="ana", extractor=ScriptedExtractor(script or {}))


class Failing:
    """An extractor that raises on texts that say so."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def extract(self, passage: Passage) -> Extraction:
        """Nothing, or the error."""
        if "fail" in passage.text:
            raise self.error
        return said(replace(OSLO, quote=passage.text))

    def extract_many(self, passages: Iterable[Passage]) -> Iterator[Extraction]:
        """Each in turn: the first that fails breaks it off."""
        return (self.extract(passage) for passage in passages)


def test_a_failed_extraction_keeps_the_text_and_waits_to_be_retried() -> None:
    with Memory.open(":memory:", user="ana", extractor=Failing(ExtractionError("no model"))) as memory:
        kept = memory.ingest("Please fail.")

        assert ("stored", "no model") == (kept.status, kept.failed[0]["message"])
        assert {"stored": 1, "extracted": 0, "failed": 1} == kept.as_dict()["counts"]
        assert "Please fail." == memory.get(kept.event_id).content
        again = memory.retry_extraction()
        assert (1, 1) == (again.texts, again.failed)
        memory._extractor = ScriptedExtractor({"Please fail.": said(OSLO)})
        assert (1, 1) == ((done := memory.retry_extraction()).extracted, done.claims)
        assert 0 == memory.retry_extraction().texts
        assert "Oslo" == memory.believe("Ana", "lives_in").value


def test_only_so_many_are_retried_and_the_oldest_first() -> None:
    with Memory.open(":memory:", user="ana", extractor=Failing(ExtractionError("no model"))) as memory:
        memory.ingest_many([f"fail {number}" for number in range(5)])
        memory._extractor = ScriptedExtractor({})
        done: list[str] = []

        assert 2 == memory.retry_extraction(2, each=lambda one: done.append(one.event_id)).texts
        assert ["fail 0", "fail 1"] == [memory.get(id_).content for id_ in done]
        assert 3 == memory.retry_extraction().texts


@pytest.mark.parametrize("error", [ExtractionError("no model"), ZeroDivisionError("oops"), MemoryError()])
def test_in_a_batch_only_the_culprit_fails(error: Exception) -> None:
    with Memory.open(":memory:", user="ana", extractor=Failing(error)) as memory:
        tally = memory.ingest_many([f"text {number}" if number != 7 else "fail" for number in range(20)])

        assert (20, 20, 19, 1) == (tally.texts, tally.stored, tally.extracted, tally.failed)
        assert "oops" not in str(tally.failures)


def test_a_long_text_is_read_in_pieces_and_what_two_of_them_say_is_one_claim() -> None:
    class Reading(ScriptedExtractor):
        def extract(self, passage: Passage) -> Extraction:
            lengths.append(len(passage.text))
            return said(OSLO)

    lengths: list[int] = []
    with Memory.open(":memory:", user="ana", extractor=Reading({})) as memory:
        done = memory.ingest("Ana lives in Oslo. " * 1_000)

    assert len(lengths) > 2 and max(lengths) <= 6_000
    assert 1 == len(done.claims)


def test_of_a_long_text_what_could_be_read_is_kept_and_the_rest_waits() -> None:  # getzep/graphiti#1869
    text = "Ana lives in Oslo. " * 500 + "Please fail here. " + "Ana lives in Oslo. " * 500

    class Reading(Failing):
        def extract(self, passage: Passage) -> Extraction:
            super().extract(passage)
            return said(OSLO)

    with Memory.open(":memory:", user="ana", extractor=Reading(ExtractionError("no model"))) as memory:
        done = memory.ingest(text)

        assert ("partly", 1) == (done.status, len(done.claims))
        assert ["no model"] == [one["message"] for one in done.failed]
        assert 1 < done.failed[0]["part"] < done.failed[0]["of"]
        assert "Oslo" == memory.believe("Ana", "lives_in").value
        again = memory.retry_extraction()
        assert (1, 0) == (again.failed, again.claims), "what was read is not taken away, nor said twice"
        memory._extractor = ScriptedExtractor([said(TEA)] * 9)
        assert 1 == memory.retry_extraction().extracted
        assert ("NoBelief", "tea") == (memory.believe("Ana", "lives_in").status, memory.believe("Ana", "likes").value)
        assert 0 == memory.retry_extraction().texts


def test_a_dry_run_shows_what_the_gate_would_do_and_keeps_nothing() -> None:
    with memory_with({"a": said(OSLO), "b": said(BERGEN)}) as memory:
        memory.ingest("a", speaker="Bob")
        before = memory.stats()
        shown = memory.ingest("b", speaker="Cy", dry_run=True)
        many = memory.ingest_many(["b", "c"], dry_run=True, speaker="Cy")

        assert "Contested" == shown.claims[0].disposition.value
        assert (2, 0, 1) == (many.texts, many.stored, many.claims)
        assert before == memory.stats()


# -- again, with a better extractor ---------------------------------------------------------------------------------


def test_a_better_extractor_supersedes_what_it_does_not_say_again_and_contests_nothing() -> None:
    with memory_with({"t": said(OSLO, TEA)}) as memory:
        kept = memory.ingest("t", occurred_at="2024-01-01")
        tea = memory.believe("Ana", "likes").primary.held.id
        memory._extractor = ScriptedExtractor({"t": said(BERGEN, TEA, name="scripted 2")})
        again = memory.reextract(kept.event_id)

        assert ["Bergen"] == [outcome.value for outcome in again.claims]
        assert "CommittedCheap" == again.claims[0].disposition.value
        assert ("Resolved", "Bergen") == ((now := memory.believe("Ana", "lives_in")).status, now.value)
        assert tea == memory.believe("Ana", "likes").primary.held.id
        assert [] == list(memory.contested().lines)


def test_extracting_again_with_the_same_extractor_changes_nothing() -> None:
    with memory_with({"t": said(OSLO, TEA)}) as memory:
        kept = memory.ingest("t")
        before = memory.stats()["claims"]

        assert () == memory.reextract(kept.event_id).claims
        assert before == memory.stats()["claims"]


def test_what_a_misreading_closed_is_open_again() -> None:
    moved = replace(BERGEN, intent=Intent.UPDATE, quote="Ana moved to Bergen")
    script = {"old": said(OSLO), "new": said(moved)}
    with memory_with(script) as memory:
        memory.ingest("old", occurred_at="2020-01-01")
        kept = memory.ingest("new", occurred_at="2023-01-01")
        assert "Bergen" == memory.believe("Ana", "lives_in").value
        memory._extractor = ScriptedExtractor({"new": said(TEA, name="scripted 2")})
        memory.reextract(kept.event_id)

        assert "Oslo" == memory.believe("Ana", "lives_in").value


def test_a_claim_of_another_text_is_left_alone() -> None:
    with memory_with({"one": said(OSLO), "two": said(OSLO)}) as memory:
        memory.ingest("one", source="a")
        kept = memory.ingest("two", source="b")
        memory._extractor = ScriptedExtractor({"two": said(name="scripted 2")})
        memory.reextract(kept.event_id)

        assert "Oslo" == memory.believe("Ana", "lives_in").value


def test_a_failed_second_extraction_takes_nothing_away() -> None:
    with memory_with({"fail": said(OSLO)}) as memory:
        kept = memory.ingest("fail")
        memory._extractor = Failing(ExtractionError("no model"))

        assert "stored" == memory.reextract(kept.event_id).status
        assert "Oslo" == memory.believe("Ana", "lives_in").value


def test_a_text_that_is_not_here_cannot_be_read_again() -> None:
    with memory_with() as memory, pytest.raises(NotFound):
        memory.reextract("01a22e32-70b0-7e2b-a9d9-e0568481cc85")


# -- who says it ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("role", "concluded", "provenance"),
    [
        ("user", False, "External:UserAsserted"),
        ("participant", False, "External:UserAsserted"),
        ("tool", False, "External:ExternalFirstHand"),
        ("assistant", False, "ModelDerived"),
        ("system", False, "ModelDerived"),
        ("user", True, "ModelDerived"),
    ],
)
def test_provenance_is_the_speakers_and_a_conclusion_is_the_models(role: str, concluded: bool, provenance: str) -> None:
    with memory_with({"t": said(replace(OSLO, concluded=concluded))}) as memory:
        done = memory.ingest("t", role=role)
        told = memory.claim_at(done.claims[0].claim_ref).as_dict()

    assert (provenance, "scripted 1") == (":".join(told["provenance"].values()), told["extractor"])


def test_our_own_answers_fed_back_do_not_multiply_what_is_known() -> None:  # mem0ai/mem0#4573
    with Memory.open(":memory:", user="ana") as memory:
        memory.ingest("I live in Oslo. Bob works for Acme.", occurred_at="2024-01-05")
        memory.ingest("I like green tea.", occurred_at="2024-02-05")
        before = memory.stats()["claims"]
        for number in range(20):
            text = memory.context("Where does ana live, and what does Bob do?", token_budget=250).text
            memory.ingest(text, role="assistant", session=f"s{number}")
            memory.ingest("You live in Oslo. Bob works for Acme.", role="assistant", session=f"s{number}")

        counts = memory.stats()["claims"]
        assert ("Resolved", "Oslo") == ((now := memory.believe("ana", "lives_in")).status, now.value)
        assert counts - before <= 2, "only what the answers add in words of their own, and once"


def test_mentions_become_entities_with_their_other_names() -> None:
    city = Mention("New York City", "place", 0, 3, ("NYC",))
    with memory_with({"NYC": Extraction((city,), (), "scripted 1")}) as memory:
        memory.ingest("NYC")

        assert "New York City" == memory.entity("nyc").entity.name
