"""Ops run as prepared statements, one by one, in the transaction that is open.

A node and the relations that follow it directly are made by one statement: a claim with its line and its evidence
costs half of what three statements cost. Identifiers in the texts come from `schema` and `project` only.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from hornbook.graph.view.engine import Engine
from hornbook.graph.view.ops import Link, Op, Put, Set, Unlink
from hornbook.graph.view.schema import FOREVER_SEQ, RELATIONS

MOST_TOGETHER = 6  # relations made with their node: every shape is prepared once, so there must not be many shapes


def run(engine: Engine, ops: Sequence[Op]) -> None:
    """Apply the ops in order."""
    place = 0
    while place < len(ops):
        op = ops[place]
        place += 1
        match op:
            case Put():
                # reading first is cheaper than MERGE, and only one process writes a view
                if op.if_absent and _there(engine, op.table, op.id):
                    continue
                links = _links_of(op, ops[place : place + MOST_TOGETHER])
                _put(engine, op, (*op.links, *links))
                place += len(links)
            case Set():
                _set(engine, op)
            case Link():
                _link(engine, op)
            case Unlink():
                _unlink(engine, op)


def _links_of(put: Put, following: Iterable[Op]) -> list[Link]:
    """The relations directly after a node that lead from it or to it."""
    links: list[Link] = []
    for op in following:
        if not isinstance(op, Link) or _is_source(put, op) == _is_target(put, op):
            break
        links.append(op)
    return links


def _is_source(put: Put, link: Link) -> bool:
    return (put.table, put.id) == (RELATIONS[link.relation].source, link.source)


def _is_target(put: Put, link: Link) -> bool:
    return (put.table, put.id) == (RELATIONS[link.relation].target, link.target)


def _put(engine: Engine, op: Put, links: Sequence[Link]) -> None:
    shape = tuple((link.relation, _is_source(op, link), tuple(link.columns)) for link in links)
    values: dict[str, Any] = {"id": op.id, **op.columns}
    for at, link in enumerate(links):
        values[f"o{at}"] = _other_end(op, link)[1]
        values.update({f"r{at}_{name}": value for name, value in link.columns.items()})
    if engine.rows(_put_text(op.table, tuple(op.columns), shape), values):
        return
    present = [link for link in links if _there(engine, *_other_end(op, link))]
    if len(present) == len(links):
        raise engine.fault()  # it says that everything is there, and made nothing
    _put(engine, op, present)


def _other_end(put: Put, link: Link) -> tuple[str, str]:
    spec = RELATIONS[link.relation]
    return (spec.target, link.target) if _is_source(put, link) else (spec.source, link.source)


def _there(engine: Engine, table: str, node: str) -> bool:
    return bool(engine.rows(f"MATCH (n:{table} {{id: $id}}) RETURN n.id", {"id": node}))


@lru_cache(256)
def _put_text(table: str, columns: tuple[str, ...], shape: tuple[tuple[str, bool, tuple[str, ...]], ...]) -> str:
    ends, made = [], [f"(n:{table} {{{_assigned(('id', *columns))}}})"]
    for at, (relation, outward, names) in enumerate(shape):
        spec = RELATIONS[relation]
        ends.append(f"(o{at}:{spec.target if outward else spec.source} {{id: $o{at}}})")
        edge = f"[:{relation} {{{_assigned(names, f'r{at}_')}}}]"
        made.append(f"(n)-{edge}->(o{at})" if outward else f"(o{at})-{edge}->(n)")
    found = f"MATCH {', '.join(ends)} " if ends else ""
    return f"{found}CREATE {', '.join(made)} RETURN n.id"


def _assigned(names: Iterable[str], prefix: str = "") -> str:
    return ", ".join(f"{name}: ${prefix}{name}" for name in names)


def _set(engine: Engine, op: Set) -> None:
    changes = [f"n.{name} = ${name}" for name in op.columns]
    values = {"id": op.id, **op.columns}
    if op.entry:
        changes.append("n.log = concat(n.log, $entry)")
        values["entry"] = op.entry
    if changes:
        engine.rows(f"MATCH (n:{op.table} {{id: $id}}) SET {', '.join(changes)}", values)


def _link(engine: Engine, op: Link) -> None:
    spec = RELATIONS[op.relation]
    text = (
        f"MATCH (a:{spec.source} {{id: $source}}), (b:{spec.target} {{id: $target}}) "
        f"CREATE (a)-[:{op.relation} {{{_assigned(op.columns, 'c_')}}}]->(b)"
    )
    columns = {f"c_{name}": value for name, value in op.columns.items()}
    engine.rows(text, {"source": op.source, "target": op.target, **columns})


def _unlink(engine: Engine, op: Unlink) -> None:
    spec = RELATIONS[op.relation]
    end = f"(b:{spec.target} {{id: $target}})" if op.target is not None else f"(b:{spec.target})"
    matched = "".join(f" AND r.{name} = $m_{name}" for name in op.match)
    text = (
        f"MATCH (a:{spec.source} {{id: $source}})-[r:{op.relation}]->{end} "
        f"WHERE r.until_seq = {FOREVER_SEQ}{matched} HINT ((a JOIN r) JOIN b) SET r.until_seq = $until_seq"
    )
    values = {"source": op.source, "until_seq": op.until_seq, **{f"m_{key}": value for key, value in op.match.items()}}
    engine.rows(text, values if op.target is None else {**values, "target": op.target})
