"""Calendar arithmetic that yields intervals: whole days, months, years, and stretches between them.

A whole period has equal coarse ends (2020 to 2020 is the year). A stretch of several is half-open:
the last week is Monday to Monday, by day.
"""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

from hornbook.graph.clock import as_datetime, microseconds
from hornbook.graph.dates import Granularity, Moment
from hornbook.graph.interval import Interval

SURE = 0.9
ROUGH = 0.5  # "a few months ago": good enough to show, not to rely on

DAY = Granularity.DAY
MONTH = Granularity.MONTH
YEAR = Granularity.YEAR


def moment(day: date, granularity: Granularity = DAY) -> Moment:
    """The first instant of a day, or of the month or year that begins with it."""
    return Moment(microseconds(datetime(day.year, day.month, day.day, tzinfo=UTC)), granularity)


def day_of(at: Moment) -> date:
    """The calendar day of a moment, in UTC."""
    return as_datetime(at.at).date()


def whole(at: Moment, confidence: float = SURE) -> Interval:
    """The whole period that a moment names."""
    return Interval(at, at, confidence)


def a_day(day: date) -> Interval:
    """One whole day."""
    return whole(moment(day))


def a_month(year: int, month: int) -> Interval:
    """One whole month."""
    return whole(moment(date(year, month, 1), MONTH))


def a_year(year: int) -> Interval:
    """One whole year."""
    return whole(moment(date(year, 1, 1), YEAR))


def days(first: date, after: date, confidence: float = SURE) -> Interval:
    """From a day up to, and not with, another."""
    return Interval(moment(first), moment(after), confidence)


def months(year: int, first: int, count: int, confidence: float = SURE) -> Interval:
    """`count` months, the first counted from January = 1; it may lie outside the year.

    >>> str(months(2019, 12, 3).start), str(months(2019, 12, 3).end)
    ('2019-12', '2020-03')
    """
    return Interval(
        moment(month_start(year, first), MONTH), moment(month_start(year, first + count), MONTH), confidence
    )


def years(first: int, after: int, confidence: float = SURE) -> Interval:
    """From a year up to, and not with, another."""
    return Interval(moment(date(first, 1, 1), YEAR), moment(date(after, 1, 1), YEAR), confidence)


def month_start(year: int, month: int) -> date:
    """The first day of a month counted from January = 1 of that year, in either direction.

    >>> month_start(2024, 0), month_start(2024, 14)
    (datetime.date(2023, 12, 1), datetime.date(2025, 2, 1))
    """
    count = year * 12 + month - 1
    return date(count // 12, count % 12 + 1, 1)


def monday(day: date) -> date:
    """The Monday of the week of that day."""
    return day - timedelta(days=day.weekday())


def a_week(day: date) -> Interval:
    """The week of that day, Monday to Monday."""
    return days(monday(day), monday(day) + timedelta(days=7))


def a_weekend(saturday: date) -> Interval:
    """Saturday and Sunday."""
    return days(saturday, saturday + timedelta(days=2))


def latest_weekday(day: date, weekday: int) -> date:
    """The last such weekday strictly before the day."""
    return day - timedelta(days=(day.weekday() - weekday - 1) % 7 + 1)


def next_weekday(day: date, weekday: int) -> date:
    """The first such weekday strictly after the day."""
    return day + timedelta(days=(weekday - day.weekday() - 1) % 7 + 1)


def shifted(reference: Moment, count: int, unit: str) -> Interval:
    """The period of that unit which lies `count` units from the reference: three weeks ago is a week, not a day.

    >>> from hornbook.graph.dates import parse_moment
    >>> str(shifted(parse_moment("2023-08-17"), -3, "month").start)
    '2023-05'
    """
    return UNITS[unit](reference, count)


def _clock(unit: timedelta) -> Callable[[Moment, int], Interval]:
    def shift(reference: Moment, count: int) -> Interval:
        return whole(Moment(microseconds(as_datetime(reference.at) + count * unit)))

    return shift


UNITS: dict[str, Callable[[Moment, int], Interval]] = {
    "second": _clock(timedelta(seconds=1)),
    "minute": _clock(timedelta(minutes=1)),
    "hour": _clock(timedelta(hours=1)),
    "day": lambda at, n: a_day(day_of(at) + timedelta(days=n)),
    "week": lambda at, n: a_week(day_of(at) + timedelta(weeks=n)),
    "fortnight": lambda at, n: a_week(day_of(at) + timedelta(weeks=2 * n)),
    "weekend": lambda at, n: a_weekend(_weekend(day_of(at), n)),
    "month": lambda at, n: whole(moment(month_start(day_of(at).year, day_of(at).month + n), MONTH)),
    "year": lambda at, n: a_year(day_of(at).year + n),
    "decade": lambda at, n: a_year(day_of(at).year + 10 * n),
}


def _weekend(day: date, count: int) -> date:
    """The Saturday `count` weekends away; the weekend one stands in is number 0."""
    current = day - timedelta(days=day.weekday() - 5) if day.weekday() >= 5 else None
    if current:
        return current + timedelta(weeks=count)
    upcoming = next_weekday(day, 5)
    return upcoming + timedelta(weeks=count - 1) if count > 0 else upcoming + timedelta(weeks=count)
