"""The page as a file: whole in itself, with nothing in it that could be fetched or run besides its own two scripts."""

import json
import re
import webbrowser
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from html import unescape
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hornbook.display.page.assets import D3, OURS, embedded, read, script, style
from hornbook.display.page.document import Page
from hornbook.graph.clock import ticking
from hornbook.memory import Memory

ASSETS = Path(__file__).parents[2] / "src" / "hornbook" / "display" / "page" / "assets"
NAMESPACES = ("http://www.w3.org/",)  # names, which nobody fetches
AUTHORS = ("https://d3js.org/",)  # in the comment that heads each module


@pytest.fixture
def page() -> Iterator[Page]:
    with Memory.open(":memory:", user="ana", clock=ticking()) as memory:
        memory.claim("Ana", "knows", "Ben", evidence="I know Ben.")
        yield memory.show("Ana")


def test_its_policy_lets_in_what_it_holds_and_nothing_else(page: Page) -> None:
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page.html)
    inside = re.findall(r"<script>(.*?)</script>|<style>(.*?)</style>", page.html, re.DOTALL)

    assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy
    held = [b64encode(sha256((one or other).encode()).digest()).decode() for one, other in inside]
    assert sorted(held) == sorted(re.findall(r"'sha256-([^']*)'", policy)) and 3 == len(held)


def test_no_address_is_in_it_but_names_of_what_is_its_own(page: Page) -> None:
    found = set(re.findall(r"https?://[^\s\"'`)]+", page.html))

    assert all(one.startswith((*NAMESPACES, *AUTHORS)) for one in found)
    assert not re.search(
        r"\beval\(|new Function|import\(|fetch\(|XMLHttpRequest|innerHTML|insertAdjacentHTML", our_script()
    )
    assert not re.search(r"@import|url\(", style())


def our_script() -> str:
    return "\n".join(read(f"{name}.js") for name in (*OURS, "page"))


def test_every_asset_is_used_and_the_library_has_its_licence() -> None:
    used = {f"{name}.js" for name in (*OURS, "page")} | {"graph.css", "page.css"}

    assert used == {file.name for file in ASSETS.iterdir() if file.is_file()}
    modules = {file.name for file in (ASSETS / "d3").iterdir()}
    assert {"LICENSE"} | {f"d3-{name}.min.js" for name in D3} == modules
    terms = read("d3/LICENSE")
    assert all(name in terms for name in D3) and "Permission to use, copy, modify" in terms
    assert all(f"d3js.org/d3-{name}/" in script() for name in D3)


@given(st.recursive(st.none() | st.integers() | st.text(), lambda inner: st.lists(inner, max_size=3), max_leaves=6))
def test_what_is_embedded_is_read_back_and_ends_no_element(value: object) -> None:
    text = embedded(value)
    assert not set("<>&\u2028\u2029") & set(text) and json.loads(text) == value


def test_it_is_saved_shown_and_opened(page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page.save(tmp_path / "a.html")
    assert page.html == str(page) == (tmp_path / "a.html").read_text(encoding="utf-8")
    assert "data" not in repr(page) and "around Ana" in repr(page)

    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    path = page.open()
    assert [path.as_uri()] == opened and page.html == path.read_text(encoding="utf-8")


def test_a_notebook_gets_a_frame_that_may_run_scripts_and_nothing_more(page: Page) -> None:
    shown = page._repr_html_()

    assert 'sandbox="allow-scripts"' in shown and "allow-same-origin" not in shown
    (inside,) = re.findall(r'srcdoc="([^"]*)"', shown)
    assert unescape(inside) == page.html
