"""All lines of a memory as arrows: what each shows, over valid time, from each known instant on."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from hornbook.display.markup import said
from hornbook.display.page.inferred import Inferred, Key
from hornbook.display.page.past import Past, Then, past
from hornbook.display.page.pieces import Piece, pieces
from hornbook.graph import entities
from hornbook.graph.belief.state import Held
from hornbook.graph.claim import Polarity
from hornbook.graph.errors import NotFound
from hornbook.graph.names import name_key
from hornbook.graph.store import Reading
from hornbook.graph.view.derived import Conclusion

Arrow = tuple[str, str, str, bool, str | None]  # from, to, label, whether it is denied, the rule that it follows from
Shown = tuple[Arrow, str, tuple[str, ...]]  # an arrow, its role, the claims behind it
Infer = Callable[[Reading], Inferred | None]  # what rules derive at a reading; None where that cannot be said
MOST_THEN = 60  # known instants, the latest, for which rules are worked out anew


def nothing(reading: Reading) -> Inferred | None:
    """Of a memory without rules."""
    return Inferred()


@dataclass(frozen=True, slots=True)
class Inference:
    """What rules derive from a known instant on."""

    known_at: int
    seq: int
    inferred: Inferred

    def touches(self, key: Key) -> bool:
        """Whether rules have a word on a line."""
        return key in self.inferred.lines or key in self.inferred.broken


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
    inferences: tuple[Inference, ...] = ()  # by known time
    failed: bool = False  # whether rules could not be worked out at some of them
    cut: bool = False  # whether there are earlier ones, for which they were not
    lines: dict[tuple[str, str], list[tuple[int, tuple[Span, ...]]]] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)  # nodes that are no entities, with what they say

    @property
    def arrows(self) -> Iterator[Arrow]:
        """Every arrow that is shown at some time, once for each piece."""
        return (one[0] for spans in self.lines.values() for _, then in spans for span in then for one in span.shown)

    @property
    def conclusions(self) -> dict[str, tuple[int, Conclusion]]:
        """What rules derive, by its id, as it was derived last; with the known instant from which on."""
        found: dict[str, tuple[int, Conclusion]] = {}
        for one in self.inferences:
            for id_, conclusion in one.inferred.conclusions.items():
                found[id_] = found[id_][0] if id_ in found else one.known_at, conclusion
        return found

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


def build(
    reading: Reading, infer: Infer = nothing, *, latest: bool = False, around: tuple[str, int] | None = None
) -> Graph:
    """The graph of a memory up to what is read, with its whole past; only what is known at the end if `latest`.

    `around` an entity and for so many steps: further lines may be left out, where there are no rules.
    """
    graph = Graph(past(reading))
    ruled = _ruled(reading)
    near = None if around is None or ruled else _steps(graph.past.joined(), *around)
    lines = [line for line in graph.past.spoken.lines if near is None or line[1] in near]
    thens = {line: graph.past.line(line, latest=latest) for line, _, _ in lines}
    if ruled:
        changes = {then.known_at for every in thens.values() for then in every}
        _infer(graph, infer, set() if latest else {at for at in (*changes, *ruled) if at >= ruled[0]})
    seen = set()
    for line, entity, predicate in lines:
        key = (predicate, name_key(graph.name(entity)))
        seen.add(key)
        found = _with_rules(graph, line, key, thens[line])
        graph.lines[entity, predicate] = [(then.known_at, _spans(graph, then)) for then in found]
    for key in sorted({key for one in graph.inferences for key in one.inferred.lines} - seen):
        found = _with_rules(graph, None, key, ())
        first = next(one for one in graph.inferences if key in one.inferred.lines)
        source = _ends(graph, first.inferred.lines[key][0], first.seq)[0]
        graph.lines[source, key[0]] = [(then.known_at, _spans(graph, then)) for then in found]
    return graph


def _ruled(reading: Reading) -> list[int]:
    """When rules were added and removed, in order."""
    from hornbook.reasoning.rulebook import KINDS

    return [event.known_at for event in reading.snapshot.events(0, reading.upto, kinds=KINDS)]


def _infer(graph: Graph, infer: Infer, changes: Collection[int]) -> None:
    """What rules derive at the end, and at each earlier instant at which something changed while there were rules."""
    reading = graph.past.reading
    instants = sorted({*changes, graph.past.known(reading.upto)[0]})
    graph.cut = len(instants) > MOST_THEN
    found = []
    for at in instants[-MOST_THEN:]:
        with reading.store.reading(at) as then:
            inferred = infer(then)
            graph.failed = graph.failed or inferred is None
            found.append(Inference(at, then.upto, inferred or Inferred()))
    graph.inferences = tuple(found)


def _with_rules(graph: Graph, line: str | None, key: Key, thens: Sequence[Then]) -> Sequence[Then]:
    """A line with what rules derive for it, at each instant for which that is known."""
    if not any(one.touches(key) for one in graph.inferences):
        return thens
    instants = [(one.known_at, one.seq) for one in graph.inferences]
    first = graph.past.affordable(line, instants)[0][0] if line else instants[0][0]
    before = [then for then in thens if then.known_at < first] if first == instants[0][0] else []
    return [*before, *(_concluded(graph, line, key, one) for one in graph.inferences if one.known_at >= first)]


def _concluded(graph: Graph, line: str | None, key: Key, one: Inference) -> Then:
    held = graph.past.held(line, one.seq) if line else ()
    found = pieces(
        held,
        graph.past.registry(one.seq).named(key[0]),
        edges=one.inferred.edges(key),
        concluded=lambda at: one.inferred.at(key, at),
        broken=one.inferred.broken.get(key, ()),
    )
    return Then(one.known_at, one.seq, found)


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
