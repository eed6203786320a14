"""Lenient dates: one parser for every place that takes a date, and the granularity it was said with."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from functools import lru_cache

from hornbook.graph.clock import EPOCH, as_datetime, microseconds, rfc3339
from hornbook.graph.errors import InvalidArgument

COARSE = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")
FULL = re.compile(r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}.*")
HINT = "write 2020, 2020-03, 2020-03-15 or 2020-03-15T10:00:00Z"


class Granularity(StrEnum):
    """How precisely an instant is known."""

    YEAR = "year"
    MONTH = "month"
    DAY = "day"
    INSTANT = "instant"


@dataclass(frozen=True, slots=True)
class Moment:
    """The first instant of a period, in microseconds UTC, and how long that period is.

    >>> str(parse_moment("2020-03")), str(parse_moment("2020-03-15T12:00+02:00"))
    ('2020-03', '2020-03-15T10:00:00Z')
    """

    at: int
    granularity: Granularity = Granularity.INSTANT

    @property
    def latest(self) -> int:
        """The first instant after the period; for an instant the instant itself."""
        return _period_end(self.at, self.granularity)

    def __str__(self) -> str:
        """As precise as it was said, and no more."""
        return _shown(self.at, self.granularity)


@lru_cache(4096)
def _period_end(at: int, granularity: Granularity) -> int:
    start = as_datetime(at)
    if granularity is Granularity.INSTANT:
        return at
    if granularity is Granularity.DAY:
        return microseconds(start + timedelta(days=1))
    months = start.year * 12 + start.month - 1 + (12 if granularity is Granularity.YEAR else 1)
    return microseconds(start.replace(year=min(months // 12, 9999), month=months % 12 + 1))


@lru_cache(4096)
def _shown(at: int, granularity: Granularity) -> str:
    digits = {Granularity.YEAR: 4, Granularity.MONTH: 7, Granularity.DAY: 10}.get(granularity)
    return rfc3339(at) if digits is None else as_datetime(at).date().isoformat()[:digits]


def parse_moment(given: str | date | datetime | Moment, field: str = "date") -> Moment:
    """A date as people and programs write it, with its granularity. A time without a zone is UTC.

    Raises InvalidArgument naming `field`: for what is no date, and for years outside 1 to 9999.

    >>> parse_moment("2020").granularity.value, parse_moment(" 2020-03-15 ").granularity.value
    ('year', 'day')
    >>> parse_moment("yesterday-ish", "valid_at")
    Traceback (most recent call last):
    hornbook.graph.errors.InvalidArgument: valid_at is not a date: 'yesterday-ish'
    """
    if isinstance(given, Moment):
        return given
    if isinstance(given, datetime):
        try:
            return Moment(_in_utc(given))
        except OverflowError:
            raise _no_date(given, field) from None
    if isinstance(given, date):
        return Moment(microseconds(datetime(given.year, given.month, given.day, tzinfo=UTC)), Granularity.DAY)
    if isinstance(given, str):
        try:
            return _parsed(given.strip())
        except (ValueError, OverflowError):
            pass
    raise _no_date(given, field)


def _no_date(given: object, field: str) -> InvalidArgument:
    return InvalidArgument(f"{field} is not a date: {_excerpt(given)}", field=field, hint=HINT)


@lru_cache(4096)
def _parsed(text: str) -> Moment:
    if coarse := COARSE.fullmatch(text):
        year, month, day = coarse.groups()
        start = datetime(int(year), int(month or 1), int(day or 1), tzinfo=UTC)
        kind = Granularity.DAY if day else Granularity.MONTH if month else Granularity.YEAR
        return Moment((start - EPOCH) // timedelta(microseconds=1), kind)
    if not FULL.fullmatch(text):
        raise ValueError(text)
    return Moment(_in_utc(datetime.fromisoformat(text)))


def _in_utc(instant: datetime) -> int:
    """Raises OverflowError for one that another zone still has in year 1, or already in 9999, and UTC has not."""
    return microseconds((instant if instant.tzinfo else instant.replace(tzinfo=UTC)).astimezone(UTC))


def _excerpt(given: object) -> str:
    text = repr(given)
    return text if len(text) <= 60 else text[:57] + "..."
