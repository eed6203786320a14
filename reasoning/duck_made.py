"""What SQL does not compute: functions, text tests and instants, by the same Python as the naive evaluator.

The joined body becomes a table; the distinct arguments of what is to be computed are read out, computed, and joined
back. So an expression is computed once for each distinct set of arguments.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hornbook.reasoning.match import instant_of, passes, with_lets
from hornbook.reasoning.plan import Plan, Test
from hornbook.reasoning.sql import Body
from hornbook.reasoning.syntax import Term, variables

if TYPE_CHECKING:
    from hornbook.reasoning.duck import Engine


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is computed from what: `terms` and `spans` are the variables read, `lets` and `times` those made."""

    terms: tuple[str, ...]
    spans: tuple[str, ...]
    lets: tuple[str, ...]
    times: tuple[str, ...]


def with_made(
    engine: "Engine", plan: Plan, body: Body, tests: Sequence[Test], times: Sequence[str]
) -> tuple[Body, dict[str, str]]:
    """The body with the variables that its lets give, and the column of each instant in microseconds."""
    staged, columns = _staged(engine, body)
    wanted = _wanted(plan, staged, tests, times)
    made = engine.fresh("made")
    _compute(engine, plan, staged, wanted, tests, columns, made)
    pairs = [(staged.vars[name], f"{made}.a{n}") for n, name in enumerate(wanted.terms)]
    for n, name in enumerate(wanted.spans):
        pairs += [(staged.spans[name][0], f"{made}.f{n}"), (staged.spans[name][1], f"{made}.t{n}")]
    on = " AND ".join(f"{left} = {right}" for left, right in pairs) or "true"
    staged.joins.append(f"JOIN {made} ON {on}")
    staged.vars |= {name: f"{made}.l{n}" for n, name in enumerate(wanted.lets)}
    at = {name: f"{made}.i{n}" for n, name in enumerate(wanted.times)}
    for number, (start, end) in staged.instants.items():
        time = plan.goals[number].time
        assert isinstance(time, str)
        staged.where += [f"{start} <= {at[time]}", f"{at[time]} < {end}"]
    return staged, at


def _staged(engine: "Engine", body: Body) -> tuple[Body, str]:
    """The joined body as a table, and a body that reads it."""
    table = engine.fresh("stage")
    columns: list[str] = []

    def kept(expression: str) -> str:
        columns.append(f"{expression} AS x{len(columns)}")
        return f"{table}.x{len(columns) - 1}"

    staged = Body(
        tables=[table],
        vars={name: kept(each) for name, each in body.vars.items()},
        spans={name: (kept(a), kept(b)) for name, (a, b) in body.spans.items()},
        instants={number: (kept(a), kept(b)) for number, (a, b) in body.instants.items()},
        starts=[kept(body.start)] if body.starts else [],
        ends=[kept(body.end)] if body.ends else [],
        doubts=[kept(f"({body.doubt})")] if body.doubts else [],
        ids=[kept(each) for each in body.ids],
        match=[kept(each) for each in body.match],
    )
    body.within()
    engine.temp(table, f"SELECT {', '.join(columns) or '1 AS x0'}{body.source()}")
    return staged, table


def _wanted(plan: Plan, body: Body, tests: Sequence[Test], times: Sequence[str]) -> _Wanted:
    lets = tuple(let.name for let in plan.lets)
    terms: list[Term] = [let.term for let in plan.lets] + [arg for test in tests for arg in test.args]
    names = {var.name for term in terms for var in variables(term)} | set(times)
    read = tuple(sorted(name for name in names if name in body.vars))
    return _Wanted(read, tuple(sorted(names & set(body.spans))), lets, tuple(dict.fromkeys(times)))


def _compute(
    engine: "Engine", plan: Plan, body: Body, wanted: _Wanted, tests: Sequence[Test], table: str, made: str
) -> None:
    """Fill the table `made`: a row for each set of arguments that has values and passes the tests."""
    computing = replace(plan, tests=tuple(tests))
    rows: list[tuple[Any, ...]] = []
    for arguments, ids, keys, ends in _arguments(engine, body, wanted, table):
        spans = dict(zip(wanted.spans, ends, strict=True))
        found = with_lets(engine, computing, dict(zip(wanted.terms, keys, strict=True)), spans)
        if found is None or not all(passes(engine, test, found, spans) for test in tests):
            continue
        instants = [instant_of(engine, found[name]) for name in wanted.times]
        if None not in instants:
            rows.append((*arguments, *ids, *instants, *(found[name] for name in wanted.lets)))
    _store(engine, wanted, rows, made)


def _arguments(engine: "Engine", body: Body, wanted: _Wanted, table: str) -> Iterable[tuple[Any, Any, Any, Any]]:
    terms = [body.vars[name] for name in wanted.terms]
    ends = [end for name in wanted.spans for end in body.spans[name]]
    shown = [f"{each} AS y{n}" for n, each in enumerate([*terms, *ends])] or ["1 AS y0"]
    distinct = f"SELECT DISTINCT {', '.join(shown)} FROM {table}"
    decoded = "".join(f", t{n}.key, t{n}.shown" for n in range(len(terms)))
    joins = " ".join(f"JOIN terms AS t{n} ON t{n}.id = d.y{n}" for n in range(len(terms)))
    count = max(len(terms) + len(ends), 1)
    columns = ", ".join(f"d.y{n}" for n in range(count))
    for row in engine.con.execute(f"SELECT {columns}{decoded} FROM ({distinct}) AS d {joins}").fetchall():
        pairs = list(zip(row[count::2], row[count + 1 :: 2], strict=True))
        for key, text in pairs:
            if key not in engine.written:
                engine.written[key] = json.loads(text)
        flat = row[len(terms) : len(terms) + len(ends)]
        yield row[: len(terms)], flat, [key for key, _ in pairs], list(zip(flat[::2], flat[1::2], strict=True))


def _store(engine: "Engine", wanted: _Wanted, rows: Sequence[tuple[Any, ...]], made: str) -> None:
    import pyarrow as pa

    names = [f"a{n}" for n in range(len(wanted.terms))]
    names += [f"{end}{n}" for n in range(len(wanted.spans)) for end in ("f", "t")]
    names += [f"i{n}" for n in range(len(wanted.times))]
    count, lets = len(names), len(wanted.lets)
    ids = engine.term_ids(key for row in rows for key in row[count:])
    columns = {name: pa.array([row[n] for row in rows], pa.int64()) for n, name in enumerate(names)}
    columns |= {f"l{n}": pa.array([ids[row[count + n]] for row in rows], pa.int64()) for n in range(lets)}
    columns["one"] = pa.array([1] * len(rows), pa.int64())
    engine.con.register("in_made", pa.table(columns))
    engine.temp(made, f"SELECT {', '.join(columns)} FROM in_made")
    engine.con.unregister("in_made")
