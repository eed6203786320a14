"""Take the pictures of `hornbook explore` that the guide shows: `python docs/pictures.py`, with Chromium on PATH.

They show the conversation that ships with the package, so that everybody sees the same.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import uvicorn
from playwright.sync_api import Browser, Page, sync_playwright

from hornbook import demo
from hornbook.explore.app import guarded
from hornbook.explore.guard import Session
from hornbook.explore.server import config_of
from hornbook.explore.workers import Workers
from hornbook.loopback import listen
from hornbook.memory import Memory

PICTURES = Path(__file__).parent / "pictures"
LARGEST = 150_000  # bytes of one
SIZE = {"width": 1080, "height": 760}
RULES = """
lives_in_country(x, c) :- lives_in(x, y), located_in(y, c).
compatriots(x, y) :- lives_in_country(x, c), lives_in_country(y, c), x != y.
"""
SHOWN = {
    "start": "/",
    "entity": "/entity?name=Ana",
    "line": "/line?subject=Nora&predicate=lives_in",
    "contested": "/contested",
    "proof": '/why?fact=compatriots("Ana", "Marta Kellner")',
    "graph": "/graph",
}


def told() -> Memory:
    """The conversation, and rules over it."""
    memory = demo.told()
    for city, country in (("Munich", "Germany"), ("Berlin", "Germany"), ("Oslo", "Norway"), ("Bergen", "Norway")):
        memory.claim(city, "located_in", country, valid_from="1950", evidence=f"{city} is in {country}.", speaker="Ben")
    memory.rules(RULES)
    return memory


@contextmanager
def served(memory: Memory) -> Iterator[tuple[str, list[str]]]:
    """Where the pages of a memory are, and the tokens so far: each lets one browser in, the last is the next."""
    listening = listen("127.0.0.1", 0)
    port = listening.getsockname()[1]
    tokens: list[str] = []
    session = Session(tokens.append)
    tokens.append(session.token)
    server = uvicorn.Server(config_of(guarded(memory, session, port, Workers(), write=True)))
    thread = Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{port}", tokens
    finally:
        server.should_exit = True
        thread.join()


def taken(browser: Browser, start: str, token: str, scheme: Any) -> None:
    """Every picture, on a light or on a dark ground."""
    tab = browser.new_context(color_scheme=scheme, viewport=SIZE, reduced_motion="reduce").new_page()
    tab.goto(f"{start}/?token={token}")
    for name, path in SHOWN.items():
        tab.goto(f"{start}{path}")
        settled(tab, name)
        file = PICTURES / f"explore-{name}-{scheme}.png"
        tab.screenshot(path=file)
        size = file.stat().st_size
        print(f"{file.name}: {size // 1_000} kB")
        assert size < LARGEST, f"{file.name} is too large"


def settled(tab: Page, name: str) -> None:
    """Wait until a page stands still, and show the part of it that the picture is about."""
    if name == "graph":
        tab.get_by_role("application").wait_for()
        tab.locator("[data-graph]").evaluate("one => scrollTo(0, one.offsetTop - 62)")  # below the bar that stays
        tab.wait_for_timeout(1_000)


def main() -> None:
    """Take them all."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    PICTURES.mkdir(exist_ok=True)
    with told() as memory, served(memory) as (start, tokens), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        for scheme in ("light", "dark"):
            taken(browser, start, tokens[-1], scheme)
        browser.close()


if __name__ == "__main__":
    main()
