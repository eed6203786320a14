"""Facts added and withdrawn, and what follows brought up to date. The result is that of an evaluation from nothing.

Every row records its premises, so a withdrawn fact leads to the rows whose recorded proof used it, and they to others,
in waves. All of them are deleted; then the rules run again for those tuples alone, for another proof may be left.
Added rows are a first delta. Where a rule rests on an absence and that predicate changed, the conclusions that the
changed tuples could touch are taken back and looked for again in the same way. What counts a changed predicate, or
looks at its intervals, is recomputed, and what reads that; so is what has no recorded proofs.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hornbook.graph.interval import ALWAYS, FOREVER
from hornbook.reasoning import sql
from hornbook.reasoning.compiled import Compiled
from hornbook.reasoning.duck import Delta, Engine
from hornbook.reasoning.duck_change import changed_table, lost_table, touched, where_in
from hornbook.reasoning.duck_load import insert_facts
from hornbook.reasoning.evaluate import Result, evaluate
from hornbook.reasoning.plan import Goal, Plan, reads
from hornbook.reasoning.relation import Fact, Facts, Relation, Row, arity_of, as_table, facts_of
from hornbook.reasoning.stratify import Stratum


def update(result: Result, *, added: Facts | None = None, removed: Collection[str] = ()) -> Result:
    """The result after facts came and went; `removed` are claim ids. The result given is used up.

    An ended or corrected claim is removed and added again with its new piece.

    >>> from hornbook.reasoning.compiled import compile
    >>> from hornbook.reasoning.parse import parse_program
    >>> rules = compile(parse_program("reach(x, y) :- road(x, y). reach(x, z) :- reach(x, y), road(y, z)."))
    >>> roads = {"road": [Fact(("a", "b"), "1"), Fact(("b", "c"), "2")]}
    >>> result = update(evaluate(rules, roads), removed={"2"})
    >>> [row.terms for row in result.relation("reach")]
    [('a', 'b')]
    """
    coming = {name: relation for name, relation in (added or {}).items() if arity_of(relation)}
    if not isinstance(result.base, Engine) or not fits(result, coming):
        return from_nothing(result, result.compiled, coming, removed)
    _Change(result.base, result.compiled).run(coming, removed)
    return result


def with_program(result: Result, compiled: Compiled) -> Result:
    """The result of other rules over the same facts."""
    return from_nothing(result, compiled, {}, ())


def from_nothing(result: Result, compiled: Compiled, added: Facts, removed: Collection[str]) -> Result:
    """Evaluate again over the facts that the result holds, less those removed, with those added."""
    facts = facts_in(result, removed)
    for name, relation in added.items():
        facts[name] = [*facts_of(facts.get(name, [])), *facts_of(relation)]
    proofs = result.base.proofs if isinstance(result.base, Engine) else True
    key = result.base.key
    again = evaluate(
        compiled, facts, backend=result.backend, now=result.now, limits=result.limits, key=key, proofs=proofs
    )
    close(result)
    return again


def close(result: Result) -> None:
    """Let go of a result: it answers nothing more."""
    if isinstance(result.base, Engine):
        result.base.con.close()


def facts_in(result: Result, without: Collection[str] = ()) -> dict[str, Relation]:
    """The facts that a result was made from."""
    dead = set(without)
    facts: dict[str, Relation] = {}
    for name in result.arities:
        rows = [row for row in result.base.all(name) if row.rule is None and row.source not in dead]
        facts[name] = [_fact(result, row) for row in rows]
    return facts


def _fact(result: Result, row: Row) -> Fact:
    terms = tuple(map(result.base.value, row.keys))
    rest = (row.start, row.end, row.confidence, row.uncertain, row.external)
    return Fact(terms, row.source or "", *rest, keys=row.keys)


def fits(result: Result, added: Facts) -> bool:
    """Whether added facts fit the tables: a predicate without time that gets one needs other tables."""
    if not isinstance(result.base, Engine):
        return False
    engine = result.base
    for name, relation in added.items():
        shape = engine.shapes.get(name)
        if shape is None or arity_of(relation) != result.arities[name]:
            return False
        timed, doubtful = _flags(relation)
        if (timed and not shape.timed) or (doubtful and not shape.doubtful):
            return False
    return True


def _flags(relation: Relation) -> tuple[bool, bool]:
    """Whether a relation has pieces, and doubtful ones."""
    if isinstance(relation, Sequence):
        timed = any(each.valid_from > ALWAYS or each.valid_to < FOREVER for each in relation)
        return timed, any(each.uncertain for each in relation)
    import pyarrow.compute as pc

    names = relation.column_names
    starts = "valid_from" in names and pc.any(pc.greater(relation.column("valid_from"), ALWAYS)).as_py()
    ends = "valid_to" in names and pc.any(pc.less(relation.column("valid_to"), FOREVER)).as_py()
    return bool(starts or ends), bool("uncertain" in names and pc.any(relation.column("uncertain")).as_py())


@dataclass(slots=True)
class _Change:
    """One update under way: the ids that died so far, and the predicates that lost, gained or were recomputed."""

    engine: Engine
    compiled: Compiled
    dead: dict[str, set[int]] = field(default_factory=dict)
    lost: dict[str, list[tuple[Any, ...]]] = field(default_factory=dict)
    gained: set[str] = field(default_factory=set)
    recomputed: set[str] = field(default_factory=set)
    facts: set[str] = field(default_factory=set)

    @property
    def changed(self) -> set[str]:
        """The predicates that are not as they were."""
        return self.gained | self.recomputed | set(self.lost)

    def run(self, added: Facts, removed: Collection[str]) -> None:
        """Withdraw and add facts, then go up the strata."""
        self.withdraw(removed)
        mark = self.engine.next_id
        for name, relation in added.items():
            self.add(name, relation)
        self.facts = self.changed
        for stratum in self.compiled.strata:
            if self.must_recompute(stratum):
                self.recompute(stratum)
            elif self.touches(stratum):
                self.extend(stratum, mark)

    def touches(self, stratum: Stratum) -> bool:
        """Whether a stratum reads, or holds, something that changed."""
        reading = any(goal.predicate in self.changed for plan in stratum.plans for goal in plan.goals)
        absent = any(self.stirred(goal) for plan in stratum.plans for goal in plan.absent)
        return reading or absent or bool(stratum.predicates & self.changed)

    def withdraw(self, removed: Collection[str]) -> None:
        """Delete facts by the ids of their claims."""
        engine = self.engine
        if not removed:
            return
        marks = ", ".join("?" for _ in removed)
        text = f"SELECT id FROM sources WHERE source IN ({marks})"
        ids = [number for (number,) in engine.con.execute(text, list(removed)).fetchall()]
        for predicate in {engine.predicate_of(number) for number in ids}:
            self.delete(predicate, where_in(engine, "id", ids))
        engine.con.execute(f"DELETE FROM sources WHERE {where_in(engine, 'id', ids)}")

    def add(self, name: str, relation: Relation) -> None:
        """Insert facts."""
        engine, shape = self.engine, self.engine.shapes[name]
        engine.con.register("in_added", as_table(relation, shape.arity))
        engine.learn_terms("in_added", shape.arity)
        count = insert_facts(engine.con, shape, "in_added", engine.next_id)
        engine.con.unregister("in_added")
        if count:
            engine.batches.append((engine.next_id, name))
            engine.next_id += count
            self.gained.add(name)

    def delete(self, predicate: str, where: str) -> int:
        """Delete rows, and remember their ids and tuples."""
        engine, shape = self.engine, self.engine.shapes[predicate]
        columns = ", ".join(["id", "rule", *shape.columns])
        rows = engine.con.execute(f"SELECT {columns} FROM {shape.table} WHERE {where}").fetchall()
        if rows:
            engine.con.execute(f"DELETE FROM {shape.table} WHERE {where_in(engine, 'id', [row[0] for row in rows])}")
            self.dead.setdefault(predicate, set()).update(row[0] for row in rows)
            self.lost.setdefault(predicate, []).extend(row[2:] for row in rows)
            engine.derived -= sum(row[1] != sql.FACT for row in rows)
        return len(rows)

    def must_recompute(self, stratum: Stratum) -> bool:
        """Whether a stratum cannot be mended row by row."""
        if any(_wholly(plan) & self.changed for plan in stratum.plans):
            return True
        if any(plan.aggregated and self.stirred(goal) for plan in stratum.plans for goal in plan.absent):
            return True
        read = {goal.predicate for plan in stratum.plans for goal in plan.goals} | stratum.predicates
        absent = {goal.predicate for plan in stratum.plans for goal in plan.absent if self.stirred(goal)}
        unrecorded = not self.engine.proofs or bool(stratum.predicates & self.engine.unrecorded)
        return bool((read | absent) & self.recomputed) or (unrecorded and bool(absent or read & set(self.lost)))

    def stirred(self, goal: Goal) -> bool:
        """Whether what an absent goal looks at has changed."""
        return goal.predicate in (self.facts if goal.asserted else self.changed)

    def recompute(self, stratum: Stratum) -> None:
        """Derive a stratum anew."""
        engine = self.engine
        for predicate in stratum.predicates:
            shape = engine.shapes[predicate]
            (gone,) = engine.con.execute(f"DELETE FROM {shape.table} WHERE rule <> {sql.FACT}").fetchall()[0]
            engine.derived -= gone
        engine.unrecorded -= stratum.predicates
        self.recomputed |= stratum.predicates
        engine.complete(stratum)

    def extend(self, stratum: Stratum, mark: int) -> None:
        """Withdraw what rests on what died, look for other proofs of it, and add what follows from what was added."""
        engine = self.engine
        for plan in stratum.plans:
            for goal in plan.absent:
                if self.stirred(goal):
                    self.unsettle(plan, goal, mark)
        wave = {name: set(ids) for name, ids in self.dead.items()}
        while wave:
            before = {name: set(self.dead.get(name, ())) for name in stratum.predicates}
            for predicate in stratum.predicates:
                for column, ids in _resting(stratum.plans, predicate, wave).items():
                    if column in engine.shapes[predicate].proof:
                        self.delete(predicate, where_in(engine, column, sorted(ids)))
            wave = {name: ids for name in before if (ids := self.dead.get(name, set()) - before[name])}
        lost = {name: lost_table(engine, name, self.lost[name]) for name in stratum.predicates & set(self.lost)}
        since = engine.next_id
        engine.complete(stratum, list(_deltas(stratum.plans, self.gained, mark)), lost)
        if engine.next_id > since:
            self.gained |= stratum.predicates

    def unsettle(self, plan: Plan, goal: Goal, mark: int) -> None:
        """Take back, to be looked at again, what a rule could conclude where an absent goal is not as it was."""
        engine, shape = self.engine, self.engine.shapes[plan.head]
        changed = changed_table(engine, goal.predicate, self.lost.get(goal.predicate, []), mark)
        table = f"unsettled{shape.number}"
        engine.temp(table, touched(engine, plan, goal, changed))
        engine.clear()
        same = " AND ".join(f"u.{column} = {shape.table}.{column}" for column in shape.columns)
        self.delete(plan.head, f"rule <> {sql.FACT} AND EXISTS (SELECT 1 FROM {table} AS u WHERE {same})")
        self.lost.setdefault(plan.head, []).extend(engine.con.execute(f"SELECT * FROM {table}").fetchall())


def _wholly(plan: Plan) -> set[str]:
    """The predicates that a rule reads as a whole: to count them, or to see their intervals."""
    if plan.aggregated:
        return {goal.predicate for goal, _ in reads(plan)}
    return {goal.predicate for goal in plan.goals if goal.mode == "interval"}


def _resting(plans: Iterable[Plan], head: str, dead: Mapping[str, set[int]]) -> dict[str, set[int]]:
    """For each column of premises the dead ids that it can hold: those of the predicate that a rule reads there."""
    found: dict[str, set[int]] = {}
    for plan in plans:
        for number, goal in enumerate(plan.goals if plan.head == head else ()):
            if ids := dead.get(goal.predicate):
                found.setdefault(f"p{number}", set()).update(ids)
    return found


def _deltas(plans: Iterable[Plan], gained: set[str], mark: int) -> Iterable[tuple[Plan, Delta]]:
    """Each rule once for each goal whose predicate gained rows: that goal on the rows since the mark."""
    for plan in plans:
        for number, goal in enumerate(plan.goals):
            if goal.predicate in gained:
                yield plan, {number: "{id} >= " + str(mark)}
