"""What a question says about where its answer is: whom it names, which time it asks about, which words carry it."""

import re
from calendar import month_name
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from hornbook.graph.clock import as_datetime, microseconds
from hornbook.graph.journal.lexical import RUN, STOP, carrying, normal, pairs, split
from hornbook.graph.names import name_key

WORD = re.compile(r"\w+")
MONTHS = {name[:size].lower(): number for number, name in enumerate(month_name) if name for size in (3, len(name))}
MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
LATIN = 0x24F  # the end of Latin Extended-B
LONGEST = 4_000  # characters of a question that are looked at
LONGEST_NAME = 4  # words
LONGEST_TOKEN = 100  # characters of an identifier


class Steer(StrEnum):
    """Which end of a history the question wants."""

    NONE = "none"
    CURRENT = "current"
    PAST = "past"


@dataclass(frozen=True, slots=True)
class Question:
    """A question, read. `window` is in microseconds, half-open; `anchor` is ("before" | "after", the event named).

    `recurs`: the window was named without its year ("in May"), and is the latest such by the clock.
    """

    text: str
    terms: tuple[str, ...] = ()
    exact: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    window: tuple[int, int] | None = None
    steer: Steer = Steer.NONE
    anchor: tuple[str, str] | None = None
    recurs: bool = False

    @property
    def latin(self) -> bool:
        """Whether it is in a script that the embedding model has learned well enough to be believed."""
        return not any(char.isalpha() and ord(char) > LATIN for char in self.text)

    @property
    def bare(self) -> bool:
        """Whether it is made of stop words only, so that its words are all there is to go by."""
        return all(term in STOP for term in self.terms)

    @property
    def carrying(self) -> int:
        """How many words carry the question."""
        return len(self.words)

    @property
    def words(self) -> list[str]:
        """The words that carry the question, the names of known people and things aside."""
        named = {word for name in self.named for word in name.split()}
        return [term for term in self.terms if term not in named]


def analyse(text: str, names: Collection[str] = (), now: int | None = None) -> Question:
    """Read a question against the known names (as `name_key` has them). Without `now`, "last week" means nothing.

    >>> asked = analyse("Where did Ana use rtx4090 in May 2023?", {"ana", "ben"})
    >>> asked.named, asked.exact, asked.terms
    (('ana',), ('rtx4090',), ('ana', 'use', 'rtx4090', '2023'))
    >>> analyse("Where does Ben currently live?").steer.value, analyse("Who helped before the move?").anchor
    ('current', ('before', 'the move'))
    """
    text = text[:LONGEST]
    window, rest = named_time(text, now)
    return Question(
        text=text,
        terms=tuple(dict.fromkeys(terms(text))),
        exact=tuple(dict.fromkeys(identifiers(rest))),
        named=tuple(dict.fromkeys(mentioned(text, names))),
        window=window,
        steer=steer(text),
        anchor=None if window else anchor(text),
        recurs=window is not None
        and _iso(text, now) is None
        and _dated(text, None) is None
        and bool(_dated(text, now)),
    )


def anchored(question: Question, at: int) -> Question:
    """The same question once the event it names has been found to be at `at`."""
    if question.anchor is None:
        return question
    return replace(question, window=(0, at) if question.anchor[0] == "before" else (at, at + YEAR))


def terms(text: str) -> Iterator[str]:
    """The words that carry a text, as the lexical index has them; all of them when it has stop words only.

    >>> list(terms("What is the café's Wi-Fi password?")), list(terms("who is he")), list(terms("我喜欢喝茶"))
    (['café', 'wi', 'fi', 'password'], ['who', 'is', 'he'], ['我喜', '喜欢', '欢喝', '喝茶'])
    """
    folded = normal(text)
    found = split(RUN.sub(" ", folded.lower()))
    kept = [word for word in found if word not in STOP] or found
    yield from kept
    for run in RUN.findall(carrying(folded)):
        yield from pairs(run) if len(run) > 1 else (run,)


IDENTIFIER = re.compile(
    r"""(?=\S*[\d_@/\\#+.$%&=<>:])   # some sign that it is no plain word
        (?:\d[\d.,:%-]*\d%? | [\w.+$-]+@[\w.-]+\w                 # 42, 0.11.3, 555-0134; a@b.co
        | [A-Za-z]\w*(?:\+\+|\#)                                  # C++, F#
        | [$\#/]?\w+(?:[._/:\\=-]\w+)*\d\w*(?:[._/:\\=-]\w+)*      # rtx4090, v2.1-rc, #4821
        | \w+(?:[_/\\.:]\w+)+ )                                   # user_id, src/main.py""",
    re.VERBOSE,
)
ORDINAL = re.compile(r"\d+(?:st|nd|rd|th|s)", re.IGNORECASE)


def identifiers(text: str) -> Iterator[str]:
    """Numbers and code identifiers, which are looked for letter by letter; ordinals and single digits are not.

    >>> list(identifiers("Does user_id 4821 in C++ use 0.11.3, or a@b.co? On the 2nd of 5 tries."))
    ['user_id', '4821', 'C++', '0.11.3', 'a@b.co']
    """
    for token in text.split():
        bare = token.strip("\"'`?!,;:()[]{}<>.…").removesuffix("'s")
        if 1 < len(bare) <= LONGEST_TOKEN and IDENTIFIER.fullmatch(bare) and not ORDINAL.fullmatch(bare):
            yield bare


def mentioned(text: str, names: Collection[str]) -> Iterator[str]:
    """The known names that stand in the text, longest first at each place.

    >>> list(mentioned("Did Ana Silva meet Zoë's cat?", {"ana", "ana silva", "zoë"}))
    ['ana silva', 'zoë']
    """
    words = WORD.findall(name_key(text))
    at = 0
    while at < len(words):
        for size in range(min(LONGEST_NAME, len(words) - at), 0, -1):
            if (name := " ".join(words[at : at + size])) in names:
                yield name
                at += size - 1
                break
        at += 1


CURRENT = re.compile(r"\b(currently|current|now|nowadays|at the moment|these days|still|latest|most recent)\b", re.I)
PAST = re.compile(r"\b(used to|previously|previous|formerly|former|in the past|originally|at first|back then)\b", re.I)


def steer(text: str) -> Steer:
    """Whether the question asks for how things are or how they were.

    >>> steer("What did she use to... sorry, used to drive?").value, steer("Does she still drive?").value
    ('past', 'current')
    """
    if PAST.search(text):
        return Steer.PAST
    return Steer.CURRENT if CURRENT.search(text) else Steer.NONE


ANCHOR = re.compile(r"\b(before|after|since)\s+((?:the|her|his|my|our|their|\w+'s)\s+[\w' -]{2,60})", re.I)


def anchor(text: str) -> tuple[str, str] | None:
    """The event that the question measures time by: "before the move"."""
    if found := ANCHOR.search(text):
        return ("before" if found[1].lower() == "before" else "after", found[2].strip())
    return None


YEAR = 366 * 86_400 * 1_000_000
NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10}
DAYS = {"day": 1, "week": 7, "month": 30, "year": 365}
ISO = re.compile(r"\b((?:19|20)\d\d)-(\d\d)(?:-(\d\d))?\b")
DATED = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?)?(?P<month>{MONTH})\b\.?"
    r"(?:\s+(?P<day2>\d{1,2})(?:st|nd|rd|th)?\b)?(?:,?\s+(?:of\s+)?(?P<year>(?:19|20)\d\d)\b)?",
    re.I,
)
BARE_YEAR = re.compile(r"\b(?:in|of|during|since|until|by|for|from|year)\s+((?:19|20)\d\d)\b", re.I)
AGO = re.compile(rf"\b({'|'.join(NUMBERS)}|\d{{1,3}})\s+(day|week|month|year)s?\s+ago\b", re.I)
SPAN = re.compile(r"\b(?:(yesterday|today)|(last|this|past)\s+(day|week|month|year))\b", re.I)
PREPOSED = re.compile(r"\b(?:in|during|of|since|until|by|last|this|on|early|late|mid|from)\s+$", re.I)


def named_time(text: str, now: int | None = None) -> tuple[tuple[int, int] | None, str]:
    """The period that the text names first, and the text without it; relative periods need `now`.

    >>> window, rest = named_time("What did Ana paint in May 2022, and in 4K?")
    >>> [str(as_datetime(at).date()) for at in window], rest
    (['2022-05-01', '2022-06-01'], 'What did Ana paint in , and in 4K?')
    >>> named_time("May I ask who may come?")[0] is None
    True
    """
    for reader in (_iso, _dated, _year, _relative):
        if (found := reader(text, now)) is not None:
            window, start, end = found
            return window, text[:start] + text[end:]
    return None, text


def window_by(question: Question, newest: int) -> tuple[int, int] | None:
    """The window, brought back by whole years to where something is known: "in May" is the last one on record.

    >>> from hornbook.graph.dates import parse_moment
    >>> asked = analyse("What broke in May?", now=parse_moment("2026-06-01").at)
    >>> [str(as_datetime(at).date()) for at in window_by(asked, parse_moment("2023-08-01").at)]
    ['2023-05-01', '2023-06-01']
    """
    if question.window is None or not question.recurs or newest <= 0:
        return question.window
    start, end = map(as_datetime, question.window)
    late = max(0, start.year - as_datetime(newest).year)
    late += late > 0 and start.replace(year=start.year - late, day=1) > as_datetime(newest)
    return microseconds(_years_back(start, late)), microseconds(_years_back(end, late))


def _years_back(day: datetime, years: int) -> datetime:
    return day.replace(year=day.year - years, day=28 if (day.month, day.day) == (2, 29) else day.day)


Found = tuple[tuple[int, int], int, int] | None


def _iso(text: str, now: int | None) -> Found:
    if not (found := ISO.search(text)):
        return None
    return _period(found, int(found[1]), int(found[2]), int(found[3]) if found[3] else None)


def _dated(text: str, now: int | None) -> Found:
    for found in DATED.finditer(text):
        day = found["day"] or found["day2"]
        if not (day or found["year"] or PREPOSED.search(text[: found.start()])):
            continue  # "may", "march" and "august" are words too
        month = MONTHS[found["month"].lower()]
        if year := int(found["year"]) if found["year"] else _latest_year(month, now):
            return _period(found, year, month, int(day) if day else None)
    return None


def _year(text: str, now: int | None) -> Found:
    return _period(found, int(found[1]), None, None) if (found := BARE_YEAR.search(text)) else None


def _relative(text: str, now: int | None) -> Found:
    if now is None:
        return None
    today = as_datetime(now).replace(hour=0, minute=0, second=0, microsecond=0)
    if found := AGO.search(text):
        word = found[1].lower()
        size = timedelta(days=DAYS[found[2].lower()])
        count = min(NUMBERS.get(word) or int(word), 200)
        middle = today - size * count
        return _span(found, middle - size / 2, middle + max(size / 2, timedelta(days=1)))
    if not (found := SPAN.search(text)):
        return None
    if found[1]:
        day = today - timedelta(days=found[1].lower() == "yesterday")
        return _span(found, day, day + timedelta(days=1))
    size = timedelta(days=DAYS[found[3].lower()])
    # generous at its start: "last week" is said of anything up to two weeks back
    return _span(found, today - size * (1 if found[2].lower() == "this" else 2), today + timedelta(days=1))


def _latest_year(month: int, now: int | None) -> int | None:
    if now is None:
        return None
    today = as_datetime(now)
    return today.year if month <= today.month else today.year - 1


def _period(found: re.Match[str], year: int, month: int | None, day: int | None) -> Found:
    try:
        start = as_datetime(0).replace(year=year, month=month or 1, day=day or 1)
    except ValueError:
        return None  # 31 June: then it is no date
    if day:
        return _span(found, start, start + timedelta(days=1))
    if month:
        return _span(found, start, start.replace(year=year + month // 12, month=month % 12 + 1))
    return _span(found, start, start.replace(year=year + 1))


def _span(found: re.Match[str], start: datetime, end: datetime) -> Found:
    return (microseconds(start), microseconds(end)), found.start(), found.end()
