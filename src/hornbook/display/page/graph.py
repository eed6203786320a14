"""All lines of a memory as arrows: what each shows, over valid time, from each known instant on."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from hornbook.display.markup import said
from hornbook.display.page.inferred import Inferred
from hornbook.display.page.past import Past, Then, past
from hornbook.display.page.pieces import Piece, pieces
from hornbook.graph import entities
from hornbook.graph.belief.state import Held
from hornbook.graph.claim import Polarity
from hornbook.graph.errors import NotFound
from hornbook.graph.names import name_key
from hornbook.graph.store import Reading

Arrow = tuple[str, str, str, bool, str | None]  # from, to, label, whether it is denied, the rule that it follows from
Shown = tuple[Arrow, str, tuple[str, ...]]  # an arrow, its role, the claims behind it
NONE = Inferred()


@dataclass(frozen=True, slots=True)
class Span:
    """What a line shows from one known instant on, over one piece of valid time."""

    known_at: int
    since: int
    until: int
    status: str
    shown: tuple[Shown, ...]


@dataclass(slots=True)
class Graph:
    """All lines with what they show, before it is cut to what is drawn."""

    past: Past
    inferred: Inferred
    lines: dict[tuple[str, str], list[tuple[int, tuple[Span, ...]]]] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)  # nodes that are no entities, with what they say

    @property
    def arrows(self) -> Iterator[Arrow]:
        """Every arrow that is shown at some time, once for each piece."""
        return (one[0] for spans in self.lines.values() for _, then in spans for span in then for one in span.shown)

    def at(self, instant: int) -> Iterator[Shown]:
        """What is shown at a valid instant, of what is known at the end."""
        for thens in self.lines.values():
            for span in thens[-1][1] if thens else ():
                if span.since <= instant < span.until:
                    yield from span.shown

    def name(self, id_: str) -> str:
        """What a node is called."""
        known = self.past.entities.get(id_)
        return str(known.changes[0][1]["name"]) if known else self.values[id_]

    def is_entity(self, id_: str) -> bool:
        """Whether a node is an entity; else it is a value."""
        return id_ in self.past.entities

    def type(self, id_: str) -> str | None:
        """The type of an entity, as it was said last."""
        found = None
        for _, change in self.past.entities[id_].changes if id_ in self.past.entities else ():
            found = change.get("type", found)
        return found


def centre_of(reading: Reading, around: str) -> str:
    """The entity that a picture is drawn around; NotFound where there is none."""
    found = entities.find(reading, around)
    if found is None:
        raise NotFound(f"there is no entity {around[:80]}", field="around", hint="search for it by what it is called")
    return found.id


def build(reading: Reading, inferred: Inferred = NONE, *, latest: bool = False) -> Graph:
    """The graph of a memory up to what is read, with its whole past; only what is known at the end if `latest`."""
    graph = Graph(past(reading), inferred)
    seen = set()
    for line, entity, predicate in graph.past.spoken.lines:
        key = (predicate, name_key(graph.name(entity)))
        thens = graph.past.line(line, latest=latest)
        if key in inferred.lines or key in inferred.broken:
            thens = (*thens, _concluded(graph, line, key))
            seen.add(key)
        graph.lines[entity, predicate] = [(then.known_at, _spans(graph, then)) for then in thens]
    for key in sorted(inferred.lines.keys() - seen):
        then = _concluded(graph, None, key)
        source = _ends(graph, inferred.lines[key][0], then.seq)[0]
        graph.lines.setdefault((source, key[0]), []).append((then.known_at, _spans(graph, then)))
    return graph


def _concluded(graph: Graph, line: str | None, key: tuple[str, str]) -> Then:
    """A line with what rules derive for it, as known at the event that is read."""
    known, seq = graph.past.known(graph.past.reading.upto)
    held = graph.past.held(line, seq) if line else ()
    named = graph.past.registry(seq).named(key[0])
    found = pieces(
        held,
        named,
        edges=graph.inferred.edges(key),
        concluded=lambda at: graph.inferred.at(key, at),
        broken=graph.inferred.broken.get(key, ()),
    )
    return Then(known, seq, found)


def _spans(graph: Graph, then: Then) -> tuple[Span, ...]:
    return tuple(_span(graph, then, piece) for piece in then.pieces)


def _span(graph: Graph, then: Then, piece: Piece) -> Span:
    shown = tuple((_arrow(graph, one.held, then.seq), one.role, one.claims) for one in piece.shown)
    return Span(then.known_at, piece.since, piece.until, piece.status.value, shown)


def _arrow(graph: Graph, held: Held, seq: int) -> Arrow:
    """The arrow of a claim: one that is seen from its value leads the way in which it was said."""
    rule = held.claim.extra.get("rule") if "derived" in held.claim.extra else None
    label, denied = held.claim.predicate, held.claim.polarity is Polarity.NOT
    return (*_ends(graph, held, seq), label, denied, rule)


def _ends(graph: Graph, held: Held, seq: int) -> tuple[str, str]:
    claim = held.claim
    if "derived" in claim.extra:
        source = graph.past.bearing(claim.subject) or _value(graph, "", "", claim.subject, claim.subject_key)
        target = graph.past.bearing(claim.value)
    else:
        source = graph.past.source(claim.id, seq) or ""
        target = graph.past.target(claim.id, seq)
    return source, target or _value(graph, source, claim.predicate, claim.value, claim.value_key)


def _value(graph: Graph, source: str, predicate: str, value: object, key: str) -> str:
    """The node of a value that is no entity: each subject has its own."""
    id_ = f"{source} {predicate} {key}"
    graph.values.setdefault(id_, said(value))
    return id_


def reached(graph: Graph, arrows: Iterable[Arrow], centre: str | None, depth: int, most: int) -> tuple[list[str], int]:
    """The nodes to draw, in the order in which they came to be, and how many there are within reach."""
    joined: dict[str, dict[str, None]] = {}
    for source, target, *_ in arrows:
        joined.setdefault(source, {})[target] = None
        joined.setdefault(target, {})[source] = None
    steps = dict.fromkeys(joined, 0) if centre is None else _steps(joined, centre, depth)
    order = {id_: at for at, id_ in enumerate((*graph.past.entities, *graph.values))}
    best = sorted(steps, key=lambda id_: (steps[id_], -len(joined.get(id_, ())), order[id_]))[:most]
    return sorted(best, key=order.__getitem__), len(steps)


def _steps(joined: Mapping[str, Collection[str]], centre: str, depth: int) -> dict[str, int]:
    """How many steps from the centre each node is, as far as the depth."""
    steps, edge = {centre: 0}, [centre]
    for step in range(1, depth + 1):
        edge = list(dict.fromkeys(other for id_ in edge for other in joined.get(id_, ()) if other not in steps))
        steps |= dict.fromkeys(edge, step)
    return steps
