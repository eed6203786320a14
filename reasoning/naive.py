"""The obvious evaluator: run every rule of a stratum over everything, until nothing new is found.

It is slow and easy to believe. Tests hold the fast back end against it.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from hornbook.reasoning.aggregate import column, grouped
from hornbook.reasoning.compiled import Compiled
from hornbook.reasoning.intervals import Piece, normal, subtract
from hornbook.reasoning.limits import Limits, refuse_more, refuse_rounds
from hornbook.reasoning.match import Pattern, solutions
from hornbook.reasoning.plan import Plan, constants
from hornbook.reasoning.relation import Facts, Row, facts_of
from hornbook.reasoning.stratify import Stratum
from hornbook.reasoning.syntax import Var
from hornbook.reasoning.terms import Key, key_of, rank

Candidate = tuple[tuple[Key, ...], Piece, bool, tuple[int, ...]]


class Store:
    """Rows in the order found, by predicate and tuple, and an index by each argument. It implements `match.Base`."""

    def __init__(self, key: Callable[[Any], Key] = key_of) -> None:
        self.key = key
        self.rows: list[Row] = []
        self.tuples: dict[str, dict[tuple[Key, ...], list[Row]]] = {}
        self.index: dict[tuple[str, int, Key], dict[tuple[Key, ...], None]] = {}
        self.written: dict[Key, str] = {}

    def learn(self, key: Key, value: Any) -> None:
        """Keep how a term is written; of several ways the first in the order of texts."""
        text = json.dumps(value, ensure_ascii=False)
        if key not in self.written or text < self.written[key]:
            self.written[key] = text

    def made(self, value: Any) -> Key:
        """The key of a computed value."""
        key = self.key(value)
        self.written.setdefault(key, json.dumps(value, ensure_ascii=False))
        return key

    def value(self, key: Key) -> Any:
        """The term as written."""
        return json.loads(self.written.get(key, key))

    def add(self, row: Row) -> None:
        """Keep a row."""
        tuples = self.tuples.setdefault(row.predicate, {})
        if row.keys not in tuples:
            for place, key in enumerate(row.keys):
                self.index.setdefault((row.predicate, place, key), {})[row.keys] = None
        tuples.setdefault(row.keys, []).append(row)
        self.rows.append(row)

    def pieces(self, predicate: str, keys: tuple[Key, ...]) -> list[Row]:
        """The rows of one tuple."""
        return self.tuples.get(predicate, {}).get(keys, [])

    def found(self, predicate: str, pattern: Pattern) -> Iterable[tuple[Key, ...]]:
        """The tuples that match a pattern, by the rarest of its keys."""
        known = [(place, key) for place, key in enumerate(pattern) if key is not None]
        if not known:
            return list(self.tuples.get(predicate, {}))
        lists = [self.index.get((predicate, place, key), {}) for place, key in known]
        return [keys for keys in min(lists, key=len) if all(keys[place] == key for place, key in known)]

    def match(self, predicate: str, pattern: Pattern) -> Iterator[Row]:
        """The rows that match a pattern."""
        for keys in self.found(predicate, pattern):
            yield from list(self.pieces(predicate, keys))

    def spans(self, predicate: str, pattern: Pattern) -> Iterator[Row]:
        """Each tuple with its coalesced intervals."""
        for keys in self.found(predicate, pattern):
            yield from spans_of(self.pieces(predicate, keys))

    def size(self, predicate: str, pattern: Pattern) -> int:
        """How many tuples match a pattern, at most."""
        known = [self.index.get((predicate, place, key), {}) for place, key in enumerate(pattern) if key is not None]
        return min(map(len, known), default=len(self.tuples.get(predicate, ())))

    def allow(self, predicate: str, arity: int) -> None:
        """Let a predicate be asked for that has no rows: here any may."""

    def row(self, number: int) -> Row:
        """The row of an id."""
        return self.rows[number]

    def query(self, plan: Plan, at: int | None, limit: int) -> Iterator[tuple[tuple[Key, ...], int, int, bool]]:
        """The bindings of a question's columns with their pieces, at most `limit` bindings, in the order of terms."""
        found: dict[tuple[Key, ...], set[tuple[int, int, bool]]] = {}
        for each in solutions(self, plan, {}):
            if at is None or each.piece[0] <= at < each.piece[1]:
                keys = tuple(each.keys[var.name] for var in plan.out if isinstance(var, Var))
                found.setdefault(keys, set()).add((*each.piece, each.uncertain))
        for keys in sorted(found, key=lambda keys: [(rank(key), key) for key in keys])[:limit]:
            for piece in sorted(found[keys]):
                yield keys, *piece

    def all(self, predicate: str) -> Iterator[Row]:
        """Every row of a predicate."""
        for rows in self.tuples.get(predicate, {}).values():
            yield from rows


def spans_of(rows: list[Row]) -> Iterator[Row]:
    """The coalesced intervals of one tuple; uncertain where any instant of it is."""
    whole: list[Row] = []
    for start, end, doubt in normal((row.start, row.end, row.uncertain) for row in rows):
        if whole and whole[-1].end == start:
            whole[-1] = _span(whole[-1], whole[-1].start, end, whole[-1].uncertain or doubt)
        else:
            inside = min((row for row in rows if row.start < end and start < row.end), key=lambda row: row.id)
            whole.append(_span(inside, start, end, doubt))
    yield from whole


def _span(row: Row, start: int, end: int, uncertain: bool) -> Row:
    return Row(row.id, row.predicate, row.keys, start, end, uncertain, row.rule, row.premises, row.source)


def run(compiled: Compiled, facts: Facts, limits: Limits, key: Callable[[Any], Key] = key_of) -> Store:
    """Evaluate a program over facts."""
    store = Store(key)
    for predicate in sorted(facts):
        for fact in facts_of(facts[predicate]):
            for known, value in zip(fact.key, fact.terms, strict=True):
                store.learn(known, value)
            piece = (fact.valid_from, fact.valid_to, fact.uncertain, None, (), fact.id, fact.confidence, fact.external)
            if fact.valid_from < fact.valid_to:
                store.add(Row(len(store.rows), predicate, fact.key, *piece))
    for each in compiled.plans:
        for value in constants(each, key).values():
            store.made(value)  # a fact's way of writing it goes first
    asserted = len(store.rows)
    for stratum in compiled.strata:
        _complete(store, stratum, compiled, limits, asserted)
    return store


def _complete(store: Store, stratum: Stratum, compiled: Compiled, limits: Limits, asserted: int) -> None:
    rounds, before = 0, -1
    while before != len(store.rows):
        before = len(store.rows)
        for plan in stratum.plans:
            for candidate in list(candidates(store, plan)):
                _add_new(store, plan, candidate)
        rounds += 1
        refuse_more(len(store.rows) - asserted, stratum.plans, compiled.program.text, limits)
        refuse_rounds(rounds, stratum.plans if stratum.recursive else (), compiled.program.text, limits)


def candidates(store: Store, plan: Plan) -> Iterator[Candidate]:
    """What one rule gives over everything that is there."""
    found = solutions(store, plan, {})
    if plan.aggregated:
        for each in grouped(store, plan, found):
            yield each.keys, each.piece, each.uncertain, each.rows
        return
    for solution in found:
        keys = tuple(column(store, each, solution) for each in plan.out)  # type: ignore[arg-type] # no aggregate here
        yield keys, solution.piece, solution.uncertain, tuple(row.id for row in solution.rows)


def _add_new(store: Store, plan: Plan, candidate: Candidate) -> None:
    """Keep the part of a conclusion that no piece covers yet; a certain one looks at certain pieces only."""
    keys, piece, uncertain, premises = candidate
    known = [row for row in store.pieces(plan.head, keys) if uncertain or not row.uncertain]
    for start, end in subtract(piece, ((row.start, row.end) for row in known)):
        store.add(Row(len(store.rows), plan.head, keys, start, end, uncertain, plan.number, premises))
