"""A bounded walk for retrieval: from entities and items to the items near them, with the relations between.

Every step asks about one node at a time, from its key: the engine plans longer paths as scans of whole tables.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from hornbook.graph.view.asked import Asked, step
from hornbook.graph.view.entities import entity

ENTITY, LINE, CLAIM, ITEM = "entity", "line", "claim", "item"
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
    for relation, leads_to, question in STEPS[kind]:
        if relation in kinds:
            yield from ((relation, leads_to, other) for other in _newest(view, question, id_, upto))
    if kind == ENTITY and "about" in kinds:
        for line in _newest(view, LINES, id_, upto):
            yield from _neighbours(view, LINE, line, upto, kinds)


def _newest(view: Asked, question: str, id_: str, upto: int) -> list[str]:
    other = question.rpartition(" ")[2]
    text = f"{question}, r.seq ORDER BY r.seq DESC, {other} LIMIT {FANOUT}"
    rows = view.rows(text, {"id": id_, "upto": upto})
    return list(dict.fromkeys(row[0] for row in rows))
