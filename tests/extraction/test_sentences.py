"""The sentences of sentences.json: what must be read in each, and what must not."""

import json
from pathlib import Path
from typing import Any

import pytest

from hornbook.extraction.candidate import Candidate, Extraction, Passage
from hornbook.extraction.offline.spacy_extractor import SpacyExtractor
from hornbook.graph.claim import Polarity
from hornbook.graph.dates import parse_moment

ROWS: list[dict[str, Any]] = json.loads(Path(__file__).with_name("sentences.json").read_text(encoding="utf-8"))
SAID = parse_moment("2024-04-02")


def facets(candidate: Candidate) -> set[str]:
    """Everything that a row can ask of a claim besides its three parts."""
    return {
        candidate.mood.value,
        candidate.intent.value,
        candidate.polarity.value if candidate.polarity is Polarity.HOLDS else "not",
        candidate.kind,
        "present" if candidate.present else "past",
        f"said by {candidate.speaker}",
        f"from {candidate.valid.start}",
        f"to {candidate.valid.end}",
        "dated" if candidate.valid.start or candidate.valid.end else "undated",
    }


def fits(wanted: str, candidate: Candidate) -> bool:
    """Whether a claim is what `subject | predicate | value | facet …` describes; * is anything."""
    parts = [part.strip() for part in wanted.split("|")]
    named = zip(parts[:3], (candidate.subject, candidate.predicate, str(candidate.value)), strict=True)
    return all(part in ("*", said) for part, said in named) and set(parts[3:]) <= facets(candidate)


def shown(candidate: Candidate) -> str:
    """A claim in the notation of the table."""
    three = f"{candidate.subject} | {candidate.predicate} | {candidate.value}"
    return " | ".join((three, *sorted(facets(candidate) - {"said by None", "from None", "to None"})))


def faults(row: dict[str, Any], extraction: Extraction) -> list[str]:
    """What is missing and what should not be there."""
    read = extraction.candidates
    missing = [f"missing: {wanted}" for wanted in row.get("expect", ()) if not any(fits(wanted, c) for c in read)]
    wrong = [f"forbidden: {shown(c)}" for pattern in row.get("forbid", ()) for c in read if fits(pattern, c)]
    return missing + wrong + [f"unwanted: {shown(c)}" for c in read if row.get("none")]


def passage_of(row: dict[str, Any]) -> Passage:
    """The row as a passage; said by Ana on 2 April 2024 unless it says otherwise."""
    return Passage(row["text"], row.get("speaker", "Ana"), SAID, tuple(row.get("known", ())))


def read_all() -> list[tuple[dict[str, Any], Extraction]]:
    """Every row with what was read in it."""
    return list(zip(ROWS, SpacyExtractor().extract_many(map(passage_of, ROWS)), strict=True))


@pytest.fixture(scope="module")
def extractions() -> list[Extraction]:
    return [extraction for _, extraction in read_all()]


@pytest.mark.parametrize("number", range(len(ROWS)), ids=[row["text"][:50] for row in ROWS])
def test_a_sentence_gives_what_the_table_says_and_nothing_that_it_forbids(
    number: int, extractions: list[Extraction]
) -> None:
    assert [] == faults(ROWS[number], extractions[number])


def test_the_table_is_not_thinned_out() -> None:
    assert len(ROWS) >= 90
    assert all({"expect", "forbid", "none"} & set(row) for row in ROWS)
