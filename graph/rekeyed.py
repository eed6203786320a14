"""Events of version 1, whose keys still held what shows nothing, and dates as they were worded: with today's keys.

Keys in the journal are never trusted: a reader gets them folded as names and values are folded today.
"""

from collections.abc import Callable
from typing import Any

from hornbook.graph.names import name_key, refolded

Body = dict[str, Any]


def named(body: Body) -> Body:
    """The keys of an entity's names."""
    return {**body, "keys": list(dict.fromkeys(map(name_key, body["keys"])))}


def aliased(body: Body) -> Body:
    """The key of one more name."""
    return {**body, "key": name_key(body["key"])}


def merged(body: Body) -> Body:
    """The names that went over, and what the claims say that changed their line."""
    return {**named(body), "moves": [_moved(move) for move in body["moves"]]}


def _moved(move: Body) -> Body:
    dated = _dated(move["to"].partition("|")[2])
    return {**move, **{name: refolded(move[name], dated=dated) for name in ("value_key", "value_key_before")}}


def said(body: Body) -> Body:
    """What a claim says, and on which lines."""
    claim = body["claim"]
    keys = {
        "subject_key": name_key(claim["subject_key"]),
        "value_key": refolded(claim["value_key"], dated=_dated(claim["predicate"])),
    }
    lines = [
        {**line, "value_key": refolded(line["value_key"], dated=_dated(line["predicate"]))} for line in body["lines"]
    ]
    return {**body, "claim": {**claim, **keys}, "lines": lines}


def _dated(predicate: str) -> bool:
    """Whether the values of a predicate are dates, by the declarations that hornbook comes with."""
    from hornbook.graph.belief.registry import built_in  # the registry needs the errors, as events do

    return built_in().named(predicate).dated


REKEYED: dict[tuple[str, int], Callable[[Body], Body]] = {
    ("entity.recorded", 1): named,
    ("entity.aliased", 1): aliased,
    ("entity.retired", 1): named,
    ("entity.restored", 1): named,
    ("entities.merged", 1): merged,
    ("entities.parted", 1): merged,
    ("claim.recorded", 1): said,
}
