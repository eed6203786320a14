"""What an update asks of the tables: rows by id, tuples that came or went, and heads that an absence may touch."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from hornbook.reasoning import sql
from hornbook.reasoning.duck import Engine
from hornbook.reasoning.plan import Goal, Plan


def where_in(engine: Engine, column: str, ids: Sequence[int]) -> str:
    """A condition: a column is one of the ids. A few are written out, so that whole blocks can be skipped."""
    if len(ids) <= 8:
        return f"{column} IN ({', '.join(map(str, ids)) or 'NULL'})"
    import pyarrow as pa

    engine.con.register("in_ids", pa.table({"id": pa.array(ids, pa.int64())}))
    engine.temp("wanted_ids", "SELECT id FROM in_ids")
    engine.con.unregister("in_ids")
    return f"{column} IN (SELECT id FROM wanted_ids)"


def changed_table(engine: Engine, predicate: str, lost: Iterable[tuple[int, ...]], mark: int) -> str:
    """A table of the tuples that went, and of those that came since a mark."""
    table, shape = lost_table(engine, predicate, lost), engine.shapes[predicate]
    engine.con.execute(f"INSERT INTO {table} SELECT {', '.join(shape.columns)} FROM {shape.table} WHERE id >= {mark}")
    return table


def touched(engine: Engine, plan: Plan, goal: Goal, changed: str) -> str:
    """The heads that a rule would give, were nothing absent, where an absent goal meets a table of tuples."""
    engine.prepare([plan])
    body = engine.body(replace(plan, absent=()), {}, only=(goal.args, changed))
    return f"SELECT DISTINCT {', '.join(sql.columns_of(plan, body, engine.ids))}{body.source()}"


def lost_table(engine: Engine, predicate: str, tuples: Iterable[tuple[int, ...]]) -> str:
    """A table of tuples, each once."""
    import pyarrow as pa

    shape = engine.shapes[predicate]
    rows = list(dict.fromkeys(tuples))
    columns = {name: pa.array([row[n] for row in rows], pa.int64()) for n, name in enumerate(shape.columns)}
    engine.con.register("in_lost", pa.table(columns))
    engine.temp(f"lost{shape.number}", f"SELECT {', '.join(shape.columns)} FROM in_lost")
    engine.con.unregister("in_lost")
    return f"lost{shape.number}"
