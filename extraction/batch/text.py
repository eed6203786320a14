"""Text and Markdown, read in blocks: a file of any size is cut into texts without being held in memory."""

import re
from collections.abc import Iterator
from typing import TextIO

from hornbook.graph.passages import passages

PIECE = 50_000  # characters of one text: what its first passages with a vector cover, and some more
BLOCK = 65_536
HEADING = re.compile(r"#{1,3} ")
FENCE = re.compile(r" {0,3}(```|~~~)")


def whole(text: TextIO) -> Iterator[str]:
    """A text as one piece, or cut at sentence borders where it is longer than 50,000 characters."""
    return _cut(iter(lambda: text.read(BLOCK), ""))


def sections(text: TextIO) -> Iterator[str]:
    """A Markdown text cut at its headings of the first three levels; not at what looks like one in a code block."""
    section, length = list[str](), 0
    for line in _lines_outside_code(text):
        if line.startswith("\0"):
            yield from _cut(iter(section))
            section, length = [], 0
        section.append(line.removeprefix("\0"))
        length += len(line)
        if length > 2 * PIECE:  # a section may be longer than memory
            *done, rest = _cut(iter(section))
            yield from done
            section, length = [rest], len(rest)
    yield from _cut(iter(section))


def _lines_outside_code(text: TextIO) -> Iterator[str]:
    """The lines of a text, a heading marked by a NUL in front."""
    fence, starts = "", True
    for line in iter(lambda: text.readline(BLOCK), ""):
        found = FENCE.match(line) if starts else None
        if found is not None and fence in ("", found[1]):
            fence = "" if fence else found[1]
        yield f"\0{line}" if starts and not fence and HEADING.match(line) else line
        starts = line.endswith("\n")


def _cut(blocks: Iterator[str]) -> Iterator[str]:
    held = ""
    for block in blocks:
        held += block
        while len(held) > 2 * PIECE:
            ((_, end), *_) = passages(held[: PIECE + 1], PIECE, 0)
            yield held[:end]
            held = held[end:]
    for start, end in passages(held, PIECE, 0):
        if held[start:end].strip():
            yield held[start:end]
