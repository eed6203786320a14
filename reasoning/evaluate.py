"""Evaluate a program over facts, and read what holds.

>>> from hornbook.reasoning.compiled import compile
>>> from hornbook.reasoning.parse import parse_program
>>> from hornbook.reasoning.relation import Fact
>>> rules = compile(parse_program("lives_in_country(x, c) :- lives_in(x, y), located_in(y, c)."))
>>> facts = {"lives_in": [Fact(("Ana", "Munich"), "1")], "located_in": [Fact(("munich", "Germany"), "2")]}
>>> [each.terms for each in evaluate(rules, facts).relation("lives_in_country")]
[('Ana', 'Germany')]
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal, Protocol

from hornbook.graph.errors import InvalidArgument
from hornbook.reasoning.compiled import Compiled, rule_id
from hornbook.reasoning.errors import ArityMismatch, Where
from hornbook.reasoning.intervals import normal
from hornbook.reasoning.limits import Limits
from hornbook.reasoning.match import Base
from hornbook.reasoning.plan import Plan
from hornbook.reasoning.relation import Facts, Row, Tuple, arity_of
from hornbook.reasoning.syntax import NOWHERE, Rule, Var, atoms
from hornbook.reasoning.terms import Key, key_of, rank

Backend = Literal["duckdb", "naive"]


class Derived(Base, Protocol):
    """What a back end holds after an evaluation."""

    def all(self, predicate: str) -> Iterable[Row]:
        """Every row of a predicate."""

    def row(self, number: int) -> Row:
        """The row of an id."""

    def allow(self, predicate: str, arity: int) -> None:
        """Let a predicate be asked for that has no rows."""

    def query(self, plan: Plan, at: int | None, limit: int) -> Iterable[tuple[tuple[Key, ...], int, int, bool]]:
        """The bindings of a question."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A denial whose body holds: the rule, what its variables are, and when."""

    rule: Rule
    number: int
    bindings: dict[str, Any]
    start: int
    end: int
    uncertain: bool

    @property
    def rule_id(self) -> str:
        """The denial's id."""
        return rule_id(self.rule)


@dataclass(frozen=True, slots=True)
class Result:
    """What holds: asserted and derived. `arities` names every predicate that there is."""

    compiled: Compiled
    base: Derived
    arities: dict[str, int]
    backend: Backend
    limits: Limits
    now: int | None = None

    def relation(self, predicate: str) -> tuple[Tuple, ...]:
        """What holds of a predicate, coalesced, in the order of terms."""
        if predicate not in self.arities:
            return ()
        return self.shown(predicate, self.base.all(predicate))

    def derived(self, predicate: str) -> tuple[Tuple, ...]:
        """What rules gave of a predicate, without what was asserted."""
        rows = self.base.all(predicate) if predicate in self.arities else ()
        return self.shown(predicate, (row for row in rows if row.rule is not None))

    def shown(self, predicate: str, rows: Iterable[Row]) -> tuple[Tuple, ...]:
        """Rows as tuples with coalesced pieces."""
        found: dict[tuple[Key, ...], list[tuple[int, int, bool]]] = {}
        for row in rows:
            found.setdefault(row.keys, []).append((row.start, row.end, row.uncertain))
        return tuple(
            Tuple(predicate, tuple(map(self.base.value, keys)), keys, *piece)
            for keys in sorted(found, key=lambda keys: [(rank(key), key) for key in keys])
            for piece in normal(found[keys])
        )

    def violations(self) -> tuple[Violation, ...]:
        """The denials whose body holds somewhere."""
        return tuple(
            Violation(
                plan.rule,
                plan.number,
                dict(zip(_names(plan), each.terms, strict=True)),
                each.start,
                each.end,
                each.uncertain,
            )
            for plan in self.compiled.plans
            if plan.head.startswith("!")
            for each in self.shown(plan.head, self.base.all(plan.head))
        )


def _names(plan: Plan) -> list[str]:
    return [each.name for each in plan.out if isinstance(each, Var)]


def evaluate(
    compiled: Compiled,
    facts: Facts,
    *,
    backend: Backend = "duckdb",
    now: int | None = None,
    limits: Limits | None = None,
    key: Callable[[Any], Key] = key_of,
    proofs: bool = True,
) -> Result:
    """Everything that follows from the facts.

    `key` gives the key of a constant of the program, as the facts' keys were given (an entity's alias, say).
    `now` is the instant that questions mean by `now`. Without `proofs` none are recorded; `why` then looks for them.
    """
    bounds = limits or Limits()
    arities = _arities(compiled, facts)
    if backend == "naive":
        from hornbook.reasoning import naive

        return Result(compiled, naive.run(compiled, facts, bounds, key), arities, backend, bounds, now)
    if backend != "duckdb":
        raise InvalidArgument(f"there is no back end {backend!r}", field="backend", valid=("duckdb", "naive"))
    from hornbook.reasoning.duck import Engine

    engine = Engine(compiled, bounds, key, proofs)
    engine.load(facts, arities)
    engine.run()
    return Result(compiled, engine, arities, backend, bounds, now)


def _arities(compiled: Compiled, facts: Facts) -> dict[str, int]:
    """The arity of every predicate. A relation of another arity than the program's is refused."""
    arities = dict(compiled.arities)
    for predicate, relation in facts.items():
        given = arity_of(relation)
        if given is not None and arities.setdefault(predicate, given) != given:
            problem = f"{predicate} has {arities[predicate]} arguments here and {given} in the memory"
            mend = f"write {predicate}({', '.join('xyzuvw'[:given])})"
            raise ArityMismatch(problem, place_of(compiled, predicate), compiled.program.text, mend=mend)
        if not isinstance(relation, Sequence):
            continue
        for fact in relation:
            if len(fact.terms) != given:
                problem = f"{predicate} has facts of {given} and of {len(fact.terms)} arguments"
                raise ArityMismatch(
                    problem, place_of(compiled, predicate), compiled.program.text, mend="mend the facts"
                )
    return {**dict.fromkeys(facts, 2), **arities}


def place_of(compiled: Compiled, predicate: str) -> Where:
    """Where a predicate is first named."""
    for rule in compiled.program.rules:
        for atom in (*([rule.head] if rule.head else []), *atoms(rule)):
            if atom.predicate == predicate:
                return atom.where
    return NOWHERE


def unknown(compiled: Compiled, known: Iterable[str]) -> tuple[tuple[str, Where, tuple[str, ...]], ...]:
    """The predicates that rules read and that neither facts nor heads have: where, and the nearest known names."""
    names = set(known) | compiled.heads
    missing = sorted(name for name in compiled.reads - names)
    return tuple((name, place_of(compiled, name), nearest(name, names)) for name in missing)


def nearest(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """Up to three known names that look alike."""
    return tuple(get_close_matches(name, sorted(known), 3, 0.5))
