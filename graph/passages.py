"""Cutting a long text into passages that can each be found: at paragraph and sentence borders, with some overlap."""

import re

LONGEST = 1_000  # characters: about as much as the embedding model reads
OVERLAP = 100
BORDER = re.compile(r"\n\s*\n|(?<=[.!?。\uff01\uff1f])\s+|\n")


def passages(text: str, longest: int = LONGEST, overlap: int = OVERLAP) -> tuple[tuple[int, int], ...]:
    """The passages of a text as (start, end) in characters; together they cover it, a short text is one.

    >>> passages("One. Two.", longest=5, overlap=0)
    ((0, 5), (5, 9))
    """
    found, start = [], 0
    while len(text) - start > longest:
        end = _border(text, start, start + longest)
        found.append((start, end))
        start = max(_border(text, start, end - overlap) if overlap else end, start + 1)
    return (*found, (start, len(text)))


def _border(text: str, start: int, limit: int) -> int:
    """The last border before the limit, in the second half of the piece; else a blank; else the limit itself."""
    half = start + max(1, (limit - start) // 2)
    borders = [match.end() for match in BORDER.finditer(text, half, limit)]
    if borders:
        return borders[-1]
    blank = text.rfind(" ", half, limit)
    return blank + 1 if blank > 0 else max(limit, start + 1)
