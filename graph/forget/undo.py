"""Undo: the last transaction is taken back by new events, so that the past stays as it was known then.

Claims and memories get the state back that they had before; what the transaction brought is hidden or rejected. A
second undo takes back the transaction before it, and never an undo. What cannot be taken back is refused before
anything is written.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hornbook.graph.claims.merge import MERGED, PARTED, reversed_move
from hornbook.graph.clock import rfc3339
from hornbook.graph.displayed import Displayed, counted
from hornbook.graph.errors import Conflict
from hornbook.graph.events import Event
from hornbook.graph.forget.restore import restore_claims, restore_items
from hornbook.graph.ids import new_id
from hornbook.graph.store import Writing
from hornbook.graph.view import queries

UNDONE = "transaction.undone"
FINAL = ("erasure.recorded", "event.redacted")
NOTED = (  # what is only told, or is taken back with the claims and items that it is about
    *("episode.recorded", "memory.recorded", "memory.moved", "memory.revised", "memory.deleted", "memory.restored"),
    *("claim.recorded", "claim.changed", "recall.detected", "extraction.recorded", "extraction.failed"),
    *("oracle.asked", "oracle.answered", "oracle.expired"),
)


@dataclass(frozen=True, slots=True, repr=False)
class Undone(Displayed):
    """What was taken back: the transaction, when it became known, and how much of what it did."""

    transaction: int
    known_at: int
    claims: int
    items: int
    events: tuple[str, ...]  # the kinds of its events, each once

    def _told(self) -> Iterator[str]:
        yield f"transaction {self.transaction} of {rfc3339(self.known_at)}"
        yield counted(self.claims, "claim")
        yield counted(self.items, "item")

    def as_dict(self) -> dict[str, Any]:
        """The reply."""
        return {
            "transaction": self.transaction,
            "recorded_at": rfc3339(self.known_at),
            "claims": self.claims,
            "items": self.items,
            "kinds": list(self.events),
        }


def undo(writing: Writing, reason: str = "undone") -> Undone:
    """Take back the last transaction that was not taken back yet.

    Conflict where there is none, or where it cannot be: an erasure, or what came with one.
    """
    events = last_standing(writing)
    _refuse(writing, events)
    first, last = events[0].seq, events[-1].seq
    for event in reversed(events):
        if event.kind in BACK and event.body is not None:
            BACK[event.kind](writing, event, event.body, reason)
    claims = restore_claims(writing, events, reason)
    items = restore_items(writing, events, reason)
    writing.snapshot.drop_keys(first, last)
    writing.append(UNDONE, {"txn": events[0].txn, "first": first, "last": last, "reason": reason})
    kinds = tuple(dict.fromkeys(event.kind for event in events))
    return Undone(events[0].txn, events[0].known_at, claims, items, kinds)


def last_standing(writing: Writing) -> list[Event]:
    """The events of the last transaction that neither was taken back nor takes one back."""
    undone: set[int] = set()
    found: list[Event] = []
    for event in writing.snapshot.events(descending=True):
        if found and event.txn != found[0].txn:
            break
        if event.kind == UNDONE and event.body is not None:
            undone |= {event.txn, event.body["txn"]}
        elif event.txn not in undone:
            found.append(event)
    if not found:
        raise Conflict("there is nothing to undo", hint="every transaction has been taken back")
    return found[::-1]


def _refuse(writing: Writing, events: Sequence[Event]) -> None:
    for event in events:
        if event.kind in FINAL:
            raise Conflict("the last transaction is an erasure: what it removed is gone", hint="restore a backup")
        if event.kind not in NOTED and event.kind not in BACK:
            raise Conflict(f"the last transaction cannot be undone: it has a '{event.kind}'")
        if event.kind == "predicate.declared" and event.body is not None:
            _previous(writing, event)


# what is taken back event by event


def _retire(writing: Writing, event: Event, body: Mapping[str, Any], reason: str) -> None:
    offered = {"entity": body["id"], "keys": [], "aliases": [], "whole": True, "reason": reason}
    writing.append("entity.retired", offered)


def _unalias(writing: Writing, event: Event, body: Mapping[str, Any], reason: str) -> None:
    named = {"entity": body["entity"], "keys": [body["key"]], "aliases": [body["alias"]], "whole": False}
    writing.append("entity.retired", {**named, "reason": reason})


def _offer(writing: Writing, event: Event, body: Mapping[str, Any], reason: str) -> None:
    other = "entity.restored" if event.kind == "entity.retired" else "entity.retired"
    writing.append(other, {**body, "reason": reason})


def _retype(writing: Writing, event: Event, body: Mapping[str, Any], reason: str) -> None:
    before = writing.ask(queries.entity, body["entity"], upto=event.seq - 1)
    if before is not None:
        writing.append("entity.retyped", {"entity": body["entity"], "type": before.type})


def _part(writing: Writing, event: Event, body: Mapping[str, Any], reason: str) -> None:
    kept = {name: body[name] for name in ("kept", "merged", "keys")}
    moves = [reversed_move(move) for move in body["moves"]]
    if event.kind == MERGED:
        writing.append(PARTED, {"merge": event.event_id, **kept, "moves": moves, "reason": reason})
    else:
        id_ = new_id()
        writing.append(MERGED, {"id": id_, **kept, "moves": moves, "reason": reason}, event_id=id_)


def _declare(writing: Writing, event: Event, body: Mapping[str, Any], reason: str) -> None:
    writing.append("predicate.declared", {**_previous(writing, event), "reason": reason})


def _previous(writing: Writing, event: Event) -> dict[str, Any]:
    """The declaration that brings a predicate back to what it was. Conflict where a name was given to it."""
    assert event.body is not None, "a declaration is never erased"
    before = writing.registry_at(event.seq - 1).named(event.body["predicate"])
    after = writing.registry_at(event.seq).named(event.body["predicate"])
    for name in ("inverse", "stored", "synonyms", "domain", "range"):
        if getattr(before, name) != getattr(after, name):
            raise Conflict(
                f"the last transaction declares '{name}' of a predicate, which can be declared anew but not taken back",
                hint="declare it as it should be",
            )
    flags = {name: getattr(before, name) for name in ("fixed", "exact", "symmetric", "transitive")}
    kind = {"kind": "event" if before.event else "state"}
    return {"predicate": before.key, **kind, "cardinality": before.cardinality.value, **flags}


def _reopen(writing: Writing, event: Event, body: Mapping[str, Any], reason: str) -> None:
    writing.append("contest.reopened", {"resolution": event.event_id, "line": body["line"], "reason": reason})


def _resolve_again(writing: Writing, event: Event, body: Mapping[str, Any], reason: str) -> None:
    resolution = writing.snapshot.by_id(body["resolution"])
    if resolution is not None and resolution.kind == "contest.resolved" and resolution.body is not None:
        writing.append("contest.resolved", {**resolution.body, "reason": reason})


def _remove_rules(writing: Writing, event: Event, body: Mapping[str, Any], reason: str) -> None:
    for rule in body["rules"]:
        writing.append("rule.removed", {"rule_id": rule["rule_id"], "reason": reason})


def _add_rule(writing: Writing, event: Event, body: Mapping[str, Any], reason: str) -> None:
    added = writing.snapshot.events(0, event.seq - 1, kinds=("rules.added",), descending=True)
    rules = (rule for one in added if one.body for rule in one.body["rules"] if rule["rule_id"] == body["rule_id"])
    if (rule := next(rules, None)) is not None:
        writing.append("rules.added", {"rules": [rule], "reason": reason})


Back = Callable[[Writing, Event, Mapping[str, Any], str], None]

BACK: dict[str, Back] = {
    "entity.recorded": _retire,
    "entity.aliased": _unalias,
    "entity.retired": _offer,
    "entity.restored": _offer,
    "entity.retyped": _retype,
    MERGED: _part,
    PARTED: _part,
    "predicate.declared": _declare,
    "contest.resolved": _reopen,
    "contest.reopened": _resolve_again,
    "rules.added": _remove_rules,
    "rule.removed": _add_rule,
}
