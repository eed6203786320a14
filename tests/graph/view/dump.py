"""The whole content of a view, in an order that does not depend on how it came about."""

from typing import Any

from hornbook.graph.view.asked import Asked
from hornbook.graph.view.fold import Rows
from hornbook.graph.view.schema import NODES, RELATIONS

Dump = dict[str, list[tuple[Any, ...]]]


def dump(view: Asked) -> Dump:
    """Every row of every table, sorted; without the watermark, which is not the journal's."""
    nodes = {
        table: view.rows(f"MATCH (n:{table}) RETURN {', '.join(f'n.{name}' for name in columns)}")
        for table, columns in NODES.items()
    }
    relations = {
        name: view.rows(
            f"MATCH (a:{spec.source})-[r:{name}]->(b:{spec.target})"
            f" RETURN a.id, b.id, {', '.join(f'r.{column}' for column in spec.columns)}"
        )
        for name, spec in RELATIONS.items()
    }
    return {table: ordered(rows) for table, rows in (nodes | relations).items()}


def dump_rows(rows: Rows) -> Dump:
    """The same of folded rows."""
    nodes = {table: [[row[name] for name in NODES[table]] for row in of.values()] for table, of in rows.nodes.items()}
    relations = {
        name: [[row["source"], row["target"], *(row[column] for column in RELATIONS[name].columns)] for row in of]
        for name, of in rows.relations.items()
    }
    return {table: ordered(of) for table, of in (nodes | relations).items()}


def ordered(rows: list[list[Any]]) -> list[tuple[Any, ...]]:
    """Rows without the watermark, sorted as text, since some values are null."""
    return sorted((tuple(row) for row in rows if row[0] != "watermark"), key=repr)
