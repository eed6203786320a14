"""Filters on records: conditions on what a record is, on its times and on its metadata, joined by and, or, not.

Shape: `{"priority": "high", "created_at": {"gte": "2024"}, "or": [{"deck": {"in": ["a", "b"]}}, {"not": {...}}]}`.
Every key of an object must hold. Keys are data: one that is neither a word of ATTRIBUTES nor `and`, `or`, `not` names
an entry of the metadata; `metadata.created_at` names one that has the name of an attribute. What a record does not
have fulfils `ne` and `nin` alone.
"""

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hornbook.graph.dates import Moment, parse_moment
from hornbook.graph.errors import InvalidArgument

TIMES = ("created_at", "updated_at", "occurred_at")
ATTRIBUTES = (
    *("memory_id", "id", "node_id", "user_id", "agent_id", "run_id", "session_id", "speaker", "role"),
    *("scope", "memory_type", "node_type"),
    *TIMES,
)
JOINERS = ("and", "or", "not")
OPERATORS = ("eq", "ne", "gt", "gte", "lt", "lte", "in", "nin")
METADATA = "metadata."
DEEPEST, MOST = 16, 256  # levels, conditions

Fields = Callable[[str], Any]  # the value of a key of one record, MISSING where it has none
MISSING = object()


@dataclass(frozen=True, slots=True)
class Term:
    """One condition; times are compared with the period that was named."""

    key: str
    operator: str
    value: Any


@dataclass(frozen=True, slots=True)
class Joined:
    """Conditions joined by `and`, `or` or `not` (not all of them)."""

    how: str
    parts: "tuple[Term | Joined, ...]"


Filter = Term | Joined
EVERYTHING = Joined("and", ())


def parse(given: object, field: str = "filters") -> Filter:
    """A filter as a client wrote it, checked; None is everything.

    >>> parse({"priority": "high"})
    Joined(how='and', parts=(Term(key='priority', operator='eq', value='high'),))
    >>> parse({"priority": {"like": "h%"}})
    Traceback (most recent call last):
    hornbook.graph.errors.InvalidArgument: there is no operator like
    """
    if given is None:
        return EVERYTHING
    found = _object(given, field, 0)
    if _size(found) > MOST:
        raise InvalidArgument(f"{field} has more than {MOST} conditions", field=field)
    return found


def _object(given: object, field: str, depth: int) -> Joined:
    if depth > DEEPEST:
        raise InvalidArgument(f"{field} is nested more than {DEEPEST} deep", field=field)
    if not isinstance(given, Mapping) or not all(isinstance(key, str) for key in given):
        raise InvalidArgument(f"{field} is not an object", field=field, hint='for example {"priority": "high"}')
    return Joined("and", tuple(_entry(key, value, f"{field}.{key}", depth) for key, value in given.items()))


def _entry(key: str, value: object, field: str, depth: int) -> Filter:
    joiner = key.lower().removeprefix("$")
    if joiner not in JOINERS:
        return _condition(key, value, field)
    if joiner == "not" and isinstance(value, Mapping):
        value = [value]
    if not isinstance(value, Sequence) or isinstance(value, str) or not value:
        raise InvalidArgument(f"{field} is not a list of filters", field=field)
    return Joined(joiner, tuple(_object(one, f"{field}.{at}", depth + 1) for at, one in enumerate(value)))


def _condition(key: str, value: object, field: str) -> Filter:
    if isinstance(value, list):
        raise InvalidArgument(f"{field} is a list", field=field, hint='one of several is {"in": [...]}')
    if not isinstance(value, Mapping):
        return _term(key, "eq", value, field)
    if not value:
        raise InvalidArgument(f"{field} has no operator", field=field, valid=OPERATORS)
    return Joined("and", tuple(_term(key, str(operator), one, field) for operator, one in value.items()))


def _term(key: str, operator: str, value: object, field: str) -> Term:
    name = operator.lower().removeprefix("$")
    if name not in OPERATORS:
        near = difflib.get_close_matches(name, OPERATORS, n=1)
        hint = f"did you mean {near[0]}?" if near else None
        raise InvalidArgument(f"there is no operator {operator}", field=field, hint=hint, valid=OPERATORS)
    if name in ("in", "nin") and not isinstance(value, list):
        raise InvalidArgument(f"{field}.{operator} is not a list", field=field)
    if name in ("gt", "gte", "lt", "lte") and (isinstance(value, bool) or not isinstance(value, str | int | float)):
        raise InvalidArgument(f"{field}.{operator} is neither a number nor a text", field=field)
    return Term(key, name, _moments(value, field) if key in TIMES else value)


def _moments(value: Any, field: str) -> Any:
    if isinstance(value, list):
        return [_moments(one, field) for one in value]
    return None if value is None else parse_moment(value, field)


def _size(one: Filter) -> int:
    return 1 if isinstance(one, Term) else 1 + sum(_size(part) for part in one.parts)


def holds(one: Filter, fields: Fields) -> bool:
    """Whether a record fulfils a filter.

    >>> record = {"priority": "high", "rank": 3}
    >>> fields = lambda key: record.get(key, MISSING)
    >>> holds(parse({"rank": {"gte": 3, "lt": 4}}), fields), holds(parse({"not": {"priority": "high"}}), fields)
    (True, False)
    """
    if isinstance(one, Term):
        return _fulfils(one, fields(one.key))
    if one.how == "and":
        return all(holds(part, fields) for part in one.parts)
    if one.how == "or":
        return any(holds(part, fields) for part in one.parts)
    return not all(holds(part, fields) for part in one.parts)


def _fulfils(term: Term, value: Any) -> bool:
    match term.operator:
        case "eq":
            return same(value, term.value)
        case "ne":
            return not same(value, term.value)
        case "in":
            return any(same(value, one) for one in term.value)
        case "nin":
            return not any(same(value, one) for one in term.value)
    return _compared(term.operator, value, term.value)


def same(value: Any, wanted: Any) -> bool:
    """JSON equality: 1 equals 1.0, but neither true nor "1"; an instant equals the period it lies in.

    >>> same(1, 1.0), same(1, True), same("1", 1), same([1, {"a": None}], [1.0, {"a": None}])
    (True, False, False, True)
    """
    if isinstance(wanted, Moment):
        return _number(value) and wanted.at <= value < max(wanted.latest, wanted.at + 1)
    if isinstance(value, bool) or isinstance(wanted, bool):
        return value is wanted
    if isinstance(value, list) and isinstance(wanted, list):
        return len(value) == len(wanted) and all(map(same, value, wanted))
    if isinstance(value, Mapping) and isinstance(wanted, Mapping):
        return value.keys() == wanted.keys() and all(same(value[key], wanted[key]) for key in value)
    return bool(value == wanted)


def _compared(operator: str, value: Any, wanted: Any) -> bool:
    """Numbers with numbers, texts with texts; anything else is no comparison, and does not hold."""
    if isinstance(wanted, Moment):
        # later than a year is later than its end; up to a year includes all of it
        wanted = max(wanted.latest, wanted.at + 1) - 1 if operator in ("gt", "lte") else wanted.at
    comparable = (_number(value) and _number(wanted)) or (isinstance(value, str) and isinstance(wanted, str))
    if not comparable:
        return False
    match operator:
        case "gt":
            return bool(value > wanted)
        case "gte":
            return bool(value >= wanted)
        case "lt":
            return bool(value < wanted)
    return bool(value <= wanted)


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
