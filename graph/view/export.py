"""The whole graph as rows, for networkx, notebooks and export."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hornbook.graph.view.asked import STANDS, Asked
from hornbook.graph.view.log import latest, merged

NodeRow = tuple[str, dict[str, Any]]
EdgeRow = tuple[str, str, str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class GraphRows:
    """Nodes as (id, attributes) and edges as (source, target, kind, attributes), as of one instant.

    Node kinds: entity, claim, item. Edge kinds: about (entity to claim), says, evidence, rests_on, repeats, rival,
    mentions, next, of.
    """

    nodes: tuple[NodeRow, ...]
    edges: tuple[EdgeRow, ...]


def graph_rows(view: Asked, upto: int, written: Mapping[str, Mapping[str, Any]]) -> GraphRows:
    """Everything that stands at `upto`; `written` gives claims as they were said. Cost and size grow with the store."""
    nodes = [*_entities(view, upto), *_items(view, upto)]
    claims = _claims(view, upto, written)
    rivals: list[EdgeRow] = [(id_, rival, "rival", {}) for id_, said in claims for rival in said["state"]["rivals"]]
    edges = [*_about(view, upto), *_plain(view, upto), *rivals]
    return GraphRows((*nodes, *claims), tuple(edges))


def _entities(view: Asked, upto: int) -> list[NodeRow]:
    rows = view.rows("MATCH (e:Entity) WHERE e.seq <= $upto RETURN e.id, e.log ORDER BY e.seq", {"upto": upto})
    return [(id_, {"kind": "entity", **merged(log, upto)}) for id_, log in rows]


def _items(view: Asked, upto: int) -> list[NodeRow]:
    rows = view.rows(
        "MATCH (i:Item) WHERE i.seq <= $upto RETURN i.id, i.kind, i.data, i.log ORDER BY i.seq", {"upto": upto}
    )
    return [(id_, {**json.loads(data), "kind": kind, "state": merged(log, upto)}) for id_, kind, data, log in rows]


def _claims(view: Asked, upto: int, written: Mapping[str, Mapping[str, Any]]) -> list[NodeRow]:
    rows = view.rows("MATCH (c:Claim) WHERE c.seq <= $upto RETURN c.id, c.log ORDER BY c.seq", {"upto": upto})
    return [(id_, {**written[id_], "kind": "claim", "state": json.loads(latest(log, upto))}) for id_, log in rows]


def _about(view: Asked, upto: int) -> list[EdgeRow]:
    text = (
        f"MATCH (l:Line)-[r:OnLine]->(:Claim) WHERE {STANDS}"
        " RETURN l.entity, r.claim, l.predicate, r.mirrored ORDER BY r.seq, l.id, r.claim, r.mirrored"
    )
    return [
        (entity, claim, "about", {"predicate": predicate, "mirrored": mirrored})
        for entity, claim, predicate, mirrored in view.rows(text, {"upto": upto})
    ]


# the pattern of each kind of edge, its ends, and the kind
PLAIN: tuple[tuple[str, str, str, str], ...] = (
    ("(:Claim)-[r:Says]->(:Entity)", "r.claim", "r.entity", "'says'"),
    ("(:Claim)-[r:Evidence]->(:Item)", "r.claim", "r.item", "'evidence'"),
    ("(:Claim)-[r:Bears]->(:Claim)", "r.claim", "r.premise", "r.kind"),
    ("(:Item)-[r:Mentions]->(:Entity)", "r.item", "r.entity", "'mentions'"),
    ("(:Item)-[r:Joins]->(:Item)", "r.one", "r.other", "r.kind"),
)


def _plain(view: Asked, upto: int) -> list[EdgeRow]:
    return [(source, target, kind, {}) for edge in PLAIN for source, target, kind in _edges(view, upto, *edge)]


def _edges(view: Asked, upto: int, pattern: str, source: str, target: str, kind: str) -> list[list[Any]]:
    text = (
        f"MATCH {pattern} WHERE {STANDS} RETURN {source}, {target}, {kind} AS kind"
        f" ORDER BY r.seq, {source}, {target}, kind"
    )
    return view.rows(text, {"upto": upto})
