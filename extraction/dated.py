"""Texts that date themselves: a diary's headings, a log's lines. What stands below a date was said on that day.

A heading "# 2 June 2024", or a line that is nothing but a date, tells when the text below it was written; so does
"[2024-06-02] Ana: …" for its line, with who speaks. Such a date is the time of saying, and not the window of a fact.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from hornbook.extraction.dates import resolve_phrase
from hornbook.extraction.wordlists import words
from hornbook.graph.dates import Granularity, Moment
from hornbook.graph.names import name_key

HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t#]*$")
ALONE = re.compile(r"[ \t>*_]*([^:*_\n]{6,40}?)[ \t*_]*:?[ \t*_]*$")
BRACKETED = re.compile(r"[ \t]*(?:[-*] )?\[([^\[\]\n]{6,40})\][ \t]*[-:]?[ \t]*")
BARE = re.compile(
    r"[ \t]*(?:[-*] )?\**([^\[\]:\n]{6,30}?(?:\d\d?:\d\d(?::\d\d)?(?: ?[AaPp][Mm])?)?)\**"
    r"(?::\**|[ \t][-\u2013\u2014|])[ \t]+"
)
NAME = re.compile(r"([^\W\d_][\w.'\u2019-]*(?: [^\W\d_][\w.'\u2019-]*){0,2}):[ \t]+")
TIME = re.compile(r"[, tT]+\d\d?:\d\d(?::\d\d)?(?:\.\d+)? ?(?:[ap]\.?m\.?)?(?:z|[+-]\d\d:?\d\d)?$", re.I)
BREAK = re.compile(r"[ \t]*[-:,;|(\u2013\u2014][ \t]*")
YEAR = re.compile(r"\d{4}")
SELF = frozenset(("i", "me", "user", "human"))  # the one whose text it is
LABELS = words(
    "note notes todo task tasks idea ideas ps nb re update updates done plan plans summary mood weather work home "
    "health food breakfast lunch dinner meeting call today tomorrow yesterday morning afternoon evening night info "
    "debug warning error added changed fixed removed topic subject title date time place location photo"
)
LINE = 7  # deeper than any heading: a date on a line of its own


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a text with the time at which it says it was said, and who says "I" in it; None: as the whole."""

    text: str
    at: Moment | None = None
    speaker: str | None = None

    def goes_on(self, other: "Part") -> bool:
        """Whether another piece was said on the same day by the same speaker."""
        return (str(self.at)[:10], self.speaker) == (str(other.at)[:10], other.speaker)


@dataclass(slots=True)
class Days:
    """The dates that hold at a line: those of the headings it stands under, nearest last."""

    held: list[tuple[int, Moment | None]] = field(default_factory=list)

    @property
    def at(self) -> Moment | None:
        """The date of the nearest heading that has one."""
        return next((at for _, at in reversed(self.held) if at is not None), None)

    def heading(self, line: str) -> str | None:
        """Take in a line if it is a heading, or nothing but a date: its words without the date. None for any other."""
        if (found := HEADING.match(line)) is not None:
            self._leave(len(found[1]))
            at, rest = _titled(found[2], self.at)
            self.held.append((len(found[1]), at))
            return line if at is None else f"{rest}\n"
        if YEAR.search(line) and (found := ALONE.match(line)) and (at := _day(found[1])):
            self._leave(LINE)
            self.held.append((LINE, at))
            return "\n"
        return None

    def _leave(self, level: int) -> None:
        while self.held and self.held[-1][0] >= level:
            self.held.pop()


def parts_of(text: str) -> list[Part]:
    """The pieces of a text that dates itself, in order; a text that does not is one.

    >>> for part in parts_of("# 2 June 2024\\nI work for Tern.\\n# 5 June 2024\\n\\nI live in Ghent."):
    ...     print(part.at, part.text.strip())
    2024-06-02 I work for Tern.
    2024-06-05 I live in Ghent.
    >>> parts_of("[2024-06-02] Ana: I live in Ghent.\\n[2024-06-02] Bob: So do I.")[1].speaker
    'Bob'
    """
    if not YEAR.search(text):
        return [Part(text)]
    found: list[Part] = []
    for part in _lines(text):
        if found and found[-1].goes_on(part):
            found[-1] = replace(found[-1], text=found[-1].text + part.text)
        else:
            found.append(part)
    return [part for part in found if part.text.strip()] or [Part(text)]


def _lines(text: str) -> Iterator[Part]:
    """Each line with its time and speaker, without the date that says so; a heading belongs to what is below it."""
    days, entry = Days(), Part("")
    for line in text.splitlines(keepends=True):
        if (rest := days.heading(line)) is not None:
            entry = Part("", days.at)
            yield replace(entry, text=rest)
        elif (begun := _entry(line)) is not None:
            entry = begun
            yield begun
        elif not line.strip():
            yield replace(entry, text=line)
            entry = Part("", days.at)
        else:
            yield replace(entry, text=line)


def _entry(line: str) -> Part | None:
    """A line that begins with its day, and maybe with who speaks; without them."""
    found = (BRACKETED.match(line) or BARE.match(line)) if YEAR.search(line[:60]) else None
    if found is None or (at := _day(found[1])) is None:
        return None
    said = line[found.end() :]
    named = NAME.match(said)
    if named is None or name_key(named[1]) in LABELS:
        return Part(said, at)
    return Part(said[named.end() :], at, None if name_key(named[1]) in SELF else named[1])


def _titled(title: str, above: Moment | None) -> tuple[Moment | None, str]:
    """The date that a heading is, begins or ends with, and its other words; "2 June" is of the year above."""
    if not re.search(r"\d", title):
        return None, title
    if at := _date(title) or (_date(f"{title} {str(above)[:4]}") if above else None):
        return at, ""
    for mark in BREAK.finditer(title):
        before, behind = title[: mark.start()], title[mark.end() :]
        if at := _day(before):
            return at, behind
        if at := _day(behind.rstrip(")")):
            return at, before
    return None, title


def _day(text: str) -> Moment | None:
    """The day, or the instant, that a text is and nothing else."""
    at = _date(text)
    return at if at and at.granularity in (Granularity.DAY, Granularity.INSTANT) else None


def _date(text: str) -> Moment | None:
    """The date that a text is and nothing else: a year, a month, a day or an instant."""
    plain = text.strip(" \t*_")
    if not YEAR.search(plain):
        return None
    for said in (plain, TIME.sub("", plain)):
        found = resolve_phrase(said, None)
        if found and found.start and found.start == found.end and found.confidence >= 0.8:
            return found.start
    return None
