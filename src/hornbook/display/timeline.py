"""A line as a picture: valid time across, known time down, what is in dispute hatched."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hornbook.display.axis import Axis, axis_of
from hornbook.display.markup import Markup, said, tag
from hornbook.display.svg import COLOURS, Picture, near, picture, words
from hornbook.graph.belief.dispute import dispute
from hornbook.graph.belief.state import Held
from hornbook.graph.belief.windows import window_of
from hornbook.graph.claim import Polarity
from hornbook.graph.claims.lines import all_of, find_line
from hornbook.graph.clock import rfc3339

if TYPE_CHECKING:
    from hornbook.graph.store import Reading, Store

BARS = 30  # of a band that are drawn, the latest; the others are counted
MOST = 40  # bands that are drawn: the latest; how many were before them is said
WIDTH, LEFT, TOP = 960, 210, 62
BAR, GAP, PAD = 20, 4, 7
KINDS = ("claim.recorded", "claim.changed", "contest.resolved", "contest.reopened")
HATCH = tag(
    "defs",
    tag(
        "pattern",
        tag("path", d="M0 8 L8 0", stroke="var(--bad)", stroke_width="1.6"),
        id="hb-contested",
        width=8,
        height=8,
        patternUnits="userSpaceOnUse",
    ),
)

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Bar:
    """What some claims say, over the window in which they can hold, and where in it they are in dispute.

    Without a start they are taken to hold from `begin`, when it was said; before that they are drawn pale.
    """

    value: str
    since: int
    until: int
    claims: int
    begin: int
    disputed: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Band:
    """What was known of the line from an instant on, until the next band."""

    known_at: int
    bars: tuple[Bar, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """Everything that a timeline shows; `earlier` bands are left out."""

    subject: str
    predicate: str
    bands: tuple[Band, ...] = ()
    earlier: int = 0
    colours: dict[str, int] = field(default_factory=dict)


def states(store: "Store", subject: str, predicate: str, known: int | None) -> Line:
    """The line each time that what is known about it changed."""
    with store.reading(known) as reading:
        where = find_line(reading, subject, predicate)
        claims = all_of(reading, where[0]) if where else ()
        notes = _notes(reading, {one.id for one in claims})
        predicate = where[1].key if where else predicate
    every = list(notes)
    bands: list[Band] = []
    for at in every[-MOST:]:
        with store.reading(at) as reading:
            band = Band(at, _bars(reading, subject, predicate), notes[at])
        if not bands or band.bars != bands[-1].bars or band.note:
            bands.append(band)
    values = dict.fromkeys(bar.value.removeprefix("not ") for band in bands for bar in band.bars)
    colours = {value: at % COLOURS for at, value in enumerate(values)}
    return Line(subject, predicate, tuple(bands), max(len(every) - MOST, 0), colours)


def _notes(reading: "Reading", claims: Collection[str]) -> dict[int, str]:
    """The instants at which something became known about claims, in order, with what is to be said of each."""
    found: dict[int, str] = {}
    for event in reading.snapshot.events(0, reading.upto, kinds=KINDS):
        body = event.body or {}
        if _concerned(event.kind, body) & set(claims):
            kind = event.kind.removeprefix("contest.") if event.kind.startswith("contest.") else ""
            note = f"contest {kind}" if kind else ""
            found[event.known_at] = note or found.get(event.known_at, "")
    return found


def _concerned(kind: str, body: Mapping[str, Any]) -> set[str]:
    if kind == "claim.recorded":
        return {body["claim"]["id"]} if body else set()
    return {body["claim"]} if isinstance(body.get("claim"), str) else set(body.get("before", ()))


def _bars(reading: "Reading", subject: str, predicate: str) -> tuple[Bar, ...]:
    where = find_line(reading, subject, predicate)
    live = [one for one in all_of(reading, where[0]) if one.counts] if where else []
    found = dispute(live, where[1]) if where else None
    disputed, spans = (found.claims, found.spans) if found else ((), ())
    groups: dict[tuple[str, int, int], list[Held]] = {}
    for one in live:
        value = f"{'not ' if one.polarity is Polarity.NOT else ''}{said(one.value)}"
        groups.setdefault((value, one.state.valid.since, one.state.valid.until), []).append(one)
    return tuple(
        Bar(*key, len(held), _begin(held), _cut(spans, *key[1:]) if any(one.id in disputed for one in held) else ())
        for key, held in groups.items()
    )


def _begin(held: Collection[Held]) -> int:
    """From where claims of one window are taken to hold."""
    return min(window_of(one).begin for one in held)


def _cut(spans: Collection[Span], since: int, until: int) -> tuple[Span, ...]:
    """The parts of spans within a window."""
    cut = ((max(begin, since), min(end, until)) for begin, end in spans)
    return tuple((begin, end) for begin, end in cut if begin < end)


def drawn(line: Line) -> Picture:
    """The picture of a line."""
    every = [bar for band in line.bands for bar in band.bars]
    axis = axis_of([at for bar in every for at in (bar.since, bar.begin, bar.until)], LEFT, WIDTH - 40)
    parts: list[Markup] = []
    y = TOP
    for band in line.bands:
        inside, height = _band(band, axis, line.colours, y)
        parts += inside
        y += height
    title = f"{line.subject} {line.predicate}"
    left_out = f"{line.earlier} earlier changes are not drawn; " if line.earlier else ""
    foot = words(
        LEFT,
        y + 18,
        f"{left_out}hatched: contested; pale: before it was said, where nobody said since when",
        "soft",
        most=120,
    )
    head = [words(12, 24, title, most=120), words(12, TOP - 10, "as known from", "soft")]
    ticks = [_tick(at, label, axis, y) for at, label in axis.ticks()]
    return picture(title, WIDTH, y + 30, HATCH, *head, *ticks, *parts, foot)


def _tick(at: int, label: str, axis: Axis, bottom: int) -> Markup:
    x = near(axis.x(at))
    rule = tag("path", d=f"M{x} {TOP - 6} V{bottom}", class_="line")
    return tag("g", rule, words(axis.x(at), TOP - 10, label, "soft", "middle"))


def _band(band: Band, axis: Axis, colours: dict[str, int], top: int) -> tuple[list[Markup], int]:
    """What a band is drawn with, and how high it is."""
    lanes: list[int] = []
    parts: list[Markup] = []
    for bar in sorted(band.bars, key=lambda bar: (bar.since, bar.until))[-BARS:]:
        lane = next((at for at, until in enumerate(lanes) if until <= bar.since), len(lanes))
        lanes[lane : lane + 1] = [bar.until]
        parts.append(_bar(bar, axis, colours[bar.value.removeprefix("not ")], top + PAD + lane * (BAR + GAP)))
    left_out = len(band.bars) - BARS
    notes = [note for note in (band.note, f"{left_out} more are not drawn" if left_out > 0 else "") if note]
    height = 2 * PAD + max(len(lanes), 1 + len(notes)) * (BAR + GAP)
    known = rfc3339(band.known_at)  # whole in its title: given as `knowledge_at` it gives this band
    rule = tag("path", d=f"M12 {top} H{WIDTH - 40}", class_="line")
    remarks = [words(12, top + 38 + 16 * at, note, "bad") for at, note in enumerate(notes)]
    empty = [] if band.bars else [words(LEFT + 6, top + 22, "nothing is said", "soft")]
    return [rule, words(12, top + 22, known[:19].replace("T", " "), whole=known), *remarks, *parts, *empty], height


def _bar(bar: Bar, axis: Axis, colour: int, y: int) -> Markup:
    """A bar with what it says; its title says it whole, for a reader of texts and under the pointer."""
    left, right = axis.x(bar.since), max(axis.x(bar.until), axis.x(bar.since) + 2)
    times = f", {bar.claims} claims" if bar.claims > 1 else ""
    state = " (contested)" if bar.disputed else ""
    whole = tag("title", f"{bar.value}{state}: {axis.piece(bar.since, bar.until)}{times}")
    begin = min(max(axis.x(bar.begin), left), right)
    boxes = [_box(left, begin, y, colour, "0.35"), _box(begin, right, y, colour)]
    hatched = [
        tag("rect", x=near(axis.x(a)), y=y, width=near(axis.x(b) - axis.x(a)), height=BAR, fill="url(#hb-contested)")
        for a, b in bar.disputed
    ]
    return tag("g", whole, *boxes, *hatched, words(left + 6, y + 14, bar.value, "over" if bar.disputed else None))


def _box(left: float, right: float, y: int, colour: int, opacity: str | None = None) -> Markup:
    """A piece of a bar; nothing where it has no width."""
    if right <= left:
        return Markup()
    width = near(right - left)
    return tag("rect", x=near(left), y=y, width=width, height=BAR, rx=3, class_=f"c{colour}", opacity=opacity)
