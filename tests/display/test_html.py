"""What a notebook shows: readable as text, whole in itself, and safe whatever was said."""

import re
import subprocess
import sys
from collections.abc import Iterator

import pytest
from tests.display.reading import Read

from hornbook.display import draw
from hornbook.graph.clock import ticking
from hornbook.graph.errors import HornbookError, InvalidArgument
from hornbook.memory import Memory

HOSTILE = "<script>alert('x')</script> & \"quoted\" \x00\x1b ]]>"


def shown(value: object) -> Read:
    page = value._repr_html_()  # type: ignore[attr-defined]  # every displayed value has it
    assert isinstance(page, str)
    return Read(page)


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory.open(":memory:", user="ana", clock=ticking()) as memory:
        memory.claim("Ana", "lives_in", "Berlin", valid_from="2020", speaker="Ana", evidence="I moved to Berlin.")
        memory.claim("Ana", "lives_in", "Munich", valid_from="2021", speaker="Ben", evidence="She is in Munich.")
        memory.claim("Ben", "son", "Tim")
        memory.claim("Ana", "sister", "Ben")
        yield memory


def test_a_belief_says_its_status_and_all_its_sides(memory: Memory) -> None:
    words = shown(memory.believe("Ana", "lives_in")).words

    assert words.startswith("Ana lives_in · Contested")
    assert "Berlin since 2020 Ana I moved to Berlin." in words
    assert "Munich since 2021 Ben She is in Munich." in words


def test_all_lines_of_a_subject_and_an_entity_are_told_a_row_each(memory: Memory) -> None:
    words = shown(memory.believe("Ana")).words

    assert "2 lines\n" in words and "lives_in Contested" in words and "sister TimingUncertain Ben" in words
    assert "sister TimingUncertain Ben" in shown(memory.entity("Ana")).words


def test_a_history_tells_every_claim_in_the_order_in_which_it_became_known(memory: Memory) -> None:
    history = memory.history("Ana")

    assert ("Berlin", "Munich", "Ben") == tuple(one.held.value for one in history)
    words = shown(history).words
    assert words.index("Berlin") < words.index("Munich") < words.index("sister")
    assert "Contested Ana I moved to Berlin. 2026-01-01 00:00:01" in shown(history[0]).words


def test_a_contest_names_both_sides_and_the_time_that_it_is_about(memory: Memory) -> None:
    words = shown(memory.contested()).words

    assert "1 contested line" in words and "in dispute since 2021-01-01" in words
    assert "Berlin since 2020" in words and "Munich since 2021" in words
    assert "Munich" in shown(memory.contested().lines[0]).words


def test_what_became_of_a_claim_says_why_and_with_whom_it_is_contested(memory: Memory) -> None:
    outcome = memory.claim("Ana", "lives_in", "Oslo", valid_from="2022", speaker="Eva")
    words = shown(outcome).words

    assert words.startswith("Ana lives_in · Oslo · Contested · ")
    assert str(outcome.status_reason) in words and outcome.contested_with[0] in words


def test_the_ledger_is_a_table_newest_first(memory: Memory) -> None:
    words = shown(memory.audit(limit=3)).words

    assert words.startswith("3 decisions · there are more")
    assert "ClaimCommitted CommittedCheap" in words and memory.audit(limit=1).entries[0].as_dict()["reason"] in words


def test_what_rules_derive_is_marked_so(memory: Memory) -> None:
    memory.rules("aunt(x, z) :- sister(x, y), son(y, z).")

    words = shown(memory.believe("Ana", "aunt")).words
    assert "Tim" in words and "derived" in words


def test_what_was_found_says_who_said_it_and_why_it_is_there(memory: Memory) -> None:
    found = memory.search("Where does Ana live?")

    assert " results · as known" in shown(found).words and "Ben" in shown(found).words
    assert found.hits[0].content in shown(found.hits[0]).words


def test_a_proof_is_a_tree_down_to_the_words_that_were_said(memory: Memory) -> None:
    added = memory.rules("home(x, z) :- sister(y, x), lives_in(y, z). aunt(x, z) :- sister(x, y), son(y, z).")
    memory.claim("Eva", "sister", "Ana", speaker="Ben", evidence="Eva is her sister.")

    assert "2 rules · " in shown(added).words
    page = shown(memory.why('aunt("Ana", "Tim")'))
    assert 'aunt("Ana", "Tim") · holds' in page.words and 'son("Ben", "Tim")' in page.words
    assert "“Eva is her sister.” (Ben)" in shown(memory.why('sister("Eva", "Ana")')).words
    assert "does not hold; the nearest" in shown(memory.why('aunt("Ana", "Eva")')).words


def test_the_rows_of_a_question_stand_under_their_variables(memory: Memory) -> None:
    assert re.match(r"1 row · as known \S+ \S+\n\s?x \n?Ben", shown(memory.ask('sister("Ana", x)')).words)
    assert shown(memory.ask('sister("Ana", "Ben")')).words.startswith("yes")


def test_an_error_says_where_and_how_to_mend_it(memory: Memory) -> None:
    with pytest.raises(HornbookError) as wrong:
        memory.rules("p(x, y) :- sister(x, x).")
    assert "^" in shown(wrong.value).words and "line 1" in shown(wrong.value).words

    wrong_limit = InvalidArgument("limit must be 1 to 200", field="limit", hint="leave it out", valid=["1"])
    assert "InvalidArgument · in limit\nlimit must be 1 to 200leave it out valid: 1" in shown(wrong_limit).words


def test_a_memory_says_whose_it_is_and_how_much_is_in_it(memory: Memory) -> None:
    assert re.search(r"Memory of ana · \d+ events, \d+ entities, 3 lines, 4 claims", shown(memory).words)


def test_whatever_was_said_is_shown_as_text() -> None:
    with Memory.open(":memory:", user=HOSTILE.replace("\x00", "").replace("\x1b", "")[:40], clock=ticking()) as memory:
        plain = HOSTILE.replace("\x00", "")
        for value in (plain, "other", {"a": [plain]}):
            memory.claim(plain, "says", value, speaker=plain, source=plain, evidence=plain)
        memory.store(plain, speaker=plain)
        for found in (
            memory,
            memory.believe(plain, "says"),
            memory.believe(plain),
            memory.history(plain),
            memory.contested(),
            memory.audit(),
            memory.claim(plain, "says", 7, speaker=plain),
            memory.entity(plain),
            memory.search("script alert"),
            memory.ask("says(x, y)"),
            memory.why(memory.history(plain)[0].claim_ref),
            InvalidArgument(HOSTILE, field=HOSTILE, hint=HOSTILE, valid=[HOSTILE]),
        ):
            page = shown(found)
            assert page.seen <= {
                "div",
                "style",
                "b",
                "span",
                "table",
                "thead",
                "tbody",
                "tr",
                "th",
                "td",
                "q",
                "code",
            } | {
                "ul",
                "li",
                "pre",
            }
            assert page.attributes <= {"class"}
            assert "\x1b" not in page.words and "\x00" not in page.words


def test_nothing_is_fetched_and_both_lights_are_served(memory: Memory) -> None:
    page = memory.believe("Ana", "lives_in")._repr_html_()

    assert page is not None and "prefers-color-scheme:dark" in page
    assert not re.search(r"https?:|url\(|@import|src=", page)


def test_what_has_no_display_is_left_to_its_repr() -> None:
    assert draw(object()) is None


def test_a_long_table_counts_what_it_leaves_out(memory: Memory) -> None:
    for number in range(60):
        memory.claim("Ana", f"likes_{number}", "tea")

    assert "… and 13 more" in shown(memory.history("Ana")).words


def test_opening_the_door_loads_no_display() -> None:
    probe = "import hornbook.memory, sys; print(sorted(m for m in sys.modules if m.startswith('hornbook.display.')))"
    found = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)

    assert "[]" == found.stdout.strip()
