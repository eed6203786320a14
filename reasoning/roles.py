"""Which variable of a body is what: a value, an interval, or nothing that anything binds.

A variable after `@` names the *interval* of its atom, unless something else in the body gives it a value (an argument
of a positive atom, or `t = ...`): then it is an *instant*, and the atom asks whether it held at that instant.
"""

from collections import Counter
from dataclasses import dataclass

from hornbook.reasoning.builtins import TESTS
from hornbook.reasoning.intervals import ALLEN
from hornbook.reasoning.syntax import Atom, Compare, Literal, Not, Term, Var, variables


@dataclass(frozen=True, slots=True)
class Roles:
    """`bound`: variables with a value. `intervals`: variables that name an interval. `uses`: how often each stands."""

    bound: frozenset[str]
    intervals: frozenset[str]
    uses: Counter[str]
    unbound_times: tuple[Var, ...]

    def alone(self, var: Var) -> bool:
        """Whether it matches anything: `_`, or a word that begins with `_` and stands once."""
        return var.anonymous or (var.name.startswith("_") and self.uses[var.name] == 1)


def is_test(atom: Literal) -> bool:
    """Whether an atom is a built-in test such as starts_with."""
    return isinstance(atom, Atom) and atom.predicate in TESTS


def is_allen(atom: Literal, found: Roles) -> bool:
    """Whether an atom relates two intervals. A predicate of the memory may bear the same name: `contains(x, y)`."""
    return (
        isinstance(atom, Atom)
        and atom.predicate in ALLEN
        and len(atom.args) == 2
        and any(isinstance(arg, Var) and arg.name in found.intervals for arg in atom.args)
    )


def roles(body: tuple[Literal, ...]) -> Roles:
    """Sort the variables of a body.

    >>> from hornbook.reasoning.parse import parse_query
    >>> found = roles(parse_query("p(x)@i, q(x, t), r(x)@t, n = x + 1").body)
    >>> sorted(found.bound), sorted(found.intervals)
    (['n', 't', 'x'], ['i'])
    """
    positive = [each for each in body if isinstance(each, Atom) and not is_test(each)]
    times = {atom.time.name: atom.time for atom in positive if isinstance(atom.time, Var) and not atom.time.anonymous}
    equations = [each for each in body if isinstance(each, Compare) and each.op == "="]
    targets = {side.name for each in equations for side in (each.left, each.right) if isinstance(side, Var)}
    allen = [each for each in positive if _relates(each, set(times) - targets)]
    arguments = {arg.name for atom in positive if atom not in allen for arg in atom.args if isinstance(arg, Var)}
    intervals = set(times) - targets - arguments
    bound = _closed(arguments - {"_"}, intervals, equations)
    unbound = tuple(var for name, var in times.items() if name not in bound and name not in intervals)
    uses = Counter(var.name for literal in body for var in variables(literal))
    return Roles(frozenset(bound), frozenset(intervals), uses, unbound)


def _relates(atom: Atom, times: set[str]) -> bool:
    """Whether an atom reads as a relation of two intervals: both arguments stand after an `@`."""
    names = [arg.name for arg in atom.args if isinstance(arg, Var)]
    return (
        atom.predicate in ALLEN and atom.time is None and len(atom.args) == 2 and len(names) == 2 and {*names} <= times
    )


def _closed(bound: set[str], intervals: set[str], equations: list[Compare]) -> set[str]:
    """The variables bound once every equation that can give a value has given it."""
    waiting, before = list(equations), -1
    while len(waiting) != before:
        before = len(waiting)
        for each in list(waiting):
            for target, source in ((each.left, each.right), (each.right, each.left)):
                if isinstance(target, Var) and target.name not in intervals and _known(source, bound | intervals):
                    bound = bound | {target.name} - {"_"}
                    waiting = [other for other in waiting if other is not each]
    return bound


def _known(term: Term, bound: set[str]) -> bool:
    return all(var.name in bound for var in variables(term))


def negated(body: tuple[Literal, ...]) -> list[Atom]:
    """The atoms under `not`."""
    return [each.atom for each in body if isinstance(each, Not)]
