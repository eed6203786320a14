"""The meaning of one rule, read off literally: every way to match its body, and over which pieces of time.

The naive evaluator runs rules so, and proofs are looked for so over whatever a back end has derived.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from hornbook.reasoning.builtins import TESTS, Undefined, apply, compute, instant
from hornbook.reasoning.intervals import WHOLE, Piece, related, subtract
from hornbook.reasoning.plan import Goal, Plan, Test, is_relation_of_intervals, is_text_test
from hornbook.reasoning.relation import Row
from hornbook.reasoning.syntax import Const, Term, Var
from hornbook.reasoning.terms import Key, holds

Pattern = Sequence[Key | None]


class Base(Protocol):
    """What holds: the rows of a predicate that match a pattern of keys (None is anything)."""

    def match(self, predicate: str, pattern: Pattern) -> Iterable[Row]:
        """The rows as they stand."""

    def spans(self, predicate: str, pattern: Pattern) -> Iterable[Row]:
        """Each tuple with its coalesced intervals; a span has the id of one of its rows."""

    def size(self, predicate: str, pattern: Pattern) -> int:
        """How many rows match a pattern, about."""

    def value(self, key: Key) -> Any:
        """The term as written."""

    def key(self, value: Any) -> Key:
        """The key of a constant."""

    def made(self, value: Any) -> Key:
        """The key of a value that was computed, which is remembered as it is written."""


@dataclass(frozen=True, slots=True)
class Solution:
    """One way to match a body: the variables' keys, the rows of the goals in order, and one piece of time."""

    keys: Mapping[str, Key]
    rows: tuple[Row, ...]
    piece: Piece
    uncertain: bool


@dataclass(frozen=True, slots=True)
class _Partial:
    """A match under way. `spans` are the named intervals."""

    keys: dict[str, Key]
    spans: dict[str, Piece]
    rows: tuple[tuple[int, Row], ...] = ()
    piece: Piece = WHOLE


def solutions(base: Base, plan: Plan, keys: Mapping[str, Key], within: Piece = WHOLE) -> Iterator[Solution]:
    """Every match of the body that agrees with the keys given and has an instant inside `within`."""
    start = _Partial(dict(keys), {}, (), within)
    for partial in _joined(base, plan, tuple(range(len(plan.goals))), start):
        yield from _finished(base, plan, partial)


def nearest(base: Base, plan: Plan, keys: Mapping[str, Key], within: Piece = WHOLE) -> tuple[int, dict[str, Key]]:
    """How many goals, in the order written, match together at most, and the keys of the best attempt."""
    best, found = 0, [_Partial(dict(keys), {}, (), within)]
    for number, goal in enumerate(plan.goals):
        following = [each for partial in found[:1000] for each in _extended(base, goal, number, partial)]
        if not following:
            break
        best, found = number + 1, following
    return best, found[0].keys


def _joined(base: Base, plan: Plan, left: tuple[int, ...], partial: _Partial) -> Iterator[_Partial]:
    """The goals matched one after the other, the one with the fewest rows first."""
    if not left:
        yield partial
        return
    number = min(left, key=lambda each: _fan(base, plan.goals[each], partial)) if len(left) > 1 else left[0]
    rest = tuple(each for each in left if each != number)
    for extended in _extended(base, plan.goals[number], number, partial):
        yield from _joined(base, plan, rest, extended)


def _fan(base: Base, goal: Goal, partial: _Partial) -> int:
    """How many rows a goal will match, about."""
    wanted = pattern(base, goal, partial.keys)
    return 0 if None not in wanted else base.size(goal.predicate, wanted)


def pattern(base: Base, goal: Goal, keys: Mapping[str, Key]) -> tuple[Key | None, ...]:
    """The keys that a goal asks for, None where it takes anything."""
    return tuple(
        base.key(arg.value) if isinstance(arg, Const) else keys.get(arg.name) if isinstance(arg, Var) else None
        for arg in goal.args
    )


def _extended(base: Base, goal: Goal, number: int, partial: _Partial) -> Iterator[_Partial]:
    look = base.spans if goal.mode == "interval" else base.match
    for row in look(goal.predicate, pattern(base, goal, partial.keys)):
        keys = _bound(goal, row, partial.keys)
        if keys is None:
            continue
        piece, spans = partial.piece, partial.spans
        if goal.mode == "during":
            piece = (max(piece[0], row.start), min(piece[1], row.end))
        elif isinstance(goal.time, int):
            piece = piece if row.start <= goal.time < row.end else (0, 0)
        elif goal.mode == "interval" and goal.time is not None:
            if spans.get(goal.time, (row.start, row.end)) != (row.start, row.end):
                continue
            spans = {**spans, goal.time: (row.start, row.end)}
        if piece[0] < piece[1]:
            yield _Partial(keys, spans, (*partial.rows, (number, row)), piece)


def _bound(goal: Goal, row: Row, keys: dict[str, Key]) -> dict[str, Key] | None:
    """The keys with those that the row gives, None where it disagrees (a variable that stands twice)."""
    added = dict(keys)
    for arg, key in zip(goal.args, row.keys, strict=True):
        if isinstance(arg, Var) and added.setdefault(arg.name, key) != key:
            return None
    return added


def _finished(base: Base, plan: Plan, partial: _Partial) -> Iterator[Solution]:
    """Lets, tests and absence applied to a joined body."""
    keys = with_lets(base, plan, partial.keys, partial.spans)
    if keys is None or not all(passes(base, test, keys, partial.spans) for test in plan.tests):
        return
    rows = tuple(row for _, row in sorted(partial.rows, key=lambda pair: pair[0]))
    if not all(_at_instant(base, goal, row, keys) for goal, row in zip(plan.goals, rows, strict=True)):
        return
    piece = partial.piece
    if plan.during is not None:
        span = partial.spans[plan.during]
        piece = (max(piece[0], span[0]), min(piece[1], span[1]))
    taken = [each for goal in plan.absent for each in _taken(base, goal, keys)]
    uncertain = any(row.uncertain for row in rows)
    for left in subtract(piece, taken):
        yield Solution(keys, rows, left, uncertain)


def with_lets(base: Base, plan: Plan, given: Mapping[str, Key], spans: Mapping[str, Piece]) -> dict[str, Key] | None:
    """The keys with those that the rule computes, None where one has no value."""
    keys = dict(given)
    for let in plan.lets:
        key = _key(base, let.term, keys, spans)
        if key is None or keys.setdefault(let.name, key) != key:
            return None
    return keys


def _key(base: Base, term: Term, keys: Mapping[str, Key], spans: Mapping[str, Piece]) -> Key | None:
    """The key of a term, None where it has no value."""
    if isinstance(term, Var):
        return keys[term.name]
    if isinstance(term, Const):
        return base.key(term.value)
    try:
        return base.made(compute(term, _Values(base, keys, spans)))
    except Undefined:
        return None


class _Values(dict[str, Any]):
    """The variables' values, looked up when asked for."""

    def __init__(self, base: Base, keys: Mapping[str, Key], spans: Mapping[str, Piece]) -> None:
        super().__init__(spans)
        self.base, self.keys_of = base, keys

    def __missing__(self, name: str) -> Any:
        return self.base.value(self.keys_of[name])


def passes(base: Base, test: Test, keys: Mapping[str, Key], spans: Mapping[str, Piece]) -> bool:
    """Whether a test holds."""
    if is_relation_of_intervals(test):
        a, b = (spans[arg.name] for arg in test.args if isinstance(arg, Var))
        return related(test.name.removeprefix("not "), a, b) is not test.name.startswith("not ")
    found = [_key(base, arg, keys, spans) for arg in test.args]
    if any(key is None for key in found):
        return False
    left, right = (key for key in found if key is not None)
    if is_text_test(test):
        return text_test(test.name, base.value(left), base.value(right))
    return holds(test.name, left, right)


def text_test(name: str, left: Any, right: Any) -> bool:
    """A test such as starts_with, or its opposite; of what is no text neither holds."""
    try:
        return bool(apply(TESTS[name.removeprefix("not ")], [left, right])) is not name.startswith("not ")
    except Undefined:
        return False


def _at_instant(base: Base, goal: Goal, row: Row, keys: Mapping[str, Key]) -> bool:
    if goal.mode != "instant" or not isinstance(goal.time, str):
        return True
    at = instant_of(base, keys[goal.time])
    return at is not None and row.start <= at < row.end


def instant_of(base: Base, key: Key) -> int | None:
    """The instant that a term names, None if it is no date."""
    try:
        return instant(base.value(key))
    except Undefined:
        return None


def _taken(base: Base, goal: Goal, keys: Mapping[str, Key]) -> Iterator[Piece]:
    """The pieces during which an absent goal is not absent."""
    at = goal.time
    if goal.mode == "instant" and isinstance(at, str):
        at = instant_of(base, keys[at])
    for row in base.match(goal.predicate, pattern(base, goal, keys)):
        if goal.asserted and not (row.rule is None and row.external):
            continue
        if not repeats(goal, row):
            continue
        if goal.mode == "during":
            yield row.start, row.end
        elif goal.mode == "interval" or (isinstance(at, int) and row.start <= at < row.end):
            yield WHOLE


def repeats(goal: Goal, row: Row) -> bool:
    """Whether a row agrees with itself where a goal names one variable twice."""
    seen: dict[str, Key] = {}
    return all(
        seen.setdefault(arg.name, key) == key
        for arg, key in zip(goal.args, row.keys, strict=True)
        if isinstance(arg, Var)
    )
