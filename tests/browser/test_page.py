"""The page of `Memory.show` in a real browser: it is searched, slid, filtered, opened, and no text of a memory runs."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.display.test_page_data import at_position

from hornbook.display.page.document import Page
from hornbook.graph.clock import ticking
from hornbook.memory import Memory

if TYPE_CHECKING:
    from playwright.sync_api import Page as Tab

PICTURE = "hornbookPicture"


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory.open(":memory:", user="ana", clock=ticking()) as memory:
        memory.claim("Ana", "lives_in", "Berlin", valid_from="2020", speaker="Ana", evidence="I moved to Berlin.")
        memory.claim("Ana", "lives_in", "Munich", valid_from="2021-06", speaker="Ben", evidence="She is in Munich now.")
        memory.claim("Ana", "works_for", "Acme", valid_from="2019", valid_to="2022", speaker="Ana")
        memory.claim("Ana", "sister", "Ben")
        memory.claim("Ben", "works_for", "Bolt", valid_from="2018", speaker="Ben")
        memory.claim("Ben", "son", "Tim", speaker="Ben", evidence="Tim is my son.")
        memory.rules("aunt(x, z) :- sister(x, y), son(y, z).")
        yield memory


Show = Callable[..., dict[str, Any]]


@pytest.fixture
def show(tab: "Tab", tmp_path: Path) -> Show:
    """Save a memory's page, open it in the tab, and give what it draws."""

    def act(memory: Memory, **asked: Any) -> dict[str, Any]:
        page = memory.show(**asked)
        page.save(tmp_path / "page.html")
        tab.goto((tmp_path / "page.html").as_uri())
        return page.data

    return act


def shown(tab: "Tab", data: dict[str, Any]) -> set[tuple[str, str, str, str]]:
    """The arrows on screen: from, label, to, role."""
    names = {node["id"]: node["name"] for node in data["nodes"]}
    arrows = tab.evaluate(f"{PICTURE}.shown().arrows")
    return {(names[one["from"]], one["label"], names[one["to"]], one["role"]) for one in arrows}


def expected(data: dict[str, Any], valid: int, known: int) -> set[tuple[str, str, str, str]]:
    """The arrows that a position of the clocks should show; that the data are right is tested against the memory."""
    lines = at_position(data, valid, known).values()
    return {(side[0], side[1], side[2], side[4]) for _, sides in lines for side in sides}


def test_the_search_finds_a_node_and_goes_to_it(memory: Memory, tab: "Tab", show: Show) -> None:
    show(memory, around="Ana", depth=3)
    tab.keyboard.press("/")
    tab.keyboard.type("bol")

    assert "Bolt" in tab.get_by_role("option").first.inner_text()
    tab.keyboard.press("Enter")
    assert "Bolt" == tab.get_by_role("heading", level=2).inner_text()
    assert "works_for" in tab.get_by_role("complementary").inner_text()
    x, y = tab.evaluate(f"{PICTURE}.where({{node: {json.dumps(_id(memory, 'Bolt'))}}})")
    assert 0 < x < 1200 and 0 < y < 800


def _id(memory: Memory, name: str) -> str:
    return str(memory.entity(name).entity.id)


def test_sliding_shows_at_every_stop_of_both_clocks_what_the_memory_says(
    memory: Memory, tab: "Tab", show: Show
) -> None:
    data = show(memory)
    valid, known = (tab.get_by_label(label, exact=True) for label in ("True at", "As known"))

    seen = set()
    for position in range(len(data["known"]["stops"]) + 1):
        known.fill(str(position))
        for at in range(len(data["valid"]["stops"]) + 1):
            valid.fill(str(at))
            arrows = shown(tab, data)
            assert expected(data, at, position) == arrows, (at, position)
            seen.add(frozenset(arrows))
    assert 10 < len(seen)


def test_arrow_keys_on_a_clock_go_from_change_to_change(memory: Memory, tab: "Tab", show: Show) -> None:
    data = show(memory, valid_at="2020-06")
    clock = tab.get_by_label("True at", exact=True)
    assert ("Ana", "lives_in", "Berlin", "p") in shown(tab, data)
    clock.press("ArrowRight")

    assert {("Ana", "lives_in", "Berlin", "c"), ("Ana", "lives_in", "Munich", "c")} <= shown(tab, data)
    assert "2021-06-01" in str(clock.get_attribute("aria-valuetext"))


def test_a_date_is_gone_to_and_what_is_no_date_is_marked(memory: Memory, tab: "Tab", show: Show) -> None:
    data = show(memory)
    jump = tab.get_by_label("True at: go to a date, year first")
    jump.fill("2019-05")
    jump.press("Enter")

    assert ("Ana", "works_for", "Acme", "p") in shown(tab, data)
    assert not any(arrow[1] == "lives_in" for arrow in shown(tab, data))
    jump.fill("soon")
    jump.press("Enter")
    assert "true" == jump.get_attribute("aria-invalid")


def test_a_click_on_an_arrow_opens_its_evidence_and_what_is_against_it(memory: Memory, tab: "Tab", show: Show) -> None:
    data = show(memory)
    names = [node["name"] for node in data["nodes"]]
    arrow = next(at for at, one in enumerate(data["arrows"]) if "Munich" == names[one["to"]])
    tab.mouse.click(*tab.evaluate(f"{PICTURE}.where({{arrow: {arrow}}})"))

    panel = tab.get_by_role("complementary").inner_text()
    for told in ("She is in Munich now.", "Ben", "contested", "since 2021-06", "External:UserAsserted", "Berlin"):
        assert told in panel
    assert data["claims"][1]["ref"] in panel
    tab.keyboard.press("Escape")
    assert not tab.get_by_role("complementary").is_visible()


def test_what_is_derived_shows_its_rule_and_its_proof(memory: Memory, tab: "Tab", show: Show) -> None:
    data = show(memory)
    tab.evaluate(f"{PICTURE}.goTo({json.dumps(_id(memory, 'Ana'))})")
    tab.get_by_role("complementary").get_by_role("button", name="Tim").click()

    panel = tab.get_by_role("complementary").inner_text()
    assert "aunt(x, z) :- sister(x, y), son(y, z)." in panel and "Tim is my son." in panel
    assert any(arrow["rule"] for arrow in data["arrows"])


def test_the_picture_is_walked_and_opened_by_keys_alone(memory: Memory, tab: "Tab", show: Show) -> None:
    show(memory, around="Ana")
    tab.get_by_role("application").focus()
    tab.keyboard.press("ArrowRight")
    tab.keyboard.press("Enter")

    assert "Ana" == tab.get_by_role("heading", level=2).inner_text()
    assert "H2" == tab.evaluate("document.activeElement.tagName")
    for _ in range(30):
        tab.keyboard.press("Tab")
        if "Look around it" == tab.evaluate("document.activeElement.textContent"):
            break
    assert "Look around it" == tab.evaluate("document.activeElement.textContent")


def test_a_type_is_filtered_out_and_back(memory: Memory, tab: "Tab", show: Show) -> None:
    data = show(memory, valid_at="2020")
    whole = shown(tab, data)
    tab.get_by_text("Types", exact=True).click()
    box = tab.get_by_label("organization")
    box.uncheck()

    assert {arrow for arrow in whole if arrow[1] != "works_for"} == shown(tab, data) != whole
    box.check()
    assert whole == shown(tab, data)


def test_steps_and_another_centre_narrow_what_is_shown(memory: Memory, tab: "Tab", show: Show) -> None:
    data = show(memory, around="Ana", depth=2)
    assert ("Ben", "works_for", "Bolt", "p") in shown(tab, data)
    tab.get_by_label("Steps from the centre").select_option("1")

    assert ("Ben", "works_for", "Bolt", "p") not in shown(tab, data)
    tab.evaluate(f"{PICTURE}.goTo({json.dumps(_id(memory, 'Bolt'))})")
    tab.get_by_role("button", name="Look around it").click()
    assert ("Ben", "works_for", "Bolt", "p") in shown(tab, data)


HOSTILE = (
    "</script><script>document.title='ran'</script>",
    "<img src=x onerror=\"document.title='ran'\">",
    "<!--<script>",
    "javascript:alert(1)",
    "\u202eevil \u2066right to left",
    "שלום עולם",
    "nul \x00 and bell \x07",
    "x" * 10_000,
    "__proto__",
    "\ud800 half",
    "]]>&lt;/script&gt;\u2028\u2029",
)


def test_no_text_of_a_memory_runs_and_all_are_shown_as_they_were_said(tab: "Tab", tmp_path: Path) -> None:
    with Memory.open(":memory:", user="<b>ana</b>", clock=ticking()) as memory:
        for text in HOSTILE:
            sound = text.replace("\ud800", "?")[:900]
            memory.claim(sound, sound, "Ana", evidence=sound, speaker=sound, source=sound, cardinality="SetValued")
        page = memory.show()
        page.data["nodes"][0] |= {"also": list(HOSTILE)}
        page.data["notes"] = list(HOSTILE)
        Page("".join(HOSTILE[:4]), page.data).save(tmp_path / "page.html")
        tab.goto((tmp_path / "page.html").as_uri())

    for at, text in enumerate(HOSTILE):
        tab.evaluate(f"{PICTURE}.goTo({json.dumps(page.data['nodes'][at]['id'])})")
        tab.keyboard.press("/")
        tab.keyboard.insert_text(text[:20].replace("\x00", "").replace("\ud800", ""))
    quotes = []
    for arrow in range(len(page.data["arrows"])):
        tab.evaluate(f"{PICTURE}.pick({{node: null, arrow: {arrow}}})")
        quotes.append(tab.locator("blockquote").inner_text())
    for text in HOSTILE:
        kept = "".join("\ufffd" if ord(char) < 32 else char for char in text.replace("\ud800", "?")[:900])
        assert any(kept.strip() == quote.strip() for quote in quotes), text
    assert "ran" != tab.title() and 3 == tab.locator("script").count() and 0 == tab.locator("img").count()
    assert tab.evaluate("document.documentElement.scrollWidth") <= 1200


def test_a_notebook_shows_it_in_a_frame_that_reaches_nothing(memory: Memory, tab: "Tab", tmp_path: Path) -> None:
    cell = memory.show("Ana")._repr_html_()
    (tmp_path / "notebook.html").write_text(
        f"<!doctype html><meta charset=utf-8><style>button{{display:none}}</style><body>{cell}</body>", encoding="utf-8"
    )
    tab.goto((tmp_path / "notebook.html").as_uri())
    frame = tab.frame_locator("iframe")

    assert "arrows" in frame.get_by_role("status").inner_text()
    assert frame.get_by_role("button", name="Zoom in").is_visible()
    inner = tab.frames[1]
    assert "blocked" == inner.evaluate("(() => { try { return parent.document.title } catch { return 'blocked' } })()")
    assert "null" == inner.evaluate("window.origin")


@pytest.mark.parametrize("width", [400, 1200])
def test_it_fits_a_narrow_screen(width: int, memory: Memory, tab: "Tab", show: Show) -> None:
    tab.set_viewport_size({"width": width, "height": 720})
    show(memory, around="Ana")
    tab.evaluate(f"{PICTURE}.goTo({json.dumps(_id(memory, 'Ana'))})")

    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    for name in ("True at", "As known", "Search by name"):
        box = tab.get_by_label(name, exact=True).bounding_box()
        assert box and 0 <= box["x"] and box["x"] + box["width"] <= width and box["width"] > 60
    canvas = tab.get_by_role("application").bounding_box()
    assert canvas and canvas["height"] > 250


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contested_is_told_by_colour_and_by_dash_in_light_and_dark(
    scheme: Any, memory: Memory, tab: "Tab", show: Show
) -> None:
    tab.emulate_media(color_scheme=scheme)
    show(memory)

    colours = tab.evaluate(
        "(() => { const s = getComputedStyle(document.querySelector('.hb-graph'));"
        " return ['ground', 'ink', 'bad', 'soft'].map(name => s.getPropertyValue('--hb-' + name).trim()) })()"
    )
    ground, ink, bad, soft = (_luminance(colour) for colour in colours)
    assert (ground > 0.9) == (scheme == "light")
    assert all(_contrast(ground, one) > 4.5 for one in (ink, bad, soft))
    assert "contested" in tab.locator(".hb-legend").inner_text()


def _luminance(colour: str) -> float:
    digits = colour.removeprefix("#")
    digits = "".join(2 * char for char in digits) if len(digits) == 3 else digits
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: float, other: float) -> float:
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)
