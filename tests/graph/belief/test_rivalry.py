"""Windows, and when two of them conflict."""

from dataclasses import replace

import pytest
from tests.graph.belief.line_model import instant

from hornbook.graph.belief.rivalry import conflict
from hornbook.graph.belief.state import ClaimState, Held
from hornbook.graph.belief.windows import Window, window_of, windows
from hornbook.graph.claim import Claim, Disposition, Provenance
from hornbook.graph.dates import parse_moment
from hornbook.graph.interval import ALWAYS, FOREVER, Interval

KNOWN = instant("2026-06-01")


def held(window: str, *, said: str | None = None, confidence: float = 0.9, seq: int = 1, present: bool = True) -> Held:
    """A claim with a window written as `2020..2022`, either side left out where it is unknown."""
    start, end = (parse_moment(text) if text else None for text in window.split(".."))
    valid = Interval(start, end, confidence)
    occurred = parse_moment(said) if said else None
    claim = Claim(
        str(seq), "a", "b", 1, "a", "1", Provenance.USER_ASSERTED, valid=valid, occurred_at=occurred, present=present
    )
    return Held(claim, seq, KNOWN, ClaimState(Disposition.COMMITTED_CHEAP, True, valid), "1", claim.polarity)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("2020..", "2020..", True),
        ("2020..", "2022..", True),
        ("2019..2024-06", "2024..", False),
        ("2019..2024-06", "2024-02..", True),
        ("2020..2022", "2022..", False),
        ("2020-01-01..2021-02-02", "2021-02-01..", True),
        ("2020-01-01..2021-02-02", "2021-02-02..", False),
        ("2020..2020", "2020..2020", True),
        ("2020..2020", "2020-03..2020-06", True),
        ("2020..2020", "2021..2021", False),
        ("2020..", "2020-06..2020-09", False),
        ("2019..", "2020..2020-06", True),
        ("2020-01-01T00:00:00Z..2020-01-01T00:00:00Z", "2019..", False),
        ("..2027", "2026..", True),
        ("..2025", "2020..", False),
        ("2010..2015", "..", False),
        ("2010..", "..", True),
    ],
)
def test_windows_conflict_where_they_overlap_for_every_choice_of_instants(one: str, other: str, expected: bool) -> None:
    pair = window_of(held(one)), window_of(held(other))
    assert [expected, expected] == [conflict(*pair), conflict(*pair[::-1])]


@pytest.mark.parametrize(
    ("told", "begin", "until"),
    [
        (held(".."), KNOWN, FOREVER),
        (held("..", said="2021"), instant("2021"), FOREVER),
        (held("..", said="2021", present=False), FOREVER, FOREVER),
        (held("2015..2018", confidence=0.5), instant("2015"), FOREVER),
        (held("2015..2018"), instant("2015"), instant("2018")),
        (held("..2018"), KNOWN, instant("2018")),
    ],
)
def test_a_window_counts_from_where_it_is_taken_to_begin(told: Held, begin: int, until: int) -> None:
    window = window_of(told)
    assert (begin, until) == (window.begin, window.until)


def test_an_event_goes_on_for_ever() -> None:
    assert (instant("2020"), FOREVER) == (
        window_of(held("2020..2021"), True).since,
        window_of(held("2020..2021"), True).until,
    )


def spans(*told: str) -> list[tuple[str, str]]:
    found = windows([held(window, seq=seq) for seq, window in enumerate(told)])
    return [(str(window.start or ""), str(window.end or "")) for window in found]


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (("2020..2022",), [("2020", "2022")]),
        (("2020..", "2019..2021"), [("2019", "2021")]),
        (("2019..2021", "2020.."), [("2020", "")]),
        (("2020..2021", "2021..2022"), [("2020", "2022")]),
        (("2021..2022", "2020..2021"), [("2020", "2022")]),
        (("2010..2011", "2020..", "2011..2020"), [("2010", "")]),
        (("2010..2011", "2020.."), [("2010", "2011"), ("2020", "")]),
        (("2020..2030", ".."), [("2020", "2030")]),
        (("2010..2012", ".."), [("2010", "2012"), ("", "")]),
    ],
)
def test_the_claims_of_a_side_make_its_windows(told: tuple[str, ...], expected: list[tuple[str, str]]) -> None:
    assert expected == spans(*told)


def test_what_was_said_before_a_period_that_it_runs_into_ends_with_it() -> None:
    early = held("..", said="2015", seq=1)
    found = windows([early, held("2018..2022", seq=2)])
    assert [(instant("2018"), instant("2022")), (ALWAYS, instant("2018"))] == [(w.since, w.until) for w in found]
    assert all(early in window.held for window in found)


def test_the_newest_statement_that_a_person_made_speaks_for_a_window() -> None:
    person, guess = held("2020..", seq=1), held("2020..", seq=2)
    guess = replace(guess, claim=replace(guess.claim, provenance=Provenance.MODEL_DERIVED))
    window: Window = windows([person, guess])[0]
    assert person == window.newest
