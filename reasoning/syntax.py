"""The syntax tree of a program: frozen values, each with the place it was written at.

Places do not take part in equality: two rules that say the same are equal wherever they stand.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from hornbook.reasoning.errors import Where

NOWHERE = Where(0, 0)
Scalar: TypeAlias = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Var:
    """A bare word in an argument place. `_`, and a word that begins with it and stands once, match anything."""

    name: str
    where: Where = field(default=NOWHERE, compare=False)

    @property
    def anonymous(self) -> bool:
        """Whether it is `_` itself: every `_` is another variable."""
        return self.name == "_"

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Const:
    """A quoted text, a number, true, false, null, or a date (which is the text of that date)."""

    value: Scalar
    where: Where = field(default=NOWHERE, compare=False)
    date: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        return f"@{self.value}" if self.date else json.dumps(self.value, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Now:
    """The instant of asking. It stands in questions only."""

    where: Where = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        return "now"


@dataclass(frozen=True, slots=True)
class Call:
    """An operator or a function over terms: `n + 1`, `length(x)`; in a head also an aggregate, `count(x)`."""

    name: str
    args: tuple["Term", ...]
    where: Where = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        if self.name in OPERATORS and len(self.args) == 2:
            return f"({self.args[0]} {self.name} {self.args[1]})"
        return f"{self.name}({', '.join(map(str, self.args))})"


Term: TypeAlias = Var | Const | Now | Call
OPERATORS = frozenset({"+", "-", "*", "/"})
AGGREGATES = frozenset({"count", "sum", "min", "max", "avg"})


@dataclass(frozen=True, slots=True)
class Atom:
    """`predicate(args)`, or `predicate(args)@time`. A predicate that begins with `-` is the negative claim."""

    predicate: str
    args: tuple[Term, ...]
    time: Var | Const | Now | None = None
    where: Where = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        at = "" if self.time is None else str(self.time) if isinstance(self.time, Const) else f"@{self.time}"
        return f"{self.predicate}({', '.join(map(str, self.args))}){at}"


@dataclass(frozen=True, slots=True)
class Not:
    """Absence: no fact and no conclusion matches."""

    atom: Atom

    @property
    def where(self) -> Where:
        """Where the atom stands."""
        return self.atom.where

    def __str__(self) -> str:
        return f"not {self.atom}"


@dataclass(frozen=True, slots=True)
class Compare:
    """`left op right`; `x = expression` also gives x its value when nothing else does."""

    op: str
    left: Term
    right: Term
    where: Where = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        return f"{self.left} {self.op} {self.right}"


Literal: TypeAlias = Atom | Not | Compare


@dataclass(frozen=True, slots=True)
class Rule:
    """`head :- body.`; without a body a fact, without a head a denial."""

    head: Atom | None
    body: tuple[Literal, ...]
    where: Where = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        body = ", ".join(map(str, self.body))
        if self.head is None:
            return f":- {body}."
        return f"{self.head} :- {body}." if body else f"{self.head}."


@dataclass(frozen=True, slots=True)
class Declaration:
    """What is said of a whole predicate: `functional(p).` or `symmetric(p).`."""

    kind: str
    predicate: str
    where: Where = field(default=NOWHERE, compare=False)

    def __str__(self) -> str:
        return f"{self.kind}({self.predicate})."


@dataclass(frozen=True, slots=True)
class Program:
    """Rules and declarations in the order written, with the text they were read from."""

    rules: tuple[Rule, ...]
    declarations: tuple[Declaration, ...] = ()
    text: str = field(default="", compare=False)

    def __str__(self) -> str:
        return "\n".join(map(str, (*self.declarations, *self.rules)))


@dataclass(frozen=True, slots=True)
class Query:
    """A conjunction asked for: every binding of its named variables."""

    body: tuple[Literal, ...]
    text: str = field(default="", compare=False)

    def __str__(self) -> str:
        return f"?- {', '.join(map(str, self.body))}."


def variables(part: Term | Literal | tuple[Literal, ...] | None) -> Iterator[Var]:
    """The variables of a part, in the order written, `_` included, the time of an atom last.

    >>> [str(v) for v in variables(Compare("<", Var("a"), Call("+", (Var("b"), Const(1)))))]
    ['a', 'b']
    """
    if isinstance(part, Var):
        yield part
    elif isinstance(part, tuple):
        for literal in part:
            yield from variables(literal)
    elif isinstance(part, Call):
        for term in part.args:
            yield from variables(term)
    elif isinstance(part, Compare):
        yield from variables(part.left)
        yield from variables(part.right)
    elif isinstance(part, Not):
        yield from variables(part.atom)
    elif isinstance(part, Atom):
        for term in part.args:
            yield from variables(term)
        yield from variables(part.time)


def atoms(rule: Rule | Query) -> Iterator[Atom]:
    """The atoms of a body, negated ones included."""
    for literal in rule.body:
        if isinstance(literal, Not):
            yield literal.atom
        elif isinstance(literal, Atom):
            yield literal


def names_used(program: Program | Query) -> frozenset[str]:
    """The predicates that a program or a query reads, so that only those are pulled from the memory.

    Heads count as well: a predicate that rules derive may also have been asserted.

    >>> from hornbook.reasoning.parse import parse_program
    >>> sorted(names_used(parse_program('p(x) :- q(x), not -r(x, _).')))
    ['-r', 'p', 'q']
    """
    rules = program.rules if isinstance(program, Program) else (program,)
    heads = {rule.head.predicate for rule in rules if isinstance(rule, Rule) and rule.head is not None}
    declared = {each.predicate for each in program.declarations} if isinstance(program, Program) else set()
    return frozenset(heads | declared | {atom.predicate for rule in rules for atom in atoms(rule)})
