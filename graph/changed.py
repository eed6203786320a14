"""What changed in a memory since an instant: its events in order, by what they are about, without their texts."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hornbook.graph.clock import rfc3339
from hornbook.graph.displayed import Displayed, counted
from hornbook.graph.events import Event
from hornbook.graph.ids import UUID
from hornbook.graph.store import Reading

ABOUT = (
    *("id", "memory", "episode", "entity", "kept", "merged", "line", "predicate", "rule_id", "state", "claims"),
    *("number", "node_type", "reason"),
)


@dataclass(frozen=True, slots=True, repr=False)
class Changed(Displayed):
    """Some of the changes since an instant; `next_cursor` is where to go on, now or later."""

    changes: tuple[Mapping[str, Any], ...]
    next_cursor: str
    more: bool
    as_known: str

    def _told(self) -> Iterator[str]:
        yield counted(len(self.changes), "change")
        yield from dict.fromkeys(str(change["kind"]) for change in self.changes)

    def as_dict(self) -> dict[str, Any]:
        """The reply."""
        shown = [dict(change) for change in self.changes]
        return {"changes": shown, "next_cursor": self.next_cursor, "more": self.more, "as_known": self.as_known}


def changes_after(reading: Reading, seq: int, limit: int) -> Changed:
    """The changes after an event, oldest first, at most `limit`."""
    found = list(reading.snapshot.events(min(seq, reading.upto), reading.upto, limit=limit + 1))
    shown = found[:limit]
    last = shown[-1].seq if shown else min(seq, reading.upto)
    return Changed(tuple(map(told, shown)), str(last), len(found) > limit, reading.as_known)


def told(event: Event) -> dict[str, Any]:
    """An event as a change: what kind, when, by whom, and about what; an erased one says so."""
    by = {name: word for name, word in (("client", event.actor.client), ("tool", event.actor.tool)) if word}
    shown = {"seq": event.seq, "known_at": rfc3339(event.known_at), "kind": event.kind, **by}
    return {**shown, "erased": True} if event.body is None else {**shown, **_about(event.body)}


def _about(body: Mapping[str, Any]) -> dict[str, Any]:
    claim = body.get("claim")
    if isinstance(claim, Mapping):
        return {"claim": claim["id"], "subject": claim["subject"], "predicate": claim["predicate"]}
    about = {name: body[name] for name in ABOUT if body.get(name) is not None}
    if isinstance(about.get("state"), Mapping):
        about["state"] = about["state"]["disposition"]
    return about | ({"claim": claim} if claim else {})


@dataclass(frozen=True, slots=True, repr=False)
class Touched(Displayed):
    """What some events are about: the last of them, every id that stands in them, and whether any is about claims."""

    upto: int
    ids: frozenset[str] = frozenset()
    claims: bool = False

    def _told(self) -> Iterator[str]:
        yield f"upto={self.upto}"
        yield counted(len(self.ids), "id")
        yield "about claims" if self.claims else "about no claim"


def touched_after(reading: Reading, seq: int | None, limit: int) -> Touched:
    """What the events after one are about, at most so many; None, or one that is not there any more, is the last."""
    if seq is None or seq > reading.upto:
        return Touched(reading.upto, claims=seq is not None)  # the journal is another one: all may be different
    ids, claims, last = set[str](), False, seq
    for event in reading.snapshot.events(seq, reading.upto, limit=limit):
        ids.update(UUID.findall(json.dumps(event.body)))
        claims, last = claims or not event.kind.startswith(("episode", "memory", "extraction")), event.seq
    return Touched(last, frozenset(ids), claims)
