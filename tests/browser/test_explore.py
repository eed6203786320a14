"""`hornbook explore` in a real browser: with keys alone, sliding through time, folding proofs, settling a contest."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from tests.explore.served import Served, served

from hornbook.memory import Memory
from hornbook.settings import Settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from playwright.sync_api import Page as Tab

RULES = "lives_in_country(x, c) :- lives_in(x, y), located_in(y, c)."


@pytest.fixture
def memory() -> Iterator[Memory]:
    settings = Settings(embedding={"provider": "static"})  # type: ignore[arg-type]  # pydantic reads the mapping
    with Memory.open(":memory:", user="ana", settings=settings) as memory:
        memory.store("My sister Nora lives in Bergen, by the harbour.", speaker="Ana")
        memory.claim("Nora", "lives_in", "Bergen", speaker="Ana", valid_from="2020", evidence="Nora lives in Bergen.")
        memory.claim("Nora", "lives_in", "Oslo", speaker="Ben", valid_from="2022", evidence="She is in Oslo.")
        memory.claim("Ana", "lives_in", "Berlin", valid_from="2020", speaker="Ana")
        memory.claim("Ana", "lives_in", "Munich", valid_from="2024-03", speaker="Ana", intent="update")
        memory.claim("Munich", "located_in", "Germany", valid_from="1900", evidence="Munich is in Germany.")
        memory.rules(RULES)
        yield memory


@pytest.fixture
def pages(memory: Memory) -> Iterator[Served]:
    with served(memory, write=True) as pages:
        yield pages


@pytest.fixture
def at(pages: Served, tab: "Tab") -> Served:
    """The pages, with a tab that has come by the link."""
    tab.goto(f"{pages.url}/?token={pages.session.token}")
    return pages


def words(tab: "Tab", where: str = "main") -> str:
    return " ".join(tab.locator(where).inner_text().split())


def heading(tab: "Tab") -> str:
    return tab.get_by_role("heading", level=1).inner_text()


def test_the_link_leaves_no_token_behind(at: Served, tab: "Tab") -> None:
    assert f"{at.url}/" == tab.url
    assert "" == tab.evaluate("document.cookie"), "no script can read it"
    tab.get_by_role("link", name="Nora", exact=True).first.click()
    assert f"{at.url}/" == tab.evaluate("document.referrer")


def test_a_question_is_asked_and_an_answer_opened_with_keys_alone(at: Served, tab: "Tab") -> None:
    tab.keyboard.press("/")
    tab.keyboard.type("where does Nora live")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/search?*")
    assert "Nora lives in Bergen, Oslo Contested" in words(tab)
    tab.keyboard.press("j")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/line?*")

    assert "Nora lives in" == heading(tab)


def test_lists_are_gone_through_and_places_reached_with_keys(at: Served, tab: "Tab") -> None:
    def focused() -> str:
        return str(tab.evaluate("document.activeElement.textContent"))

    tab.keyboard.press("j")
    first = focused()
    tab.keyboard.press("ArrowDown")
    assert first != focused()
    tab.keyboard.press("k")
    assert first == focused()
    tab.keyboard.type("gc")
    tab.wait_for_url("**/contested")
    tab.keyboard.press("?")
    assert tab.get_by_role("dialog").is_visible()
    tab.keyboard.press("Escape")
    assert not tab.get_by_role("dialog").is_visible()
    tab.keyboard.type("gs")
    tab.wait_for_url(f"{at.url}/")


def test_time_is_slid_through_and_stays_on_the_way(at: Served, tab: "Tab") -> None:
    tab.goto(f"{at.url}/entity?name=Ana")
    assert "Munich since 2024-03" in words(tab)
    slider = tab.get_by_role("slider", name="True at").first
    slider.focus()
    slider.press("ArrowLeft")
    tab.wait_for_url("**valid_at=2024-03**")
    tab.keyboard.press("[")
    tab.wait_for_url("**valid_at=2020**")
    assert "Berlin 2020 to 2024-03" in words(tab)
    tab.get_by_role("link", name="lives in", exact=True).first.click()

    assert "valid_at=2020" in tab.url
    assert "believed Berlin" in words(tab)
    tab.get_by_role("link", name="Back to now").click()
    assert "believed Munich" in words(tab)


def test_both_clocks_are_set_from_the_bar(at: Served, tab: "Tab") -> None:
    tab.goto(f"{at.url}/line?subject=Ana&predicate=lives_in")
    tab.keyboard.press("v")
    tab.keyboard.type("2021")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**valid_at=2021**")

    assert "subject=Ana" in tab.url and "believed Berlin" in words(tab)


def test_a_proof_is_opened_from_an_answer_and_folded(at: Served, tab: "Tab") -> None:
    tab.goto(f"{at.url}/rules")
    tab.get_by_label("A question in the language of rules").fill("lives_in_country(x, c)")
    tab.get_by_role("button", name="Ask").click()
    assert "Ana Germany" in words(tab)
    tab.get_by_role("link", name="why", exact=True).click()
    leaf = tab.get_by_text("Munich is in Germany.")
    assert leaf.is_visible()
    tab.locator("summary", has_text="lives in country").first.click()

    assert not leaf.is_visible()


def test_a_contest_is_resolved_and_reopened(memory: Memory, at: Served, tab: "Tab") -> None:
    tab.goto(f"{at.url}/contested")
    tab.get_by_role("link", name="Nora lives in").click()
    tab.get_by_label(re.compile("^Oslo")).check()
    tab.get_by_label(re.compile("^How do you know")).fill("She told me herself.")
    tab.get_by_role("button", name="Resolve").click()
    assert "Oslo" == memory.believe("Nora", "lives_in").value
    assert "believed Oslo" in words(tab)
    tab.get_by_text("Reopen what was resolved last").click()
    tab.get_by_label("Why?").fill("It was a slip.")
    tab.get_by_role("button", name="Reopen").click()

    assert "What holds?" in words(tab)
    assert "Contested" == memory.believe("Nora", "lives_in").status


def test_the_graph_is_drawn_and_leads_to_pages(memory: Memory, at: Served, tab: "Tab") -> None:
    tab.goto(f"{at.url}/graph?around=Munich&valid_at=2021")
    tab.get_by_role("application", name=re.compile("^The graph")).wait_for()
    tab.keyboard.press("/")
    assert "search" == tab.evaluate("document.activeElement.id"), "the page's own search, not that of the picture"
    tab.evaluate("id => document.querySelector('[data-graph]').picture.goTo(id)", memory.entity("Munich").entity.id)
    tab.get_by_role("complementary").get_by_role("button", name=re.compile("open", re.IGNORECASE)).first.click()
    tab.wait_for_url("**/entity?**")

    assert "Munich" == heading(tab) and "valid_at=2021" in tab.url


def test_everything_but_the_graph_is_there_without_scripts(pages: Served, browser: "Browser") -> None:
    context = browser.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto(f"{pages.url}/?token={pages.session.token}")
    tab.get_by_role("searchbox").fill("Nora")
    tab.get_by_role("searchbox").press("Enter")
    tab.get_by_role("link", name="Nora lives in", exact=True).click()
    assert "What holds?" in words(tab)
    tab.get_by_role("link", name="2020-01-01").click()
    assert "valid_at=2020" in tab.url
    tab.goto(f"{pages.url}/graph")
    assert tab.get_by_role("img", name="the graph as a picture").is_visible()
    context.close()


@pytest.mark.parametrize("width", [400, 1200])
def test_no_page_is_wider_than_its_window(at: Served, tab: "Tab", width: int) -> None:
    tab.set_viewport_size({"width": width, "height": 800})
    line, proof = "/line?subject=Nora&predicate=lives_in", '/why?fact=lives_in_country("Ana", c)'
    for path in ("/", "/search?q=Nora", "/entity?name=Ana", line, "/contested", "/rules", proof, "/graph", "/keys"):
        tab.goto(f"{at.url}{path}")
        assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
