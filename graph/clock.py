"""Time as a value: microseconds since 1970-01-01T00:00Z, in UTC, as an integer."""

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
SECOND = 1_000_000
DAY = 86_400 * SECOND

# A clock answers "what time is it" in microseconds UTC. It may step backwards: the journal never does.
Clock = Callable[[], int]


def system_clock() -> int:
    """Microseconds since the epoch by the machine's clock."""
    return time.time_ns() // 1_000


def ticking(start: str = "2026-01-01T00:00:00+00:00", step: int = SECOND) -> Clock:
    """A clock for tests and examples: every look at it is one step later.

    >>> clock = ticking(step=5)
    >>> clock() - clock()
    -5
    """
    ticks: Iterator[int] = iter(range(microseconds(datetime.fromisoformat(start)), 2**62, step))
    return lambda: next(ticks)


def microseconds(instant: datetime) -> int:
    """An aware datetime as microseconds UTC; a naive one is refused by the caller, not guessed here.

    >>> microseconds(datetime(1970, 1, 2, tzinfo=UTC))
    86400000000
    """
    return (instant - EPOCH) // timedelta(microseconds=1)


def as_datetime(at: int) -> datetime:
    """Microseconds as an aware datetime in UTC."""
    return EPOCH + timedelta(microseconds=at)


def rfc3339(at: int) -> str:
    """Microseconds as RFC 3339 in UTC, with as many digits as there are.

    >>> rfc3339(1_500_000), rfc3339(0)
    ('1970-01-01T00:00:01.500000Z', '1970-01-01T00:00:00Z')
    """
    return as_datetime(at).isoformat().replace("+00:00", "Z")
