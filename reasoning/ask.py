"""Questions to what holds.

>>> from hornbook.reasoning.compiled import compile
>>> from hornbook.reasoning.evaluate import evaluate
>>> from hornbook.reasoning.parse import parse_program, parse_query
>>> from hornbook.reasoning.relation import Fact
>>> result = evaluate(compile(parse_program("")), {"age": [Fact(("Ana", 31), "1"), Fact(("Ben", 9), "2")]})
>>> ask(result, parse_query("age(x, n), n > 18")).rows
(('Ana', 31),)
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from hornbook.reasoning.check import check_query
from hornbook.reasoning.errors import ArityMismatch, BareEntity, UnknownPredicate
from hornbook.reasoning.evaluate import Result, nearest
from hornbook.reasoning.intervals import normal
from hornbook.reasoning.plan import Plan, plan
from hornbook.reasoning.roles import is_allen, is_test, roles
from hornbook.reasoning.syntax import Atom, Query, Rule, Var, atoms, variables
from hornbook.reasoning.terms import Key


@dataclass(frozen=True, slots=True)
class Answer:
    """A row for each binding; `pieces` says for each row when it holds: (start, end, uncertain).

    A question without variables has no columns, and one empty row if it holds.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    truncated: bool
    pieces: tuple[tuple[tuple[int, int, bool], ...], ...]
    keys: tuple[tuple[Key, ...], ...]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The rows as dictionaries."""
        return (dict(zip(self.columns, row, strict=True)) for row in self.rows)

    def __bool__(self) -> bool:
        """Whether anything was found."""
        return bool(self.rows)


def ask(
    result: Result,
    query: Query,
    limit: int = 100,
    *,
    at: int | None = None,
    now: int | None = None,
    entity: Callable[[str], bool] | None = None,
) -> Answer:
    """Answer a question. With `at` only what holds at that instant counts; without it every piece does.

    Raises UnknownPredicate for a name that nothing has, BareEntity for a bare word that `entity` knows.
    """
    check_query(query)
    check_known(result, query)
    refuse_bare(query, entity)
    asked = planned(result, query, now)
    columns = tuple(each.name for each in asked.out if isinstance(each, Var))
    found: dict[tuple[Key, ...], list[tuple[int, int, bool]]] = {}
    for keys, start, end, doubt in result.base.query(asked, at, limit + 1):
        found.setdefault(keys, []).append((start, end, doubt))
    chosen = list(found)[:limit]
    rows = tuple(tuple(map(result.base.value, keys)) for keys in chosen)
    pieces = tuple(tuple(normal(found[keys])) for keys in chosen)
    return Answer(columns, rows, len(found) > limit, pieces, tuple(chosen))


def planned(result: Result, query: Query, now: int | None = None) -> Plan:
    """A question as a rule without a head."""
    return plan(Rule(None, query.body), -1, now=result.now if now is None else now)


def predicates_of(query: Query) -> Iterator[Atom]:
    """The atoms that name predicates, built-ins apart."""
    found = roles(query.body)
    return (atom for atom in atoms(query) if not is_test(atom) and not is_allen(atom, found))


def check_known(result: Result, query: Query) -> None:
    """Every predicate asked for is there, with that many arguments."""
    for atom in predicates_of(query):
        opposite = atom.predicate[1:] if atom.predicate.startswith("-") else f"-{atom.predicate}"
        if atom.predicate not in result.arities and opposite in result.arities:
            result.arities[atom.predicate] = result.arities[opposite]  # known, though nobody said so or denied it
            result.base.allow(atom.predicate, result.arities[opposite])
        if atom.predicate not in result.arities:
            close = nearest(atom.predicate, result.arities)
            mend = f"did you mean {' or '.join(close)}?" if close else "nothing of a like name is known"
            problem = f"nothing is recorded or derived under {atom.predicate}"
            raise UnknownPredicate(problem, atom.where, query.text, mend=mend, valid=close)
        arity = result.arities[atom.predicate]
        if len(atom.args) != arity:
            mend = f"write {atom.predicate}({', '.join('xyzuvw'[:arity])})"
            problem = f"{atom.predicate} has {arity} arguments, not {len(atom.args)}"
            raise ArityMismatch(problem, atom.where, query.text, mend=mend)


def refuse_bare(query: Query, entity: Callable[[str], bool] | None) -> None:
    """A bare word is a variable; one that names something known was hardly meant so."""
    for var in variables(query.body) if entity else ():
        if not var.name.startswith("_") and entity is not None and entity(var.name):
            mend = f'write "{var.name}" for the entity, another word for a variable'
            raise BareEntity(
                f"{var.name} names something known, and a bare word is a variable", var.where, query.text, mend=mend
            )
