"""Why something does not hold: the rule that came nearest, and the first part of its body that failed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from hornbook.graph.displayed import Displayed
from hornbook.reasoning.ask import ask, check_known, planned
from hornbook.reasoning.check import check_query
from hornbook.reasoning.compiled import rule_id
from hornbook.reasoning.evaluate import Result
from hornbook.reasoning.match import Base, nearest, pattern, solutions
from hornbook.reasoning.parse import parse_query
from hornbook.reasoning.plan import Goal, Plan, Test
from hornbook.reasoning.syntax import Atom, Const, Query, Var
from hornbook.reasoning.terms import Key


@dataclass(frozen=True, slots=True)
class Attempt:
    """One rule that could have given it: how many parts of the body matched, and the first that did not, and how."""

    rule: str
    rule_id: str
    matched: int
    parts: int
    failed: str
    reason: str

    def text(self) -> str:
        """For people."""
        return f"{self.rule}\n  {self.matched} of {self.parts} parts match; then {self.failed}: {self.reason}"


@dataclass(frozen=True, slots=True, repr=False)
class Absence(Displayed):
    """Why something does not hold. `attempts` are sorted, the nearest first; `holds` says that it does after all."""

    asked: str
    holds: bool
    attempts: tuple[Attempt, ...]

    def text(self) -> str:
        """For people."""
        if self.holds:
            return f"{self.asked} holds"
        if not self.attempts:
            return f"{self.asked} does not hold: nothing asserts it, and no rule concludes such a thing"
        return "\n".join([f"{self.asked} does not hold; the nearest:", *(each.text() for each in self.attempts)])

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        names = ("rule", "rule_id", "matched", "parts", "failed", "reason")
        attempts = [{name: getattr(each, name) for name in names} for each in self.attempts]
        return {"asked": self.asked, "holds": self.holds, "attempts": attempts}


def why_not(result: Result, asked: str | Query, *, at: int | None = None, now: int | None = None) -> Absence:
    """Why a fact does not hold, or why a question has no answer.

    >>> from hornbook.reasoning.compiled import compile
    >>> from hornbook.reasoning.evaluate import evaluate
    >>> from hornbook.reasoning.parse import parse_program
    >>> from hornbook.reasoning.relation import Fact
    >>> rules = compile(parse_program("uncle(x, z) :- brother(x, y), parent(y, z)."))
    >>> facts = {"brother": [Fact(("Ben", "Ana"), "1")], "parent": [Fact(("Eva", "Tim"), "2")]}
    >>> print(why_not(evaluate(rules, facts), 'uncle("Ben", "Tim")').text())
    uncle("Ben", "Tim") does not hold; the nearest:
    uncle(x, z) :- brother(x, y), parent(y, z).
      1 of 2 parts match; then parent("Ana", "Tim"): nothing says so
    """
    query = parse_query(asked) if isinstance(asked, str) else asked
    check_query(query)
    check_known(result, query)
    shown = str(query).removeprefix("?- ").removesuffix(".")
    if ask(result, query, 1, at=at, now=now):
        return Absence(shown, True, ())
    plan = planned(result, query, now)
    if len(query.body) > 1 or not plan.goals or plan.goals[0].mode != "during":
        return Absence(shown, False, (attempt(result.base, plan, {}, at),))
    found = [attempt(result.base, each, keys, at) for each, keys in _rules(result, plan.goals[0])]
    return Absence(shown, False, tuple(sorted(found, key=lambda each: each.matched / each.parts, reverse=True)))


def _rules(result: Result, goal: Goal) -> Iterator[tuple[Plan, dict[str, Key]]]:
    """The rules whose head can be the goal, with what it binds."""
    wanted = pattern(result.base, goal, {})
    for plan in result.compiled.plans:
        if plan.head != goal.predicate or not plan.rule.body:
            continue
        keys: dict[str, Key] = {}
        pairs = [(out, key) for out, key in zip(plan.out, wanted, strict=True) if key is not None]
        fits = all(result.base.key(out.value) == key for out, key in pairs if isinstance(out, Const))
        fits = fits and all(keys.setdefault(out.name, key) == key for out, key in pairs if isinstance(out, Var))
        if fits:
            yield plan, keys


def attempt(base: Base, plan: Plan, keys: Mapping[str, Key], at: int | None) -> Attempt:
    """How far a rule's body gets."""
    within = {} if at is None else {"within": (at, at + 1)}
    computed = {let.name for let in plan.lets}
    given = {name: key for name, key in keys.items() if name not in computed}
    parts = max(len(plan.goals) + len(plan.tests) + len(plan.lets) + len(plan.absent), 1)
    matched, best = nearest(base, plan, given, **within)
    if matched < len(plan.goals):
        goal = plan.goals[matched]
        rows = any(True for _ in base.match(goal.predicate, pattern(base, goal, best)))
        reason = "holds, but never while the parts before it do" if rows else "nothing says so"
        return _attempt(plan, matched, parts, _shown(base, goal, best), reason)
    for number in range(len(plan.lets) + 1):
        some = replace(plan, lets=plan.lets[:number], tests=(), absent=())
        if not any(True for _ in solutions(base, some, given, **within)):
            let = plan.lets[number - 1]
            return _attempt(plan, matched + number - 1, parts, f"{let.name} = {let.term}", "it has no value")
    return _late(base, plan, keys, parts, matched + len(plan.lets), within)


def _late(
    base: Base, plan: Plan, keys: Mapping[str, Key], parts: int, matched: int, within: Mapping[str, tuple[int, int]]
) -> Attempt:
    """The body is joined and computed: a comparison or an absence fails."""
    for number in range(len(plan.tests) + 1):
        some = replace(plan, tests=plan.tests[:number], absent=())
        if not any(True for _ in solutions(base, some, keys, **within)):
            if number == 0:
                let = next(let for let in plan.lets if let.name in keys)
                return _attempt(plan, matched - 1, parts, f"{let.name} = {let.term}", "it has another value")
            return _attempt(
                plan, matched + number - 1, parts, _test(plan.tests[number - 1]), "it is not so for any match"
            )
    matched += len(plan.tests)
    for number, goal in enumerate(plan.absent):
        without = replace(plan, absent=plan.absent[:number])
        with_it = replace(plan, absent=plan.absent[: number + 1])
        if not any(True for _ in solutions(base, with_it, keys, **within)):
            found = next(iter(solutions(base, without, keys, **within)))
            reason = "an asserted claim takes its place" if goal.asserted else "it is there"
            return _attempt(plan, matched + number, parts, f"not {_shown(base, goal, found.keys)}", reason)
    return _attempt(plan, parts, parts, "nothing", "every part matches, for another value of an aggregate")


def _attempt(plan: Plan, matched: int, parts: int, failed: str, reason: str) -> Attempt:
    return Attempt(str(plan.rule), rule_id(plan.rule), matched, parts, failed, reason)


def _shown(base: Base, goal: Goal, keys: Mapping[str, Key]) -> str:
    """A goal with its variables replaced by what they are."""

    def term(arg: Var | Const | None) -> str:
        if arg is None:
            return "_"
        if isinstance(arg, Var):
            return str(Const(base.value(keys[arg.name]))) if arg.name in keys else arg.name
        return str(arg)

    at = goal.atom.time if goal.atom else None
    time = "" if at is None else str(Atom("", (), at)).removeprefix("()")
    return f"{goal.predicate}({', '.join(map(term, goal.args))}){time}"


def _test(test: Test) -> str:
    if len(test.args) == 2 and not test.name[0].isalpha():
        return f"{test.args[0]} {test.name} {test.args[1]}"
    return f"{test.name}({', '.join(map(str, test.args))})"
