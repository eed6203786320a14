"""A memory whose texts are read by a model: from the settings to what is believed, and why."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from tests.extraction.model.server import Reply, Script, scripted

from hornbook.graph.errors import InvalidArgument
from hornbook.memory import Memory
from hornbook.opening import extractor_of
from hornbook.settings import Extraction, read

HOME = {"subject": "I", "predicate": "lives in", "value": "Oslo", "quote": "I live in Oslo"}


@contextmanager
def memory_with(*replies: Reply | str | dict[str, Any]) -> Iterator[tuple[Memory, Script]]:
    """A memory whose model answers from a script."""
    with scripted(*replies) as server:
        environ = {
            "HORNBOOK_EXTRACTION__MODEL": "home-made",
            "HORNBOOK_EXTRACTION__BASE_URL": server.url,
            "HORNBOOK_EXTRACTION__RETRIES": "0",
            "HORNBOOK_EMBEDDING__PROVIDER": "static",
        }
        with Memory.open(":memory:", user="ana", settings=read(environ=environ)) as memory:
            yield memory, server


def answer(*claims: dict[str, Any], entities: Any = ()) -> dict[str, Any]:
    """An answer with these claims."""
    return {"claims": list(claims), "entities": list(entities)}


def test_what_a_user_says_is_asserted_by_the_user_and_read_by_the_model() -> None:
    with memory_with(answer(HOME)) as (memory, server):
        done = memory.ingest("I live in Oslo.", occurred_at="2024-04-02")
        told = memory.claim_at(done.claims[0].claim_ref).as_dict()

        assert ("Resolved", "Oslo") == ((now := memory.believe("ana", "lives_in")).status, now.value)
        assert {"type": "External", "kind": "UserAsserted"} == told["provenance"]
        assert ("litellm openai/home-made / prompt 1", "I live in Oslo") == (told["extractor"], told["evidence"])
        assert "Speaker: ana" in server.seen[0]["messages"][1]["content"]


def test_what_the_model_knows_beyond_the_text_never_stands_against_what_is_said() -> None:
    country = {**HOME, "predicate": "nationality", "value": "Norwegian"}
    with memory_with(answer(HOME, country), answer({**country, "value": "Dane", "quote": "I am a Dane"})) as (
        memory,
        _,
    ):
        first = memory.ingest("I live in Oslo.", occurred_at="2024-04-02")
        memory.ingest("I am a Dane.", occurred_at="2024-05-02")

        assert "CommittedInferred" == first.claims[1].disposition.value
        assert "Dane" == memory.believe("ana", "nationality").value


def test_a_move_closes_what_was_and_the_past_stays_answerable() -> None:
    moved = {**HOME, "value": "Bergen", "quote": "I moved to Bergen in May 2024", "when": "in May 2024",
             "intent": "update", "tense": "past"}  # fmt: skip
    with memory_with(answer(HOME), answer(moved)) as (memory, _):
        memory.ingest("I live in Oslo.", occurred_at="2023-04-02")
        memory.ingest("I moved to Bergen in May 2024.", occurred_at="2024-06-01")

        assert "Bergen" == memory.believe("ana", "lives_in").value
        assert "Oslo" == memory.believe("ana", "lives_in", valid_at="2024-01-01").value
        assert [] == list(memory.contested().lines)


def test_two_people_who_disagree_are_contested_and_nothing_is_picked() -> None:
    said = {"subject": "Lena", "predicate": "born_in", "quote": "Lena was born in"}
    with memory_with(answer({**said, "value": "Oslo"}), answer({**said, "value": "Bergen"})) as (memory, _):
        memory.ingest("Lena was born in Oslo.", role="participant", speaker="Ben")
        memory.ingest("Lena was born in Bergen.", role="participant", speaker="Cleo")

        assert ("Contested", None) == ((now := memory.believe("Lena", "born_in")).status, now.value)


@pytest.mark.parametrize(
    "name", ["\u738b\u4f1f", "\u0623\u062d\u0645\u062f", "\u041e\u043b\u044c\u0433\u0430", "Zo\u00eb"]
)
def test_names_keep_their_script(name: str) -> None:  # mem0ai/mem0#3206
    text = f"{name} \u2192 \u5317\u4eac"
    claim = {"subject": name, "predicate": "lives_in", "value": "\u5317\u4eac", "quote": text}
    with memory_with(answer(claim, entities=[{"name": name, "type": "person"}])) as (memory, _):
        done = memory.ingest(text, occurred_at="2024-04-02")

        assert ["\u5317\u4eac"] == [outcome.value for outcome in done.claims]
        assert name == memory.entity(name).entity.name


def test_a_quote_that_is_not_there_is_named_in_the_reply() -> None:
    with memory_with(answer(HOME, {**HOME, "value": "Rome", "quote": "I love Rome"})) as (memory, _):
        done = memory.ingest("I live in Oslo.").as_dict()

        assert {"stored": 1, "extracted": 1, "failed": 1} == done["counts"]
        assert "does not hold the quote" in done["failed"][0]["message"]


def test_an_answer_that_is_no_answer_leaves_the_text_and_says_so() -> None:
    with memory_with("Lovely!") as (memory, _):
        done = memory.ingest("I live in Oslo.")

        assert ("stored", "unavailable") == (done.status, done.failed[0]["code"])
        assert "I live in Oslo." == memory.search("Where do I live?").hits[0].content


def test_the_settings_choose_the_extractor() -> None:
    assert "SpacyExtractor" == type(extractor_of(Extraction())).__name__
    assert "SpacyExtractor" == type(extractor_of(Extraction(provider="offline"))).__name__
    named = extractor_of(Extraction(provider="anthropic", model="claude-x"))
    assert "LLMExtractor('litellm anthropic/claude-x / prompt 1')" == repr(named)
    with pytest.raises(InvalidArgument) as told:
        extractor_of(Extraction(provider="openai"))
    assert "HORNBOOK_EXTRACTION__MODEL" == told.value.field
