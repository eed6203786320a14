"""Questions to a memory: over what it believes and what its rules derive, at both clocks."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from hornbook.graph import entities
from hornbook.graph.displayed import Displayed, brief, counted
from hornbook.graph.errors import InvalidArgument
from hornbook.graph.store import Reading
from hornbook.graph.view import queries
from hornbook.reasoning.ask import ask as answered
from hornbook.reasoning.ask import predicates_of
from hornbook.reasoning.canonical import canonical_query
from hornbook.reasoning.derived import Current, Derivation
from hornbook.reasoning.errors import BareEntity, UnknownPredicate
from hornbook.reasoning.evaluate import nearest
from hornbook.reasoning.explain import Explained, explain
from hornbook.reasoning.parse import parse_query
from hornbook.reasoning.relation import SPECIAL
from hornbook.reasoning.rulebook import entity_of, predicate_of
from hornbook.reasoning.syntax import Query, variables

parsed = parse_query
MOST_ROWS = 100_000  # that pages reach


@dataclass(frozen=True, slots=True)
class Page:
    """Where a page of answers begins: as known at `seq`, true at `at`, after `offset` rows."""

    seq: int
    at: int
    offset: int

    def __str__(self) -> str:
        return f"{self.seq}.{self.at}.{self.offset}"


def page(cursor: str | None) -> Page | None:
    """The page that a cursor stands for.

    >>> str(page("7.1700000000000000.100"))
    '7.1700000000000000.100'
    """
    if cursor is None:
        return None
    parts = cursor.split(".")
    plain = len(parts) == 3 and all(part.removeprefix("-").isdigit() and part.isascii() for part in parts)
    if not plain or len(cursor) > 60 or int(parts[2]) > MOST_ROWS:
        raise InvalidArgument("cursor is none that a page gave", field="cursor", hint="leave it out to begin anew")
    return Page(*map(int, parts))


@dataclass(frozen=True, slots=True, repr=False)
class Asked(Displayed):
    """The rows of a question; `pieces` says of each when it holds, `uncertain` which rest on an uncertain time."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    truncated: bool
    pieces: tuple[tuple[tuple[int, int, bool], ...], ...]
    uncertain: tuple[int, ...]
    next_cursor: str | None
    as_known: str

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The rows as dictionaries."""
        return (dict(zip(self.columns, row, strict=True)) for row in self.rows)

    def __bool__(self) -> bool:
        """Whether anything was found."""
        return bool(self.rows)

    def _told(self) -> Iterator[str]:
        if not self.columns:
            yield "yes" if self else "no"
            return
        yield f"{counted(len(self.rows), 'row')} of {' '.join(self.columns)}"
        yield from (" ".join(map(brief, row)) for row in self.rows)

    def as_dict(self) -> dict[str, Any]:
        """The reply."""
        shown: dict[str, Any] = {
            "columns": list(self.columns),
            "rows": [list(row) for row in self.rows],
            "truncated": self.truncated,
            "next_cursor": self.next_cursor,
            "as_known": self.as_known,
        }
        return {**shown, "timing_uncertain": list(self.uncertain)} if self.uncertain else shown


def ask(reading: Reading, derivation: Derivation, query: Query, limit: int, begin: Page | int) -> Asked:
    """The rows of a question at an instant, or a further page of them."""
    start = begin if isinstance(begin, Page) else Page(reading.upto, begin, 0)
    with prepared(reading, derivation, query) as (current, question):
        found = answered(current.result, question, start.offset + limit, at=start.at, now=reading.now)
    cut = slice(start.offset, start.offset + limit)
    pieces = found.pieces[cut]
    doubtful = tuple(row for row, each in enumerate(pieces) if any(doubt for _, _, doubt in each))
    after = str(replace(start, offset=start.offset + limit)) if found.truncated else None
    return Asked(found.columns, found.rows[cut], found.truncated, pieces, doubtful, after, reading.as_known)


def explained(
    reading: Reading, derivation: Derivation, asked: Query | str, depth: int, proofs: int, at: int
) -> Explained:
    """Why a fact, an answer, or what an id stands for holds."""
    if isinstance(asked, str):
        with derivation.at(reading) as current:
            return explain(reading, current, asked, depth, proofs, at)
    with prepared(reading, derivation, asked) as (current, question):
        return explain(reading, current, question, depth, proofs, at)


@contextmanager
def prepared(reading: Reading, derivation: Derivation, query: Query) -> Iterator[tuple[Current, Query]]:
    """What holds with the facts that a question needs, and the question in the memory's words."""
    refuse_bare(reading, query)
    question = canonical_query(query, predicate_of(reading.registry), entity_of(reading))
    names = known_names(reading, derivation, question)
    with derivation.at(reading, names) as current:
        yield current, question


def known_names(reading: Reading, derivation: Derivation, query: Query) -> frozenset[str]:
    """The predicates of a question. One that nothing records or derives is an error with the nearest."""
    asked = [(atom, atom.predicate.removeprefix("-")) for atom in predicates_of(query)]
    known = {*reading.ask(queries.predicates_said, upto=reading.upto), *SPECIAL}
    if any(name not in known for _, name in asked):
        with derivation.at(reading) as current:
            known |= {name.removeprefix("-") for name in current.compiled.arities}
    for atom, name in asked:
        if name not in known:
            close = nearest(name, known - SPECIAL.keys()) or nearest(name, known)
            mend = f"did you mean {' or '.join(close)}?" if close else "nothing of a like name is known"
            problem = f"nothing is recorded or derived under {name}"
            raise UnknownPredicate(problem, atom.where, query.text, mend=mend, valid=close)
    return frozenset(atom.predicate for atom, _ in asked)


def refuse_bare(reading: Reading, query: Query) -> None:
    """A bare word is a variable; one that names an entity was hardly meant so."""
    words: Iterable[Any] = {var.name: var for var in variables(query.body)}.values()
    for var in words:
        if not var.name.startswith("_") and len(var.name) > 1 and entities.find(reading, var.name) is not None:
            problem = f"{var.name} names something known, and a bare word is a variable"
            mend = f'write "{var.name}" for the entity, another word for a variable'
            raise BareEntity(problem, var.where, query.text, mend=mend)
