"""The graph as a picture: entities as nodes, what is said of them as arrows, contested ones in their own colour."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import hypot

from hornbook.display.markup import Markup, tag
from hornbook.display.page.graph import Graph, Infer, build, centre_of, nothing, reached
from hornbook.display.page.layout import places
from hornbook.display.page.pieces import BESIDE, CONTESTED
from hornbook.display.svg import COLOURS, MOST_LETTERS, Picture, near, picture, words
from hornbook.graph.clock import rfc3339
from hornbook.graph.store import Reading

SMALL, WIDE = (900, 620), (1400, 960)
FEW = 40  # nodes that the small size holds
EDGE, LEGEND = 70, 40  # room around the nodes, and below for the legend
RADIUS = 8
LETTER = 6.2  # its usual width
# where a label may stand on its way: arrows that part from one node leave room beyond its middle
WAYS = (0.56, 0.46, 0.66, 0.38, 0.74, 0.3)
SIDE = 130.0  # how long the way between two nodes may be drawn, at most


@dataclass(frozen=True, slots=True)
class Node:
    """An entity with its type, or (type None) a value that is no entity."""

    id: str
    name: str
    type: str | None
    entity: bool


@dataclass(frozen=True, slots=True)
class Arrow:
    """What is said of one node that leads to another.

    `kind` is edge (believed), clash (contested), derived, or beside (said, and not believed).
    """

    source: str
    target: str
    label: str
    kind: str

    @property
    def contested(self) -> bool:
        """Whether any of it is in dispute."""
        return self.kind == "clash"

    @property
    def told(self) -> str:
        """What is written at it."""
        return f"{self.label} (contested)" if self.contested else self.label


@dataclass(frozen=True, slots=True)
class Network:
    """What a picture shows: of `total` nodes those that are drawn, at a valid instant."""

    nodes: tuple[Node, ...]
    arrows: tuple[Arrow, ...]
    total: int
    title: str


def network(reading: Reading, at: int, around: str | None, depth: int, most: int, infer: Infer = nothing) -> Network:
    """What is shown at an instant, narrowed to the surroundings of an entity and to the best connected nodes."""
    centre = None if around is None else centre_of(reading, around)
    graph = build(reading, infer, latest=True, around=None if centre is None else (centre, depth))
    arrows = _arrows(graph, at)
    ends = [(arrow.source, arrow.target, "", False, None) for arrow in arrows]
    kept, total = reached(graph, ends, centre, depth, most)
    shown = tuple(Node(id_, graph.name(id_), graph.type(id_), graph.is_entity(id_)) for id_ in kept)
    inside = set(kept)
    drawn_arrows = tuple(arrow for arrow in arrows if {arrow.source, arrow.target} <= inside)
    name = f"around {graph.name(centre)}" if centre else "the whole memory"
    return Network(shown, drawn_arrows, total, f"{name}, as true {rfc3339(at)[:10]}")


def _arrows(graph: Graph, at: int) -> tuple[Arrow, ...]:
    """One arrow for all that is said alike of one node and leads to another."""
    found: dict[tuple[str, str, str], dict[str, None]] = {}
    for (source, target, label, denied, rule), role, _ in graph.at(at):
        kind = {CONTESTED: "clash", BESIDE: "beside"}.get(role[0], "derived" if rule is not None else "edge")
        found.setdefault((source, target, kind), {})[f"{'not ' if denied else ''}{label}"] = None
    return tuple(Arrow(source, target, ", ".join(labels), kind) for (source, target, kind), labels in found.items())


def drawn(found: Network) -> Picture:
    """The picture of a network."""
    width, height = SMALL if len(found.nodes) <= FEW else WIDE
    standing = _places(found, width, height - LEGEND)
    types = sorted({node.type or "entity" for node in found.nodes if node.entity})
    colours = {type_: at % COLOURS for at, type_ in enumerate(types)}
    names = {node.id: "" if node.entity else node.name for node in found.nodes}
    labels = _labels(found, standing)
    arrows = [
        _arrow(arrow, standing, names[arrow.target], way) for arrow, way in zip(found.arrows, labels, strict=True)
    ]
    below = _below(found, standing)
    nodes = [_node(node, *standing[node.id], colours, node.id in below) for node in found.nodes]
    cut = f" ({len(found.nodes)} of {found.total} nodes are drawn)" if found.total > len(found.nodes) else ""
    title = f"{found.title}{cut}"
    return picture(
        title,
        width,
        height,
        words(12, 22, title, most=120),
        *arrows,
        *nodes,
        *_legend(colours, found.arrows, height - 16),
    )


def _places(found: Network, width: int, height: int) -> dict[str, tuple[float, float]]:
    """Where each node stands: laid out as on the page, fitted into the picture."""
    index = {node.id: number for number, node in enumerate(found.nodes)}
    laid = places(len(index), [(index[arrow.source], index[arrow.target]) for arrow in found.arrows])
    if not laid:
        return {}
    (left, right), (top, bottom) = ((min(side), max(side)) for side in zip(*laid, strict=True))
    across = min((width - 2 * EDGE) / ((right - left) or 1), 2 * SIDE / 120)
    down = min((height - 2 * EDGE) / ((bottom - top) or 1), 2 * SIDE / 120)
    scale = min(across, down) if len(laid) > 2 else min(across, down, 1.5)
    stretched = min(across, scale * 1.35), min(down, scale * 1.35)  # a little, so that a wide picture is filled
    return {
        node.id: (
            width / 2 + (x - (left + right) / 2) * stretched[0],
            height / 2 + (y - (top + bottom) / 2) * stretched[1],
        )
        for node, (x, y) in zip(found.nodes, laid, strict=True)
    }


def _below(found: Network, standing: Mapping[str, tuple[float, float]]) -> set[str]:
    """The nodes whose names stand below them, since their arrows come from above."""
    fall = dict.fromkeys(standing, 0.0)
    for arrow in found.arrows:
        down = standing[arrow.target][1] - standing[arrow.source][1]
        fall[arrow.target] += down
        fall[arrow.source] -= down
    return {id_ for id_, down in fall.items() if down > 0}


def _node(node: Node, x: float, y: float, colours: Mapping[str, int], below: bool) -> Markup:
    kind = node.type or ("entity" if node.entity else "value")
    whole = tag("title", f"{node.name} ({kind})")
    if not node.entity:
        return tag("g", whole, words(x, y + 4, node.name, "soft over", "middle"))
    dot = tag("circle", cx=near(x), cy=near(y), r=RADIUS, class_=f"c{colours[kind]}")
    return tag("g", whole, dot, words(x, y + (RADIUS + 14 if below else -RADIUS - 4), node.name, "over", "middle"))


Box = tuple[float, float, float, float]


def _labels(found: Network, standing: Mapping[str, tuple[float, float]]) -> list[float]:
    """Where on its way each label stands: where it covers the least."""
    taken = [_box(*standing[node.id], node.name) for node in found.nodes]
    ways = []
    for arrow in found.arrows:
        (x, y), (to_x, to_y) = standing[arrow.source], standing[arrow.target]
        boxes = {way: _box(x + way * (to_x - x), y + way * (to_y - y) - 6, arrow.told) for way in WAYS}
        way = min(WAYS, key=lambda way: sum(_meet(boxes[way], other) for other in taken))
        taken.append(boxes[way])
        ways.append(way)
    return ways


def _box(x: float, y: float, text: str) -> Box:
    half = LETTER * min(len(text), MOST_LETTERS) / 2
    return x - half, y - 8, x + half, y + 8


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _arrow(arrow: Arrow, standing: Mapping[str, tuple[float, float]], name: str, way: float) -> Markup:
    """An arrow with its label; one to itself is a ring. Where it leads to a mere name it ends before the letters."""
    (x, y), (to_x, to_y) = standing[arrow.source], standing[arrow.target]
    kind, colour = arrow.kind, "bad over" if arrow.contested else "soft over"
    length = hypot(to_x - x, to_y - y)
    if length < 1:
        ring = tag("circle", cx=near(x), cy=near(y + 2 * RADIUS), r=2 * RADIUS, class_=kind)
        return tag("g", ring, words(x, y + 5 * RADIUS + 6, arrow.told, colour, "middle"))
    along, across = (to_x - x) / length, (to_y - y) / length
    half = LETTER * min(len(name), MOST_LETTERS) / 2
    room = min(half / max(abs(along), 0.01), RADIUS / max(abs(across), 0.01)) if name else RADIUS
    room = min(room + 4, length / 2)
    tip_x, tip_y = to_x - along * room, to_y - across * room
    tip = f"{near(tip_x)} {near(tip_y)}"
    left = f"{near(tip_x - 9 * along + 4 * across)} {near(tip_y - 9 * across - 4 * along)}"
    right = f"{near(tip_x - 9 * along - 4 * across)} {near(tip_y - 9 * across + 4 * along)}"
    return tag(
        "g",
        tag("path", d=f"M{near(x)} {near(y)} L{tip}", class_=kind),
        tag("path", d=f"M{left} L{tip} L{right} Z", class_="clash-tip" if arrow.contested else "tip"),
        words(x + way * (to_x - x), y + way * (to_y - y) - 3, arrow.told, colour, "middle"),
    )


KINDS = {"clash": "contested", "derived": "derived", "beside": "not believed"}


def _legend(colours: Mapping[str, int], arrows: Iterable[Arrow], y: int) -> list[Markup]:
    """The types that there are, and the kinds of arrows beside the plain one."""
    parts: list[Markup] = []
    x = 18.0
    for type_, colour in colours.items():
        parts += [tag("circle", cx=near(x), cy=y - 4, r=5, class_=f"c{colour}"), words(x + 10, y, type_, "soft")]
        x += 26 + LETTER * min(len(type_), MOST_LETTERS)
    kinds = {arrow.kind for arrow in arrows}
    for kind in (kind for kind in KINDS if kind in kinds):
        said = f"red, dashed: {KINDS[kind]}" if kind == "clash" else KINDS[kind]
        parts += [tag("path", d=f"M{near(x)} {y - 4} h26", class_=kind)]
        parts += [words(x + 32, y, said, "bad" if kind == "clash" else "soft")]
        x += 48 + LETTER * len(said)
    return parts
