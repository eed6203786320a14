"""A rule in the form that both evaluators run: what is joined, subtracted, computed and tested, in this order.

    goals    positive atoms; each argument is a variable, a key, or None (anything)
    absent   atoms under `not`, whose variables the goals bind
    lets     `x = expression`, in an order in which each has its variables
    tests    comparisons, text tests, relations of intervals
    out      the head: a variable, a key, or an aggregate

How a goal looks at time is its mode:
    "during"    the conclusion holds only while it does: pieces are intersected
    "interval"  its coalesced interval is named, and does not restrict the conclusion
    "instant"   it held at an instant, and does not restrict the conclusion either
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from hornbook.graph.clock import rfc3339
from hornbook.reasoning.builtins import TESTS, instant
from hornbook.reasoning.errors import Where
from hornbook.reasoning.intervals import ALLEN
from hornbook.reasoning.roles import Roles, is_allen, is_test, roles
from hornbook.reasoning.syntax import (
    AGGREGATES,
    Atom,
    Call,
    Compare,
    Const,
    Literal,
    Not,
    Now,
    Rule,
    Term,
    Var,
    variables,
)
from hornbook.reasoning.terms import Key, key_of

KeyOf: TypeAlias = Callable[[Any], Key]


@dataclass(frozen=True, slots=True)
class Goal:
    """One atom to be matched. `time` is the interval's or the instant's variable, or the instant in microseconds.

    `asserted` narrows it to External facts: it is how a functional head gives way to them.
    """

    predicate: str
    args: tuple[Var | Const | None, ...]
    mode: str = "during"
    time: str | int | None = None
    asserted: bool = False
    atom: Atom | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Aggregate:
    """`count(x)`: distinct values of x; `count()`: distinct matches; `sum`, `avg`: one number a distinct match."""

    name: str
    over: str | None


@dataclass(frozen=True, slots=True)
class Let:
    """A variable and the term that gives it its value."""

    name: str
    term: Term


@dataclass(frozen=True, slots=True)
class Test:
    """A comparison ("<", ...), a text test ("starts_with", ...) or a relation of intervals ("before", ...)."""

    name: str
    args: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """One rule, ready to run. A denial's head is `!n`, its columns the named variables of its body."""

    number: int
    head: str
    out: tuple[Var | Const | Aggregate, ...]
    goals: tuple[Goal, ...]
    absent: tuple[Goal, ...]
    lets: tuple[Let, ...]
    tests: tuple[Test, ...]
    rule: Rule
    where: Where
    during: str | None = None  # an interval variable that the head holds over

    @property
    def aggregated(self) -> bool:
        """Whether the head counts or sums."""
        return any(isinstance(each, Aggregate) for each in self.out)

    @property
    def makes(self) -> bool:
        """Whether it can make values that are in no fact."""
        return bool(self.lets) or self.aggregated


def plan(rule: Rule, number: int, *, functional: frozenset[str] = frozenset(), now: int | None = None) -> Plan:
    """Put a checked rule into the form that is run.

    >>> from hornbook.reasoning.parse import parse_program
    >>> made = plan(parse_program("p(x, n + 1) :- q(x, n), not r(x, _), n > 3.").rules[0], 0)
    >>> [goal.predicate for goal in made.goals], made.absent[0].args[1], [let.name for let in made.lets]
    (['q'], None, ['head.1'])
    """
    rule = with_clock(rule, now)
    builder = _Builder(roles(rule.body))
    for literal in rule.body:
        builder.add(literal)
    head = f"!{number}" if rule.head is None else rule.head.predicate
    out = builder.columns(rule) if rule.head is None else builder.head(rule.head)
    if head in functional and rule.body:
        subject = rule.head.args[0] if rule.head else None
        if isinstance(subject, Var | Const):
            builder.absent.append(Goal(head, (subject, *([None] * (len(out) - 1))), asserted=True))
    during = rule.head.time.name if rule.head and isinstance(rule.head.time, Var) else None
    lets = builder.ordered()  # takes the equations that give a value out of the tests
    goals, absent, tests = tuple(builder.goals), tuple(builder.absent), tuple(builder.tests)
    return Plan(number, head, out, goals, absent, lets, tests, rule, rule.where, during)


class _Builder:
    """Gathers the parts of a plan; fresh variables have a dot in their names, so none can clash."""

    def __init__(self, found: Roles) -> None:
        self.found = found
        self.goals: list[Goal] = []
        self.absent: list[Goal] = []
        self.lets: list[Let] = []
        self.tests: list[Test] = []
        self.bound: set[str] = set()

    def add(self, literal: Literal) -> None:
        if isinstance(literal, Compare):
            self.compare(literal)
        elif isinstance(literal, Not):
            self.negated(literal)
        elif is_test(literal) or is_allen(literal, self.found):
            self.tests.append(Test(literal.predicate, literal.args))
        else:
            self.goals.append(self.goal(literal))

    def negated(self, literal: Not) -> None:
        """Absence; of a test or a relation of intervals, its opposite."""
        if is_test(literal.atom) or is_allen(literal.atom, self.found):
            self.tests.append(Test(f"not {literal.atom.predicate}", literal.atom.args))
        else:
            self.absent.append(self.goal(literal.atom))

    def compare(self, literal: Compare) -> None:
        self.tests.append(Test(literal.op, (literal.left, literal.right)))

    def goal(self, atom: Atom) -> Goal:
        args: list[Var | Const | None] = []
        for place, arg in enumerate(atom.args):
            if isinstance(arg, Var):
                args.append(None if self.found.alone(arg) else arg)
            elif isinstance(arg, Const):
                args.append(arg)
            else:
                fresh = Var(f"arg.{len(self.goals)}.{len(self.absent)}.{place}", arg.where)
                args.append(fresh)
                self.tests.append(Test("=", (fresh, arg)))
        mode, time = self.time(atom)
        return Goal(atom.predicate, tuple(args), mode, time, atom=atom)

    def time(self, atom: Atom) -> tuple[str, str | int | None]:
        if isinstance(atom.time, Const):
            return "instant", instant(atom.time.value)
        if not isinstance(atom.time, Var):
            return "during", None
        if self.found.alone(atom.time):
            return "interval", None
        return ("interval" if atom.time.name in self.found.intervals else "instant"), atom.time.name

    def head(self, atom: Atom) -> tuple[Var | Const | Aggregate, ...]:
        return tuple(self.column(place, arg) for place, arg in enumerate(atom.args))

    def column(self, place: int, arg: Term) -> Var | Const | Aggregate:
        if isinstance(arg, Call) and arg.name in AGGREGATES:
            over = next((each.name for each in arg.args if isinstance(each, Var) and not each.anonymous), None)
            return Aggregate(arg.name, over)
        if isinstance(arg, Var | Const):
            return arg
        self.lets.append(Let(f"head.{place}", arg))
        return Var(f"head.{place}", arg.where)

    def columns(self, rule: Rule) -> tuple[Var, ...]:
        """The named variables of a body that have a value, in the order written."""
        named = (var.name for var in variables(rule.body) if var.name in self.found.bound)
        return tuple(Var(name) for name in dict.fromkeys(named) if not name.startswith("_"))

    def ordered(self) -> tuple[Let, ...]:
        """The lets in an order in which each has its variables; equations that bind nothing new stay tests."""
        bound = {arg.name for goal in self.goals for arg in goal.args if isinstance(arg, Var)}
        bound |= {goal.time for goal in self.goals if goal.mode == "interval" and isinstance(goal.time, str)}
        done: list[Let] = []
        while found := self.next_let(bound):
            bound.add(found.name)
            done.append(found)
        return tuple(done)

    def next_let(self, bound: set[str]) -> Let | None:
        for let in self.lets:
            if _has(let.term, bound):
                self.lets.remove(let)
                return let
        for test in self.tests:
            for target, term in (test.args, test.args[::-1]) if test.name == "=" else ():
                if isinstance(target, Var) and target.name not in bound and _has(term, bound):
                    self.tests.remove(test)
                    return Let(target.name, term)
        return None


def _has(term: Term, bound: set[str]) -> bool:
    return all(var.name in bound for var in variables(term))


def with_clock(rule: Rule, now: int | None) -> Rule:
    """The rule with `now` as the text of that instant."""
    if now is None:
        return rule
    text = rfc3339(now)

    def term(part: Any) -> Any:
        if isinstance(part, Now):
            return Const(text, part.where, date=True)
        return replace(part, args=tuple(map(term, part.args))) if isinstance(part, Call) else part

    def literal(part: Literal) -> Literal:
        if isinstance(part, Not):
            return Not(atom(part.atom))
        if isinstance(part, Compare):
            return replace(part, left=term(part.left), right=term(part.right))
        return atom(part)

    def atom(part: Atom) -> Atom:
        return replace(part, args=tuple(map(term, part.args)), time=term(part.time))

    return replace(rule, body=tuple(map(literal, rule.body)))


def reads(plan: Plan) -> list[tuple[Goal, bool]]:
    """Each goal of a plan, and whether its predicate must be complete before the plan runs.

    It must for absence, for whole intervals and for aggregates; facts as such (`asserted`) are complete from the start.
    """
    positive = [(goal, plan.aggregated or goal.mode == "interval") for goal in plan.goals]
    return positive + [(goal, True) for goal in plan.absent if not goal.asserted]


def constants(plan: Plan, key: KeyOf = key_of) -> dict[Key, Any]:
    """Every constant that a plan compares or gives, by its key."""
    found: dict[Key, Any] = {}
    for goal in (*plan.goals, *plan.absent):
        found |= {key(arg.value): arg.value for arg in goal.args if isinstance(arg, Const)}
    for each in plan.out:
        found |= {key(each.value): each.value} if isinstance(each, Const) else {}
    for test in plan.tests:
        found |= {key(arg.value): arg.value for arg in test.args if isinstance(arg, Const)}
    return found


def is_relation_of_intervals(test: Test) -> bool:
    """Whether a test relates two intervals."""
    return test.name.removeprefix("not ") in ALLEN


def is_text_test(test: Test) -> bool:
    """Whether a test is a built-in such as starts_with."""
    return test.name.removeprefix("not ") in TESTS
