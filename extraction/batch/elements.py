"""JSON read piece by piece: the lines of a file, or the elements of one list, none of them held longer than needed."""

import re
from collections.abc import Iterator
from typing import IO, TextIO

LONGEST = 32_000_000  # bytes of one line, characters of one element
BLOCK = 1_000_000
MARK = re.compile(r'[\\"{}\[\],]')


def lines(file: IO[bytes]) -> Iterator[tuple[int, bytes | None]]:
    """The lines of a file with their numbers; None for one that is too long to be read.

    >>> import io
    >>> list(lines(io.BytesIO(b"one\\ntwo")))
    [(1, b'one\\n'), (2, b'two')]
    """
    number = 0
    while line := file.readline(LONGEST + 1):
        number += 1
        if len(line) <= LONGEST or line.endswith(b"\n"):
            yield number, line
            continue
        while line and not line.endswith(b"\n"):
            line = file.readline(BLOCK)
        yield number, None


class CutOff(ValueError):
    """The text ends in the middle of an element."""


def elements(text: TextIO) -> Iterator[str | None]:
    """The elements of a JSON list, each as its text; None for one that is too long. An object counts as its own list.

    Raises CutOff when the end is missing, after the elements that are whole.

    >>> import io
    >>> list(elements(io.StringIO('[{"a": "]"}, 2]'))), list(elements(io.StringIO('{"a": [1, 2]}')))
    (['{"a": "]"}', '2'], ['{"a": [1, 2]}'])
    """
    scan = _Scan()
    for block in iter(lambda: text.read(BLOCK), ""):
        yield from scan.feed(block)
    yield from scan.end()


class _Scan:
    """Where in the text we are: how deep, in a string or not, and the parts of the element so far."""

    def __init__(self) -> None:
        self.depth = 0  # open brackets
        self.base = 1  # elements stand this deep: 1 in a list, 0 for an object that stands alone
        self.quoted = self.escaped = self.began = False
        self.parts: list[str] = []
        self.length = 0

    def feed(self, block: str) -> Iterator[str | None]:
        start = 0
        if not self.began and (first := block.lstrip("\ufeff \t\r\n")):
            self.began = True
            if first[0] == "[":
                self.depth, start = 1, len(block) - len(first) + 1
            else:
                self.base = 0
        at = start
        if self.escaped:
            self.escaped, at = False, start + 1
        while (found := MARK.search(block, at)) is not None:
            at = found.end()
            if self._passes(found[0]):
                self._keep(block[start : found.start() + (self.base == 0)])
                start = at
                yield from self._taken()
            elif self.quoted and found[0] == "\\":
                self.escaped, at = at >= len(block), at + 1
        self._keep(block[start:])

    def _passes(self, mark: str) -> bool:
        """Whether a mark ends an element."""
        if mark == '"':
            self.quoted = not self.quoted
        if self.quoted or mark in '"\\':
            return False
        if mark in "{[":
            self.depth += 1
            return False
        if mark == ",":
            return self.depth == self.base == 1
        self.depth -= 1
        return self.depth < self.base or self.base == self.depth == 0

    def _keep(self, part: str) -> None:
        self.length += len(part)
        if self.length <= LONGEST:
            self.parts.append(part)
        else:
            self.parts.clear()

    def _taken(self) -> Iterator[str | None]:
        text, length = "".join(self.parts).strip(), self.length
        self.parts, self.length = [], 0
        if length > LONGEST:
            yield None
        elif text:
            yield text

    def end(self) -> Iterator[str | None]:
        if self.depth > 0 or self.quoted:
            raise CutOff("the file ends in the middle of an element")
        if self.base == 0:
            yield from self._taken()
