"""A bounded walk for retrieval: from entities and items to the items near them, with the relations between.

Every step asks about one node at a time, from its key: the engine plans longer paths as scans of whole tables.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from hornbook.graph.view.asked import STANDS, Asked
from hornbook.graph.view.entities import entity

ENTITY, CLAIM, ITEM = "entity", "claim", "item"
FANOUT = 32  # of one node's relations of one kind only the newest are followed

# what leads on from a node of a kind: the relation, the label it leads to, the kind, and the pattern of one step
STEPS: dict[str, tuple[tuple[str, str, str], ...]] = {
    ENTITY: (
        ("mentions", ITEM, "MATCH (:Entity {id: $id})<-[r:Mentions]-(:Item) WHERE {STANDS} RETURN r.item"),
        ("says", CLAIM, "MATCH (:Entity {id: $id})<-[r:Says]-(:Claim) WHERE {STANDS} RETURN r.claim"),
    ),
    "line": (("about", CLAIM, "MATCH (:Line {id: $id})-[r:OnLine]->(:Claim) WHERE {STANDS} RETURN r.claim"),),
    CLAIM: (
        ("evidence", ITEM, "MATCH (:Claim {id: $id})-[r:Evidence]->(:Item) WHERE {STANDS} RETURN r.item"),
        ("says", ENTITY, "MATCH (:Claim {id: $id})-[r:Says]->(:Entity) WHERE {STANDS} RETURN r.entity"),
    ),
    ITEM: (
        ("evidence", CLAIM, "MATCH (:Item {id: $id})<-[r:Evidence]-(:Claim) WHERE {STANDS} RETURN r.claim"),
        ("mentions", ENTITY, "MATCH (:Item {id: $id})-[r:Mentions]->(:Entity) WHERE {STANDS} RETURN r.entity"),
        ("joins", ITEM, "MATCH (:Item {id: $id})-[r:Joins]->(:Item) WHERE {STANDS} RETURN r.other"),
        ("joins", ITEM, "MATCH (:Item {id: $id})<-[r:Joins]-(:Item) WHERE {STANDS} RETURN r.one"),
    ),
}
LINES = "MATCH (:Entity {id: $id})-[r:Has]->(:Line) WHERE {STANDS} RETURN r.line"


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation that was walked, from the node it was walked from: mentions, says, about, evidence, joins."""

    source: str
    target: str
    kind: str


@dataclass(slots=True)
class Walk:
    """What was reached: hops by id for each kind of node, the relations between, and whether the walk was cut short."""

    hops: dict[str, dict[str, int]] = field(default_factory=lambda: {ENTITY: {}, CLAIM: {}, ITEM: {}})
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
) -> Walk:
    """Walk breadth first from entities (and those merged into them) and items, over relations of some kinds.

    At most `most` nodes are walked on from, at 0.3 to 1 ms each; a walk that stopped there says `truncated`.
    """
    found, wanted = Walk(), frozenset(kinds)
    frontier = [(ENTITY, id_) for id_ in _with_absorbed(view, entities, upto)] + [(ITEM, id_) for id_ in items]
    for kind, id_ in frontier:
        found.hops[kind][id_] = 0
    for hop in range(1, hops + 1):
        frontier, most = _widened(view, found, frontier[:most], upto, hop, wanted), most - len(frontier)
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


def _widened(
    view: Asked, found: Walk, frontier: list[tuple[str, str]], upto: int, hop: int, kinds: frozenset[str]
) -> list[tuple[str, str]]:
    """One hop further: the nodes that are new."""
    new = []
    for kind, id_ in frontier:
        for relation, leads_to, other in _neighbours(view, kind, id_, upto, kinds):
            found.edges.append(Edge(id_, other, relation))
            if other not in found.hops[leads_to]:
                found.hops[leads_to][other] = hop
                new.append((leads_to, other))
    return new


def _neighbours(view: Asked, kind: str, id_: str, upto: int, kinds: frozenset[str]) -> Iterator[tuple[str, str, str]]:
    for relation, leads_to, step in STEPS[kind]:
        if relation in kinds:
            yield from ((relation, leads_to, other) for other in _step(view, step, id_, upto))
    if kind == ENTITY and "about" in kinds:
        for line in _step(view, LINES, id_, upto):
            yield from _neighbours(view, "line", line, upto, kinds)


def _step(view: Asked, step: str, id_: str, upto: int) -> list[str]:
    text = f"{step.replace('{STANDS}', STANDS)} ORDER BY r.seq DESC LIMIT {FANOUT}"
    return list(dict.fromkeys(row[0] for row in view.rows(text, {"id": id_, "upto": upto})))
