"""A real browser for tests of pages: Chromium without a window, driven by Playwright; where it is missing, a skip."""

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# one that is root has no sandbox; the others keep it from reaching out by itself
ARGUMENTS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
HERE = ("file:", "data:", "about:", "blob:", "http://127.0.0.1:", "http://localhost:")


@pytest.fixture(scope="module")  # no wider: while it is open, this thread has a running event loop
def browser() -> Iterator["Browser"]:
    """Chromium, for the tests of a module."""
    sync_api = pytest.importorskip(
        "playwright.sync_api", reason="BROWSER TESTS SKIPPED: they need the package playwright (pip install playwright)"
    )
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("BROWSER TESTS SKIPPED: they need a Chromium on PATH (Debian: apt-get install chromium)")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(ARGUMENTS))
        yield browser
        browser.close()


@pytest.fixture
def tab(browser: "Browser") -> Iterator["Page"]:
    """A tab of its own. When the test is over: no error was written to its console, and nothing was asked outside."""
    context = browser.new_context(viewport={"width": 1200, "height": 800}, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(20_000)
    heard: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: _heard(heard, message))
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    yield page
    context.close()
    assert [] == heard
    assert [] == [url for url in asked if not url.startswith(HERE)]


def _heard(heard: list[str], message: Any) -> None:
    if message.type in ("error", "warning"):
        heard.append(message.text)
