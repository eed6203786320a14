"""What can be wrong with a rule, a program or a query.

RuleError (hornbook.graph.errors)
└── Located                 has a line, a column, the source line with a caret, and the mend
    ├── RuleSyntaxError     syntax_error        the text is not a program
    ├── UnboundVariable     unbound_variable    a variable that no positive atom of the body binds
    ├── SafetyViolation     safety_violations   a place that must be bound holds `_`, or is bound only under `not`
    ├── SingletonVariable   singleton           a variable used once: mostly a slip of the pen
    ├── ArityMismatch       arity_mismatch      one predicate with two numbers of arguments
    ├── TypeClash           type_clash          a number where a text must stand, an interval where a value must
    ├── CyclicNegation      cyclic_negation     a predicate that depends on its own absence, or on its own count
    ├── MisplacedClock      misplaced_clock     `now` in a rule: the clock is for questions
    ├── ReservedName        reserved_name       a head or a declaration that takes a built-in's name
    ├── BareEntity          bare_entity         a bare word in a question that names something: it wants quotes
    ├── UnknownPredicate    unknown_predicate   nothing is recorded or derived under that name
    ├── Divergent           divergent           a recursion that makes new values for ever
    └── LimitExceeded       limit               more would be derived than the stated limit

`kind` is the name in the second column; `code` is the wire code that every tool error has.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from hornbook.graph.errors import RuleError


@dataclass(frozen=True, slots=True)
class Where:
    """Where something stands in a program: line and column count from 1."""

    line: int
    column: int
    width: int = 1

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}"


class Located(RuleError):
    """A fault with a place. `str` is one sentence; `report()` shows the line, a caret under the place, and the mend.

    >>> print(UnboundVariable("y is not bound", Where(1, 6), "p(x, y) :- q(x).", mend="bind y").report())
    unbound_variable at line 1, column 6: y is not bound
      p(x, y) :- q(x).
           ^
      bind y
    """

    kind: ClassVar[str] = "rule_error"

    def __init__(
        self, problem: str, where: Where, source: str, *, mend: str | None = None, valid: Sequence[str] | None = None
    ) -> None:
        super().__init__(f"{self.kind} at {where}: {problem}", field="text", hint=mend, valid=valid)
        self.problem, self.where, self.mend = problem, where, mend
        lines = source.splitlines()
        self.excerpt = lines[where.line - 1] if 0 < where.line <= len(lines) else ""

    @property
    def caret(self) -> str:
        """The source line, and under it a caret at the place."""
        return f"{self.excerpt}\n{' ' * (self.where.column - 1)}{'^' * max(self.where.width, 1)}"

    def report(self) -> str:
        """What, where and how to mend it, for people."""
        lines = [self.message, *("  " + line for line in self.caret.splitlines())]
        return "\n".join([*lines, f"  {self.mend}"] if self.mend else lines)

    def as_dict(self) -> dict[str, Any]:
        """The error in its one wire shape, and in `rule` the parts of it."""
        return {**super().as_dict(), "rule": self.detail()}

    def detail(self) -> dict[str, Any]:
        """The parts, for programs."""
        place = {"line": self.where.line, "column": self.where.column, "caret": self.caret}
        return {"code": self.kind, "message": self.problem, **place, "mend": self.mend}


class RuleSyntaxError(Located):
    """The text is not a program."""

    kind = "syntax_error"


class UnboundVariable(Located):
    """A variable that no positive atom of the body binds."""

    kind = "unbound_variable"


class SafetyViolation(Located):
    """A place that must be bound holds `_`, or a variable that stands only under `not`."""

    kind = "safety_violations"


class SingletonVariable(Located):
    """A variable used once in a rule."""

    kind = "singleton"


class ArityMismatch(Located):
    """One predicate with two numbers of arguments."""

    kind = "arity_mismatch"


class TypeClash(Located):
    """A value of one type where another must stand."""

    kind = "type_clash"


class CyclicNegation(Located):
    """A predicate depends on its own absence or on an aggregate of itself. `cycle` lists it in order."""

    kind = "cyclic_negation"

    def __init__(self, problem: str, where: Where, source: str, *, cycle: Sequence[str], mend: str) -> None:
        super().__init__(problem, where, source, mend=mend)
        self.cycle = tuple(cycle)


class MisplacedClock(Located):
    """`now` stands in a rule."""

    kind = "misplaced_clock"


class ReservedName(Located):
    """A head or a declaration takes the name of a built-in."""

    kind = "reserved_name"


class BareEntity(Located):
    """A bare word in a question names something that is known, and so is hardly meant as a variable."""

    kind = "bare_entity"


class UnknownPredicate(Located):
    """Nothing is recorded or derived under that name. `valid` holds the nearest names that are."""

    kind = "unknown_predicate"
    code = "not_found"


class Divergent(Located):
    """A recursion that makes new values was stopped."""

    kind = "divergent"


class LimitExceeded(Located):
    """More would be derived than the stated limit. Nothing was kept."""

    kind = "limit"
    code = "too_large"
