"""Rows written in bulk into an empty graph."""

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

from hornbook.graph.view.engine import Engine
from hornbook.graph.view.fold import Row, Rows
from hornbook.graph.view.schema import DECIMAL, FLAG, NODES, NUMBER, RELATIONS, TEXT

CHUNK = 1 << 17  # rows in one Arrow table: the engine's own group of rows; adding to a group writes it again


def copy_rows(engine: Engine, rows: Rows) -> None:
    """Fill an empty graph. Rows are without duplicates, which COPY would not survive."""
    for table, nodes in rows.nodes.items():
        _copy(engine, table, nodes.values(), NODES[table])
    for relation, edges in rows.relations.items():
        _copy(engine, relation, edges, _edge_columns(relation))


def _edge_columns(relation: str) -> dict[str, str]:
    return {"source": TEXT, "target": TEXT, **RELATIONS[relation].columns}


def _copy(engine: Engine, table: str, rows: Iterable[Row], columns: Mapping[str, str]) -> None:
    left = iter(rows)
    while chunk := list(islice(left, CHUNK)):
        engine.load(f"COPY {table} FROM $arrow", arrow(chunk, columns))


def arrow(rows: list[Row], columns: Mapping[str, str], prefix: str = "") -> Any:
    """The rows as an Arrow table with the columns in the order of the schema, their names after a prefix."""
    import pyarrow as pa

    kinds: dict[str, Any] = {TEXT: pa.string(), NUMBER: pa.int64(), FLAG: pa.bool_(), DECIMAL: pa.float64()}
    return pa.table(
        {prefix + name: pa.array([row[name] for row in rows], kinds[kind]) for name, kind in columns.items()}
    )
