"""The site is built from the pages with every warning an error, and nothing in it is fetched from anywhere."""

import doctest
import importlib.util
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from tests.docs.pages import DOCS, pages

FETCHED = {"src", "srcset", "poster", "data", "background"}
KINDS = {"stylesheet", "icon", "preload", "prefetch", "preconnect", "dns-prefetch", "manifest", "modulepreload"}
ELSEWHERE = re.compile(r"(?:https?:)?//\w")
IN_STYLES = re.compile(r"(?:url\(\s*['\"]?|@import\s+['\"])(?:https?:)?//")


class Fetches(HTMLParser):
    """The addresses on other machines that a browser asks for when it shows a page; a link is none."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.pictures: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        self.pictures += [told[name] for name in ("src", "srcset") if tag in ("img", "source") and name in told]
        names = FETCHED | ({"href"} if tag == "link" and KINDS & set(told.get("rel", "").split()) else set())
        self.found += [told[name] for name in names & set(told) if ELSEWHERE.match(told[name])]
        self.found += [told["style"]] if IN_STYLES.search(told.get("style", "")) else []


def fetches(page: str) -> list[str]:
    return reading(page).found


def reading(page: str) -> Fetches:
    reader = Fetches()
    reader.feed(page)
    return reader


def build(pages: Path, site: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "sphinx", "-q", "-n", "-W", "--keep-going", "-d", f"{site}-trees"]
    return subprocess.run([*command, str(pages), str(site)], capture_output=True, text=True, timeout=240, check=False)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built; a page with a dead link, or one that nothing leads to, fails here."""
    made = tmp_path_factory.mktemp("site") / "html"
    done = build(DOCS, made)
    assert (0, "") == (done.returncode, done.stderr)
    return made


def test_every_page_is_in_the_site(site: Path) -> None:
    told = {page.relative_to(DOCS).with_suffix(".html") for page in pages() if page.is_relative_to(DOCS)}

    assert 15 < len(told)
    assert not [page for page in told if not (site / page).exists()]
    assert (site / "index.html").read_bytes() == (site / "README.html").read_bytes()


def test_nothing_of_the_site_is_fetched_from_anywhere(site: Path) -> None:
    made = list(site.rglob("*.html"))

    assert 15 < len(made)
    assert not [(page.name, found) for page in made for found in fetches(page.read_text(encoding="utf-8"))]
    styles = [*site.rglob("*.css"), *site.rglob("*.svg")]
    assert styles and not [file.name for file in styles if IN_STYLES.search(file.read_text(encoding="utf-8"))]


def test_every_picture_of_a_page_is_in_the_site(site: Path) -> None:
    shown = [
        page.parent / picture.partition("?")[0]
        for page in site.rglob("*.html")
        for picture in reading(page.read_text(encoding="utf-8")).pictures
        if not picture.startswith("data:")
    ]

    assert [] == [str(picture.relative_to(site)) for picture in shown if not picture.exists()]


def test_what_would_be_fetched_is_seen() -> None:
    page = '<a href="https://e.org">.</a><img src="//e.org/i.png"><link rel="stylesheet" href="https://e.org/s.css">'

    assert ["//e.org/i.png", "https://e.org/s.css"] == fetches(page)
    assert IN_STYLES.search('@import "https://e.org/s.css"') and not IN_STYLES.search("url(data:image/png)")


def test_a_dead_link_and_a_page_that_nothing_leads_to_stop_the_build(tmp_path: Path) -> None:
    pages = tmp_path / "docs"
    pages.mkdir()
    shutil.copy(DOCS / "conf.py", pages)
    (pages / "README.md").write_text("# All\n\n## How-to\n\n* [One](one.md)\n")
    (pages / "one.md").write_text("# One\n\n[there](#nowhere) and [elsewhere](none.md)\n")
    (pages / "two.md").write_text("# Two\n")
    done = build(pages, tmp_path / "html")

    assert 0 != done.returncode
    assert "nowhere" in done.stderr and "none.md" in done.stderr and "two.md" in done.stderr


def test_the_example_in_the_configuration_is_true() -> None:
    spec = importlib.util.spec_from_file_location("conf", DOCS / "conf.py")
    assert spec is not None and spec.loader is not None
    conf = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(conf)

    done = doctest.testmod(conf)
    assert done.attempted > 0 and done.failed == 0
