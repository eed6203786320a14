"""Kin whom nobody has named yet are somebody, and the same somebody once they are."""

from collections.abc import Iterator

import pytest
from tests.graph.claims.conftest import small

from hornbook.extraction.candidate import Passage
from hornbook.extraction.offline.spacy_extractor import SpacyExtractor
from hornbook.memory import Memory


@pytest.fixture
def memory() -> Iterator[Memory]:
    with small(extractor=SpacyExtractor()) as one:
        yield one


def said(memory: Memory, text: str) -> None:
    memory.ingest(text, speaker="Ana", occurred_at="2024-04-02")


def test_what_was_said_of_my_sister_is_known_of_maria_once_she_is_named(memory: Memory) -> None:
    said(memory, "My sister lives in Rome.")
    assert "Rome" == memory.believe("Ana's sister", "lives_in").value

    said(memory, "My sister Maria loves chess.")
    assert "Rome" == memory.believe("Maria", "lives_in").value
    assert "chess" == memory.believe("Ana's sister", "likes").value


def test_a_second_sister_is_somebody_else(memory: Memory) -> None:
    said(memory, "My sister Maria lives in Rome.")
    said(memory, "My sister Eva lives in Oslo.")

    assert ("Rome", "Oslo") == (memory.believe("Maria", "lives_in").value, memory.believe("Eva", "lives_in").value)
    assert memory.entity("Maria").entity.id != memory.entity("Eva").entity.id
    assert () == memory.contested().lines


@pytest.mark.parametrize(
    "text",
    [
        "My sister Maria lives in Rome.",
        "Maria is my sister.",
        "My sister's name is Maria.",
        "My sister is called Maria.",
    ],
)
def test_whoever_is_named_is_also_called_by_whose_kin_they_are(text: str) -> None:
    (maria,) = [one for one in SpacyExtractor().extract(Passage(text, "Ana")).mentions if one.name == "Maria"]
    assert ("Ana's sister",) == maria.aliases


@pytest.mark.parametrize("text", ["Tom's sister Maria left.", "Maria met my sister.", "My ex wife Maria left."])
def test_nobody_else_is(text: str) -> None:
    mentions = SpacyExtractor().extract(Passage(text, "Ana")).mentions
    assert not any("Ana's" in alias for one in mentions for alias in one.aliases)
