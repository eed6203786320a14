"""The axis of valid time: from instants to places, and where its ticks stand."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime

from hornbook.graph.clock import DAY, EPOCH, as_datetime, microseconds, rfc3339
from hornbook.graph.interval import ALWAYS, FOREVER

FIRST, LAST = (
    microseconds(datetime(1, 1, 1, tzinfo=EPOCH.tzinfo)),
    microseconds(datetime(9999, 12, 1, tzinfo=EPOCH.tzinfo)),
)
TICKS = 9
STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000)
MONTHS = (1, 2, 3, 6)
YEAR = 365 * DAY


@dataclass(frozen=True, slots=True)
class Axis:
    """Valid time from `since` to `until`, drawn from `left` to `right`; what lies outside is drawn at the edge."""

    since: int
    until: int
    left: int
    right: int

    def x(self, at: int) -> float:
        """Where an instant is drawn."""
        inside = min(max(at, self.since), self.until)
        return self.left + (self.right - self.left) * (inside - self.since) / (self.until - self.since)

    def ticks(self) -> Iterator[tuple[int, str]]:
        """Instants to mark with what to write there: years, months or days, at most nine."""
        days = (self.until - self.since) / DAY
        if days > 1_000:
            yield from self._years(next(step for step in STEPS if days / 365 / step < TICKS))
        elif days > 62:
            yield from self._months(next((step for step in MONTHS if days / 30 / step < TICKS), 6))
        else:
            yield from self._days(next(step for step in STEPS if days / step < TICKS))

    def _years(self, step: int) -> Iterator[tuple[int, str]]:
        first, last = as_datetime(self.since).year, as_datetime(self.until).year
        for year in range(-(-(first + 1) // step) * step, last + 1, step):
            yield microseconds(datetime(year, 1, 1, tzinfo=EPOCH.tzinfo)), str(year)

    def _months(self, step: int) -> Iterator[tuple[int, str]]:
        since, until = as_datetime(self.since), as_datetime(self.until)
        first, last = since.year * 12 + since.month, until.year * 12 + until.month - 1
        for month in range(-(-first // step) * step, last + 1, step):
            at = datetime(month // 12, month % 12 + 1, 1, tzinfo=EPOCH.tzinfo)
            yield microseconds(at), f"{at:%Y-%m}"

    def _days(self, step: int) -> Iterator[tuple[int, str]]:
        for day in range(-(-self.since // DAY), self.until // DAY + 1, step):
            yield day * DAY, rfc3339(day * DAY)[:10]

    @staticmethod
    def piece(since: int, until: int) -> str:
        """A piece of valid time in words."""
        from hornbook.display.claims import piece

        return piece(since, until)


def axis_of(instants: Collection[int], left: int, right: int) -> Axis:
    """The axis that shows all instants, with room beside them for what has no end.

    >>> [label for _, label in axis_of([0, 5 * YEAR], 0, 100).ticks()]
    ['1970', '1971', '1972', '1973', '1974', '1975']
    """
    finite = [at for at in instants if at not in (ALWAYS, FOREVER)] or [0]
    room = max((max(finite) - min(finite)) // 10, DAY if len(set(finite)) > 1 else YEAR)
    return Axis(max(min(finite) - room, FIRST), min(max(finite) + room, LAST), left, right)
