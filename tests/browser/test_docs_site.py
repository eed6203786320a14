"""The site of the documentation in a real browser: every page opens without an error, and nothing is asked outside."""

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import pytest
from tests.docs.pages import DOCS
from tests.docs.test_site import build

if TYPE_CHECKING:
    from playwright.sync_api import Page


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder, and says nothing about it."""

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[str]]]:
    """Where the site is served on this machine, and its pages."""
    made = tmp_path_factory.mktemp("site") / "html"
    assert 0 == build(DOCS, made).returncode
    pages = sorted(page.relative_to(made).as_posix() for page in made.rglob("*.html") if page.stem != "search")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=made))
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", pages
    server.shutdown()
    thread.join()
    server.server_close()


def test_every_page_opens_and_has_a_heading(tab: "Page", site: tuple[str, list[str]]) -> None:
    where, pages = site
    for page in pages:
        tab.goto(f"{where}/{page}")
        assert tab.locator("h1").first.inner_text()
    assert 25 < len(pages)


def test_a_search_finds_the_page_on_a_tool(tab: "Page", site: tuple[str, list[str]]) -> None:
    where, _ = site
    tab.goto(f"{where}/index.html")
    tab.locator("input[name=q]").first.fill("resolve_contested")
    tab.locator("input[name=q]").first.press("Enter")
    tab.locator("#search-results a").first.wait_for()

    assert tab.locator("#search-results a[href*='reference/tools']").count() > 0


def test_a_link_of_the_index_leads_on(tab: "Page", site: tuple[str, list[str]]) -> None:
    where, _ = site
    tab.goto(f"{where}/index.html")
    tab.locator("#tutorials a", has_text="First steps").click()

    assert tab.locator("h1").inner_text().startswith("First steps")


def test_a_page_has_no_wider_body_than_a_phone(tab: "Page", site: tuple[str, list[str]]) -> None:
    where, _ = site
    tab.set_viewport_size({"width": 390, "height": 800})
    for page in ("explanation/how-it-compares.html", "reference/tools.html", "tutorial/first-steps.html"):
        tab.goto(f"{where}/{page}")
        assert tab.evaluate("document.documentElement.scrollWidth") <= 390, Path(page).stem
