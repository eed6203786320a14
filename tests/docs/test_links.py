"""Every link in the pages leads somewhere: a file that is there, a heading that is in it. README's too."""

import re
from pathlib import Path

import pytest
from tests.docs.pages import DOCS, anchors, links, named, pages


def broken(page: Path) -> list[str]:
    """The links of a page that lead nowhere on this disk; what is elsewhere is not asked for."""
    found = []
    for link in links(page):
        if link.startswith(("https://", "http://", "mailto:")):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            found.append(link)
    return found


@pytest.mark.parametrize("page", pages(), ids=named)
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    assert [] == broken(page)


@pytest.mark.parametrize("page", pages(), ids=named)
def test_every_picture_of_a_page_is_there_in_both_lights(page: Path) -> None:
    told = re.findall(r"<img [^>]*src=\"([^\"]+)\"|srcset=\"([^\"]+)\"", page.read_text(encoding="utf-8"))

    assert [] == [one for pair in told for one in pair if one and not (page.parent / one).exists()]
    assert page.read_text("utf-8").count("<img ") == len(
        re.findall(r'<img [^>]*alt="[^"]{20,}"', page.read_text("utf-8"))
    )


def test_links_are_found_and_a_dead_one_is_seen(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# One two\n[a](#one-two) [b](#three) [c](none.md) `[d](code.md)`\n\n```\n[e](code.md)\n```\n")

    assert ["#three", "none.md"] == broken(page)
    assert 30 < sum(len(links(page)) for page in pages())


def test_every_page_is_named_in_the_index() -> None:
    told = {(DOCS / link).resolve() for link in links(DOCS / "README.md")}

    assert [] == [named(page) for page in DOCS.rglob("*.md") if page not in told and page.name != "README.md"]
