"""Terms as the evaluators see them: a key that decides equality, and the order of keys.

A key is what `hornbook.graph.names.value_key` gives: canonical JSON. What was written is kept beside it for display.
Order: numbers among numbers by size, texts among texts by their folded letters. Between kinds there is none, so
`<` between a number and a text is never true; only `min` and `max` order kinds, null first, then false and true,
numbers, texts, and the rest.
"""

import json
from functools import lru_cache
from typing import Any, TypeAlias

from hornbook.graph.names import value_key

Key: TypeAlias = str
NULL, BOOL, NUMBER, TEXT, OTHER = range(5)


def key_of(value: Any) -> Key:
    """The key of a value.

    >>> key_of("Ana"), key_of(2.0)
    ('"ana"', '2')
    """
    return _text_key(value) if type(value) is str else value_key(value)


@lru_cache(65_536)
def _text_key(value: str) -> Key:
    return value_key(value)


@lru_cache(65_536)
def rank(key: Key) -> tuple[int, float, str]:
    """Where a key stands in the order: its kind, its number, its text.

    >>> rank('10') > rank('9'), rank('"b"') > rank('"a"'), rank('"a"')[0] == rank('1')[0]
    (True, True, False)
    """
    if key.startswith('"'):
        return (TEXT, 0.0, str(json.loads(key)))
    if key == "null":
        return (NULL, 0.0, "")
    if key in ("true", "false"):
        return (BOOL, float(key == "true"), "")
    if key[0] in "[{":
        return (OTHER, 0.0, key)
    return (NUMBER, _size(key), "")


def _size(key: Key) -> float:
    try:
        return float(key)
    except OverflowError:
        return float("inf")


def holds(op: str, left: Key, right: Key) -> bool:
    """Whether a comparison holds between two keys.

    >>> holds("<", "2", "10"), holds("!=", "1", '"1"'), holds("<", "1", '"b"')
    (True, True, False)
    """
    if op in ("=", "!="):
        return (left == right) is (op == "=")
    a, b = rank(left), rank(right)
    if a[0] != b[0] or a[0] not in (NUMBER, TEXT):
        return False
    return {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op]
