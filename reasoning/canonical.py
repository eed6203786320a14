"""A program or a question in the memory's own words: synonyms of predicates, other names of entities.

What is shown of a rule stays as it was written; this is done when it is made ready.
"""

from collections.abc import Callable
from dataclasses import replace

from hornbook.reasoning.roles import Roles, is_allen, is_test, roles
from hornbook.reasoning.syntax import (
    Atom,
    Call,
    Compare,
    Const,
    Declaration,
    Literal,
    Not,
    Program,
    Query,
    Rule,
    Term,
    Var,
)

Renamed = Callable[[str], str]


def canonical_program(program: Program, predicate: Renamed, entity: Renamed) -> Program:
    """The program with every predicate and every constant under its first name.

    >>> from hornbook.reasoning.parse import parse_program
    >>> written = parse_program('boss(x) :- -employs("ACME Inc", x).')
    >>> print(canonical_program(written, {"employs": "has_staff", "boss": "boss"}.__getitem__, lambda name: "Acme"))
    boss(x) :- -has_staff("Acme", x).
    """
    words = _Words(predicate, entity)
    rules = tuple(replace(rule, head=words.head(rule), body=words.body(rule.body)) for rule in program.rules)
    declared = tuple(replace(each, predicate=words.name(each.predicate)) for each in program.declarations)
    return replace(program, rules=rules, declarations=declared)


def canonical_query(query: Query, predicate: Renamed, entity: Renamed) -> Query:
    """The question with every predicate and every constant under its first name."""
    return replace(query, body=_Words(predicate, entity).body(query.body))


def with_declarations(program: Program, functional: Callable[[str], bool], symmetric: Callable[[str], bool]) -> Program:
    """The program with what the memory declares of the predicates that its rules conclude."""
    heads = {rule.head.predicate for rule in program.rules if rule.head is not None and len(rule.head.args) == 2}
    known = {(each.kind, each.predicate) for each in program.declarations}
    found = [
        Declaration(kind, head)
        for head in sorted(heads)
        for kind, declared in (("functional", functional), ("symmetric", symmetric))
        if declared(head) and (kind, head) not in known
    ]
    return replace(program, declarations=(*program.declarations, *found))


def with_inverses(program: Program, inverse: Callable[[str], str | None]) -> Program:
    """The program with what it concludes read from the other end too, where the memory knows a word for that.

    >>> from hornbook.reasoning.parse import parse_program
    >>> print(with_inverses(parse_program("boss_of(x, y) :- owns(x, y)."), {"boss_of": "works_under"}.get))
    boss_of(x, y) :- owns(x, y).
    works_under(y, x) :- boss_of(x, y).
    """
    concluded = {
        rule.head.predicate: rule for rule in reversed(program.rules) if rule.head and len(rule.head.args) == 2
    }
    x, y = Var("x"), Var("y")
    found = [
        Rule(Atom(other, (y, x)), (Atom(head, (x, y)),), concluded[head].where)
        for head in sorted(concluded)
        if (other := inverse(head)) is not None
    ]
    return replace(program, rules=(*program.rules, *found))


class _Words:
    """What predicates and entities are called."""

    def __init__(self, predicate: Renamed, entity: Renamed) -> None:
        self.predicate, self.entity = predicate, entity

    def name(self, written: str) -> str:
        """A predicate, or the negative one of it."""
        return f"-{self.predicate(written[1:])}" if written.startswith("-") else self.predicate(written)

    def head(self, rule: Rule) -> Atom | None:
        return None if rule.head is None else self.atom(rule.head, roles(rule.body))

    def body(self, body: tuple[Literal, ...]) -> tuple[Literal, ...]:
        found = roles(body)
        return tuple(self.literal(each, found) for each in body)

    def literal(self, literal: Literal, found: Roles) -> Literal:
        if isinstance(literal, Compare):
            return replace(literal, left=self.term(literal.left), right=self.term(literal.right))
        if isinstance(literal, Not):
            return Not(self.atom(literal.atom, found))
        return self.atom(literal, found)

    def atom(self, atom: Atom, found: Roles) -> Atom:
        if is_test(atom) or is_allen(atom, found):
            return atom
        return replace(atom, predicate=self.name(atom.predicate), args=tuple(map(self.term, atom.args)))

    def term(self, term: Term) -> Term:
        if isinstance(term, Const) and isinstance(term.value, str) and not term.date:
            return replace(term, value=self.entity(term.value))
        if isinstance(term, Call):
            return replace(term, args=tuple(map(self.term, term.args)))
        return term
