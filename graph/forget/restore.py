"""Giving claims, memories and texts back the state that they had before some events, by new events."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hornbook.graph.belief.codec import moment_from_json, state_from_json, state_to_json
from hornbook.graph.belief.state import ClaimState, Ledger
from hornbook.graph.claim import Disposition
from hornbook.graph.claims.indexed import stand_claim
from hornbook.graph.claims.lines import claim_rows
from hornbook.graph.episode import Episode, NodeType, Role, Scope, StoredMemory
from hornbook.graph.events import Event
from hornbook.graph.interval import ALWAYS, FOREVER
from hornbook.graph.lifecycle import ACTIVE
from hornbook.graph.record import index_memory, prepare
from hornbook.graph.retrieval.standings import DELETED
from hornbook.graph.store import Writing
from hornbook.graph.view import queries

ITEMS = ("memory.recorded", "memory.moved", "memory.revised", "memory.deleted", "memory.restored")


def restore_claims(writing: Writing, events: Sequence[Event], reason: str) -> int:
    """Bring claims back to what they were before the events; one that came with them is rejected. How many."""
    first = events[0].seq
    touched: dict[str, None] = {}
    for event in events:
        if event.body is not None and event.kind in ("claim.recorded", "claim.changed"):
            touched[event.event_id if event.kind == "claim.recorded" else event.body["claim"]] = None
    before = {row.id: row.state for row in writing.ask(queries.claims, touched, upto=first - 1)}
    for one in claim_rows(writing, touched):
        if one.id in before:
            _change(writing, one.id, state_from_json(json.loads(before[one.id])), Ledger.REINSTATED, reason)
        elif one.state.disposition is not Disposition.REJECTED:
            gone = replace(one.state, disposition=Disposition.REJECTED, live=False, rivals=(), review=None)
            _change(writing, one.id, gone, Ledger.INVALIDATED, reason)
    return len(touched)


def _change(writing: Writing, claim: str, state: ClaimState, ledger: Ledger, reason: str) -> None:
    body = {"claim": claim, "state": state_to_json(state), "ledger": ledger.value, "reason": reason, "because": []}
    writing.append("claim.changed", body)
    stand_claim(writing, claim, state)


def restore_items(writing: Writing, events: Sequence[Event], reason: str) -> int:
    """Bring memories back to what they were before the events; what came with them is deleted. How many."""
    first = events[0].seq
    touched: dict[str, None] = {}
    for event in events:
        if event.body is not None and (event.kind in ITEMS or event.kind == "episode.recorded"):
            touched[event.body.get("memory") or event.body["id"]] = None
    before = {row.id: row for row in writing.ask(queries.items, touched, upto=first - 1)}
    for row in writing.ask(queries.items, touched, upto=writing.upto):
        now = json.loads(row.state)
        if row.id in before:
            _bring_back(writing, row, now, json.loads(before[row.id].state), first, reason)
        elif not now["deleted"]:
            writing.append("memory.deleted", {"memory": row.id, "reason": reason})
            writing.snapshot.stand(row.id, DELETED, active=False, since=ALWAYS, until=FOREVER)
    return len(touched)


def _bring_back(
    writing: Writing, row: queries.ItemRow, now: Mapping[str, Any], then: Mapping[str, Any], first: int, reason: str
) -> None:
    if now["deleted"] != then["deleted"]:
        kind = "memory.deleted" if then["deleted"] else "memory.restored"
        state = {} if then["deleted"] else {"state": then.get("lifecycle")}
        writing.append(kind, {"memory": row.id, **state, "reason": reason})
    elif now.get("lifecycle") != then.get("lifecycle"):
        body = {"memory": row.id, "state": then["lifecycle"], "reason": reason, "because": None}
        writing.append("memory.moved", body)
    if row.kind == "memory" and (now["episode"], now["metadata"]) != (then["episode"], then["metadata"]):
        _revise_back(writing, row, now, then, reason)
    _stand_again(writing, row, then, first)


def _revise_back(
    writing: Writing, row: queries.ItemRow, now: Mapping[str, Any], then: Mapping[str, Any], reason: str
) -> None:
    """The text and metadata that a memory had; its vectors come with the next round of embedding."""
    body = {"memory": row.id, "episode": then["episode"], "was": now["episode"], "metadata": then["metadata"]}
    seq = writing.append("memory.revised", {**body, "reason": reason})
    first, text = writing.snapshot.by_id(row.id), writing.snapshot.by_id(then["episode"])
    if first is None or first.body is None or text is None or text.body is None:
        return  # its text has been erased: there is nothing to find it by
    said = text.body
    episode = Episode(
        then["episode"],
        said["content"],
        Role(said["role"]),
        said["speaker"],
        Scope(said["scope"]),
        said["session"],
        occurred_at=moment_from_json(said["occurred_at"]),
        agent=said["agent"],
        run=said["run"],
    )
    item = _item(first.body, then)
    index_memory(writing, item, first.seq, seq, episode, prepare(episode.content, episode.speaker, None))


def _item(body: Mapping[str, Any], then: Mapping[str, Any]) -> StoredMemory:
    return StoredMemory(
        body["id"],
        body["number"],
        then["episode"],
        NodeType(body["node_type"]),
        Scope(body["scope"]),
        confidence=body["confidence"],
        salience=body["salience"],
        claim=body["claim"],
        metadata=then["metadata"] or {},
        agent=body["agent"],
        run=body["run"],
        labels=body.get("labels") or {},
    )


def _stand_again(writing: Writing, row: queries.ItemRow, then: Mapping[str, Any], first: int) -> None:
    """Note for the search what was noted before; where nothing was, that it is as it was recorded."""
    last = writing.snapshot.standing_of(row.id, first - 1)
    if last is not None:
        active, since, until, lifecycle = last.active, last.since, last.until, last.lifecycle
    else:
        lifecycle = then.get("lifecycle") or "recorded"
        active, since, until = row.kind == "episode" or lifecycle in ACTIVE, ALWAYS, FOREVER
    writing.snapshot.stand(row.id, lifecycle, active=active, since=since, until=until)
