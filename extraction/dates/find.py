"""Where a text speaks of dates: the longest phrases that resolve, and what part they play."""

import re
from dataclasses import dataclass
from enum import StrEnum

from hornbook.extraction.dates.phrases import resolved
from hornbook.extraction.dates.words import (
    HOLIDAYS,
    MONTHS,
    NUMBERS,
    ROUGH_COUNTS,
    SEASONS,
    STEPS,
    WEEKDAYS,
    normalised,
)
from hornbook.extraction.wordlists import words
from hornbook.graph.dates import Moment
from hornbook.graph.interval import Interval

WORD = re.compile(r"\d[\w/.:'\u2019-]*\w|[\w'\u2019-]+")
LONGEST = 9  # words in a phrase
PREPOSITIONS = words("since until till from between by before after through in on at during over within for around as")
OPENERS = words("the a an half early late mid earlier later about some several few last this next past ever")
UNITS = frozenset(
    f"{unit}{s}"
    for unit in ["second", "minute", "hour", "day", "week", "fortnight", "weekend", "month", "year", "decade"]
    for s in ("", "s")
)
CLOSERS = UNITS | words(
    "ago back now today tonight yesterday tomorrow night morning evening afternoon time century am pm earlier eve "
    "onwards hence"
)
NAMES = frozenset(MONTHS) | frozenset(WEEKDAYS) | frozenset(SEASONS) | frozenset(" ".join(HOLIDAYS).split())
STARTERS = PREPOSITIONS | OPENERS | NAMES | frozenset(NUMBERS) | frozenset(ROUGH_COUNTS) | frozenset(STEPS) | CLOSERS
ALONE_AMBIGUOUS = words("may march april june august mar sun sat mon wed fri second spring fall jan sept dec")
HINT = re.compile(
    r"\d|ago\b|day\b|night\b|week|month|year|\b(?:last|next|this|until|" + "|".join((*MONTHS, *SEASONS)) + r")\b", re.I
)


class Role(StrEnum):
    """What a date does in its sentence: the time at which, from which, up to which, or both ends."""

    AT = "at"
    SINCE = "since"
    UNTIL = "until"
    BETWEEN = "between"


@dataclass(frozen=True, slots=True)
class Found:
    """A date phrase at `text[start:end]` and the interval it names."""

    start: int
    end: int
    interval: Interval
    role: Role


def find_dates(text: str, reference: Moment | None, *, future: bool = False) -> list[Found]:
    """Every date phrase of a text that resolves, longest first at each place, none overlapping.

    >>> from hornbook.graph.dates import parse_moment
    >>> found = find_dates("I was there the day before yesterday.", parse_moment("2023-08-17"))
    >>> [(f.start, f.end, str(f.interval.start)) for f in found]
    [(12, 36, '2023-08-15')]
    """
    if not HINT.search(text):
        return []
    words = [(m.start(), m.end(), normalised(m[0])) for m in WORD.finditer(text)]
    found: list[Found] = []
    position = 0
    while position < len(words):
        if hit := _longest_at(text, words, position, reference, future):
            found.append(hit[0])
            position = hit[1]
        else:
            position += 1
    return found


def _longest_at(
    text: str, words: list[tuple[int, int, str]], first: int, reference: Moment | None, future: bool
) -> tuple[Found, int] | None:
    start, _, opener = words[first]
    if opener not in STARTERS and not opener[:1].isdigit():
        return None
    for last in range(min(first + LONGEST, len(words)) - 1, first - 1, -1):
        if not _can_close(words[last][2]) or (first == last and not _stands_alone(text, words[first])):
            continue
        end = words[last][1]
        phrase = text[start:end]
        if re.search(r"[.;!?\n]\s|\n", phrase) or len(phrase) > 80:
            continue
        if interval := resolved(normalised(phrase), reference, future):
            return Found(start, end, interval, _role(opener, interval)), last + 1
    return None


def _can_close(word: str) -> bool:
    return word[:1].isdigit() or word in CLOSERS or word in NAMES or word.rstrip("s") in WEEKDAYS


def _stands_alone(text: str, word: tuple[int, int, str]) -> bool:
    """A single word is a date when it can be nothing else: not "may", not the number 2019 in an address."""
    start, _, lower = word
    if lower[:1].isdigit():
        return bool(
            re.fullmatch(
                r"\d{4}-\d\d(-\d\d.*)?|\d{1,4}[/.]\d{1,2}[/.]\d{1,4}|\d{3}0'?s|1[5-9]\d\d[-\u2013]\d{2,4}|20\d\d[-\u2013]\d{2,4}",
                lower,
            )
        )
    return lower not in ALONE_AMBIGUOUS and lower not in SEASONS and (lower not in NAMES or text[start].isupper())


def _role(opener: str, interval: Interval) -> Role:
    if interval.start and interval.end is None:
        return Role.SINCE
    if interval.start is None:
        return Role.UNTIL
    return Role.BETWEEN if opener in ("from", "between") else Role.AT
