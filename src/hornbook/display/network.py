"""The graph as a picture: entities as nodes, what is said of them as arrows, contested ones in their own colour."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import hypot, sqrt
from typing import TYPE_CHECKING, Any

from hornbook.display.markup import Markup, said, tag
from hornbook.display.svg import COLOURS, MOST_LETTERS, Picture, near, picture, words
from hornbook.graph import entities
from hornbook.graph.belief.codec import state_from_json
from hornbook.graph.belief.state import ClaimState
from hornbook.graph.claims.lines import written
from hornbook.graph.clock import rfc3339
from hornbook.graph.errors import NotFound
from hornbook.graph.names import name_key
from hornbook.graph.store import Reading
from hornbook.graph.view import queries
from hornbook.graph.view.queries import GraphRows

if TYPE_CHECKING:
    import networkx as nx

SEED = 7  # of the layout: the same graph is always drawn the same way
SMALL, WIDE = (900, 620), (1400, 960)
FEW = 40  # nodes that the small size holds
EDGE, LEGEND = 70, 40  # room around the nodes, and below for the legend
RADIUS = 8
LETTER = 6.2  # its usual width
LABEL = 0.56  # of the way is where a label stands: arrows that part from one node leave room there
SPREAD = 3.0  # how far apart nodes strive to be


@dataclass(frozen=True, slots=True)
class Node:
    """An entity with its type, or (type None) a value that is no entity."""

    id: str
    name: str
    type: str | None
    entity: bool


@dataclass(frozen=True, slots=True)
class Arrow:
    """What is said of one node that leads to another, and whether any of it is in dispute."""

    source: str
    target: str
    label: str
    contested: bool


@dataclass(frozen=True, slots=True)
class Network:
    """What a picture shows: of `total` nodes those that are drawn, at a valid instant."""

    nodes: tuple[Node, ...]
    arrows: tuple[Arrow, ...]
    total: int
    title: str


def network(reading: Reading, at: int, around: str | None, depth: int, most: int) -> Network:
    """What holds at an instant, narrowed to the surroundings of an entity and to the best connected nodes."""
    rows = reading.ask(queries.graph_rows, upto=reading.upto, written=written(reading))
    nodes, arrows = _said(rows, at)
    centre = None if around is None else _centre(reading, around, nodes)
    graph = _joined(nodes, arrows)
    reached = _reached(graph, centre, depth)
    kept = set(sorted(reached, key=lambda id_: (reached[id_], -graph.degree(id_)))[:most])
    shown = tuple(node for id_, node in nodes.items() if id_ in kept)
    drawn_arrows = tuple(arrow for arrow in arrows if {arrow.source, arrow.target} <= kept)
    name = f"around {nodes[centre].name}" if centre else "the whole memory"
    return Network(shown, drawn_arrows, len(reached), f"{name}, {_day(at)}")


def _day(at: int) -> str:
    return f"as true {rfc3339(at)[:10]}"


def _centre(reading: Reading, around: str, nodes: Mapping[str, Node]) -> str:
    found = entities.find(reading, around)
    if found is None or found.id not in nodes:
        raise NotFound(f"there is no entity {around[:80]}", field="around", hint="search for it by what it is called")
    return found.id


def _joined(nodes: Iterable[str], arrows: Iterable[Arrow]) -> "nx.Graph[str]":
    import networkx as nx

    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(nodes)
    graph.add_edges_from((arrow.source, arrow.target) for arrow in arrows)
    return graph


def _reached(graph: "nx.Graph[str]", centre: str | None, depth: int) -> dict[str, int]:
    """The nodes to draw with how far they are from the centre; without one all that anything is said of."""
    import networkx as nx

    if centre is None:
        return {id_: 0 for id_ in graph if graph.degree(id_)}
    return dict(nx.single_source_shortest_path_length(graph, centre, depth))


def _said(rows: GraphRows, at: int) -> tuple[dict[str, Node], tuple[Arrow, ...]]:
    """The entities and values, and what holds at an instant between them."""
    known = {id_: body for id_, body in rows.nodes if body["kind"] == "entity"}
    claims = {id_: body for id_, body in rows.nodes if body["kind"] == "claim"}
    states = {id_: state_from_json(body["state"]) for id_, body in claims.items()}
    holding = {id_ for id_ in claims if claims[id_]["mood"] == "asserted" and _holds(states[id_], at)}
    nodes = {id_: Node(id_, body["name"], body["type"], True) for id_, body in known.items() if not body["merged_into"]}
    subjects = {
        there: _kept(known, here) for here, there, kind, more in rows.edges if kind == "about" and not more["mirrored"]
    }
    values = {here: _kept(known, there) for here, there, kind, _ in rows.edges if kind == "says"}
    names = {name_key(node.name): id_ for id_, node in nodes.items()}
    arrows: dict[tuple[str, str], dict[str, bool]] = {}
    for ref in (ref for ref in claims if ref in holding and subjects.get(ref) in nodes):
        claim, source = claims[ref], subjects[ref]
        target = values.get(ref) or names.get(name_key(said(claim["value"]))) or _value(nodes, source, claim)
        label = f"{'not ' if claim['polarity'] == 'not' else ''}{claim['predicate']}"
        labels = arrows.setdefault((source, target), {})
        labels[label] = labels.get(label, False) or any(rival in holding for rival in states[ref].rivals)
    return nodes, tuple(Arrow(*ends, ", ".join(labels), any(labels.values())) for ends, labels in arrows.items())


def _holds(state: ClaimState, at: int) -> bool:
    return state.live and state.valid.since <= at < state.valid.until


def _kept(known: Mapping[str, Any], id_: str) -> str:
    """The entity that this one was merged into."""
    while id_ in known and known[id_]["merged_into"]:
        id_ = known[id_]["merged_into"]
    return id_


def _value(nodes: dict[str, Node], source: str, claim: Mapping[str, Any]) -> str:
    """The node of a value that is no entity: each subject has its own."""
    id_ = f"{source} {claim['predicate']} {claim['value_key']}"
    nodes.setdefault(id_, Node(id_, said(claim["value"]), None, False))
    return id_


def drawn(found: Network) -> Picture:
    """The picture of a network."""
    width, height = SMALL if len(found.nodes) <= FEW else WIDE
    places = _places(found, width, height - LEGEND)
    types = sorted({node.type or "entity" for node in found.nodes if node.entity})
    colours = {type_: at % COLOURS for at, type_ in enumerate(types)}
    names = {node.id: "" if node.entity else node.name for node in found.nodes}
    arrows = [_arrow(arrow, places, names[arrow.target]) for arrow in found.arrows]
    below = _below(found, places)
    nodes = [_node(node, *places[node.id], colours, node.id in below) for node in found.nodes]
    cut = f" ({len(found.nodes)} of {found.total} nodes are drawn)" if found.total > len(found.nodes) else ""
    title = f"{found.title}{cut}"
    return picture(
        title, width, height, words(12, 22, title, most=120), *arrows, *nodes, *_legend(colours, height - 16)
    )


def _places(found: Network, width: int, height: int) -> dict[str, tuple[float, float]]:
    """Where each node stands: each part that hangs together has a box of its own, the largest first."""
    import networkx as nx

    joined = _joined([node.id for node in found.nodes], found.arrows)
    parts = sorted(nx.connected_components(joined), key=len, reverse=True)
    boxes = _boxes([len(part) for part in parts], (EDGE / 2, EDGE / 2, width - EDGE, height - EDGE))
    places: dict[str, tuple[float, float]] = {}
    for part, box in zip(parts, boxes, strict=True):
        # a graph made anew: networkx walks a part of one in the order of a set, which is another in each process
        nodes = [node.id for node in found.nodes if node.id in part]
        places |= _laid(_joined(nodes, [arrow for arrow in found.arrows if arrow.source in part]), box)
    return places


Box = tuple[float, float, float, float]


def _boxes(sizes: Sequence[int], whole: Box) -> list[Box]:
    """A box for each size: cut off the longer side of what is left, as large as its share.

    >>> _boxes([2, 1, 1], (0, 0, 80, 40))
    [(0, 0, 40.0, 40), (40.0, 0, 20.0, 40), (60.0, 0, 20.0, 40)]
    """
    boxes: list[Box] = []
    x, y, width, height = whole
    for at, size in enumerate(sizes):
        share = size / sum(sizes[at:])
        if width >= height or share == 1:
            boxes.append((x, y, width * share, height))
            x, width = x + width * share, width * (1 - share)
        else:
            boxes.append((x, y, width, height * share))
            y, height = y + height * share, height * (1 - share)
    return boxes


def _laid(graph: "nx.Graph[str]", box: Box) -> dict[str, tuple[float, float]]:
    """A part laid out by springs from a fixed seed, spread over its box with some room around it."""
    import networkx as nx

    if len(graph) == 1:
        return dict.fromkeys(graph, (box[0] + box[2] / 2, box[1] + box[3] / 2))
    laid = nx.spring_layout(graph, seed=SEED, iterations=150, k=SPREAD / sqrt(len(graph)))
    x, y = (_spread([float(place[axis]) for place in laid.values()], box[axis], box[axis + 2]) for axis in (0, 1))
    return dict(zip(laid, zip(x, y, strict=True), strict=True))


def _spread(places: Sequence[float], since: float, size: float) -> list[float]:
    room = min(EDGE / 2, size / 4)
    least, span = min(places), max(places) - min(places)
    return [since + room + (size - 2 * room) * ((at - least) / span if span else 0.5) for at in places]


def _below(found: Network, places: Mapping[str, tuple[float, float]]) -> set[str]:
    """The nodes whose names stand below them, since their arrows come from above."""
    fall = dict.fromkeys(places, 0.0)
    for arrow in found.arrows:
        down = places[arrow.target][1] - places[arrow.source][1]
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


def _arrow(arrow: Arrow, places: Mapping[str, tuple[float, float]], name: str) -> Markup:
    """An arrow with its label; one to itself is a ring. Where it leads to a mere name it ends before the letters."""
    (x, y), (to_x, to_y) = places[arrow.source], places[arrow.target]
    kind, colour = ("clash", "bad over") if arrow.contested else ("edge", "soft over")
    label = f"{arrow.label} (contested)" if arrow.contested else arrow.label
    length = hypot(to_x - x, to_y - y)
    if length < 1:
        ring = tag("circle", cx=near(x), cy=near(y + 2 * RADIUS), r=2 * RADIUS, class_=kind)
        return tag("g", ring, words(x, y + 5 * RADIUS + 6, label, colour, "middle"))
    along, across = (to_x - x) / length, (to_y - y) / length
    half = LETTER * min(len(name), MOST_LETTERS) / 2
    room = min(half / max(abs(along), 0.01), RADIUS / max(abs(across), 0.01)) if name else RADIUS
    room = min(room + 4, length / 2)
    tip_x, tip_y = to_x - along * room, to_y - across * room
    left = f"{near(tip_x - 8 * along + 4 * across)} {near(tip_y - 8 * across - 4 * along)}"
    right = f"{near(tip_x - 8 * along - 4 * across)} {near(tip_y - 8 * across + 4 * along)}"
    path = f"M{near(x)} {near(y)} L{near(tip_x)} {near(tip_y)} M{left} L{near(tip_x)} {near(tip_y)} L{right}"
    return tag(
        "g",
        tag("path", d=path, class_=kind),
        words(x + LABEL * (to_x - x), y + LABEL * (to_y - y) - 3, label, colour, "middle"),
    )


def _legend(colours: Mapping[str, int], y: int) -> list[Markup]:
    parts: list[Markup] = []
    x = 18.0
    for type_, colour in colours.items():
        parts += [tag("circle", cx=near(x), cy=y - 4, r=5, class_=f"c{colour}"), words(x + 10, y, type_, "soft")]
        x += 26 + LETTER * min(len(type_), MOST_LETTERS)
    return [*parts, words(x, y, "red: contested", "bad")]
