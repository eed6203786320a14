"""The protocol of `hornbook extract`, and the scripted extractor that tests and demonstrations use."""

import io
import json
from typing import Any

import pytest

from hornbook.extraction.candidate import Candidate, Extraction, Extractor, Mention, Passage
from hornbook.extraction.lines import Counts, extract_lines
from hornbook.extraction.offline.spacy_extractor import SpacyExtractor
from hornbook.extraction.scripted import ScriptedExtractor
from hornbook.graph.claim import Mood, Polarity
from hornbook.graph.dates import parse_moment
from hornbook.graph.errors import InvalidArgument
from hornbook.graph.interval import Interval

MOVED = Extraction(
    (Mention("Oslo", "place", 10, 14),),
    (
        Candidate(
            "Ana",
            "lives_in",
            "Oslo",
            "I do not live in Oslo.",
            polarity=Polarity.NOT,
            mood=Mood.PLANNED,
            valid=Interval(parse_moment("2024-03"), parse_moment("2025"), 0.9),
            speaker="Bob",
        ),
    ),
)


def run(lines: list[str], extractor: Extractor) -> tuple[list[Any], Counts]:
    """What comes out for these lines."""
    out = io.StringIO()
    counts = extract_lines(lines, out, extractor)
    return [json.loads(line) for line in out.getvalue().splitlines()], counts


def test_a_line_is_answered_with_its_id_entities_and_claims() -> None:
    [answer], counts = run(['{"id": 7, "text": "I do not live in Oslo."}\n'], ScriptedExtractor([MOVED]))
    assert {
        "id": 7,
        "entities": [{"name": "Oslo", "type": "place"}],
        "claims": [
            {
                "subject": "Ana",
                "predicate": "lives_in",
                "object": "Oslo",
                "valid_from": "2024-03",
                "valid_to": "2025",
                "negated": True,
                "mood": "planned",
                "said_by": "Bob",
                "quote": "I do not live in Oslo.",
            }
        ],
    } == answer
    assert 1 == counts.done


def test_what_does_not_apply_is_left_out() -> None:
    plain = Extraction(candidates=(Candidate("Ana", "likes", "tea", "I like tea."),))
    [answer], _ = run(['{"id": "a", "text": "I like tea."}'], ScriptedExtractor([plain]))
    assert [{"subject": "Ana", "predicate": "likes", "object": "tea", "quote": "I like tea."}] == answer["claims"]


@pytest.mark.parametrize(
    "bad", ["{", "[]", "null", '{"id": 1}', '{"text": 3}', '{"text": "a", "occurred_at": "soonish"}', '"\ud800"']
)
def test_a_bad_line_is_counted_and_the_rest_goes_on(bad: str) -> None:
    answers, counts = run([bad, "\n", '{"id": "good", "text": "Hello."}'], ScriptedExtractor({}))
    assert ["good"] == [answer["id"] for answer in answers]
    assert [1] == [number for number, _ in counts.failed]
    assert counts.failed[0][1]


def test_speaker_and_date_are_used() -> None:
    line = json.dumps({"id": 1, "text": "I moved to Oslo last month.", "speaker": "Ana", "occurred_at": "2024-04-02"})
    [answer], _ = run([line], SpacyExtractor())
    assert [("Ana", "lives_in", "Oslo", "2024-03")] == [
        (c["subject"], c["predicate"], c["object"], c["valid_from"]) for c in answer["claims"]
    ]


def test_a_script_in_order_runs_out_with_an_error() -> None:
    extractor = ScriptedExtractor([MOVED])
    assert MOVED == extractor.extract(Passage("anything"))
    with pytest.raises(InvalidArgument, match="1 extractions"):
        extractor.extract(Passage("more"))


def test_a_script_by_text_answers_with_nothing_for_other_texts() -> None:
    extractor = ScriptedExtractor({"a": MOVED})
    assert [MOVED.candidates, ()] == [e.candidates for e in extractor.extract_many([Passage("a"), Passage("b")])]
