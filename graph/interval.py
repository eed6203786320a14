"""Valid time: half-open intervals whose ends may be open, unknown or coarse."""

from dataclasses import dataclass

from hornbook.graph.dates import Moment

TRUSTED = 0.7  # a valid time of this confidence or more is relied on
FOREVER = 2**62  # later than every instant that can be written
ALWAYS = -(2**62)


@dataclass(frozen=True, slots=True)
class Interval:
    """`[start, end)` in valid time. None is open or unknown; `confidence` is that of the times themselves.

    A coarse start and an equal coarse end mean the whole period: 2020 to 2020 is the year 2020.

    >>> from hornbook.graph.dates import parse_moment
    >>> year = parse_moment("2020")
    >>> Interval(year, year, 0.9).until == parse_moment("2021").at
    True
    """

    start: Moment | None = None
    end: Moment | None = None
    confidence: float = 0.0

    @property
    def trusted(self) -> bool:
        """Confidence of at least 0.7 and a known start."""
        return self.start is not None and self.confidence >= TRUSTED

    @property
    def since(self) -> int:
        """The earliest instant it is taken to hold; ALWAYS without a start."""
        return self.start.at if self.start else ALWAYS

    @property
    def until(self) -> int:
        """The first instant it no longer holds; FOREVER without an end."""
        if self.end is None:
            return FOREVER
        return self.end.latest if self.start == self.end else self.end.at

    @property
    def backwards(self) -> bool:
        """Whether it ends before it starts."""
        return self.start is not None and self.end is not None and self.start.at > self.end.at

    def holds_at(self, instant: int) -> bool:
        """Whether the instant lies inside, a coarse date standing for the first instant of its period."""
        return self.since <= instant < self.until
