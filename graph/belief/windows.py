"""The windows of a side: over which periods its claims together say that its value holds."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from hornbook.graph.belief.state import Held
from hornbook.graph.dates import Moment
from hornbook.graph.interval import ALWAYS, FOREVER, Interval


@dataclass(frozen=True, slots=True)
class Window:
    """One period of a side.

    since   the first instant it can hold (ALWAYS: its start is unknown)
    begin   from where it is taken to hold, for rivalry (FOREVER: only possible, it rivals nothing)
    latest  the last instant at which it can have begun, its coarse start being anywhere in its period
    until   its trusted end; weak is an end that is not relied on (both FOREVER: none)
    """

    since: int
    begin: int
    latest: int
    until: int
    weak: int
    trusted: bool
    start: Moment | None
    end: Moment | None
    held: tuple[Held, ...]

    def holds_at(self, at: int) -> bool:
        """Whether it can hold at an instant."""
        return self.since <= at < self.until

    def definite_at(self, at: int) -> bool:
        """Whether it is taken to hold at an instant: since its start, or since it was said where that is unknown."""
        return self.holds_at(at) and (self.since > ALWAYS or self.begin <= at)

    @property
    def newest(self) -> Held:
        """The claim said last of those that people said, else of all: it speaks for the window."""
        return newest_of(self.held)

    @property
    def interval(self) -> Interval:
        """The window as an interval to show, with the confidence of the claim that speaks for it."""
        own = self.newest.state.valid
        return own if (own.start, own.end) == (self.start, self.end) else replace(own, start=self.start, end=self.end)


def newest_of(held: Sequence[Held]) -> Held:
    """The claim said last of those that people said, else of all."""
    if len(held) == 1:
        return held[0]
    return max([one for one in held if one.external] or held, key=_seq)


def window_of(held: Held, event: bool = False) -> Window:
    """The window of one claim. An event goes on for ever once it has begun."""
    valid = held.state.valid
    until = valid.until if valid.end_trusted and not event else FOREVER
    weak = valid.until if valid.end is not None and not valid.end_trusted and not event else FOREVER
    if valid.start is not None:
        begin, latest = valid.start.at, _latest_start(valid, until) if valid.trusted else valid.start.at
    else:
        begin = latest = taken_from(held)
    return Window(valid.since, begin, latest, until, weak, valid.trusted, valid.start, valid.end, (held,))


def taken_from(held: Held) -> int:
    """From where a claim without a start is taken to hold: when it was said, else when it was recorded.

    What was said of the past at a known time, with no dates, is taken to hold at no instant in particular.
    """
    if held.claim.occurred_at is None:
        return held.known_at
    attested = held.claim.attested_at
    return FOREVER if attested is None else attested


def _latest_start(valid: Interval, until: int) -> int:
    """The last instant at which a trusted interval can begin, before the last instant at which it can end."""
    start, end = valid.start, valid.end
    if start is None or valid.whole_period:
        return valid.since
    latest = max(start.latest - 1, start.at)
    return latest if end is None or until == FOREVER else min(latest, max(end.latest, end.at) - 1)


def windows(held: Iterable[Held], event: bool = False) -> tuple[Window, ...]:
    """The windows of one side, from its claims: the trusted ones joined, the others absorbed where they can be.

    The newest of trusted claims that overlap gives the ends; trusted claims that only touch make one window.
    """
    ordered = sorted(held, key=_seq)
    if len(ordered) == 1:
        return (window_of(ordered[0], event),)
    found: list[Period] = []
    loose: list[Window] = []
    for one in ordered:
        window = window_of(one, event)
        if window.trusted:
            found = _joined(found, window)
        else:
            loose.append(window)
    found.sort(key=lambda period: period[0].since)
    apart = [left for window in loose if (left := _absorbed(found, window)) is not None]
    closed = [window if len(held) == 1 else replace(window, held=tuple(held)) for window, held in found]
    return (*closed, *apart)


# a window in the making, with the claims it will hold: a list, so that a thousand restatements cost a thousand steps
Period = tuple[Window, list[Held]]


def _seq(held: Held) -> int:
    return held.seq


def _joined(known: Sequence[Period], new: Window) -> list[Period]:
    apart: list[Period] = []
    members: list[Held] = []
    for period in known:
        window, held = period
        overlap = window.since < new.until and new.since < window.until
        if min(window.until - window.since, new.until - new.since) <= 0:
            apart.append(period)  # nothing is left of one of them
            continue
        if not overlap and window.until == new.since:
            new = replace(new, since=window.since, begin=window.begin, latest=window.latest, start=window.start)
        elif not overlap and new.until == window.since:
            new = replace(new, until=window.until, weak=window.weak, end=window.end)
        elif not overlap:
            apart.append(period)
            continue
        members = [*members, *held] if members else held
    members.extend(new.held)
    return [*apart, (new, members)]


def _absorbed(trusted: Sequence[Period], loose: Window) -> Window | None:
    """What is left of a loose window beside the trusted one that it runs into, and becomes evidence of."""
    home = next((period for period in trusted if loose.begin < period[0].until), None)
    if home is None or loose.until <= home[0].since:
        return loose
    home[1].extend(loose.held)
    return replace(loose, until=home[0].since, weak=FOREVER) if loose.begin < home[0].since else None
