"""All the SQL that rules become, as text. Nothing here runs; names are built from numbers, values are integers.

A predicate is a table `r<n>`, a row a piece of a tuple:
    id        global, growing: premises have smaller ids than what is concluded from them
    rule      the plan's number, -1 for a fact, -2 where no proof was recorded
    p0, p1, … ids of the rows that the rule's goals matched
    f, t      the piece, only where the predicate varies in time (`Shape.timed`)
    u         timing uncertain, only where it can be (`Shape.doubtful`)
    c0, c1, … ids of the terms (an argument-less predicate has one column that is 0)
`terms` holds id, key, shown, kind, num, txt. As loaded, ids are in the order of terms.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from hornbook.graph.interval import ALWAYS, FOREVER
from hornbook.reasoning.intervals import ALLEN
from hornbook.reasoning.plan import Aggregate, Goal, Plan, Test
from hornbook.reasoning.syntax import Const, Term, Var

FACT, UNRECORDED = -1, -2
TERMS = "CREATE TABLE terms (id BIGINT, key VARCHAR, shown VARCHAR, kind TINYINT, num DOUBLE, txt VARCHAR)"
SOURCES = "CREATE TABLE sources (id BIGINT, source VARCHAR, confidence DOUBLE, external BOOLEAN)"
# a key's kind, number and text, as hornbook.reasoning.terms.rank has them; escaped texts are put in by Python
KIND = (
    "CASE WHEN key[1] = '\"' THEN 3 WHEN key = 'null' THEN 0 WHEN key IN ('true', 'false') THEN 1 "
    "WHEN key[1] IN ('[', '{') THEN 4 ELSE 2 END"
)

NUMBER_TERMS = f"""
INSERT INTO terms SELECT row_number() OVER (ORDER BY kind, num, txt, key) - 1, * FROM (
    SELECT key, shown, {KIND} AS kind,
        CASE kind WHEN 2 THEN coalesce(TRY_CAST(key AS DOUBLE), 'inf'::DOUBLE)
                  WHEN 1 THEN (key = 'true')::DOUBLE ELSE 0 END AS num,
        CASE kind WHEN 3 THEN coalesce(e.txt, key[2:-2]) WHEN 4 THEN key ELSE '' END AS txt
    FROM new_terms LEFT JOIN in_escaped AS e USING (key))
"""


@dataclass(frozen=True, slots=True)
class Shape:
    """A predicate's table: its number, columns, premises, and whether it has time and doubt."""

    number: int
    arity: int
    premises: int
    timed: bool
    doubtful: bool

    @property
    def table(self) -> str:
        """The table's name."""
        return f"r{self.number}"

    @property
    def spans(self) -> str:
        """The table of coalesced intervals."""
        return f"z{self.number}"

    @property
    def columns(self) -> list[str]:
        """The terms' columns."""
        return [f"c{n}" for n in range(max(self.arity, 1))]

    @property
    def proof(self) -> list[str]:
        """The premises' columns."""
        return [f"p{n}" for n in range(self.premises)]

    @property
    def time(self) -> list[str]:
        """The columns of time and doubt."""
        return [*(["f", "t"] if self.timed else []), *(["u"] if self.doubtful else [])]

    @property
    def all(self) -> list[str]:
        """Every column, in order."""
        return ["id", "rule", *self.proof, *self.time, *self.columns]


@dataclass(slots=True)
class Body:
    """A rule's body as SQL, being put together: where each variable is found, and what holds it together."""

    tables: list[str] = field(default_factory=list)
    joins: list[str] = field(default_factory=list)
    where: list[str] = field(default_factory=list)
    vars: dict[str, str] = field(default_factory=dict)
    spans: dict[str, tuple[str, str]] = field(default_factory=dict)
    instants: dict[int, tuple[str, str]] = field(default_factory=dict)
    starts: list[str] = field(default_factory=list)
    ends: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    match: list[str] = field(default_factory=list)  # the columns that tell one match from another

    def source(self) -> str:
        """FROM and WHERE."""
        tables = " CROSS JOIN ".join(self.tables) or "(SELECT 1 AS one) AS one"
        where = f" WHERE {' AND '.join(self.where)}" if self.where else ""
        return f" FROM {tables} {' '.join(self.joins)}{where}"

    @property
    def start(self) -> str:
        """The start of the conclusion's piece."""
        return _most("greatest", self.starts, ALWAYS)

    @property
    def end(self) -> str:
        """The end of the conclusion's piece."""
        return _most("least", self.ends, FOREVER)

    @property
    def doubt(self) -> str:
        """Whether the conclusion's timing is uncertain."""
        return " OR ".join(self.doubts) if self.doubts else "false"

    def within(self) -> None:
        """Ask for a piece that is not empty, where two could miss each other."""
        if len(self.starts) > 1 or len(self.ends) > 1:
            self.where.append(f"{self.start} < {self.end}")


def _most(function: str, parts: Sequence[str], default: int) -> str:
    return parts[0] if len(parts) == 1 else f"{function}({', '.join(parts)})" if parts else str(default)


def goals(
    plan: Plan,
    shapes: Mapping[str, Shape],
    ids: Mapping[object, int],
    delta: Mapping[int, str],
    instead: Mapping[str, str] = MappingProxyType({}),
) -> Body:
    """The positive part of a body: joins over the goals' tables.

    `delta` restricts the row ids of a goal; `instead` gives the table to be read for a predicate.
    """
    body = Body()
    for number, goal in enumerate(plan.goals):
        shape, alias = shapes[goal.predicate], f"a{number}"
        table = instead.get(goal.predicate, shape.spans if goal.mode == "interval" else shape.table)
        body.tables.append(f"{table} AS {alias}")
        body.ids.append(f"{alias}.id")
        body.match += [f"{alias}.{column}" for column in shape.columns]
        if number in delta:
            body.where.append(delta[number].format(id=f"{alias}.id"))
        _arguments(body, goal, alias, ids)
        _times(body, goal, number, alias, shape)
    if plan.during is not None and plan.during in body.spans:
        body.starts.append(body.spans[plan.during][0])
        body.ends.append(body.spans[plan.during][1])
    return body


def _arguments(body: Body, goal: Goal, alias: str, ids: Mapping[object, int]) -> None:
    for place, arg in enumerate(goal.args):
        column = f"{alias}.c{place}"
        if isinstance(arg, Const):
            body.where.append(f"{column} = {ids[arg]}")
        elif isinstance(arg, Var):
            known = body.vars.setdefault(arg.name, column)
            if known != column:
                body.where.append(f"{known} = {column}")


def _times(body: Body, goal: Goal, number: int, alias: str, shape: Shape) -> None:
    start, end = (f"{alias}.f", f"{alias}.t") if shape.timed else (str(ALWAYS), str(FOREVER))
    if shape.doubtful:
        body.doubts.append(f"{alias}.u")
    if goal.mode == "during" and shape.timed:
        body.starts.append(start)
        body.ends.append(end)
    elif goal.mode == "interval" and isinstance(goal.time, str):
        known = body.spans.setdefault(goal.time, (start, end))
        if known != (start, end):
            body.where += [f"{known[0]} = {start}", f"{known[1]} = {end}"]
    elif goal.mode == "instant" and isinstance(goal.time, int):
        body.where += [f"{start} <= {goal.time}", f"{goal.time} < {end}"] if shape.timed else []
    elif goal.mode == "instant":
        body.instants[number] = (start, end)


def comparison(test: Test, body: Body, ids: Mapping[object, int], ordered: bool) -> str:
    """A comparison of variables and constants. Where ids are in the order of terms, ids are compared."""
    left, right = (_operand(arg, body, ids) for arg in test.args)
    if test.name in ("=", "!="):
        return f"{left} {'=' if test.name == '=' else '<>'} {right}"
    if ordered:
        return f"({left} {test.name} {right} AND kind_of({left}) = kind_of({right}) AND kind_of({left}) IN (2, 3))"
    rank = "(SELECT (kind, num, txt) FROM terms WHERE id = {})"
    kind = "(SELECT kind FROM terms WHERE id = {})"
    same = f"{kind.format(left)} = {kind.format(right)} AND {kind.format(left)} IN (2, 3)"
    return f"({same} AND {rank.format(left)} {test.name} {rank.format(right)})"


def _operand(term: Term, body: Body, ids: Mapping[object, int]) -> str:
    return body.vars[term.name] if isinstance(term, Var) else str(ids[term])


def kinds(starts: Sequence[tuple[int, int]]) -> str:
    """A macro that tells a term's kind from its id, as long as ids are in the order of terms."""
    cases = " ".join(f"WHEN x >= {first} THEN {kind}" for kind, first in sorted(starts, reverse=True))
    return f"CREATE OR REPLACE TEMP MACRO kind_of(x) AS {f'CASE {cases} END' if cases else '0'}"


def relation_of_intervals(test: Test, body: Body) -> str:
    """A relation of two named intervals."""
    a, b = (body.spans[arg.name] for arg in test.args if isinstance(arg, Var))
    ends = {"a.start": a[0], "a.end": a[1], "b.start": b[0], "b.end": b[1]}
    name = test.name.removeprefix("not ")
    text = " AND ".join(f"{ends[x]} {op} {ends[y]}" for x, op, y in ALLEN[name])
    return f"NOT ({text})" if name != test.name else f"({text})"


def absent(body: Body, goal: Goal, shape: Shape, gaps: str, at: str | None, ids: Mapping[object, int]) -> None:
    """Subtract an absent goal: by an anti-join where time plays no part, else by a join with the gaps it leaves."""
    rows, columns = covering(goal, shape, ids)
    values = [_bound_value(goal, column, body) for column in columns]
    if goal.mode == "during" and shape.timed:
        on = " AND ".join(f"{gaps}.{c} = {v}" for c, v in zip(columns, values, strict=True)) or "true"
        body.joins.append(f"LEFT JOIN {gaps} ON {on}")
        start, end = f"coalesce({gaps}.f, {ALWAYS})", f"coalesce({gaps}.t, {FOREVER})"
        body.starts.append(start)
        body.ends.append(end)
        body.where.append(f"{start} < {end}")  # what is covered for ever leaves an empty gap at the end of time
        return
    met = [f"n.{c} = {v}" for c, v in zip(columns, values, strict=True)]
    if goal.mode == "instant" and shape.timed and at is not None:
        met += [f"n.f <= {at}", f"{at} < n.t"]
    where = f" WHERE {' AND '.join(met)}" if met else ""
    body.where.append(f"NOT EXISTS (SELECT 1 FROM ({rows}) AS n{where})")


def _bound_value(goal: Goal, column: str, body: Body) -> str:
    arg = goal.args[int(column[1:])]
    assert isinstance(arg, Var)
    return body.vars[arg.name]


def covering(goal: Goal, shape: Shape, ids: Mapping[object, int]) -> tuple[str, list[str]]:
    """The rows that an absent goal can meet, and the columns by which a match meets them."""
    first: dict[str, str] = {}
    where: list[str] = []
    for place, arg in enumerate(goal.args):
        if isinstance(arg, Const):
            where.append(f"c{place} = {ids[arg]}")
        elif isinstance(arg, Var) and first.setdefault(arg.name, f"c{place}") != f"c{place}":
            where.append(f"c{place} = {first[arg.name]}")
    if goal.asserted:
        where.append(f"rule = {FACT} AND id IN (SELECT id FROM sources WHERE external)")
    columns = list(first.values())
    shown = [*columns, *(["f", "t"] if shape.timed else [])] or ["id"]
    condition = f" WHERE {' AND '.join(where)}" if where else ""
    return f"SELECT {', '.join(shown)} FROM {shape.table}{condition}", columns


def gaps(rows: str, columns: Sequence[str]) -> str:
    """The pieces that rows leave free, by the columns; a covered tuple has at least one row, perhaps an empty one."""
    keys = "".join(f"{column}, " for column in columns)
    by = f"PARTITION BY {', '.join(columns)} " if columns else ""
    group = f" GROUP BY {', '.join(columns)}" if columns else " HAVING count(*) > 0"
    reach = f"max(t) OVER ({by}ORDER BY f ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)"
    between = f"SELECT {keys}coalesce({reach}, {ALWAYS}) AS g, f AS h FROM ({rows})"
    return (
        f"SELECT {keys}g AS f, h AS t FROM ({between}) WHERE g < h "
        f"UNION ALL SELECT {keys}max(t), {FOREVER} FROM ({rows}){group}"
    )


def coalesced(shape: Shape) -> str:
    """A table's tuples with their joined intervals (only where nothing is doubtful)."""
    columns = ", ".join(shape.columns)
    if not shape.timed:
        return f"SELECT min(id) AS id, {columns} FROM {shape.table} GROUP BY {columns}"
    window = f"(PARTITION BY {columns} ORDER BY f, t ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)"
    marked = f"SELECT id, f, t, {columns}, coalesce(f > max(t) OVER {window}, true)::INT AS fresh FROM {shape.table}"
    island = f"sum(fresh) OVER (PARTITION BY {columns} ORDER BY f, t ROWS UNBOUNDED PRECEDING)"
    return (
        f"SELECT min(id) AS id, min(f) AS f, max(t) AS t, {columns} FROM "
        f"(SELECT *, {island} AS island FROM ({marked})) GROUP BY {columns}, island"
    )


def conclusions(plan: Plan, body: Body, shape: Shape, ids: Mapping[object, int]) -> str:
    """What a body concludes: the head's columns, its time, and the proof."""
    parts = columns_of(plan, body, ids)
    if shape.timed:
        parts += [f"{body.start} AS f", f"{body.end} AS t"]
    if shape.doubtful:
        parts.append(f"({body.doubt}) AS u")
    premises = [*body.ids, *(["NULL::BIGINT"] * shape.premises)][: shape.premises]
    parts += [f"{plan.number} AS rule", *(f"{value} AS p{n}" for n, value in enumerate(premises))]
    return f"SELECT {', '.join(parts)}{body.source()}"


def columns_of(plan: Plan, body: Body, ids: Mapping[object, int]) -> list[str]:
    """The head's columns, aggregates apart."""
    plain = [each for each in plan.out if not isinstance(each, Aggregate)]
    values = [_out(each, body, ids) for each in plain] if plan.out else ["0"]
    return [f"{value} AS c{n}" for n, value in enumerate(values)]


def _out(each: object, body: Body, ids: Mapping[object, int]) -> str:
    if isinstance(each, Var):
        return body.vars[each.name]
    return str(ids[each])


def only(columns: Sequence[object], table: str, body: Body, ids: Mapping[object, int]) -> None:
    """Restrict a body to where these columns are a tuple of a table, as far as its goals give them."""
    body.tables.insert(0, f"{table} AS lost")
    for place, each in enumerate(columns):
        if isinstance(each, Const):
            body.where.append(f"lost.c{place} = {ids[each]}")
        elif isinstance(each, Var) and each.name in body.vars:
            body.where.append(f"lost.c{place} = {body.vars[each.name]}")


def closure(shape: Shape, steps: Sequence[str], first_id: int) -> str:
    """A linear recursion finished by one recursive query, without proofs. The steps read the table `x`."""
    columns = ", ".join(shape.columns)
    empty = "".join(", NULL" for _ in shape.proof)
    same = " AND ".join(f"y.{c} = x.{c}" for c in shape.columns)
    return (
        f"INSERT INTO {shape.table} WITH RECURSIVE x({columns}) AS (SELECT {columns} FROM {shape.table} "
        f"UNION ({' UNION ALL '.join(steps)})) SELECT {first_id} - 1 + row_number() OVER (), {UNRECORDED}{empty}, "
        f"{columns} FROM x WHERE NOT EXISTS (SELECT 1 FROM {shape.table} AS y WHERE {same})"
    )


def asked(plan: Plan, body: Body, ids: Mapping[object, int], at: int | None) -> str:
    """Every binding of a question with its piece."""
    body.where += [] if at is None else [f"{body.start} <= {at}", f"{at} < {body.end}"]
    columns = ", ".join(columns_of(plan, body, ids))
    return f"SELECT DISTINCT {columns}, {body.start} AS f, {body.end} AS t, ({body.doubt}) AS u{body.source()}"


def answered(columns: int, limit: int, ordered: bool) -> str:
    """The first bindings of the table `asked`, in the order of terms: f, t, u, then key and text of each column."""
    names = ", ".join(f"c{n}" for n in range(max(columns, 1)))
    places = range(columns)
    joins = " ".join(f"JOIN terms AS t{n} ON t{n}.id = a.c{n}" for n in places)
    by_terms = ", ".join(f"t{n}.kind, t{n}.num, t{n}.txt, t{n}.key" for n in places)
    order, joined = (names, "") if ordered or not columns else (by_terms, joins)
    first = f"SELECT {names} FROM (SELECT DISTINCT {names} FROM asked) AS a {joined} ORDER BY {order} LIMIT {limit}"
    shown = "".join(f", t{n}.key, t{n}.shown" for n in places)
    return (
        f"SELECT f, t, u{shown} FROM ({first}) AS a JOIN asked AS q USING ({names}) {joins} "
        f"ORDER BY {by_terms or 'f'}, f, t"
    )


def rows(shape: Shape, where: str) -> str:
    """Rows of a table, decoded: id, rule, piece, doubt, source, confidence, external, keys, premises."""
    places = range(shape.arity)
    time = ["r.f", "r.t"] if shape.timed else [str(ALWAYS), str(FOREVER)]
    shown = ["r.id", "r.rule", *time, "r.u" if shape.doubtful else "false", "s.source", "s.confidence", "s.external"]
    shown += [f"t{n}.key" for n in places] + [f"r.{p}" for p in shape.proof]
    joins = " ".join(f"JOIN terms AS t{n} ON t{n}.id = r.c{n}" for n in places)
    joins += " LEFT JOIN sources AS s ON s.id = r.id"
    condition = f" WHERE {where}" if where else ""
    return f"SELECT {', '.join(shown)} FROM {shape.table} AS r {joins}{condition} ORDER BY r.id"
