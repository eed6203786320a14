"""Every page: whole, safe whatever was said, at both clocks, and plain about what it cannot show."""

import html
import re
from collections.abc import Iterator

import pytest
from tests.explore.served import Browser, Read, served

from hornbook.explore.app import DATA, PAGES
from hornbook.graph.clock import ticking
from hornbook.memory import Memory

HOSTILE = "<script>alert('x')</script> & \"quoted\" \x00\x1b ]]> </main> {{7*7}} \u202e"
LINE = {"subject": "Ana", "predicate": "lives_in"}
RULES = """
lives_in_country(x, c) :- lives_in(x, y), located_in(y, c).
neighbour(x, y) :- lives_in(x, c), lives_in(y, c), x != y.
"""


@pytest.fixture(scope="module")
def memory() -> Iterator[Memory]:
    with Memory.open(":memory:", user="ana", clock=ticking("2025-01-01T09:00:00+00:00", step=60_000_000)) as memory:
        memory.ingest("My sister Nora lives in Bergen.", speaker="Ana", occurred_at="2023-11-06")
        memory.claim(
            "Nora", "lives_in", "Oslo", speaker="Ben", evidence="Nora lives in Oslo.", occurred_at="2024-03-02"
        )
        memory.claim("Ana", "lives_in", "Berlin", valid_from="2020", speaker="Ana")
        moved = memory.claim("Ana", "lives_in", "Munich", valid_from="2024-03", speaker="Ana", intent="update")
        memory.claim("Munich", "located_in", "Germany", valid_from="1900")
        memory.claim("Ben", "lives_in", "Munich", valid_from="2021")
        memory.claim(HOSTILE, HOSTILE, HOSTILE, evidence=HOSTILE, speaker=HOSTILE, source=HOSTILE)
        memory.claim(HOSTILE, HOSTILE, [HOSTILE, {"a": 1}], speaker="Ben")
        memory.claim("Ana", "said", HOSTILE, derived_from=[moved.claim_ref])
        memory.store(HOSTILE, source=HOSTILE, speaker=HOSTILE)
        memory.rules(RULES)
        yield memory


@pytest.fixture(scope="module")
def browser(memory: Memory) -> Iterator[Browser]:
    with served(memory) as pages, pages.browser() as browser:
        yield browser


def addresses(memory: Memory) -> dict[str, str]:
    """A page of every kind."""
    claim = memory.history("Ana", "lives_in")[1].claim_ref
    text = memory.search("sister").hits[0].node_id
    return {
        "/": "/",
        "/search": "/search?q=where+does+Nora+live",
        "/entity": "/entity?name=Ana",
        "/line": "/line?subject=Ana&predicate=lives_in",
        "/contested": "/contested",
        "/claim": f"/claim?ref={claim}",
        "/text": f"/text?id={text}",
        "/rules": "/rules",
        "/ask": "/ask?query=lives_in_country(x%2C+c)",
        "/why": "/why?fact=lives_in_country(%22Ana%22%2C+%22Germany%22)",
        "/graph": "/graph?around=Ana",
        "/keys": "/keys",
    }


def test_every_page_is_whole_and_has_one_heading_and_a_title_of_its_own(memory: Memory, browser: Browser) -> None:
    titles = set()
    assert set(PAGES) == set(addresses(memory))
    for path, address in addresses(memory).items():
        page = browser.get(address)
        assert 1 == page.page.count("<h1"), path
        titles.add(re.search("<title>(.*?)</title>", page.page)[1])  # type: ignore[index]
        assert [] == [one for one, given in page.seen if one == "img" and not given.get("alt")], path
        assert not [given for _, given in page.seen if "style" in given or any(name[:2] == "on" for name in given)]
    assert len(titles) == len(PAGES)


def test_every_page_can_be_read_as_text(memory: Memory, browser: Browser) -> None:
    told = {path: " ".join(browser.get(address).words.split()) for path, address in addresses(memory).items()}

    assert "The memory of ana" in told["/"] and "Nora lives in Bergen or Oslo" in told["/"]
    assert "Nora lives in Bergen, Oslo Contested" in told["/search"] and "because of " in told["/search"]
    assert "lives in Resolved" in told["/entity"] and "Munich since 2024-03" in told["/entity"]
    assert "lives in country Resolved" in told["/entity"] and "follows by rule" in told["/entity"]
    assert "Munich" in told["/line"] and "Superseded" not in told["/line"].partition("Every claim")[0]
    assert "My sister Nora lives in Bergen." in told["/contested"]
    assert "provenance External:UserAsserted" in told["/claim"] and "What was decided" in told["/claim"]
    assert "lives in country Germany follows by rule" in told["/claim"], "what rests on it"
    assert "Ana said" in told["/claim"], "the claim that names it as a premise"
    assert "What was taken from it Nora" in told["/text"]
    assert "what follows" in told["/rules"]
    assert "Ben Germany" in told["/ask"]
    assert "Ana lives in country Germany" in told["/why"] and "Munich located in Germany" in told["/why"]


def test_the_words_that_a_claim_was_taken_from_are_marked_in_their_text(memory: Memory, browser: Browser) -> None:
    claim = memory.history("Nora", "lives_in")[0].claim_ref

    assert "<mark>My sister Nora lives in Bergen.</mark>" in browser.get(f"/claim?ref={claim}").page


def test_whatever_was_said_stays_text_on_every_page(memory: Memory, browser: Browser) -> None:
    asked = {"q": HOSTILE, "name": HOSTILE, "subject": HOSTILE, "predicate": HOSTILE, "query": HOSTILE, "fact": HOSTILE}
    refs = [one.claim_ref for one in memory.history(HOSTILE)]
    pages = [browser.client.get(path, params=asked) for path in PAGES]
    pages += [browser.client.get("/claim", params={"ref": ref}) for ref in refs]
    pages += [
        browser.client.get("/search", params={"q": "alert quoted", **clock}) for clock in ({"valid_at": HOSTILE}, {})
    ]
    pages += [
        browser.client.get(HOSTILE.replace("\x00", "").replace("\x1b", "")),
        browser.client.get("/text", params={"id": HOSTILE}),
    ]
    for reply in pages:
        scripts = [given for one, given in Read(reply.text).seen if one == "script"]
        assert all(str(given["src"]).startswith("/assets/") for given in scripts), reply.url
        assert "<script>alert" not in reply.text and "49" not in re.findall(r"\]\]&gt;.{0,60}", reply.text)
        assert "\x00" not in reply.text and "\x1b" not in reply.text
    assert 3 <= sum("alert(&#x27;x&#x27;)" in reply.text for reply in pages if reply.status_code == 200)


def test_every_link_leads_somewhere(browser: Browser) -> None:
    seen: set[str] = set()
    todo = ["/"]
    while todo and len(seen) < 120:
        address = todo.pop(0)
        seen.add(address)
        reply = browser.client.get(address)
        assert 200 == reply.status_code, (address, reply.text[-600:])
        found = re.findall(r'(?:href|src|data-graph)="(/[^"]*)"', reply.text)
        fresh = [html.unescape(one) for one in found if "valid_at" not in one and "known_at" not in one]
        todo += [one for one in dict.fromkeys(fresh) if one not in seen and one not in todo]
    assert len(seen) > 60


@pytest.mark.parametrize(
    ("clocks", "told"),
    [
        ({}, "believed Munich since 2024-03"),
        ({"valid_at": "2022"}, "believed Berlin 2020 to 2024-03"),
        ({"valid_at": "2024-06", "known_at": "before"}, "believed Berlin since 2020"),
        ({"valid_at": "2010"}, "Nothing is believed here at this instant."),
    ],
    ids=["now", "then", "as known then", "before"],
)
def test_a_page_shows_what_was_true_and_known_then(
    memory: Memory, browser: Browser, clocks: dict[str, str], told: str
) -> None:
    known = memory.history("Ana", "lives_in")[0].as_dict()["recorded_at"]
    at = {name: known if word == "before" else word for name, word in clocks.items()}

    assert told in " ".join(browser.get("/line", {**LINE, **at}).words.split())


def test_the_clocks_stay_in_every_link(browser: Browser) -> None:
    page = browser.get("/entity", {"name": "Ana", "valid_at": "2022", "known_at": "2026"})
    ways = [str(given["href"]) for one, given in page.seen if one == "a"]

    steps = [way for way in ways if "valid_at=2022" not in way]
    assert ways and all("known_at=2026" in way or way in ("#main", "/entity?name=Ana") for way in ways)
    assert all(way.startswith(("#", "/entity?")) for way in steps), "only what sets a clock changes it"


def test_the_lasting_link_gives_the_same_page_whatever_comes_later() -> None:
    with (
        Memory.open(":memory:", user="ana") as memory,
        served(memory) as pages,
        pages.browser() as browser,
    ):
        memory.claim("Ana", "lives_in", "Berlin", valid_from="2020", speaker="Ana")
        page = browser.get("/line", LINE)
        (lasting,) = [str(given["href"]) for one, given in page.seen if given.get("rel") == "bookmark"]
        before = browser.get(lasting).page
        memory.claim("Ana", "lives_in", "Munich", valid_from="2021", speaker="Ben")

        assert before == browser.get(lasting).page
        assert "Contested" in browser.get("/line", LINE).words


@pytest.mark.parametrize("known", ["1999", "2025-01-01T09:05:00Z", "2025-01-01T09:20:00Z", "2099"])
def test_every_page_can_be_looked_at_as_known_at_any_instant(memory: Memory, browser: Browser, known: str) -> None:
    for address in addresses(memory).values():
        sign = "&" if "?" in address else "?"
        reply = browser.client.get(f"{address}{sign}known_at={known}&valid_at=2022")
        assert reply.status_code in ((200,) if known == "2099" else (200, 404)), (address, reply.text[-400:])


@pytest.mark.parametrize(
    ("address", "status", "told"),
    [
        ("/nowhere", 404, "there is no such page"),
        ("/entity", 400, "name is missing"),
        ("/entity?name=Nobody", 404, "is known at this instant"),
        ("/line?subject=Nobody&predicate=lives_in", 404, "Nothing is believed here"),
        ("/claim?ref=7", 400, "is not an id"),
        ("/claim?ref=00000000-0000-7000-8000-000000000000", 404, "there is no claim"),
        ("/text?id=00000000-0000-7000-8000-000000000000", 404, "there is no memory"),
        ("/?valid_at=yesterday", 200, "The memory of ana"),
        ("/entity?name=Ana&valid_at=yesterday", 400, "valid_at is not a date"),
        ("/contested?known_at=someday", 400, "knowledge_at is not a date"),
        ("/contested?cursor=x", 400, "cursor"),
        ("/search?q=x&limit=0", 400, "limit must be 1 to 100"),
        ("/ask?query=lives_in(x", 400, "syntax_error at line 1"),
        ("/ask?query=lives_inn(x,y)", 404, "unknown_predicate"),
        ("/graph?around=Nobody", 200, "Around Nobody"),
        ("/resolve", 405, "this address takes forms only"),
    ],
)
def test_what_cannot_be_shown_is_said_with_its_code(browser: Browser, address: str, status: int, told: str) -> None:
    page = browser.get(address, status=status)

    assert told in page.words
    assert "Traceback" not in page.page and "/hornbook/" not in page.page


def test_why_not_names_the_rule_that_came_nearest(browser: Browser) -> None:
    words = browser.get("/why", {"fact": 'lives_in_country("Nora", "Germany")'}).words

    assert "It does not hold. The nearest:" in words and "parts match" in words


def test_data_beside_the_pages(memory: Memory, browser: Browser) -> None:
    assert {"/graph.json", "/still.svg"} == set(DATA)
    shown = browser.client.get("/graph.json?around=Ana&depth=1").json()
    assert memory.show("Ana", 1).data["nodes"] == shown["nodes"]
    assert "<svg" in browser.client.get("/still.svg").text
    missing = browser.client.get("/graph.json?around=Nobody")
    assert (404, "not_found") == (missing.status_code, missing.json()["error"]["code"])


def test_what_was_denied_is_never_shown_as_said() -> None:
    with Memory.open(":memory:", user="ana") as memory, served(memory) as pages, pages.browser() as browser:
        denied = memory.claim("Nora", "lives_in", "Oslo", polarity="not", speaker="Ben", source="a letter")
        memory.claim("Nora", "lives_in", "Oslo", speaker="Cleo", source="a call")
        memory.claim("Ana", "said", "so", derived_from=[denied.claim_ref])
        text = memory.ingest("I do not eat meat.", speaker="Ana").event_id
        page = browser.get("/claim", {"ref": denied.claim_ref})
        assert "<title>Nora lives in not Oslo" in page.page
        assert {"not Oslo", "Oslo"} <= set(re.findall(r"(?:not )?Oslo", browser.get("/").words))
        assert "eats not meat" in browser.get("/text", {"id": text}).words
        assert "eats not meat" in browser.get("/search", {"q": "do I eat meat"}).words


def test_an_empty_memory_says_how_to_begin() -> None:
    with Memory.open(":memory:", user="ana") as memory, served(memory) as pages, pages.browser() as browser:
        assert "hornbook ingest PATH" in browser.get("/").words
        for path in ("/contested", "/rules", "/graph", "/search?q=anything"):
            browser.get(path)


def test_a_memory_that_is_closed_meanwhile_is_said_to_be() -> None:
    with Memory.open(":memory:", user="ana") as memory, served(memory) as pages, pages.browser() as browser:
        memory.close()
        page = browser.get("/", status=503)

    assert "unavailable" in page.words
