"""A program made ready: checked, with its declarations worked in, planned and stratified."""

import uuid
from dataclasses import dataclass

from hornbook.reasoning.check import check
from hornbook.reasoning.plan import Plan, plan
from hornbook.reasoning.roles import is_allen, is_test, roles
from hornbook.reasoning.stratify import Stratum, stratify
from hornbook.reasoning.syntax import Atom, Declaration, Program, Rule, Var, atoms

NAMESPACE = uuid.UUID("6a8f0d7e-3f1c-5a51-9a55-0c6f2f3f7b10")


@dataclass(frozen=True, slots=True)
class Compiled:
    """A program that can be evaluated. `plans` are numbered; `reads` are the predicates whose facts it wants."""

    program: Program
    plans: tuple[Plan, ...]
    strata: tuple[Stratum, ...]
    functional: frozenset[str]
    arities: dict[str, int]

    @property
    def heads(self) -> frozenset[str]:
        """What rules derive, denials aside."""
        return frozenset(plan.head for plan in self.plans if not plan.head.startswith("!"))

    @property
    def reads(self) -> frozenset[str]:
        """Every predicate named."""
        return frozenset(self.arities)


def compile(program: Program, *, singletons: bool = True) -> Compiled:
    """Check, plan and stratify a program. Raises a leaf of hornbook.reasoning.errors.Located.

    >>> from hornbook.reasoning.parse import parse_program
    >>> compile(parse_program("p(x) :- q(x), not p(x)."))
    Traceback (most recent call last):
    hornbook.reasoning.errors.CyclicNegation: cyclic_negation at line 1, column 19: rules are not stratifiable: \
p depends on not p: p -> not p
    """
    check(program, singletons=singletons)
    functional = frozenset(each.predicate for each in program.declarations if each.kind == "functional")
    rules = [*program.rules, *_mirrors(program)]
    plans = tuple(plan(rule, number, functional=functional) for number, rule in enumerate(rules))
    return Compiled(program, plans, stratify(plans, program.text), functional, arities(program))


def arities(program: Program) -> dict[str, int]:
    """The number of arguments of every predicate named."""
    found = {each.predicate: 2 for each in program.declarations}
    for rule in program.rules:
        known = roles(rule.body)
        for atom in (*([rule.head] if rule.head else []), *atoms(rule)):
            if not is_test(atom) and not is_allen(atom, known):
                found[atom.predicate] = len(atom.args)
    return found


def _mirrors(program: Program) -> list[Rule]:
    """A symmetric predicate has the rule `p(y, x) :- p(x, y).` beside the written ones."""
    x, y = Var("x"), Var("y")
    declared = [each for each in program.declarations if each.kind == "symmetric"]
    return [Rule(Atom(each.predicate, (y, x)), (Atom(each.predicate, (x, y)),), each.where) for each in declared]


def rule_id(rule: Rule) -> str:
    """A rule's id: the same text gives the same id, whatever its layout and place.

    >>> from hornbook.reasoning.parse import parse_program
    >>> a, b = parse_program("p(x):-q(x).  p(x) :- q(x).").rules
    >>> rule_id(a) == rule_id(b)
    True
    """
    return statement_id(rule)


def statement_id(statement: Rule | Declaration) -> str:
    """The id of a rule or a declaration."""
    return str(uuid.uuid5(NAMESPACE, str(statement)))
