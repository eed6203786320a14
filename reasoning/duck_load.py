"""Facts into DuckDB: a dictionary of terms, and a table a predicate."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hornbook.graph.interval import ALWAYS, FOREVER
from hornbook.reasoning import sql
from hornbook.reasoning.compiled import Compiled
from hornbook.reasoning.limits import Limits
from hornbook.reasoning.plan import Plan
from hornbook.reasoning.relation import Facts, as_table
from hornbook.reasoning.sql import Shape
from hornbook.reasoning.stratify import Stratum
from hornbook.reasoning.terms import Key, rank

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa


def connect(limits: Limits) -> "duckdb.DuckDBPyConnection":
    """A database in memory that fetches nothing and stays within its bounds."""
    import duckdb

    settings: dict[str, str | bool | int | float | list[str]] = {
        "threads": str(limits.threads),
        "memory_limit": limits.memory,
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "preserve_insertion_order": "false",
        "temp_directory": "",  # nothing of a memory is spilled to disk
    }
    return duckdb.connect(":memory:", config=settings)


def load(
    con: "duckdb.DuckDBPyConnection",
    compiled: Compiled,
    facts: Facts,
    arities: Mapping[str, int],
    known: Mapping[Key, Any],
    proofs: bool,
) -> dict[str, Shape]:
    """Fill terms, sources and the tables of facts. `known` are the constants of the program, by key."""
    con.execute(sql.TERMS)
    con.execute(sql.SOURCES)
    given = sorted(facts)
    names = {predicate: f"in_{n}" for n, predicate in enumerate(given)}
    for predicate, name in names.items():
        con.register(name, as_table(facts[predicate], arities[predicate]))
    written = [
        f"SELECT DISTINCT k{place} AS key, v{place} AS shown FROM {name}"
        for predicate, name in names.items()
        for place in range(arities[predicate])
    ]
    fill_terms(con, written, known)
    shapes = shaped(con, compiled, arities, names, proofs)
    first = 0
    for shape in shapes.values():
        con.execute(create(shape))
    for predicate, name in names.items():
        first += insert_facts(con, shapes[predicate], name, first)
        con.unregister(name)
    return shapes


def fill_terms(con: "duckdb.DuckDBPyConnection", written: Sequence[str], known: Mapping[Key, Any]) -> None:
    """Number every term, in the order of terms. A fact's way of writing a term goes before a rule's."""
    texts = [json.dumps(value, ensure_ascii=False) for value in known.values()]
    con.register("in_known", _strings(key=list(known), shown=texts))
    parts = ["SELECT key, shown, false AS said FROM in_known", *(f"SELECT *, true FROM ({each})" for each in written)]
    con.execute(
        "CREATE TEMP TABLE new_terms AS SELECT key, coalesce(min(shown) FILTER (said), min(shown)) AS shown "
        f"FROM ({' UNION ALL '.join(parts)}) GROUP BY key"
    )
    con.unregister("in_known")
    found = con.execute("SELECT key FROM new_terms WHERE contains(key, '\\') AND key[1] = '\"'").fetchall()
    escaped = [key for (key,) in found]
    con.register("in_escaped", _strings(key=escaped, txt=[rank(key)[2] for key in escaped]))
    con.execute(sql.NUMBER_TERMS)
    con.unregister("in_escaped")
    con.execute("DROP TABLE new_terms")
    con.execute(sql.kinds(con.execute("SELECT kind, min(id) FROM terms GROUP BY kind").fetchall()))


def _strings(**columns: list[str]) -> "pa.Table":
    import pyarrow as pa

    return pa.table({name: pa.array(values, pa.string()) for name, values in columns.items()})


def create(shape: Shape) -> str:
    """The table of a predicate."""
    kinds = {"rule": "INTEGER", "u": "BOOLEAN"}
    columns = ", ".join(name + " " + kinds.get(name, "BIGINT") for name in shape.all)
    return f"CREATE TABLE {shape.table} ({columns})"


def insert_facts(con: "duckdb.DuckDBPyConnection", shape: Shape, name: str, first: int) -> int:
    """The rows of a registered relation into its table and into `sources`. Gives how many there were."""
    places = range(shape.arity)
    joins = " ".join(f"JOIN terms AS t{n} ON t{n}.key = i.k{n}" for n in places)
    columns = "".join(f", t{n}.id AS c{n}" for n in places) or ", 0 AS c0"
    rest = "i.id AS source, confidence, external, valid_from AS f, valid_to AS t, uncertain AS u"
    numbered = f"{first} - 1 + row_number() OVER () AS id"
    con.execute(
        f"CREATE TEMP TABLE loading AS SELECT {numbered}, {sql.FACT} AS rule, {rest}{columns} FROM {name} AS i {joins} "
        "WHERE valid_from < valid_to"
    )
    empty = ["NULL" for _ in shape.proof]
    shown = ", ".join(["id", "rule", *empty, *shape.time, *shape.columns])
    con.execute(f"INSERT INTO {shape.table} SELECT {shown} FROM loading")
    con.execute("INSERT INTO sources SELECT id, source, confidence, external FROM loading")
    (count,) = con.execute("SELECT count(*) FROM loading").fetchall()[0]
    con.execute("DROP TABLE loading")
    return int(count)


def shaped(
    con: "duckdb.DuckDBPyConnection",
    compiled: Compiled,
    arities: Mapping[str, int],
    names: Mapping[str, str],
    proofs: bool,
) -> dict[str, Shape]:
    """The shape of every predicate: which vary in time and which can be doubtful follows from the facts upwards."""
    timed = {p for p, name in names.items() if _any(con, name, f"valid_from > {ALWAYS} OR valid_to < {FOREVER}")}
    doubtful = {p for p, name in names.items() if _any(con, name, "uncertain")}
    for stratum in compiled.strata:
        spread(stratum, timed, varies)
        spread(stratum, doubtful, doubts)
    arities = {**arities, **{plan.head: len(plan.out) for plan in compiled.plans}}
    premises: dict[str, int] = {}
    for plan in compiled.plans if proofs else ():
        count = 0 if plan.aggregated else len(plan.goals)
        premises[plan.head] = max(premises.get(plan.head, 0), count)
    return {
        predicate: Shape(number, arity, premises.get(predicate, 0), predicate in timed, predicate in doubtful)
        for number, (predicate, arity) in enumerate(sorted(arities.items()))
    }


def _any(con: "duckdb.DuckDBPyConnection", name: str, condition: str) -> bool:
    return bool(con.execute(f"SELECT count(*) > 0 FROM {name} WHERE {condition}").fetchall()[0][0])


def spread(stratum: Stratum, marked: set[str], test: Callable[[Plan, set[str]], bool]) -> None:
    """Mark heads until nothing changes."""
    before = -1
    while before != len(marked):
        before = len(marked)
        marked |= {plan.head for plan in stratum.plans if test(plan, marked)}


def varies(plan: Plan, timed: set[str]) -> bool:
    """Whether what a rule concludes can hold at some instants and not at others."""
    return plan.during is not None or any(
        goal.mode == "during" and goal.predicate in timed for goal in (*plan.goals, *plan.absent)
    )


def doubts(plan: Plan, doubtful: set[str]) -> bool:
    """Whether the timing of what a rule concludes can be uncertain."""
    return any(goal.predicate in doubtful for goal in plan.goals)
