"""Ops folded into rows: how a view is rebuilt, and the plain oracle that statements are held against."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from hornbook.graph.view.ops import Link, Op, Put, Set, Unlink
from hornbook.graph.view.project import Recorded, project
from hornbook.graph.view.schema import FOREVER_SEQ, NODES, RELATIONS

Row = dict[str, Any]


def _no_nodes() -> dict[str, dict[str, Row]]:
    return {table: {} for table in NODES}


def _no_relations() -> dict[str, list[Row]]:
    return {relation: [] for relation in RELATIONS}


@dataclass(slots=True)
class Rows:
    """The whole graph in dictionaries: nodes by table and id, relations by table in the order they came."""

    nodes: dict[str, dict[str, Row]] = field(default_factory=_no_nodes)
    relations: dict[str, list[Row]] = field(default_factory=_no_relations)
    standing: defaultdict[tuple[str, str], list[Row]] = field(default_factory=lambda: defaultdict(list))


def folded(events: Iterable[Recorded], rows: Rows | None = None) -> Rows:
    """The rows after the events, on top of `rows` (changed in place) if given."""
    rows = rows or Rows()
    for event in events:
        for op in project(event):
            fold(rows, op)
    return rows


def fold(rows: Rows, op: Op) -> None:
    """Apply one op."""
    match op:
        case Put():
            _put(rows, op)
        case Set():
            _set(rows, op)
        case Link():
            _link(rows, op)
        case Unlink():
            _unlink(rows, op)


def _put(rows: Rows, op: Put) -> None:
    if op.id in rows.nodes[op.table]:
        return  # the first record of an id stands
    rows.nodes[op.table][op.id] = {**dict.fromkeys(NODES[op.table]), **op.columns, "id": op.id}
    for link in op.links:
        _link(rows, link)


def _set(rows: Rows, op: Set) -> None:
    row = rows.nodes[op.table].get(op.id)
    if row is None:
        return
    row.update(op.columns)
    if op.entry:
        row["log"] += op.entry


def _link(rows: Rows, op: Link) -> None:
    spec = RELATIONS[op.relation]
    if op.source not in rows.nodes[spec.source] or op.target not in rows.nodes[spec.target]:
        return
    row = {"source": op.source, "target": op.target, **dict.fromkeys(spec.columns), **op.columns}
    rows.relations[op.relation].append(row)
    rows.standing[op.relation, op.source].append(row)


def _unlink(rows: Rows, op: Unlink) -> None:
    for row in rows.standing[op.relation, op.source]:
        if row["until_seq"] == FOREVER_SEQ and _fits(row, op):
            row["until_seq"] = op.until_seq


def _fits(row: Row, op: Unlink) -> bool:
    return op.target in (None, row["target"]) and all(row[key] == value for key, value in op.match.items())
