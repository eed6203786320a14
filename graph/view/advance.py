"""Many events applied to a view that is there, in bulk: between one by one and building it anew.

The ops are folded on top of stubs, rows that stand for the nodes that the view already has; then what is new is
created, and what changed is set, a table at a time. The fixed cost of each load grows with the store: 230,000 events
in the view, 2,300 more take 0.2 s of CPU, one by one 1.4 s.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import islice

from hornbook.graph.view.bulk import CHUNK, arrow
from hornbook.graph.view.engine import Engine
from hornbook.graph.view.fold import Row, Rows, fold
from hornbook.graph.view.ops import Link, Op, Put, Set, Unlink
from hornbook.graph.view.project import Recorded, project
from hornbook.graph.view.schema import NODES, RELATIONS
from hornbook.graph.view.statements import run

Ids = dict[str, dict[str, None]]


def advance(engine: Engine, events: Iterable[Recorded]) -> int:
    """Apply events in the open transaction; how many there were."""
    taken = list(events)
    ops = [op for event in taken for op in project(event)]
    rows, present = Rows(), _present(engine, ops)
    for table, ids in present.items():
        rows.nodes[table] = {id_: {"id": id_, "log": ""} for id_ in ids}
    for op in ops:
        fold(rows, op)
    # relations of the view itself end first: the ones made below already have the ends that the fold gave them
    run(engine, [op for op in ops if isinstance(op, Unlink)])
    for table, nodes in rows.nodes.items():
        known = present[table]
        _create_nodes(engine, table, [row for id_, row in nodes.items() if id_ not in known])
        _change_nodes(engine, table, [nodes[id_] for id_ in known if len(nodes[id_]) > 2 or nodes[id_]["log"]])
    for relation, edges in rows.relations.items():
        _create_relations(engine, relation, edges)
    return len(taken)


def _present(engine: Engine, ops: Sequence[Op]) -> Ids:
    """Of all nodes that the ops speak of those that the view has."""
    wanted: Ids = {table: {} for table in NODES}
    for op in ops:
        match op:
            case Put() | Set():
                wanted[op.table][op.id] = None
                for link in op.links if isinstance(op, Put) else ():
                    _add_ends(wanted, link)
            case Link():
                _add_ends(wanted, op)
    return {table: _found(engine, table, list(ids)) for table, ids in wanted.items()}


def _add_ends(wanted: Ids, link: Link) -> None:
    spec = RELATIONS[link.relation]
    wanted[spec.source][link.source] = None
    wanted[spec.target][link.target] = None


def _found(engine: Engine, table: str, ids: list[str]) -> dict[str, None]:
    if not ids:
        return {}
    asked = arrow([{"id": id_} for id_ in ids], {"id": NODES[table]["id"]}, "v_")
    rows = engine.load(f"LOAD FROM $arrow MATCH (n:{table} {{id: v_id}}) RETURN n.id", asked)
    return dict.fromkeys(row[0] for row in rows)


def _create_nodes(engine: Engine, table: str, rows: list[Row]) -> None:
    columns = NODES[table]
    for chunk in _chunks(rows):
        engine.load(f"LOAD FROM $arrow CREATE (:{table} {{{_given(columns)}}})", arrow(chunk, columns, "v_"))


def _change_nodes(engine: Engine, table: str, rows: list[Row]) -> None:
    """Set the columns that each stub was given, those with the same columns together."""
    alike: defaultdict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in rows:
        alike[tuple(sorted(row))].append(row)
    for names, group in alike.items():
        changes = [f"n.{name} = v_{name}" for name in names if name not in ("id", "log")]
        if "log" in NODES[table]:
            changes.append("n.log = concat(n.log, v_log)")
        columns = {name: NODES[table][name] for name in names}
        text = f"LOAD FROM $arrow MERGE (n:{table} {{id: v_id}}) ON MATCH SET {', '.join(changes)}"
        for chunk in _chunks(group):
            engine.load(text, arrow(chunk, columns, "v_"))


def _create_relations(engine: Engine, relation: str, rows: list[Row]) -> None:
    spec = RELATIONS[relation]
    columns = {"source": "STRING", "target": "STRING", **spec.columns}
    text = (
        f"LOAD FROM $arrow MERGE (a:{spec.source} {{id: v_source}}) MERGE (b:{spec.target} {{id: v_target}})"
        f" CREATE (a)-[:{relation} {{{_given(spec.columns)}}}]->(b)"
    )
    for chunk in _chunks(rows):
        engine.load(text, arrow(chunk, columns, "v_"))


def _given(columns: Iterable[str]) -> str:
    return ", ".join(f"{name}: v_{name}" for name in columns)


def _chunks(rows: list[Row]) -> Iterable[list[Row]]:
    left = iter(rows)
    return iter(lambda: list(islice(left, CHUNK)), [])
