"""Steps in time: the instants at which something on a page begins or ends, as links that set a clock."""

from collections.abc import Iterable, Sequence

from hornbook.display.markup import Markup, tag
from hornbook.explore.parts import NONE, link
from hornbook.explore.strip import Box
from hornbook.explore.visit import Visit
from hornbook.graph.clock import rfc3339
from hornbook.graph.dates import parse_moment
from hornbook.graph.interval import ALWAYS, FOREVER

MOST = 60  # steps of one row, the latest


def steps(visit: Visit, lines: Iterable[Sequence[Box]]) -> Markup:
    """Valid time in the steps of some lines: where a window begins or ends."""
    ends = {at for line in lines for box in line for at in (box.begin, box.until) if ALWAYS < at < FOREVER}
    told = [rfc3339(at).removesuffix("T00:00:00Z") for at in sorted(ends)]
    return row(visit, "valid_at", "True at", told)


def row(visit: Visit, clock: str, name: str, instants: Sequence[str]) -> Markup:
    """Instants of one clock as links, the one that the page shows marked; the last goes back to now."""
    if not instants:
        return NONE
    shown = list(dict.fromkeys(instants))[-MOST:]
    place = _place(visit, clock, shown)
    links = [
        tag("li", link(visit.here(**{clock: at}), label, title=at, aria_current="step" if n == place else None))
        for n, (at, label) in enumerate(zip(shown, labels(shown), strict=True))
    ]
    now = tag("li", link(visit.here(**{clock: None}), "now", aria_current="step" if place is None else None))
    return tag("nav", tag("span", name), tag("ol", *links, now), class_="steps", data_clock=clock, aria_label=name)


def _place(visit: Visit, clock: str, shown: Sequence[str]) -> int | None:
    """The step that the page stands on: the last that is not after its clock; None for now."""
    set_to = visit.given.get(clock, "").strip()
    if not set_to:
        return None
    at = parse_moment(set_to, clock).at
    return max((n for n, one in enumerate(shown) if parse_moment(one).at <= at), default=0)


def labels(instants: Sequence[str]) -> list[str]:
    """Instants as short as they can be told apart: by the day, the minute, the second, or whole.

    >>> labels(["2024-03-02T19:15:00Z", "2024-03-04T08:00:00Z"])
    ['2024-03-02', '2024-03-04']
    """
    cut = next((at for at in (10, 16, 19) if len({one[:at] for one in instants}) == len(instants)), 26)
    return [one[:cut].replace("T", " ") for one in instants]
