"""One date phrase to its interval. What the rules do not know is None: never the reference, never a guess.

Conventions, where English has several: a week begins on Monday; "three weeks ago" is a week and "two months ago" a
month; "last Friday" is the latest one before the reference and "next Friday" the one of next week; a bare "Friday" or
"May" is the latest, or the coming one with `future`; summer is June to August; 03/04/2021 is nobody's date. "From 2015
to 2018" ends where 2018 begins, as every coarse end does.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from hornbook.extraction.dates.absolute import absolute
from hornbook.extraction.dates.relative import RULES
from hornbook.extraction.dates.words import MONTHS, normalised
from hornbook.graph.dates import Moment
from hornbook.graph.interval import Interval

LONGEST = 80
NOWHEN = Moment(0)  # stands in for the reference in rules that do not look at it
RANGE = re.compile(r"(?:from|between) (.+?) (?:to|until|till|and|through|[-\u2013]) (.+)")
YEARS = re.compile(r"(?:from |between |in )?(\d{4}) ?[-\u2013] ?(\d{4}|\d{2})")
BOUND = re.compile(
    r"(?:ever |starting |beginning |effective )?"
    r"(since|starting|as of|as from|from|until|till|up to|before|prior to|after|by|through) (.+?)(?: on| onwards?)?"
)


def resolve_phrase(phrase: str, reference: Moment | None, *, future: bool = False) -> Interval | None:
    """The interval that a phrase names when said at `reference`; None when it names none, or needs a reference.

    >>> from hornbook.graph.dates import parse_moment
    >>> thursday = parse_moment("2023-08-17T13:50:00Z")
    >>> last = resolve_phrase("last Friday", thursday)
    >>> str(last.start), last.start.granularity.value, last.start == last.end
    ('2023-08-11', 'day', True)
    >>> resolve_phrase("03/04/2021", thursday), resolve_phrase("last Friday", None), resolve_phrase("soon", thursday)
    (None, None, None)
    """
    return resolved(normalised(phrase), reference, future)


@lru_cache(8192)
def resolved(text: str, reference: Moment | None, future: bool) -> Interval | None:
    """The same for a phrase already in its normal spelling."""
    if not text or len(text) > LONGEST:
        return None
    try:
        return _bounded(text, reference, future) or absolute(text) or _relative(text, reference, future)
    except (ValueError, OverflowError):  # the 31st of June, the year 12000
        return None


def _relative(text: str, reference: Moment | None, future: bool) -> Interval | None:
    def inner(part: str, at: Moment | None = reference) -> Interval | None:
        return resolved(part, at, future)

    for pattern, rule, free in RULES:  # "the week before 9 June 2023" needs no reference; most do
        at = reference or (NOWHEN if free else None)
        if at and (match := pattern.fullmatch(text)) and (found := rule(match, at, future, inner)):
            return found
    return None


def _bounded(text: str, reference: Moment | None, future: bool) -> Interval | None:
    """Since, until, from … to: an interval that takes one end, or each end, from a phrase."""
    if match := YEARS.fullmatch(text):
        first, last = match.groups()
        return _between(first, last if len(last) == 4 else first[:2] + last, reference, future)
    if match := RANGE.fullmatch(text):
        return _between(match[1], match[2], reference, future)
    if match := BOUND.fullmatch(text):
        inner = resolved(match[2], reference, future or match[1] in FORWARD)
        return BOUNDS[match[1]](inner) if inner and inner.start else None
    return None


def _between(first: str, last: str, reference: Moment | None, future: bool) -> Interval | None:
    ends, starts = resolved(last, reference, future), resolved(first, reference, future)
    if first in MONTHS and (year := re.search(r"\d{4}", last)):  # from March to May 2020
        starts = resolved(f"{first} {year[0]}", reference, future)
    if not (starts and ends and starts.start and ends.start) or ends.start.at < starts.start.at:
        return None
    return Interval(starts.start, ends.start, min(starts.confidence, ends.confidence))


def past(inner: Interval) -> Moment | None:
    """The first moment after a period, as coarse as the period."""
    return Moment(inner.until, inner.end.granularity) if inner.end else None


def _since(inner: Interval) -> Interval:
    return Interval(inner.start, None, inner.confidence)


def _until(inner: Interval) -> Interval:
    return Interval(None, inner.start, inner.confidence)


def _after(inner: Interval) -> Interval:
    return Interval(past(inner), None, inner.confidence)


def _by(inner: Interval) -> Interval:
    return Interval(None, past(inner), inner.confidence)


FORWARD = ("until", "till", "by", "up to", "through")
BOUNDS: dict[str, Callable[[Interval], Interval]] = {
    **dict.fromkeys(("since", "starting", "as of", "as from", "from"), _since),
    **dict.fromkeys(("until", "till", "up to", "before", "prior to"), _until),
    **dict.fromkeys(("by", "through"), _by),
    "after": _after,
}
