"""Ending contests from their lines: where it is allowed, by our own forms, and never on what has changed since."""

from collections.abc import Iterator

import pytest
from tests.explore.served import Browser, Served, served

from hornbook.graph.claim import Disposition
from hornbook.memory import Memory

LINE = {"subject": "Nora", "predicate": "lives_in"}


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory.open(":memory:", user="ana") as memory:
        memory.claim("Nora", "lives_in", "Bergen", speaker="Ana", valid_from="2020")
        memory.claim("Nora", "lives_in", "Oslo", speaker="Ben", valid_from="2022")
        yield memory


@pytest.fixture
def pages(memory: Memory) -> Iterator[Served]:
    with served(memory, write=True) as pages:
        yield pages


@pytest.fixture
def browser(pages: Served) -> Iterator[Browser]:
    with pages.browser() as browser:
        yield browser


def refs(memory: Memory) -> dict[str, str]:
    return {one.held.value: one.claim_ref for one in memory.history("Nora", "lives_in")}


def oslo(memory: Memory) -> dict[str, str]:
    """What a form says in which Oslo wins."""
    return {"outcome": f"winner {refs(memory)['Oslo']}", "reason": "She told me."}


def status(memory: Memory) -> tuple[str, object]:
    found = memory.believe("Nora", "lives_in")
    return found.status, found.value


def test_a_winner_is_believed_and_the_reason_stays_in_the_ledger(memory: Memory, browser: Browser) -> None:
    page = browser.get("/line", LINE)
    reply = browser.resolve(page, oslo(memory))

    assert ("Resolved", "Oslo") == status(memory)
    assert "believed Oslo" in " ".join(browser.get(reply.headers["location"]).words.split())
    (entry,) = [one for one in memory.audit().as_dict()["entries"] if one["event_kind"] == "ContestResolution"]
    assert ("She told me.", "hornbook explore") == (entry["reason"], entry["client"])


def test_what_was_resolved_is_reopened(memory: Memory, browser: Browser) -> None:
    browser.resolve(browser.get("/line", LINE), oslo(memory))
    page = browser.get("/line", LINE)
    assert "What holds?" not in page.words
    browser.resolve(page, {"reason": "It was a slip of the tongue."})

    assert ("Contested", None) == status(memory)
    assert "What holds?" in browser.get("/line", LINE).words


def test_all_of_them_can_hold(memory: Memory, browser: Browser) -> None:
    browser.resolve(browser.get("/line", LINE), {"outcome": "all", "reason": "She has two homes."})

    assert {"Bergen", "Oslo"} == {slot.value for slot in memory.believe("Nora", "lives_in").belief.slots}
    assert "Resolved" == status(memory)[0]


def test_each_can_hold_in_its_own_time(memory: Memory, browser: Browser) -> None:
    at = refs(memory)
    windows = {f"from {at['Bergen']}": "2020", f"until {at['Bergen']}": "2022", f"from {at['Oslo']}": "2022"}
    browser.resolve(browser.get("/line", LINE), {"outcome": "split", "reason": "She moved.", **windows})

    assert ["Bergen", "Oslo"] == [memory.believe("Nora", "lives_in", valid_at=one).value for one in ("2021", "2023")]


def test_a_page_that_is_stale_is_told_so_and_nothing_is_done(memory: Memory, browser: Browser) -> None:
    page = browser.get("/line", LINE)
    memory.claim("Nora", "lives_in", "Trondheim", speaker="Eva", valid_from="2023")
    reply = browser.resolve(page, oslo(memory), status=409)

    assert "has changed since it was looked at: nothing was done" in reply.text
    assert "Contested" == status(memory)[0]
    browser.resolve(browser.get("/line", LINE), oslo(memory))
    assert ("Resolved", "Oslo") == status(memory)


def test_a_line_that_somebody_else_resolved_meanwhile_is_stale_too(memory: Memory, browser: Browser) -> None:
    page = browser.get("/line", LINE)
    memory.resolve("Nora", "lives_in", "winner", winner="Bergen", reason="I asked her.")
    browser.resolve(page, oslo(memory), status=409)

    assert ("Resolved", "Bergen") == status(memory)


def test_what_happened_elsewhere_makes_no_page_stale(memory: Memory, browser: Browser) -> None:
    page = browser.get("/line", LINE)
    memory.claim("Ben", "lives_in", "Bergen")
    browser.resolve(page, {"outcome": "none", "reason": "Both were joking."})

    held = [one.held.state.disposition for one in memory.history("Nora", "lives_in")]
    assert [Disposition.INVALIDATED] * 2 == held


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"reason": "She told me."}, "outcome is missing"),
        ({"outcome": "all", "reason": " "}, "reason is missing or blank"),
        ({"outcome": "perhaps", "reason": "x"}, "outcome is none of"),
        ({"outcome": "split", "reason": "x"}, "windows are missing"),
        ({"outcome": "winner", "reason": "x"}, "winner is missing"),
    ],
)
def test_a_form_that_says_too_little_is_told_what_it_lacks(
    memory: Memory, browser: Browser, said: dict[str, str], told: str
) -> None:
    assert told in browser.resolve(browser.get("/line", LINE), said, status=400).text
    assert "Contested" == status(memory)[0]


def test_only_our_own_forms_are_taken(memory: Memory, browser: Browser) -> None:
    fields = browser.form(browser.get("/line", LINE), "/resolve")
    said = {**fields, "outcome": "all", "reason": "x"}

    def post(headers: dict[str, str] | None = None, **changed: str) -> int:
        return browser.client.post("/resolve", data={**said, **changed}, headers=headers or {}).status_code

    assert 403 == post(secret="")
    assert 403 == post(secret="guessed")
    assert 403 == post({"Origin": "https://example.org"})
    assert 403 == post({"Origin": "null"})
    assert 403 == post({"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "navigate"})
    assert 400 == browser.client.post("/resolve", json=said).status_code
    assert 413 == post(reason="x" * 70_000)
    assert 405 == browser.client.post("/line", data=said).status_code
    assert "Contested" == status(memory)[0]
    assert 303 == post({"Origin": f"http://127.0.0.1:{browser.client.base_url.port}"})


def test_without_the_cookie_no_form_is_taken(memory: Memory, pages: Served, browser: Browser) -> None:
    fields = browser.form(browser.get("/line", LINE), "/resolve")
    with pages.client() as stranger:
        assert 401 == stranger.post("/resolve", data={**fields, "outcome": "all", "reason": "x"}).status_code
    assert "Contested" == status(memory)[0]


def test_the_way_back_stays_on_this_server(memory: Memory, browser: Browser) -> None:
    page = browser.get("/line", LINE)
    reply = browser.resolve(page, {"outcome": "none", "reason": "x", "back": "//example.org/"})

    assert "/" == reply.headers["location"]


def test_the_past_is_looked_at_and_not_resolved(memory: Memory, browser: Browser) -> None:
    known = memory.history("Nora", "lives_in")[-1].as_dict()["recorded_at"]

    page = browser.get("/line", {**LINE, "known_at": known})
    assert "look at it as known now" in page.words and "What holds?" not in page.words


def test_a_session_that_only_reads_has_no_forms_and_takes_none(memory: Memory, pages: Served, browser: Browser) -> None:
    fields = browser.form(browser.get("/line", LINE), "/resolve")
    with served(memory) as reading, reading.browser() as reader:
        page = reader.get("/line", LINE)
        assert "--write" in page.words and "What holds?" not in page.words
        reply = reader.client.post("/resolve", data={**fields, "outcome": "all", "reason": "x"})

    assert 403 == reply.status_code and "this session only reads" in reply.text
    assert "Contested" == status(memory)[0]
