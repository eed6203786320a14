"""The pages of the documentation as tests read them: files, links, headings, blocks of code."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"

FENCE = re.compile(r"^```([^\n`]*)\n(.*?)^```[ ]*$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
NOT_RUN = "not run:"  # stands after the language of a block, with the reason


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: its language, what else stands after it, its text, the line it begins on."""

    language: str
    words: str
    text: str
    line: int


def pages() -> list[Path]:
    """Every page, and what stands at the root for everybody."""
    return [*sorted(DOCS.rglob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]


def named(page: Path) -> str:
    """A page's name from the root, for messages."""
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    for found in FENCE.finditer(text):
        language, _, words = found[1].strip().partition(" ")
        yield Block(language, words.strip(), found[2], text.count("\n", 0, found.start()) + 1)


def prose(page: Path) -> str:
    """A page without its blocks and its code, in which brackets are no links and signs no headings."""
    return re.sub(r"`[^`\n]*`", "", FENCE.sub("", page.read_text(encoding="utf-8")))


def links(page: Path) -> list[str]:
    """Where a page points to, as it is written."""
    return LINK.findall(prose(page))


def anchors(page: Path) -> set[str]:
    """The names under which the headings of a page are reached, as code hosts and the site make them.

    >>> "two-processes-on-one-store" in anchors(DOCS / "reference" / "performance.md")
    True
    """
    titles = HEADING.findall(FENCE.sub("", page.read_text(encoding="utf-8")))
    plain = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title) for title in titles]
    return {re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-") for title in plain}
