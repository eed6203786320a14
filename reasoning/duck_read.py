"""What a copy needs of an evaluated program: the rows that rules gave, and the claims behind facts."""

import json
from collections.abc import Collection, Iterable

from hornbook.reasoning.duck import Engine
from hornbook.reasoning.relation import Row
from hornbook.reasoning.sql import FACT


def given_by_rules(engine: Engine, predicate: str) -> int:
    """How many rows of a predicate rules gave."""
    table = engine.shapes[predicate].table
    return int(engine.con.execute(f"SELECT count(*) FROM {table} WHERE rule <> {FACT}").fetchall()[0][0])


def concluded(engine: Engine, predicate: str) -> list[Row]:
    """The rows of a predicate that rules gave."""
    return engine.rows(predicate, f"r.rule <> {FACT}")


def sources(engine: Engine, numbers: Collection[int]) -> dict[int, str]:
    """What the facts among some rows were read from: a claim, a text or an entity."""
    text = "SELECT id, source FROM sources WHERE id IN (SELECT unnest(?))"
    return dict(engine.con.execute(text, [list(numbers)]).fetchall()) if numbers else {}


def read_terms(engine: Engine, rows: Iterable[Row]) -> None:
    """Have the engine know all terms of rows as they were written: it looks them up one by one else."""
    missing = [key for key in {key for row in rows for key in row.keys} if key not in engine.written]
    if missing:
        text = "SELECT key, shown FROM terms WHERE key IN (SELECT unnest(?))"
        engine.written |= {key: json.loads(shown) for key, shown in engine.con.execute(text, [missing]).fetchall()}
