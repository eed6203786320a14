"""Rows written in bulk into an empty graph."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from hornbook.graph.view.engine import Engine
from hornbook.graph.view.fold import Row
from hornbook.graph.view.gather import Columns, table_of

if TYPE_CHECKING:
    import pyarrow as pa

CHUNK = 1 << 17  # rows in one Arrow table: the engine's own group of rows; adding to a group writes it again


def copy_columns(engine: Engine, columns: Columns) -> None:
    """Fill an empty graph. Rows are without duplicates, which COPY would not survive."""
    with engine.with_one_thread():
        for name, table in columns.tables():
            for start in range(0, table.num_rows, CHUNK):
                engine.load(f"COPY {name} FROM $arrow", _part(table, start))


def _part(table: "pa.Table", start: int) -> "pa.Table":
    """Some rows of a table, as columns of their own: the engine is not trusted with a view into others."""
    import pyarrow as pa

    if table.num_rows <= CHUNK:
        return table
    return table.take(pa.array(range(start, min(start + CHUNK, table.num_rows)))).combine_chunks()


def arrow(rows: list[Row], columns: Mapping[str, str], prefix: str = "") -> "pa.Table":
    """The rows as an Arrow table with the columns in the order of the schema, their names after a prefix."""
    given = {prefix + name: kind for name, kind in columns.items()}
    return table_of(([row[name] for row in rows] for name in columns), given)
