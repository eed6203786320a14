"""Text to syntax tree. The grammar is `grammar.lark`; what it cannot say (where which expression may stand) is here."""

import json
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, cast

from hornbook.graph.dates import parse_moment
from hornbook.graph.errors import InvalidArgument
from hornbook.graph.names import predicate_key
from hornbook.reasoning.errors import Located, ReservedName, RuleSyntaxError, Where
from hornbook.reasoning.syntax import (
    Atom,
    Call,
    Compare,
    Const,
    Declaration,
    Literal,
    Not,
    Now,
    Program,
    Query,
    Rule,
    Scalar,
    Term,
    Var,
)

if TYPE_CHECKING:  # lark is imported when the first rule is read
    from lark import Lark, Token, Tree, UnexpectedInput

DECLARATIONS = frozenset({"functional", "symmetric"})
BINARY = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/"}
WORDS: dict[str, Scalar] = {"true": True, "false": False, "null": None}
LARGEST = 1_000_000  # characters
DEEPEST = 100  # nested terms, so that every later pass may walk them by plain recursion
SHOWN = {
    "DOT": "'.'",
    "COMMA": "','",
    "RPAR": "')'",
    "LPAR": "'('",
    "NAME": "a name",
    "__ANON_0": "'?-'",
    "__ANON_1": "':-'",
    "COMPARE": "a comparison",
    "STRING": "a quoted text",
    "NUMBER": "a number",
}


def parse_program(text: str) -> Program:
    """Rules, facts, denials and declarations, in the order written.

    >>> print(parse_program('functional(lives_in). near(x, y) :- near(y, x), x != y.'))
    functional(lives_in).
    near(x, y) :- near(y, x), x != y.
    >>> parse_program("p(x) :- q(x)")
    Traceback (most recent call last):
    hornbook.reasoning.errors.RuleSyntaxError: syntax_error at line 1, column 12: the text ends inside a rule
    """
    reader = _Reader(text)
    rules: list[Rule] = []
    declarations: list[Declaration] = []
    for statement in _children(_tree(text, "program")):
        made = reader.statement(statement)
        declarations.append(made) if isinstance(made, Declaration) else rules.append(made)
    return Program(tuple(rules), tuple(declarations), text)


def parse_query(text: str) -> Query:
    """A question: `?- p(x, "Ana").`, or the bare `p(x, "Ana")`.

    >>> print(parse_query('lives_in("Ana", y)@2024-03'))
    ?- lives_in("Ana", y)@2024-03.
    """
    (body,) = _children(_tree(text, "query"))
    return Query(_Reader(text).body(body), text)


@lru_cache(1)
def _grammar() -> "Lark":
    from lark import Lark

    grammar = Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", start=["program", "query"], propagate_positions=True, maybe_placeholders=False)


def _tree(text: str, start: str) -> "Tree[Token]":
    from lark import UnexpectedInput

    if len(text) > LARGEST:
        raise RuleSyntaxError("the text is too long", Where(1, 1), text, mend=f"at most {LARGEST:,} characters")
    try:
        return _grammar().parse(text, start=start)
    except UnexpectedInput as fault:
        raise _explained(fault, text) from None


def _explained(fault: "UnexpectedInput", text: str) -> RuleSyntaxError:
    """The parser's complaint in our words. The end of the text is reported where the text ends."""
    from lark import UnexpectedCharacters, UnexpectedToken

    if isinstance(fault, UnexpectedCharacters):
        where, found = Where(fault.line, fault.column), f"{fault.char!r} cannot stand here"
        hint = "close the quotes" if fault.char in "\"'" else "constants are quoted, dates are written @2024-03-01"
        return RuleSyntaxError(found, where, text, mend=hint)
    expected = sorted(SHOWN[name] for name in getattr(fault, "expected", ()) if name in SHOWN)
    mend = f"expected {', '.join(expected)}" if expected else "end every rule with '.'"
    if isinstance(fault, UnexpectedToken) and fault.token.type != "$END":
        token = fault.token
        where = Where(token.line or 1, token.column or 1, len(token))
        return RuleSyntaxError(f"{str(token)!r} cannot stand here", where, text, mend=mend)
    lines = text.rstrip().splitlines() or [""]
    end = Where(len(lines), max(len(lines[-1]), 1))
    return RuleSyntaxError("the text ends inside a rule", end, text, mend="end the rule with '.'; " + mend)


def _children(tree: "Tree[Token]") -> "list[Tree[Token]]":
    return cast("list[Tree[Token]]", tree.children)


class _Reader:
    """Turns the parser's tree into ours. It holds the text, for error messages, and the depth, to bound it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.depth = 0

    def fault(self, problem: str, where: Where, mend: str) -> Located:
        return RuleSyntaxError(problem, where, self.text, mend=mend)

    def statement(self, tree: "Tree[Token]") -> Rule | Declaration:
        parts, where = _children(tree), _where(tree)
        if tree.data == "denial":
            return Rule(None, self.body(parts[0]), where)
        if tree.data == "rule":
            return Rule(self.atom(parts[0]), self.body(parts[1]), where)
        head = self.atom(parts[0])
        if head.predicate in DECLARATIONS:
            return self.declaration(head)
        return Rule(head, (), where)

    def declaration(self, head: Atom) -> Declaration:
        if len(head.args) == 1 and isinstance(head.args[0], Var):
            return Declaration(head.predicate, predicate_key(head.args[0].name), head.where)
        mend = f"write {head.predicate}(lives_in)."
        raise ReservedName(f"{head.predicate} declares one predicate, by its name", head.where, self.text, mend=mend)

    def body(self, tree: "Tree[Token]") -> tuple[Literal, ...]:
        return tuple(self.literal(each) for each in _children(tree))

    def literal(self, tree: "Tree[Token]") -> Literal:
        parts = tree.children
        if tree.data == "comparison":
            op = "=" if parts[1] == "==" else str(parts[1])
            left, right = self.term(cast("Tree[Token]", parts[0])), self.term(cast("Tree[Token]", parts[2]))
            return Compare(op, left, right, _where(tree))
        atom = self.atom(_children(tree)[0])
        return Not(atom) if tree.data == "negation" else atom

    def atom(self, tree: "Tree[Token]") -> Atom:
        time: Var | Const | Now | None = None
        if tree.data in ("at_name", "at_date"):
            inner, token = tree.children
            time = self.time(cast("Token", token))
            tree = cast("Tree[Token]", inner)
        where, sign = _where(tree), ""
        if tree.data == "negative":
            sign, tree = "-", _children(tree)[0]
        if tree.data != "call":
            shown = str(tree.children[0]) if tree.data == "name" else "this"
            raise self.fault(f"{shown} is not an atom", where, "an atom is written predicate(arguments)")
        name, *args = tree.children
        terms = tuple(self.term(cast("Tree[Token]", each)) for each in args)
        return Atom(sign + predicate_key(str(name)), terms, time, where)

    def time(self, token: "Token") -> Var | Const | Now:
        where = Where(token.line or 1, token.column or 1, len(token))
        if token.type == "DATE":
            return self.date(str(token), where)
        return Now(where) if token == "now" else Var(str(token), where)

    def date(self, written: str, where: Where) -> Const:
        try:
            return Const(str(parse_moment(written[1:])), where, date=True)
        except InvalidArgument as fault:
            raise self.fault(f"{written} is not a date", where, fault.hint or "write @2024-03-01") from None

    def term(self, tree: "Tree[Token]") -> Term:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.fault("the expression is nested too deep", _where(tree), "give a part of it a name: n = ...")
        term = self._term(tree)
        self.depth -= 1
        return term

    def _term(self, tree: "Tree[Token]") -> Term:
        where, kind = _where(tree), tree.data
        if kind in WORDS:
            return Const(WORDS[kind], where)
        if kind in BINARY:
            return Call(BINARY[kind], tuple(self.term(each) for each in _children(tree)), where)
        if kind == "negative":
            return _negated(self.term(_children(tree)[0]), where)
        written = str(tree.children[0])
        if kind == "call":
            args = tuple(self.term(cast("Tree[Token]", each)) for each in tree.children[1:])
            return Call(written.casefold(), args, where)
        if kind == "name":
            return Now(where) if written == "now" else Var(written, where)
        if kind == "date":
            return self.date(written, where)
        return self.constant(kind, written, where)

    def constant(self, kind: str, written: str, where: Where) -> Const:
        if kind == "string":
            return Const(self.unquoted(written, where), where)
        value = float(written)
        if value in (float("inf"), float("-inf")):
            raise self.fault("the number is too large", where, "quote it, or write a smaller one")
        return Const(int(written) if written.isdigit() else value, where)

    def unquoted(self, written: str, where: Where) -> str:
        if written[0] == "'":
            written = '"' + written[1:-1].replace("\\'", "'").replace('"', '\\"') + '"'
        try:
            return str(json.loads(written, strict=False))
        except ValueError:
            raise self.fault(
                "unknown escape in a quoted text", where, r"write \\ for a backslash, \" for a quote"
            ) from None


def _negated(term: Term, where: Where) -> Term:
    if isinstance(term, Const) and isinstance(term.value, int | float) and not isinstance(term.value, bool):
        return Const(-term.value, where)
    return Call("-", (Const(0, where), term), where)


def _where(tree: "Tree[Token]") -> Where:
    meta = tree.meta
    if meta.empty:
        return Where(1, 1)
    return Where(meta.line, meta.column, meta.end_column - meta.column if meta.end_line == meta.line else 1)
