"""The fast back end: rules as joins in DuckDB, semi-naive rounds, a proof recorded with every row.

A round runs each rule of a stratum with one recursive goal restricted to the rows of the round before (`delta`) and
the recursive goals to its left to older rows. Row ids grow, so "older" and "delta" are ranges of ids, and a recorded
premise always has a smaller id than its conclusion: recorded proofs cannot go in a circle.
"""

import json
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from hornbook.graph.interval import ALWAYS, FOREVER
from hornbook.reasoning import sql, sql_aggregate
from hornbook.reasoning.compiled import Compiled
from hornbook.reasoning.duck_bound import stopped_after
from hornbook.reasoning.duck_load import connect, create, load
from hornbook.reasoning.duck_terms import Terms, decoded
from hornbook.reasoning.limits import Limits, out_of_memory, out_of_time, refuse_more, refuse_rounds
from hornbook.reasoning.match import Pattern
from hornbook.reasoning.naive import spans_of
from hornbook.reasoning.plan import Aggregate, Goal, Plan, Test, constants, is_relation_of_intervals
from hornbook.reasoning.relation import Facts, Row
from hornbook.reasoning.sql import Body, Shape
from hornbook.reasoning.sql_insert import insert_timed, insert_untimed
from hornbook.reasoning.stratify import Stratum
from hornbook.reasoning.syntax import Const, Var
from hornbook.reasoning.terms import Key

Delta = Mapping[int, str]


class Engine(Terms):
    """One evaluated program in one database. It implements `match.Base`, so proofs can be looked for in it."""

    def __init__(self, compiled: Compiled, limits: Limits, key: Callable[[Any], Key], proofs: bool) -> None:
        super().__init__(connect(limits), key)
        self.compiled, self.limits, self.proofs = compiled, limits, proofs
        self.shapes: dict[str, Shape] = {}
        self.ids: dict[object, int] = {}  # constants of the program, by themselves
        self.ordered = not any(plan.makes for plan in compiled.plans)
        self.next_id = self.derived = 0
        self.unrecorded: set[str] = set()  # predicates with rows whose proof was not recorded
        self.batches: list[tuple[int, str]] = []  # the first id of each batch of rows, and its predicate
        self.scratch: list[str] = []  # temporary tables of the round under way
        self.running: Sequence[Plan] = ()  # the rules whose joins are under way

    def learn_constants(self, plans: Iterable[Plan]) -> None:
        """Give the constants of rules their ids."""
        found = [const for plan in plans for const in _constants(plan) if const not in self.ids]
        for const in found:
            if self.find(self.key(const.value)) is None:
                self.made(const.value)
        ids = self.term_ids(self.key(const.value) for const in found)
        self.ids |= {const: ids[self.key(const.value)] for const in found}

    # ---- evaluation

    def load(self, facts: Facts, arities: Mapping[str, int]) -> None:
        """Facts and constants into tables."""
        known: dict[Key, Any] = {}
        for plan in self.compiled.plans:
            known |= constants(plan, self.key)
        self.shapes = load(self.con, self.compiled, facts, arities, known, self.proofs)
        (self.next_term,) = self.con.execute("SELECT count(*) FROM terms").fetchall()[0]
        (self.next_id,) = self.con.execute("SELECT count(*) FROM sources").fetchall()[0]
        self.find_batches()
        ordered = self.ordered
        self.learn_constants(self.compiled.plans)
        self.ordered = ordered

    def find_batches(self) -> None:
        """Which ids belong to which table, for what was loaded."""
        for predicate, shape in self.shapes.items():
            (first,) = self.con.execute(f"SELECT min(id) FROM {shape.table}").fetchall()[0]
            self.batches += [] if first is None else [(first, predicate)]
        self.batches.sort()

    def run(self) -> None:
        """Complete every stratum."""
        for stratum in self.compiled.strata:
            self.complete(stratum)

    def complete(
        self, stratum: Stratum, first: Sequence[tuple[Plan, Delta]] | None = None, lost: Mapping[str, str] | None = None
    ) -> None:
        """Derive what a stratum gives.

        `first` says what the first round runs; without it everything. `lost` names for a predicate a table of tuples:
        the first round then also runs its rules for those tuples.
        """
        self.prepare(stratum.plans)
        rounds, since = 0, self.next_id
        runs = first if first is not None else [(plan, {}) for plan in stratum.plans]
        again = [(plan, lost[plan.head]) for plan in stratum.plans if lost and plan.head in lost]
        self.round(runs, again, fresh=first is None)
        while stratum.recursive and self.next_id > since:
            rounds += 1
            refuse_rounds(rounds, stratum.plans, self.compiled.program.text, self.limits)
            if self.can_close(stratum) and (rounds > self.limits.deep or not self.proofs):
                self.close(stratum)
                break
            lower, since = since, self.next_id
            self.round(list(self.deltas(stratum, lower, since)))

    def deltas(self, stratum: Stratum, lower: int, upper: int) -> Iterator[tuple[Plan, Delta]]:
        """Each rule once for each recursive goal: that goal on the last round, those to its left on older rows."""
        for plan in stratum.plans:
            recursive = [n for n, goal in enumerate(plan.goals) if goal.predicate in stratum.predicates]
            for place, number in enumerate(recursive):
                older = {left: "{id} < " + str(lower) for left in recursive[:place]}
                yield plan, {**older, number: f"{{id}} >= {lower} AND {{id}} < {upper}"}

    def round(
        self, runs: Sequence[tuple[Plan, Delta]], again: Sequence[tuple[Plan, str]] = (), fresh: bool = False
    ) -> None:
        """Run rules, and keep what is new, a head at a time. `again` runs rules for the tuples of a table."""
        by_head: dict[str, list[tuple[Plan, Delta, str | None]]] = {}
        for plan, delta in runs:
            by_head.setdefault(plan.head, []).append((plan, delta, None))
        for plan, table in again:
            by_head.setdefault(plan.head, []).append((plan, {}, table))
        for head, each in by_head.items():
            self.running = [plan for plan, _, _ in each]
            candidates = " UNION ALL ".join(f"({self.conclusions(*run)})" for run in each)
            self.keep(head, candidates, fresh and not self.count(head))
        self.clear()

    def keep(self, head: str, candidates: str, fresh: bool) -> None:
        """Insert the conclusions that are new."""
        shape = self.shapes[head]
        if not shape.timed:
            self.insert(head, insert_untimed(shape, candidates, self.next_id, fresh))
            return
        if not shape.doubtful:
            self.insert(head, insert_timed(shape, candidates, self.next_id, None, fresh))
            return
        self.con.execute(f"CREATE OR REPLACE TEMP TABLE found AS {candidates}")
        self.insert(head, insert_timed(shape, "SELECT * FROM found", self.next_id, False, fresh))
        self.insert(head, insert_timed(shape, "SELECT * FROM found", self.next_id, True, False))

    def insert(self, head: str, statement: str) -> None:
        """Run one INSERT and count what it added."""
        (added,) = self.bounded(statement)[0]
        if added:
            self.batches.append((self.next_id, head))
            self.next_id += added
            self.derived += added
            plans = [plan for plan in self.compiled.plans if plan.head == head]
            refuse_more(self.derived, plans, self.compiled.program.text, self.limits)

    def prepare(self, plans: Iterable[Plan]) -> None:
        """Make what rules read beside tables: coalesced intervals, and the gaps that absent goals leave."""
        for plan in plans:
            for goal in plan.goals:
                if goal.mode == "interval":
                    self.make_spans(goal.predicate)
            for number, goal in enumerate(plan.absent):
                if goal.mode == "during" and self.shapes[goal.predicate].timed:
                    rows, columns = sql.covering(goal, self.shapes[goal.predicate], self.ids)
                    self.temp(_gaps(plan, number), sql.gaps(rows, columns))

    def fresh(self, kind: str) -> str:
        """A name for a temporary table of this round."""
        self.scratch.append(f"{kind}{len(self.scratch)}")
        return self.scratch[-1]

    def clear(self) -> None:
        """Drop the round's temporary tables."""
        for name in self.scratch:
            self.con.execute(f"DROP TABLE IF EXISTS {name}")
        self.scratch.clear()

    def temp(self, name: str, query: str) -> None:
        """A temporary table, made anew."""
        self.bounded(f"CREATE OR REPLACE TEMP TABLE {name} AS {query}")

    def bounded(self, statement: str) -> list[tuple[Any, ...]]:
        """Run a statement that may need more memory, or more time, than it may have."""
        import duckdb

        plans, text = self.running or self.compiled.plans, self.compiled.program.text
        try:
            with stopped_after(self.con, self.limits.seconds):
                return self.con.execute(statement).fetchall()
        except duckdb.OutOfMemoryException:
            raise out_of_memory(plans, text, self.limits) from None
        except duckdb.InterruptException:
            raise out_of_time(plans, text, self.limits) from None

    def make_spans(self, predicate: str) -> None:
        """The coalesced intervals of a predicate. Doubtful ones are joined by the plain function."""
        shape = self.shapes[predicate]
        if not shape.doubtful:
            self.temp(shape.spans, sql.coalesced(shape))
            return
        import pyarrow as pa

        tuples: dict[tuple[int, ...], list[Row]] = {}
        time = "f, t" if shape.timed else f"{ALWAYS}, {FOREVER}"
        rows = self.con.execute(f"SELECT id, {time}, u, {', '.join(shape.columns)} FROM {shape.table}").fetchall()
        for number, start, end, doubt, *terms in rows:
            tuples.setdefault(tuple(terms), []).append(Row(number, "", (), start, end, doubt))
        joined = [(s.id, s.start, s.end, s.uncertain, *terms) for terms, each in tuples.items() for s in spans_of(each)]
        names = ["id", "f", "t", "u", *shape.columns]
        made = {
            n: pa.array([row[i] for row in joined], pa.bool_() if n == "u" else pa.int64()) for i, n in enumerate(names)
        }
        self.con.register("in_spans", pa.table(made))
        self.temp(shape.spans, f"SELECT {', '.join(['id', *shape.time, *shape.columns])} FROM in_spans")
        self.con.unregister("in_spans")

    # ---- one rule

    def body(
        self,
        plan: Plan,
        delta: Delta,
        instead: Mapping[str, str] | None = None,
        only: tuple[Sequence[object], str] | None = None,
    ) -> Body:
        """A rule's whole body as SQL. With `only` just where some columns are a tuple of a table."""
        body = sql.goals(plan, self.shapes, self.ids, delta, instead or {})
        if only is not None:
            sql.only(*only, body, self.ids)
        late: list[Test] = []
        for test in plan.tests:
            if is_relation_of_intervals(test):
                body.where.append(sql.relation_of_intervals(test, body))
            elif _plain(test, body):
                body.where.append(sql.comparison(test, body, self.ids, self.ordered))
            else:
                late.append(test)
        at: dict[str, str] = {}
        times = [
            goal.time for goal in (*plan.goals, *plan.absent) if goal.mode == "instant" and isinstance(goal.time, str)
        ]
        if plan.lets or late or times:
            from hornbook.reasoning.duck_made import with_made

            body, at = with_made(self, plan, body, late, times)
        for number, goal in enumerate(plan.absent):
            instant = at.get(goal.time) if isinstance(goal.time, str) else None if goal.time is None else str(goal.time)
            sql.absent(body, goal, self.shapes[goal.predicate], _gaps(plan, number), instant, self.ids)
        body.within()
        return body

    def conclusions(self, plan: Plan, delta: Delta, lost: str | None = None) -> str:
        """A SELECT of what a rule concludes."""
        shape = self.shapes[plan.head]
        body = self.body(plan, delta, only=(plan.out, lost) if lost else None)
        if not plan.aggregated:
            return sql.conclusions(plan, body, shape, self.ids)
        timed = shape.timed
        self.temp(f"w{plan.number}", sql_aggregate.matches(plan, body, self.ids, timed))
        self.temp(f"h{plan.number}", sql_aggregate.grouped(plan, body, timed, f"w{plan.number}"))
        self.number_terms(plan)
        return sql_aggregate.heads(plan, shape, f"h{plan.number}", f"k{plan.number}")

    def number_terms(self, plan: Plan) -> None:
        """The terms of the numbers that an aggregated rule gave, as a table from number to term."""
        import pyarrow as pa

        aggregates = [each for each in plan.out if isinstance(each, Aggregate)]
        wanted = [f"n{n}" for n, each in enumerate(aggregates) if each.name in sql_aggregate.NUMERIC]
        union = " UNION ".join(f"SELECT {name} AS num FROM h{plan.number} WHERE {name} IS NOT NULL" for name in wanted)
        numbers = [row[0] for row in self.con.execute(union).fetchall()] if wanted else []
        keys = [self.made(int(number) if number.is_integer() else number) for number in numbers]
        ids = self.term_ids(keys)
        table = pa.table(
            {"num": pa.array(numbers, pa.float64()), "id": pa.array([ids[key] for key in keys], pa.int64())}
        )
        self.con.register("in_numbers", table)
        self.temp(f"k{plan.number}", "SELECT num, id FROM in_numbers")
        self.con.unregister("in_numbers")

    # ---- deep linear recursion

    def can_close(self, stratum: Stratum) -> bool:
        """Whether one recursive query can finish a stratum: one untimed predicate, one recursive goal a rule."""
        shape = self.shapes[stratum.plans[0].head]
        recursive = [[goal for goal in plan.goals if goal.predicate in stratum.predicates] for plan in stratum.plans]
        plain = all(not plan.makes and all(goal.mode == "during" for goal in plan.goals) for plan in stratum.plans)
        linear = all(len(goals) <= 1 for goals in recursive)
        return len(stratum.predicates) == 1 and linear and plain and not shape.timed and not shape.doubtful

    def close(self, stratum: Stratum) -> None:
        """Finish a stratum without recording proofs."""
        self.running = stratum.plans
        (head,) = stratum.predicates
        steps = []
        for plan in stratum.plans:
            if any(goal.predicate == head for goal in plan.goals):
                body = self.body(plan, {}, {head: "x"})
                steps.append(f"SELECT {', '.join(sql.columns_of(plan, body, self.ids))}{body.source()}")
        self.insert(head, sql.closure(self.shapes[head], steps, self.next_id))
        self.unrecorded.add(head)

    # ---- reading

    def query(self, plan: Plan, at: int | None, limit: int) -> Iterator[tuple[tuple[Key, ...], int, int, bool]]:
        """The bindings of a question's columns with their pieces, at most `limit` bindings, in the order of terms."""
        self.running = [plan]
        self.learn_constants([plan])
        self.prepare([plan])
        body = self.body(plan, {})
        self.temp("asked", sql.asked(plan, body, self.ids, at))
        self.clear()
        for start, end, doubt, *pairs in self.con.execute(sql.answered(len(plan.out), limit, self.ordered)).fetchall():
            for key, shown in zip(pairs[::2], pairs[1::2], strict=True):
                self.written.setdefault(key, json.loads(shown))
            yield tuple(pairs[::2]), start, end, doubt

    def count(self, predicate: str) -> int:
        """How many rows a predicate has."""
        return int(self.con.execute(f"SELECT count(*) FROM {self.shapes[predicate].table}").fetchall()[0][0])

    def size(self, predicate: str, pattern: Pattern) -> int:
        """How many rows match a pattern."""
        where = self.matching(predicate, pattern)
        if where is None:
            return 0
        condition = f" WHERE {where}" if where else ""
        return int(
            self.con.execute(f"SELECT count(*) FROM {self.shapes[predicate].table} AS r{condition}").fetchall()[0][0]
        )

    def predicate_of(self, number: int) -> str:
        """The predicate of a row's id."""
        return self.batches[bisect_right(self.batches, number, key=lambda batch: batch[0]) - 1][1]

    def allow(self, predicate: str, arity: int) -> None:
        """Let a predicate be asked for that has no rows."""
        self.shapes[predicate] = Shape(len(self.shapes), arity, 0, False, False)
        self.con.execute(create(self.shapes[predicate]))

    def row(self, number: int) -> Row:
        """The row of an id."""
        (row,) = self.rows(self.predicate_of(number), f"r.id = {int(number)}")
        return row

    def all(self, predicate: str) -> Iterable[Row]:
        """Every row of a predicate."""
        return self.rows(predicate)

    def match(self, predicate: str, pattern: Pattern) -> Iterable[Row]:
        """The rows that match a pattern."""
        where = self.matching(predicate, pattern)
        return [] if where is None else self.rows(predicate, where)

    def matching(self, predicate: str, pattern: Pattern) -> str | None:
        """The condition that rows match a pattern; None where none can."""
        ids = {key: self.find(key) for key in pattern if key is not None}
        if predicate not in self.shapes or None in ids.values():
            return None
        return " AND ".join(f"r.c{place} = {ids[key]}" for place, key in enumerate(pattern) if key is not None)

    def spans(self, predicate: str, pattern: Pattern) -> Iterator[Row]:
        """Each matching tuple with its coalesced intervals."""
        tuples: dict[tuple[Key, ...], list[Row]] = {}
        for row in self.match(predicate, pattern):
            tuples.setdefault(row.keys, []).append(row)
        for rows in tuples.values():
            yield from spans_of(rows)

    def rows(self, predicate: str, where: str = "") -> list[Row]:
        """Rows, decoded."""
        shape = self.shapes[predicate]
        return [decoded(predicate, shape.arity, each) for each in self.con.execute(sql.rows(shape, where)).fetchall()]


def _gaps(plan: Plan, number: int) -> str:
    return f"gap{plan.number if plan.number >= 0 else 'q'}_{number}"


def _plain(test: Test, body: Body) -> bool:
    """Whether a comparison can be made in SQL: its sides are constants and variables that the goals bind."""
    sides = all(isinstance(arg, Const) or (isinstance(arg, Var) and arg.name in body.vars) for arg in test.args)
    return sides and test.name in ("=", "!=", "<", "<=", ">", ">=")


def _constants(plan: Plan) -> Iterator[Const]:
    goals: tuple[Goal, ...] = (*plan.goals, *plan.absent)
    for args in (*(goal.args for goal in goals), plan.out, *(test.args for test in plan.tests)):
        yield from (arg for arg in args if isinstance(arg, Const))
