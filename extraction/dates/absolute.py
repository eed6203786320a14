"""Phrases that name a date by themselves: years, months, days, decades, quarters, seasons, and their edges."""

import re
from collections.abc import Callable
from datetime import date, timedelta

from hornbook.extraction.dates import periods
from hornbook.extraction.dates.words import HOLIDAYS, MONTHS, ORDINALS, SEASONS, WEEKDAYS, any_of
from hornbook.graph.dates import Granularity, Moment, parse_moment
from hornbook.graph.errors import InvalidArgument
from hornbook.graph.interval import Interval

ON = r"(?:on |in |during |over |at |around |circa |for )?(?:the )?(?:year )?"
DAY = rf"(?:(?:{any_of(WEEKDAYS)}) )?"
MONTH = rf"(?P<month>{any_of(MONTHS)})"
YEAR = r"(?P<year>1\d{3}|20\d{2})"
NUMBER = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
SPELLING = {
    *MONTHS,
    *WEEKDAYS,
    "st",
    "nd",
    "rd",
    "th",
    "of",
    "the",
    "on",
    "at",
    "am",
    "pm",
    "a",
    "p",
    "m",
    "z",
    "utc",
    "gmt",
}
PARTS = {"early": (1, 4), "mid": (5, 4), "mid-": (5, 4), "the middle of": (5, 4), "late": (9, 4)}


def absolute(text: str) -> Interval | None:
    """The interval of a phrase that needs no reference.

    >>> str(absolute("in march 2024").start), str(absolute("the 1990s").end), absolute("yesterday")
    ('2024-03', '2000', None)
    """
    for pattern, rule in RULES:
        if match := pattern.fullmatch(text):
            return rule(match)
    return _written_out(text) if re.search(r"\d{4}", text) else None


def _year(match: re.Match[str]) -> Interval:
    return periods.a_year(int(match["year"]))


def _month(match: re.Match[str]) -> Interval:
    return periods.a_month(int(match["year"]), MONTHS[match["month"]])


def _day(match: re.Match[str]) -> Interval:
    return periods.a_day(date(int(match["year"]), MONTHS[match["month"]], int(match["day"])))


def _iso(match: re.Match[str]) -> Interval | None:
    try:
        return periods.whole(parse_moment(match["iso"].upper()))
    except InvalidArgument:
        return None


def _slashed(match: re.Match[str]) -> Interval | None:
    """Day and month only where they cannot be confused."""
    first, second, year = int(match[1]), int(match[2]), int(match[3])
    if first > 12 or first == second:
        return periods.a_day(date(year, second, first))
    return periods.a_day(date(year, first, second)) if second > 12 else None


def _year_first(match: re.Match[str]) -> Interval:
    return periods.a_day(date(int(match[1]), int(match[2]), int(match[3])))


def _decade(match: re.Match[str]) -> Interval:
    first = int(match["decade"])
    start, length = {"early ": (0, 4), "mid ": (3, 4), "late ": (6, 4)}.get(
        (match["part"] or "").replace("-", " "), (0, 10)
    )
    return periods.years(first + start, first + start + length)


def _century(match: re.Match[str]) -> Interval:
    return periods.years(100 * int(match[1]) - 99, 100 * int(match[1]) + 1)


def _quarter(match: re.Match[str]) -> Interval:
    number = ORDINALS.get(match["quarter"]) or int(match["quarter"])
    return periods.months(int(match["year"]), 3 * number - 2, 3)


def _season(match: re.Match[str]) -> Interval:
    return periods.months(int(match["year"]), SEASONS[match["season"]], 3)


def _part(match: re.Match[str]) -> Interval:
    first, count = PARTS[match["part"]]
    return periods.months(int(match["year"]), first, count, 0.7)


def _part_of_month(match: re.Match[str]) -> Interval:
    first = date(int(match["year"]), MONTHS[match["month"]], 1)
    start, length = {"early": (0, 10), "mid": (10, 10), "mid-": (10, 10), "late": (20, 0)}[match["part"]]
    after = first + timedelta(days=start + length) if length else periods.month_start(first.year, first.month + 1)
    return periods.days(first + timedelta(days=start), after, 0.7)


def _holiday(match: re.Match[str]) -> Interval:
    return periods.a_day(date(int(match["year"]), *HOLIDAYS[match["holiday"]]))


Rule = Callable[[re.Match[str]], Interval | None]
RULES: tuple[tuple[re.Pattern[str], Rule], ...] = tuple(
    (re.compile(pattern), rule)
    for pattern, rule in (
        (rf"{ON}{YEAR}(?: ad| ce)?", _year),
        (rf"{ON}{MONTH} (?:of )?{YEAR}", _month),
        (rf"{ON}{DAY}{NUMBER}(?: of)?[ -]{MONTH}[ -]{YEAR}", _day),
        (rf"{ON}{DAY}{MONTH} {NUMBER} {YEAR}", _day),
        (rf"{ON}(?P<iso>\d{{4}}-\d\d(?:-\d\d(?:[t ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:z|[+-]\d\d:?\d\d)?)?)?)", _iso),
        (rf"{ON}(\d{{1,2}})[/.](\d{{1,2}})[/.](\d{{4}})", _slashed),
        (rf"{ON}(\d{{4}})[/.](\d{{1,2}})[/.](\d{{1,2}})", _year_first),
        (rf"{ON}(?P<part>(?:early|mid|late)[ -])?(?P<decade>\d{{3}}0)'?s", _decade),
        (rf"{ON}(\d{{1,2}})(?:st|nd|rd|th) century", _century),
        (rf"{ON}q(?P<quarter>[1-4]) (?:of )?{YEAR}", _quarter),
        (rf"{ON}(?P<quarter>{any_of(ORDINALS)}) quarter (?:of )?{YEAR}", _quarter),
        (rf"{ON}(?P<season>{any_of(SEASONS)}) (?:of )?{YEAR}", _season),
        (rf"{ON}(?P<part>early|mid-|mid|late) ?(?:in )?{YEAR}", _part),
        (rf"{ON}(?P<part>early|mid-|mid|late) ?(?:in )?{MONTH} (?:of )?{YEAR}", _part_of_month),
        (rf"{ON}(?P<holiday>{any_of(HOLIDAYS)}) (?:of )?{YEAR}", _holiday),
    )
)


def _written_out(text: str) -> Interval | None:
    """Absolute dates with a time of day or in a spelling of their own, by dateparser; never a relative one."""
    spelled = re.findall(r"[a-z]+", text)
    if not any(word in MONTHS for word in spelled) or not SPELLING.issuperset(spelled):
        return None  # it would skip the words it does not know, and change the meaning
    import dateparser

    found = dateparser.parse(
        text, languages=["en"], settings={"STRICT_PARSING": True, "RETURN_AS_TIMEZONE_AWARE": True}
    )
    if found is None or str(found.year) not in text:
        return None
    day = periods.a_day(found.date())
    timed = re.search(r"\d:\d\d|\d ?[ap]m", text)
    return periods.whole(parse_moment(found)) if timed else day


def edge(which: str, inner: Interval) -> Interval | None:
    """The end or the beginning of a period: a day of a week or month, a month of a year or of a season.

    >>> str(edge("end", absolute("february 2024")).start), str(edge("end", absolute("2024")).start)
    ('2024-02-29', '2024-12')
    """
    if not (inner.start and inner.end):
        return None
    finer = MONTHLY if inner.start.granularity is Granularity.YEAR or _longer_than_a_month(inner) else DAILY
    if which in ("beginning", "start"):
        return finer(periods.day_of(inner.start))
    if which == "middle":
        return None
    return finer(periods.day_of(Moment(inner.until)) - timedelta(days=1))


def _longer_than_a_month(inner: Interval) -> bool:
    return (inner.until - inner.since) > 32 * 86_400_000_000


def _month_of(day: date) -> Interval:
    return periods.a_month(day.year, day.month)


MONTHLY, DAILY = _month_of, periods.a_day
