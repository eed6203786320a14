"""Reading a question: names, times, identifiers, and which end of a history it wants."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.graph.clock import as_datetime, microseconds
from hornbook.graph.dates import parse_moment
from hornbook.graph.retrieval.question import Steer, analyse, anchored, identifiers, named_time, steer

NOW = parse_moment("2024-06-15").at


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("What did Ana do in May 2023?", "2023-05-01", "2023-06-01"),
        ("What did Ana do in December?", "2023-12-01", "2024-01-01"),
        ("What happened in 2022?", "2022-01-01", "2023-01-01"),
        ("Who called on 8 May, 2023?", "2023-05-08", "2023-05-09"),
        ("Who called on May 8th 2023?", "2023-05-08", "2023-05-09"),
        ("Who called on the 3rd of March 2021?", "2021-03-03", "2021-03-04"),
        ("What stood in the log of 2023-05-08?", "2023-05-08", "2023-05-09"),
        ("What stood in the log of 2023-05?", "2023-05-01", "2023-06-01"),
        ("What did I buy yesterday?", "2024-06-14", "2024-06-15"),
        ("What did I buy this week?", "2024-06-08", "2024-06-16"),
        ("What did I buy last week?", "2024-06-01", "2024-06-16"),
        ("What did I read two weeks ago?", "2024-05-28", "2024-06-04"),
    ],
)
def test_a_time_that_is_named_is_a_window(text: str, start: str, end: str) -> None:
    window, _ = named_time(text, NOW)

    assert window is not None
    assert (start, end) == tuple(str(as_datetime(at))[:10] for at in window)


@pytest.mark.parametrize("text", ["May I march in?", "Who is 2022 people tall?", "On 31 June 2023?", "Was it august?"])
def test_a_word_that_only_looks_like_a_date_is_none(text: str) -> None:
    assert named_time(text, NOW)[0] is None


def test_relative_times_need_to_know_when_it_is() -> None:
    assert analyse("What did I buy last week?").window is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Where is user_id?", ["user_id"]),
        ("Is it in C++ or C#?", ["C++", "C#"]),
        ("Write to a@b.co, please.", ["a@b.co"]),
        ("What broke in 0.11.3?", ["0.11.3"]),
        ("Who has the rtx4090?", ["rtx4090"]),
        ("Ring 555-0134!", ["555-0134"]),
        ("See src/main.py:42", ["src/main.py:42"]),
        ("The 2nd of 5 well-known cats, and the 1990s", []),
        ("and/or?", ["and/or"]),
    ],
)
def test_identifiers_are_seen_as_they_are_written(text: str, found: list[str]) -> None:
    assert found == list(identifiers(text))


def test_a_number_that_is_a_date_is_no_identifier() -> None:
    assert () == analyse("What happened in May 2023?").exact


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("Where does Ana currently live?", Steer.CURRENT),
        ("Where did Ana use to live? I mean used to.", Steer.PAST),
        ("Where does Ana live?", Steer.NONE),
        ("Is she a renowned snowboarder?", Steer.NONE),
    ],
)
def test_time_words_steer(text: str, end: Steer) -> None:
    assert end is steer(text)


def test_an_event_becomes_a_window_once_its_date_is_found() -> None:
    moved = microseconds(as_datetime(NOW))
    before = anchored(analyse("Who helped before the move?"), moved)
    after = anchored(analyse("Who called after my birthday party?"), moved)

    assert (0, moved) == before.window
    assert after.window is not None
    assert moved == after.window[0]
    assert analyse("Who?") == anchored(analyse("Who?"), moved)


def test_script_is_noticed() -> None:
    assert analyse("Où est Zoë?").latin
    assert not analyse("猫はどこ").latin


@given(st.text(max_size=200))
@settings(max_examples=50)
def test_any_text_can_be_asked(text: str) -> None:
    assert analyse(text, {"ana"}, NOW).text == text


def test_a_long_question_is_read_in_no_time_and_only_in_part() -> None:
    assert 4_000 == len(analyse("a@b." * 250_000, (), NOW).text)
