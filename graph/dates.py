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
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
NAMED_MONTH = r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
NAMED_MONTH += r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
DAY, YEAR = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?", r"(?P<year>\d{4})"
WRITTEN_OUT = (
    re.compile(rf"(?:{DAY}[ -](?:of )?)?{NAMED_MONTH}[ -]{YEAR}", re.IGNORECASE),
    re.compile(rf"{NAMED_MONTH} {DAY},? {YEAR}", re.IGNORECASE),
    re.compile(r"(?P<year>\d{4})[/.-](?P<month>\d{1,2})[/.-](?P<day>\d{1,2})"),
)


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


def spoken_date(text: str) -> Moment | None:
    """The date that a text is, written in digits or in English words, and nothing else; None for any other text.

    A day and a month in digits alone are none: nobody knows which is which.

    >>> str(spoken_date("28 February 1990")), str(spoken_date("Feb. 1990")), spoken_date("03/04/1990")
    ('1990-02-28', '1990-02', None)
    >>> spoken_date("30 February 1990") is None
    True
    """
    plain = " ".join(text.split())
    try:
        return _parsed(plain)
    except (ValueError, OverflowError):
        pass
    for form in WRITTEN_OUT:
        if found := form.fullmatch(plain):
            return _written_out(found)
    return None


def _written_out(found: re.Match[str]) -> Moment | None:
    said, day = found["month"].lower(), found["day"]
    month = int(said) if said.isdigit() else MONTHS.index(said[:3]) + 1
    try:
        start = datetime(int(found["year"]), month, int(day or 1), tzinfo=UTC)
    except ValueError:
        return None
    return Moment(microseconds(start), Granularity.DAY if day else Granularity.MONTH)


def _in_utc(instant: datetime) -> int:
    """Raises OverflowError for one that another zone still has in year 1, or already in 9999, and UTC has not."""
    return microseconds((instant if instant.tzinfo else instant.replace(tzinfo=UTC)).astimezone(UTC))


def _excerpt(given: object) -> str:
    text = repr(given)
    return text if len(text) <= 60 else text[:57] + "..."
