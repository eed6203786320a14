"""Functions and tests of the language. Each is plain Python, and the only implementation: both back ends call it.

A function that has no value for its arguments (a division by zero, a letter in a number, the start of an interval
that has always held) makes the rule not match; it is no error, since one odd fact must not stop the others.
"""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from hornbook.graph.clock import DAY, as_datetime, rfc3339
from hornbook.graph.dates import parse_moment
from hornbook.graph.errors import InvalidArgument
from hornbook.graph.interval import ALWAYS, FOREVER
from hornbook.reasoning.intervals import Piece
from hornbook.reasoning.syntax import Const, Now, Term, Var


class Undefined(Exception):
    """A function has no value here; the rule does not match."""


@dataclass(frozen=True, slots=True)
class Function:
    """What a function takes and gives (number, text, date, interval, any), and how."""

    takes: tuple[str, ...]
    gives: str
    call: Callable[..., Any]
    variadic: bool = False


@lru_cache(65_536)
def instant(value: object) -> int:
    """A date as microseconds, a coarse one as the first instant of its period."""
    if not isinstance(value, str):
        raise Undefined
    try:
        return parse_moment(value).at
    except InvalidArgument:
        raise Undefined from None


def shown(at: int) -> str:
    """An instant as a date where it is a midnight, else as RFC 3339.

    >>> shown(0), shown(1_000_000)
    ('1970-01-01', '1970-01-01T00:00:01Z')
    """
    if at in (ALWAYS, FOREVER):
        raise Undefined
    return as_datetime(at).date().isoformat() if at % DAY == 0 else rfc3339(at)


def _date(value: object) -> datetime:
    return as_datetime(instant(value))


def _years(since: object, until: object) -> int:
    a, b = _date(since), _date(until)
    return b.year - a.year - ((b.month, b.day, b.time()) < (a.month, a.day, a.time()))


def _months(since: object, until: object) -> int:
    a, b = _date(since), _date(until)
    return (b.year - a.year) * 12 + b.month - a.month - ((b.day, b.time()) < (a.day, a.time()))


def _length_of(piece: Piece) -> float:
    if piece[0] == ALWAYS or piece[1] == FOREVER:
        raise Undefined
    return (piece[1] - piece[0]) / DAY


def _substring(text: str, start: float, count: float) -> str:
    first = int(start) - 1
    if first < 0 or count < 0:
        raise Undefined
    return text[first : first + int(count)]


def _divided(a: float, b: float) -> float:
    if b == 0:
        raise Undefined
    return a / b


def _floored(a: float, b: float) -> float:
    if b == 0:
        raise Undefined
    return a // b


def _modulo(a: float, b: float) -> float:
    if b == 0:
        raise Undefined
    return a % b


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(_whole(value), ensure_ascii=False)


TWO = ("number", "number")
FUNCTIONS: dict[str, Function] = {
    "+": Function(TWO, "number", lambda a, b: a + b),
    "-": Function(TWO, "number", lambda a, b: a - b),
    "*": Function(TWO, "number", lambda a, b: a * b),
    "/": Function(TWO, "number", _divided),
    "div": Function(TWO, "number", _floored),
    "mod": Function(TWO, "number", _modulo),
    "abs": Function(("number",), "number", abs),
    "round": Function(TWO, "number", lambda a, digits: round(a, int(digits))),
    "floor": Function(("number",), "number", math.floor),
    "length": Function(("text",), "number", len),
    "lower": Function(("text",), "text", str.lower),
    "upper": Function(("text",), "text", str.upper),
    "trim": Function(("text",), "text", str.strip),
    "concat": Function(("any",), "text", lambda *parts: "".join(map(_plain, parts)), variadic=True),
    "substring": Function(("text", "number", "number"), "text", _substring),
    "replace": Function(("text", "text", "text"), "text", str.replace),
    "year": Function(("date",), "number", lambda d: _date(d).year),
    "month": Function(("date",), "number", lambda d: _date(d).month),
    "day": Function(("date",), "number", lambda d: _date(d).day),
    "years": Function(("date", "date"), "number", _years),
    "months": Function(("date", "date"), "number", _months),
    "days": Function(("date", "date"), "number", lambda a, b: (instant(b) - instant(a)) / DAY),
    "start": Function(("interval",), "date", lambda i: shown(i[0])),
    "end": Function(("interval",), "date", lambda i: shown(i[1])),
    "duration": Function(("interval",), "number", _length_of),
}

TESTS: dict[str, Function] = {
    "starts_with": Function(("text", "text"), "truth", lambda a, b: a.casefold().startswith(b.casefold())),
    "ends_with": Function(("text", "text"), "truth", lambda a, b: a.casefold().endswith(b.casefold())),
    "has_text": Function(("text", "text"), "truth", lambda a, b: b.casefold() in a.casefold()),
}


def compute(term: Term, values: Mapping[str, Any]) -> Any:
    """The value of a term, its variables being given. Raises Undefined when it has none.

    >>> from hornbook.reasoning.syntax import Call
    >>> compute(Call("+", (Var("n"), Const(1))), {"n": 2})
    3
    """
    if isinstance(term, Var):
        return values[term.name]
    if isinstance(term, Const):
        return term.value
    if isinstance(term, Now):
        raise Undefined
    return apply(FUNCTIONS[term.name], [compute(arg, values) for arg in term.args])


def apply(function: Function, args: list[Any]) -> Any:
    """A function applied, after its arguments' types are looked at."""
    takes = function.takes * len(args) if function.variadic else function.takes
    if not all(map(_fits, takes, args)):
        raise Undefined
    try:
        return _whole(function.call(*args))
    except (OverflowError, ValueError):
        raise Undefined from None


def _fits(kind: str, value: Any) -> bool:
    if kind == "number":
        return isinstance(value, int | float) and not isinstance(value, bool)
    return kind in ("any", "interval") or isinstance(value, str)


def _whole(value: Any) -> Any:
    """Whole numbers without a fraction, as the keys have them; what is no number any more has no value."""
    if isinstance(value, float):
        if not math.isfinite(value):
            raise Undefined
        return int(value) if value.is_integer() else value
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 2**1023:
        raise Undefined
    return value
