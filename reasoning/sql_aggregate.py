"""The SQL of aggregates: distinct matches, grouped over the stretches of time between which nothing changes."""

from collections.abc import Mapping

from hornbook.reasoning.plan import Aggregate, Plan
from hornbook.reasoning.sql import Body, Shape, columns_of

NUMERIC = {"count", "sum", "avg"}


def matches(plan: Plan, body: Body, ids: Mapping[object, int], timed: bool) -> str:
    """Each distinct match once: the group's columns g0…, the aggregated variables o0…, its piece, its doubt."""
    group = [column.rpartition(" AS ")[0] for column in columns_of(plan, body, ids) if plan.out]
    names = [f"{value} AS g{n}" for n, value in enumerate(group)] + ["0 AS g"]
    over = [body.vars[each.over] for each in plan.out if isinstance(each, Aggregate) and each.over]
    names += [f"{value} AS o{n}" for n, value in enumerate(over)]
    names += [f"{value} AS m{n}" for n, value in enumerate(body.match)]
    names += [f"{body.start} AS f", f"{body.end} AS t"] if timed else []
    return f"SELECT {', '.join(names)}, ({body.doubt}) AS u{body.source()}"


def grouped(plan: Plan, body: Body, timed: bool, table: str) -> str:
    """One row a group (and stretch): g0…, then for each aggregate a number `n0…` or a term `i0…`."""
    keys = [f"g{n}" for n in range(sum(not isinstance(each, Aggregate) for each in plan.out))] + ["g"]
    stretch = ["x", "y"] if timed else []
    overs = [each for each in plan.out if isinstance(each, Aggregate) and each.over]
    columns = [*keys, *(f"o{n}" for n in range(len(overs))), *(f"m{n}" for n in range(len(body.match))), *stretch]
    source = _stretched(keys, table) if timed else f"SELECT * FROM {table}"
    distinct = f"SELECT {', '.join(columns)}, bool_and(u) AS u FROM ({source}) GROUP BY {', '.join(columns)}"
    parts, joins = _parts(plan)
    shown = [*keys, *stretch, *parts, "bool_or(d.u) AS u"]
    return f"SELECT {', '.join(shown)} FROM ({distinct}) AS d {joins} GROUP BY {', '.join([*keys, *stretch])}"


def _stretched(keys: list[str], table: str) -> str:
    """Each match once for every stretch that it covers."""
    by = ", ".join(keys)
    ends = f"SELECT {by}, f AS x FROM {table} UNION SELECT {by}, t FROM {table}"
    stretches = f"SELECT {by}, x, lead(x) OVER (PARTITION BY {by} ORDER BY x) AS y FROM ({ends})"
    same = " AND ".join(f"s.{key} = w.{key}" for key in keys)
    return f"SELECT w.*, s.x, s.y FROM {table} AS w JOIN ({stretches}) AS s ON {same} AND w.f <= s.x AND s.y <= w.t"


def _parts(plan: Plan) -> tuple[list[str], str]:
    parts, joins, over = [], [], 0
    for number, each in enumerate(each for each in plan.out if isinstance(each, Aggregate)):
        if each.over is None:
            parts.append(f"count(*)::DOUBLE AS n{number}")
            continue
        if each.name != "count":
            joins.append(f"JOIN terms AS t{over} ON t{over}.id = d.o{over}")
        parts.append(f"{_value(each.name, over)} AS {'n' if each.name in NUMERIC else 'i'}{number}")
        over += 1
    return parts, " ".join(joins)


def _value(name: str, over: int) -> str:
    term = f"t{over}"
    if name == "count":
        return f"count(DISTINCT d.o{over})::DOUBLE"
    if name in ("sum", "avg"):
        return f"CASE WHEN bool_and({term}.kind = 2) THEN {name}({term}.num) END"
    picked = {"kind": f"{term}.kind", "num": f"{term}.num", "txt": f"{term}.txt"}
    order = "{" + ", ".join(f"'{key}': {value}" for key, value in picked.items()) + "}"
    return f"arg_{name}(d.o{over}, {order})"


def heads(plan: Plan, shape: Shape, groups: str, numbers: str) -> str:
    """The groups as conclusions. `numbers` maps a number to its term."""
    columns, joins, plain, number = [], [], 0, 0
    for each in plan.out:
        if not isinstance(each, Aggregate):
            columns.append(f"w.g{plain}")
            plain += 1
            continue
        if each.name in NUMERIC:
            joins.append(f"JOIN {numbers} AS k{number} ON k{number}.num = w.n{number}")
            columns.append(f"k{number}.id")
        else:
            columns.append(f"w.i{number}")
        number += 1
    parts = [f"{value} AS c{n}" for n, value in enumerate(columns)]
    parts += ["w.x AS f", "w.y AS t"] if shape.timed else []
    parts += ["w.u AS u"] if shape.doubtful else []
    parts += [f"{plan.number} AS rule", *(f"NULL::BIGINT AS p{n}" for n in range(shape.premises))]
    return f"SELECT {', '.join(parts)} FROM {groups} AS w {' '.join(joins)}"
