"""A line as a strip: what is held on it over valid time, as wide as the page, on an axis that several strips share."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hornbook.display.axis import Axis, axis_of
from hornbook.display.markup import Markup, join, said, tag
from hornbook.display.svg import near
from hornbook.explore.parts import span
from hornbook.graph.belief.state import Held
from hornbook.graph.belief.windows import window_of
from hornbook.graph.claim import Polarity

WHOLE = 1_000  # of the axis: a place is told in tenths of a percent
ROW, GAP = 18, 3
LANES = 4  # of one strip; what would stand below them is told on the line's own page
LETTER = 0.75  # of the page's width, in percent, on a screen of the usual width


@dataclass(frozen=True, slots=True)
class Box:
    """What some claims say over one window; `begin` is from where they are taken to hold."""

    value: str
    since: int
    begin: int
    until: int
    contested: bool
    whole: str


def boxes(claims: Iterable[Held]) -> tuple[Box, ...]:
    """The windows of a line's claims that count, one for each value and window."""
    groups: dict[tuple[str, int, int], list[Held]] = {}
    for one in claims:
        if one.counts:
            value = f"{'not ' if one.polarity is Polarity.NOT else ''}{said(one.value)}"
            groups.setdefault((value, one.state.valid.since, one.state.valid.until), []).append(one)
    return tuple(_box(*key, held) for key, held in groups.items())


def _box(value: str, since: int, until: int, held: Sequence[Held]) -> Box:
    begin = min(window_of(one).begin for one in held)
    times = f", {len(held)} claims" if len(held) > 1 else ""
    contested = any(one.state.rivals for one in held)
    state = " (contested)" if contested else ""
    return Box(value, since, begin, until, contested, f"{value}{state} {span(held[0].state.valid)}{times}")


def shared(lines: Iterable[Sequence[Box]], at: int) -> Axis:
    """The axis on which all of some lines, and an instant, can be seen."""
    ends = [end for line in lines for box in line for end in (box.since, box.begin, box.until)]
    return axis_of([*ends, at], 0, WHOLE)


def strip(line: Sequence[Box], axis: Axis, at: int) -> Markup:
    """The strip of one line, with a mark at an instant."""
    lanes: list[int] = []
    parts: list[Markup] = []
    for box in sorted(line, key=lambda box: (box.begin, box.until)):
        lane = next((place for place, until in enumerate(lanes) if until <= box.begin), len(lanes))
        if lane < LANES:
            lanes[lane : lane + 1] = [box.until]
            parts.append(_drawn(box, axis, lane * (ROW + GAP), line))
    height = max(len(lanes), 1) * (ROW + GAP) - GAP
    mark = tag("line", x1=_at(axis, at), x2=_at(axis, at), y1=0, y2=height, class_="instant")
    return tag("svg", *parts, mark, class_="strip", width="100%", height=height, role="img", aria_label=_told(line))


def _told(line: Sequence[Box]) -> str:
    return "; ".join(box.whole for box in line[:8]) or "nothing is said"


def _drawn(box: Box, axis: Axis, y: int, line: Sequence[Box]) -> Markup:
    left, begin, right = (axis.x(at) for at in (box.since, max(box.begin, box.since), box.until))
    tone = list(dict.fromkeys(one.value for one in line)).index(box.value) % 4
    kind = "box contested" if box.contested else f"box tone{tone}"
    pale = _rect(left, begin, y, f"{kind} pale") if begin > left else Markup()
    full = _rect(begin, max(right, begin + 3), y, kind)
    where = begin if right - begin > begin - left else left  # the label stands in the larger part
    room = int((max(right - begin, begin - left)) / 10 / LETTER)
    label = box.value if len(box.value) <= room else f"{box.value[: room - 1]}…" if room > 3 else ""
    text = tag("text", label, x=f"{near(where / 10)}%", dx=6, y=y + 13) if label else Markup()
    return tag("g", tag("title", box.whole), pale, full, text)


def _rect(left: float, right: float, y: int, class_: str) -> Markup:
    return tag(
        "rect", x=f"{near(left / 10)}%", y=y, width=f"{near((right - left) / 10)}%", height=ROW, rx=3, class_=class_
    )


def _at(axis: Axis, at: int) -> str:
    return f"{near(axis.x(at) / 10)}%"


def scale(axis: Axis) -> Markup:
    """The years, months or days under some strips."""
    ticks = [
        join([tag("line", x1=_at(axis, at), x2=_at(axis, at), y1=0, y2=4), tag("text", label, x=_at(axis, at), y=15)])
        for at, label in axis.ticks()
    ]
    return tag("svg", *ticks, class_="scale", width="100%", height=18, aria_hidden="true")
