"""Valid time: half-open intervals whose ends may be open, unknown or coarse."""

from dataclasses import dataclass

from hornbook.graph.dates import Moment

TRUSTED = 0.7  # a valid time of this confidence or more is relied on
FOREVER = 2**62  # later than every instant that can be written
ALWAYS = -(2**62)


@dataclass(frozen=True, slots=True)
class Interval:
    """`[start, end)` in valid time. None is open or unknown; `confidence` is that of the times themselves.

    `end_confidence` is set where the end comes from elsewhere than the start: by `end_fact`, or by a successor.
    A coarse date stands for its first instant; an end whose period holds the start means that whole period:
    2020 to 2020 is the year 2020.

    >>> from hornbook.graph.dates import parse_moment
    >>> year = parse_moment("2020")
    >>> Interval(year, year, 0.9).until == parse_moment("2021").at
    True
    >>> str(Interval(year)), str(Interval(year, parse_moment("2021-06"))), str(Interval())
    ('since 2020', '2020 to 2021-06', '')
    """

    start: Moment | None = None
    end: Moment | None = None
    confidence: float = 0.0
    end_confidence: float | None = None

    def __str__(self) -> str:
        """As precise as it was said; nothing where neither end was."""
        if self.start is None:
            return f"until {self.end}" if self.end else ""
        return f"{self.start} to {self.end}" if self.end else f"since {self.start}"

    @property
    def trusted(self) -> bool:
        """Confidence of at least 0.7 and a known start."""
        return self.start is not None and self.confidence >= TRUSTED

    @property
    def end_trusted(self) -> bool:
        """Whether there is an end, and one to rely on."""
        confidence = self.confidence if self.end_confidence is None else self.end_confidence
        return self.end is not None and confidence >= TRUSTED

    @property
    def since(self) -> int:
        """The earliest instant it is taken to hold; ALWAYS without a start."""
        return self.start.at if self.start else ALWAYS

    @property
    def until(self) -> int:
        """The first instant it no longer holds; FOREVER without an end."""
        if self.end is None:
            return FOREVER
        return self.end.latest if self.whole_period else self.end.at

    @property
    def whole_period(self) -> bool:
        """Whether the end names a period that the start lies in, so that all of it is meant."""
        return self.start is not None and self.end is not None and self.end.at <= self.start.at < self.end.latest

    @property
    def backwards(self) -> bool:
        """Whether it ends before it starts, whichever instants its coarse dates stand for."""
        return self.start is not None and self.end is not None and self.start.at > self.end.at and not self.whole_period

    def holds_at(self, instant: int) -> bool:
        """Whether the instant lies inside, a coarse date standing for the first instant of its period."""
        return self.since <= instant < self.until
