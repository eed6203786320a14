"""A bounded walk for retrieval: from entities and items to the items near them, with the relations between.

Every step asks about one node at a time, from its key: the engine plans longer paths as scans of whole tables.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from hornbook.graph.view.asked import Asked, step
from hornbook.graph.view.derived import copied_at
from hornbook.graph.view.entities import entity

ENTITY, LINE, CLAIM, ITEM, DERIVED = "entity", "line", "claim", "item", "derived"
FANOUT = 32  # of one node's relations of one kind only the newest are followed

# what leads on from a node of a kind: the relation's name, the kind it leads to, and the question
STEPS: dict[str, tuple[tuple[str, str, str], ...]] = {
    ENTITY: (
        ("mentions", ITEM, step("e:Entity", "<-Mentions-", "i:Item", "r.item")),
        ("says", CLAIM, step("e:Entity", "<-Says-", "c:Claim", "r.claim")),
    ),
    LINE: (("about", CLAIM, step("l:Line", "-OnLine->", "c:Claim", "r.claim")),),
    CLAIM: (
        ("evidence", ITEM, step("c:Claim", "-Evidence->", "i:Item", "r.item")),
        ("says", ENTITY, step("c:Claim", "-Says->", "e:Entity", "r.entity")),
    ),
    ITEM: (
        ("evidence", CLAIM, step("i:Item", "<-Evidence-", "c:Claim", "r.claim")),
        ("mentions", ENTITY, step("i:Item", "-Mentions->", "e:Entity", "r.entity")),
        ("joins", ITEM, step("i:Item", "-Joins->", "o:Item", "r.other")),
        ("joins", ITEM, step("i:Item", "<-Joins-", "o:Item", "r.one")),
    ),
}
LINES = step("e:Entity", "-Has->", "l:Line", "r.line")
HOLDS = "AND r.since <= $at AND r.until > $at"
CONCLUSIONS = ("concludes", "premise")
# beside the steps above where the copy of what rules derive is that of the instant of the walk
DERIVED_STEPS: dict[str, tuple[tuple[str, str, str], ...]] = {
    ENTITY: (("concludes", DERIVED, step("e:Entity", "-Concludes->", "d:Derived", "r.derived", HOLDS)),),
    DERIVED: tuple(
        ("premise", kind, step("d:Derived", "-Premise->", f"o:{table}", "r.premise"))
        for kind, table in ((CLAIM, "Claim"), (DERIVED, "Derived"), (ITEM, "Item"))
    ),
}


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation that was walked, from the node it was walked from.

    Mentions, says, about, evidence, joins; and concludes and premise, of what rules derive.
    """

    source: str
    target: str
    kind: str


@dataclass(slots=True)
class Walk:
    """What was reached: hops by id for each kind of node, the relations between, and whether the walk was cut short."""

    hops: dict[str, dict[str, int]] = field(default_factory=lambda: {ENTITY: {}, CLAIM: {}, ITEM: {}, DERIVED: {}})
    edges: list[Edge] = field(default_factory=list)
    truncated: bool = False

    @property
    def items(self) -> dict[str, int]:
        """The items reached, with how many relations away from where it began."""
        return self.hops[ITEM]


def walk(
    view: Asked,
    entities: Iterable[str],
    items: Iterable[str],
    upto: int,
    *,
    hops: int = 2,
    most: int = 60,
    kinds: Iterable[str] = ("mentions", "says", "about", "evidence", "joins"),
    at: int | None = None,
) -> Walk:
    """Walk breadth first from entities (and those merged into them) and items, over relations of some kinds.

    At most `most` nodes are walked on from, at 0.3 to 1 ms each; a walk that stopped there says `truncated`.
    With a valid instant `at` it goes over what rules derive for it too, where the graph has that as of this event.
    """
    mark = copied_at(view) if at is not None else None
    if mark is None or mark[0] != upto:
        return _walked(Going(view, upto, frozenset(kinds)), entities, items, hops, most)
    begun, others = list(entities), list(items)
    found = _walked(Going(view, upto, frozenset((*kinds, *CONCLUSIONS)), at), begun, others, hops, most)
    if copied_at(view) != mark:  # another thread has moved the copy on meanwhile: what was read may be of two events
        return _walked(Going(view, upto, frozenset(kinds)), begun, others, hops, most)
    return found


@dataclass(frozen=True, slots=True)
class Going:
    """How a walk goes: in which view, as of which event, over which relations, for which valid instant."""

    view: Asked
    upto: int
    kinds: frozenset[str]
    at: int | None = None

    def steps(self, kind: str) -> Iterator[tuple[str, str, str]]:
        """What leads on from a node of a kind."""
        every = (*STEPS.get(kind, ()), *(DERIVED_STEPS.get(kind, ()) if self.at is not None else ()))
        return (one for one in every if one[0] in self.kinds)


def _walked(going: Going, entities: Iterable[str], items: Iterable[str], hops: int, most: int) -> Walk:
    found, view, upto = Walk(), going.view, going.upto
    frontier = [(ENTITY, id_) for id_ in _with_absorbed(view, entities, upto)] + [(ITEM, id_) for id_ in items]
    for kind, id_ in frontier:
        found.hops[kind][id_] = 0
    for hop in range(1, hops + 1):
        frontier, most = _widened(going, found, frontier[:most], hop), most - len(frontier)
        if most <= 0:
            found.truncated = (hop < hops and bool(frontier)) or most < 0
            break
    return found


def _with_absorbed(view: Asked, entities: Iterable[str], upto: int) -> list[str]:
    """The entities and everything that was merged into them: mentions stay with the entity that was mentioned."""
    found = list(dict.fromkeys(entities))
    for id_ in found:  # it grows while it is walked
        row = entity(view, id_, upto)
        found += [other for other in (row.absorbed if row else ()) if other not in found]
    return found


def _widened(going: Going, found: Walk, frontier: list[tuple[str, str]], hop: int) -> list[tuple[str, str]]:
    """One hop further: the nodes that are new."""
    new = []
    for kind, id_ in frontier:
        for relation, leads_to, other in _neighbours(going, kind, id_):
            found.edges.append(Edge(id_, other, relation))
            if other not in found.hops[leads_to]:
                found.hops[leads_to][other] = hop
                new.append((leads_to, other))
    return new


def _neighbours(going: Going, kind: str, id_: str) -> Iterator[tuple[str, str, str]]:
    for relation, leads_to, question in going.steps(kind):
        yield from ((relation, leads_to, other) for other in _newest(going, question, id_))
    if kind == ENTITY and "about" in going.kinds:
        for line in _newest(going, LINES, id_):
            yield from _neighbours(going, LINE, line)


def _newest(going: Going, question: str, id_: str) -> list[str]:
    other = question.rpartition(" ")[2]
    text = f"{question}, r.seq ORDER BY r.seq DESC, {other} LIMIT {FANOUT}"
    values = {"id": id_, "upto": going.upto, **({"at": going.at} if "$at" in question else {})}
    return list(dict.fromkeys(row[0] for row in going.view.rows(text, values)))
