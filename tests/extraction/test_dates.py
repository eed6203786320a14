"""Date phrases against the table dates.tsv, in running text, and where there is nothing to find."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.extraction.dates import Role, find_dates, resolve_phrase
from hornbook.graph.dates import parse_moment
from hornbook.graph.interval import Interval

HEAD, *ROWS = [
    line.split("\t") for line in Path(__file__).with_name("dates.tsv").read_text(encoding="utf-8").splitlines()
]
REFERENCES = HEAD[1:]
THURSDAY = parse_moment("2023-08-17T13:50:00Z")


def shown(interval: Interval | None) -> str:
    """As in the table: one date for a whole period, `from..to` for a stretch, either end open, `none` for nothing."""
    if interval is None:
        return "none"
    start, end = (str(moment) if moment else "" for moment in (interval.start, interval.end))
    return start if start == end else f"{start}..{end}"


@pytest.mark.parametrize(("phrase", "expected"), [(row[0], row[1:]) for row in ROWS], ids=[row[0] for row in ROWS])
def test_a_phrase_names_the_same_interval_as_the_table_at_each_reference(phrase: str, expected: list[str]) -> None:
    assert expected == [shown(resolve_phrase(phrase, parse_moment(reference))) for reference in REFERENCES]


def test_the_table_holds_at_least_120_phrases_at_three_references() -> None:
    assert len({row[0] for row in ROWS}) == len(ROWS) >= 120
    assert len(REFERENCES) == 3


@pytest.mark.parametrize("phrase", ["last Friday", "three weeks ago", "since May", "tomorrow", "June 3rd", "by Friday"])
def test_a_relative_phrase_without_a_reference_is_unknown_and_never_now(phrase: str) -> None:
    assert resolve_phrase(phrase, None) is None


@pytest.mark.parametrize("phrase", ["in 2022", "from 2015 to 2018", "the week before 9 June 2023", "since March 2019"])
def test_a_phrase_that_carries_its_year_needs_no_reference(phrase: str) -> None:
    assert resolve_phrase(phrase, None) == resolve_phrase(phrase, THURSDAY) is not None


def test_a_bare_weekday_looks_back_and_in_a_plan_ahead() -> None:
    assert "2023-08-11" == shown(resolve_phrase("on Friday", THURSDAY))
    assert "2023-08-18" == shown(resolve_phrase("on Friday", THURSDAY, future=True))


def test_a_rough_count_is_not_to_be_relied_on() -> None:
    found = resolve_phrase("a few months ago", THURSDAY)
    assert found is not None
    assert not found.trusted


def dates_in(text: str) -> list[tuple[str, str]]:
    """Phrase and interval of each date of a text."""
    return [(text[f.start : f.end], shown(f.interval)) for f in find_dates(text, THURSDAY)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I was there the day before yesterday.", [("the day before yesterday", "2023-08-15")]),
        ("We met half an hour ago.", [("half an hour ago", "2023-08-17T13:20:00Z")]),
        ("It was the week before 9 June 2023.", [("the week before 9 June 2023", "2023-06-02..2023-06-09")]),
        ("I may go there with April.", []),
        ("There were 2 and sat on the bench.", []),
        ("March on, and spring forward!", []),
        ("Room 2019 is free, call 555-2019.", []),
        ("From 2015 to 2018 she was in Rome.", [("From 2015 to 2018", "2015..2018")]),
        ("I left in 1999. Last Friday I came back.", [("in 1999", "1999"), ("Last Friday", "2023-08-11")]),
        ("I was born on 3 May 1990 in Gdynia.", [("on 3 May 1990", "1990-05-03")]),
    ],
)
def test_running_text_gives_its_dates_and_no_others(text: str, expected: list[tuple[str, str]]) -> None:
    assert expected == dates_in(text)


def test_a_date_says_what_part_it_plays() -> None:
    text = "Since 2019, until 2020, from 2015 to 2018 and in 2021."
    assert [Role.SINCE, Role.UNTIL, Role.BETWEEN, Role.AT] == [f.role for f in find_dates(text, None)]


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=80))
def test_no_text_makes_it_fail_and_what_is_found_lies_in_the_text(text: str) -> None:
    for found in find_dates(text, THURSDAY):
        assert 0 <= found.start < found.end <= len(text)
    resolve_phrase(text, THURSDAY)


def test_the_module_is_imported_without_dateparser() -> None:
    code = "import sys, hornbook.extraction.dates; sys.exit('dateparser' in sys.modules)"
    assert 0 == subprocess.run([sys.executable, "-c", code], check=False).returncode
