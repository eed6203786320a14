"""Why something holds: proofs that rest on claims and absences, and never on themselves.

A recorded proof is read off its row: premises have smaller ids, so it is well founded. Where none was recorded (deep
recursion, aggregates, an evaluation without proofs) one is looked for: from the goal backwards through every match of
every rule, until some row is reached whose premises are all proved, and from there forward again. The search is
bounded; what it does not reach is marked partial.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from hornbook.reasoning.aggregate import group_of
from hornbook.reasoning.ask import ask, check_known, planned
from hornbook.reasoning.check import check_query
from hornbook.reasoning.compiled import rule_id
from hornbook.reasoning.evaluate import Result
from hornbook.reasoning.intervals import Piece
from hornbook.reasoning.match import Solution, pattern, solutions, with_lets
from hornbook.reasoning.parse import parse_query
from hornbook.reasoning.plan import Aggregate, Plan
from hornbook.reasoning.proof import ANYTHING, Explanation, Proof
from hornbook.reasoning.relation import Row, Tuple
from hornbook.reasoning.syntax import Atom, Const, Query, Var
from hornbook.reasoning.terms import Key

DEPTH, DEEPEST = 40, 200
SEARCHED = 5_000  # rows that one search may open
EXAMINED = 100  # ways to derive a row that are looked at for another proof
CONSIDERED = 8  # proofs from which a confidence is computed


@dataclass(frozen=True, slots=True)
class Step:
    """How a row follows: the rule, the rows of its goals, and what its variables are."""

    plan: Plan
    rows: tuple[Row, ...]
    keys: Mapping[str, Key]


def why(
    result: Result,
    asked: str | Query | Tuple,
    depth: int = DEPTH,
    *,
    proofs: int = 1,
    at: int | None = None,
    now: int | None = None,
) -> Explanation:
    """Why a fact, or the first answer to a question, holds. `proofs` is how many are wanted of each piece at most.

    >>> from hornbook.reasoning.compiled import compile
    >>> from hornbook.reasoning.evaluate import evaluate
    >>> from hornbook.reasoning.parse import parse_program
    >>> from hornbook.reasoning.relation import Fact
    >>> rules = compile(parse_program("idle(x) :- person(x), not works_at(x, _)."))
    >>> result = evaluate(rules, {"person": [Fact(("Ana",), "7")], "works_at": []})
    >>> print(why(result, 'idle("Ana")').text())
    idle("Ana")  by idle(x) :- person(x), not works_at(x, _).
    ├─ person("Ana")  claim 7, confidence 1
    └─ not works_at("Ana", _)  nothing says so
    """
    if isinstance(asked, Tuple):
        rows = [row for row in result.base.match(asked.predicate, asked.keys) if _meets(row, asked.start, asked.end)]
        return explained(result, f"{asked.predicate}{asked.terms}", rows, depth, proofs)
    query = parse_query(asked) if isinstance(asked, str) else asked
    check_query(query)
    check_known(result, query)
    (atom, *more) = query.body
    if not more and isinstance(atom, Atom) and atom.time is None:
        return explained(result, str(atom), _of_atom(result, query, atom, at), depth, proofs)
    return conjunction(result, query, depth, at, now)


def explained(result: Result, asked: str, rows: list[Row], depth: int, proofs: int) -> Explanation:
    """The proofs of rows: a fact's pieces."""
    finder = Finder(result, min(depth, DEEPEST))
    considered = [finder.alternatives(row, max(proofs, CONSIDERED)) for row in rows[:CONSIDERED]]
    shown = tuple(proof for each in considered for proof in each[:proofs])
    every = [proof for each in considered for proof in each]
    confidence = max((proof.strength for proof in every), default=None)
    return Explanation(asked, shown, confidence, len(every))


def _of_atom(result: Result, query: Query, atom: Atom, at: int | None) -> list[Row]:
    """The rows of the tuple asked for; with variables, of the first that matches."""
    goal = planned(result, query).goals[0]
    answer = ask(result, query, 1, at=at)
    if not answer:
        return []
    keys = dict(zip(answer.columns, answer.keys[0], strict=True))
    rows = list(result.base.match(atom.predicate, pattern(result.base, goal, keys)))
    first = [row for row in rows if row.keys == rows[0].keys]
    return [row for row in first if at is None or row.start <= at < row.end]


def conjunction(result: Result, query: Query, depth: int, at: int | None, now: int | None) -> Explanation:
    """The first answer to a question of several parts, explained part by part."""
    asked = planned(result, query, now)
    answer = ask(result, query, 1, at=at, now=now)
    if not answer:
        return Explanation(str(query), ())
    keys = dict(zip(answer.columns, answer.keys[0], strict=True))
    finder = Finder(result, min(depth, DEEPEST))
    found = next(
        each for each in solutions(result.base, asked, keys) if at is None or each.piece[0] <= at < each.piece[1]
    )
    children = finder.children(Step(asked, found.rows, found.keys), found.piece, frozenset(), 1)
    proof = Proof("query", "answer", answer.rows[0], answer.keys[0], *found.piece, found.uncertain, children=children)
    return Explanation(str(query), (proof,), proof.strength, 1)


def _meets(row: Row, start: int, end: int) -> bool:
    return row.start < end and start < row.end


class Finder:
    """Builds proofs over one result. It remembers the steps found, so shared parts are looked for once."""

    def __init__(self, result: Result, depth: int) -> None:
        self.result, self.base, self.depth = result, result.base, depth
        self.found: dict[int, Step | None] = {}
        self.plans: dict[str, list[Plan]] = {}
        for plan in result.compiled.plans:
            self.plans.setdefault(plan.head, []).append(plan)

    def alternatives(self, row: Row, most: int) -> list[Proof]:
        """Proofs of one row, the recorded one first; none of them uses the row's own tuple below its head."""
        found = [self.proof(row, frozenset(), 0)]
        if row.rule is None or found[0].kind == "aggregate":
            return found
        known = {tuple(child.id for child in found[0].children)}
        for step in islice(self.derivations(row), EXAMINED):
            if len(found) >= most:
                break
            proof = self.node(row, step, frozenset(), 0)
            ids = tuple(child.id for child in proof.children)
            circular = any((each.predicate, each.keys) == (row.predicate, row.keys) for each in list(proof.nodes())[1:])
            if ids not in known and not circular and not any(each.partial for each in proof.nodes()):
                known.add(ids)
                found.append(proof)
        return found

    def proof(self, row: Row, above: frozenset[int], level: int) -> Proof:
        """One proof of a row."""
        if row.rule is None:
            return Proof(
                "claim",
                row.predicate,
                self.terms(row.keys),
                row.keys,
                row.start,
                row.end,
                row.uncertain,
                claim=row.source,
                confidence=row.confidence,
            )
        step = self.step(row) if level < self.depth and row.id not in above else None
        return self.node(row, step, above, level)

    def node(self, row: Row, step: Step | None, above: frozenset[int], level: int) -> Proof:
        """A concluded row with what it rests on."""
        piece = (row.start, row.end)
        plan = step.plan if step else None
        return Proof(
            "aggregate" if plan and plan.aggregated else "rule",
            row.predicate,
            self.terms(row.keys),
            row.keys,
            *piece,
            row.uncertain,
            rule=str(plan.rule) if plan else None,
            rule_id=rule_id(plan.rule) if plan else None,
            children=self.children(step, piece, above | {row.id}, level + 1) if step else (),
            partial=step is None,
        )

    def children(self, step: Step, piece: Piece, above: frozenset[int], level: int) -> tuple[Proof, ...]:
        """The premises, in the order of the rule, then the absences."""
        if step.plan.aggregated:
            return tuple(self.proof(row, above, level) for row in step.rows)
        premises = [
            self.span(row, above, level) if goal.mode == "interval" else self.proof(row, above, level)
            for goal, row in zip(step.plan.goals, step.rows, strict=True)
        ]
        return (*premises, *self.absences(step, piece))

    def span(self, row: Row, above: frozenset[int], level: int) -> Proof:
        """A whole interval: the pieces that make it up."""
        spans = list(self.base.spans(row.predicate, row.keys))
        span = next((each for each in spans if each.start <= row.start < each.end), row)
        pieces = [each for each in self.base.match(row.predicate, row.keys) if _meets(each, span.start, span.end)]
        if len(pieces) == 1:
            return self.proof(pieces[0], above, level)
        children = tuple(self.proof(each, above, level) for each in pieces)
        terms = self.terms(row.keys)
        return Proof(
            "interval", row.predicate, terms, row.keys, span.start, span.end, span.uncertain, children=children
        )

    def absences(self, step: Step, piece: Piece) -> Iterator[Proof]:
        """The absent goals, with what their variables are."""
        for goal in step.plan.absent:
            if not goal.asserted:
                keys = pattern(self.base, goal, step.keys)
                terms = tuple(ANYTHING if key is None else self.base.value(key) for key in keys)
                yield Proof("absent", goal.predicate, terms, keys, *(piece if goal.mode == "during" else ()))

    def terms(self, keys: tuple[Key, ...]) -> tuple[object, ...]:
        """The terms as written."""
        return tuple(map(self.base.value, keys))

    # ---- steps

    def step(self, row: Row) -> Step | None:
        """How a row follows: as recorded, else as found."""
        if row.id not in self.found:
            self.found[row.id] = self.recorded(row)
            if self.found[row.id] is None:
                self.search(row)
        return self.found[row.id]

    def recorded(self, row: Row) -> Step | None:
        """The step that was recorded with a row. An aggregate's is every match of its stretch."""
        if row.rule is None or row.rule < 0:
            return None
        plan = self.result.compiled.plans[row.rule]
        if plan.aggregated:
            return next(self.aggregated(row, plan), None)
        if len(row.premises) != len(plan.goals):
            return None
        rows = tuple(map(self.base.row, row.premises))
        return Step(plan, rows, self.keys(plan, rows, row))

    def keys(self, plan: Plan, rows: tuple[Row, ...], row: Row) -> Mapping[str, Key]:
        """What the variables of a recorded step are, from its premises, its head and its lets."""
        keys: dict[str, Key] = {}
        spans: dict[str, Piece] = {}
        for goal, premise in zip(plan.goals, rows, strict=True):
            keys |= {arg.name: key for arg, key in zip(goal.args, premise.keys, strict=True) if isinstance(arg, Var)}
            if goal.mode == "interval" and isinstance(goal.time, str):
                whole = list(self.base.spans(premise.predicate, premise.keys))
                span = next((each for each in whole if each.start <= premise.start < each.end), premise)
                spans[goal.time] = (span.start, span.end)
        return with_lets(self.base, plan, keys, spans) or head_keys(plan, row) or keys

    def derivations(self, row: Row) -> Iterator[Step]:
        """Every way in which some rule gives the whole row."""
        for plan in self.plans.get(row.predicate, ()):
            if plan.aggregated:
                yield from self.aggregated(row, plan)
                continue
            keys = self.bound(plan, row)
            for found in solutions(self.base, plan, keys, (row.start, row.end)) if keys is not None else ():
                if found.piece == (row.start, row.end) and (row.uncertain or not found.uncertain):
                    yield Step(plan, found.rows, found.keys)

    def bound(self, plan: Plan, row: Row) -> dict[str, Key] | None:
        """The variables that a head gives, None where a constant of the head differs."""
        for each, key in zip(plan.out, row.keys, strict=True):
            if isinstance(each, Const) and self.base.key(each.value) != key:
                return None
        return head_keys(plan, row)

    def aggregated(self, row: Row, plan: Plan) -> Iterator[Step]:
        """The matches that an aggregate counts over a row's stretch."""
        keys = self.bound(plan, row)
        if keys is None:
            return
        group = tuple(None if isinstance(e, Aggregate) else k for e, k in zip(plan.out, row.keys, strict=True))
        matches: list[Solution] = [
            each
            for each in solutions(self.base, plan, keys, (row.start, row.end))
            if each.piece == (row.start, row.end) and group_of(self.base, plan, each) == group
        ]
        if matches:
            rows = {premise.id: premise for each in matches for premise in each.rows}
            yield Step(plan, tuple(rows.values()), matches[0].keys)

    # ---- search

    def search(self, goal: Row) -> None:
        """Find steps for a row without a recorded one, and for the rows that they rest on."""
        opened: dict[int, Row] = {goal.id: goal}
        queue = deque([goal])
        waiting: dict[int, list[tuple[Row, Step]]] = {}
        proved: set[int] = set()
        while queue and goal.id not in proved and len(opened) < SEARCHED:
            row = queue.popleft()
            for step in self.derivations(row):
                open_rows = [each for each in step.rows if each.id not in proved and not self.settled(each)]
                for each in open_rows:
                    waiting.setdefault(each.id, []).append((row, step))
                    if each.id not in opened:
                        opened[each.id] = each
                        queue.append(each)
                if not open_rows:
                    self.prove(row, step, proved, waiting)
                    break

    def settled(self, row: Row) -> bool:
        """Whether a row is a claim, or has its step."""
        if row.rule is None or self.found.get(row.id) is not None:
            return True
        step = self.recorded(row) if row.id not in self.found else None
        if step is not None:
            self.found[row.id] = step
        return step is not None

    def prove(self, row: Row, step: Step, proved: set[int], waiting: dict[int, list[tuple[Row, Step]]]) -> None:
        """Settle a row, and every row that waited for it alone."""
        ready = [(row, step)]
        while ready:
            found, its_step = ready.pop()
            if found.id in proved:
                continue
            proved.add(found.id)
            self.found[found.id] = its_step
            for above, uses in waiting.pop(found.id, []):
                if all(each.id in proved or self.settled(each) for each in uses.rows):
                    ready.append((above, uses))


def head_keys(plan: Plan, row: Row) -> dict[str, Key] | None:
    """What a head's variables are; None where one variable would be two things."""
    keys: dict[str, Key] = {}
    for each, key in zip(plan.out, row.keys, strict=True):
        if isinstance(each, Var) and keys.setdefault(each.name, key) != key:
            return None
    return keys
