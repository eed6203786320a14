"""Revising a record: its old text stays in history and its new one takes the same id and number."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hornbook.graph.claim import Disposition
from hornbook.graph.claims.changes import stand
from hornbook.graph.episode import Episode, NodeType, Scope, StoredMemory
from hornbook.graph.errors import Conflict
from hornbook.graph.lifecycle import ACTIVE, Lifecycle
from hornbook.graph.record import Indexed, index_memory, record_episode, vectored
from hornbook.graph.records.held import Kept, kept
from hornbook.graph.records.withdraw import resting_on, withdraw
from hornbook.graph.store import Writing
from hornbook.graph.view import queries

if TYPE_CHECKING:
    from hornbook.graph.journal import Model

REASON = "its text was revised"
Follow = Callable[[Writing], Any]  # what is drawn from the new text, in the same transaction


@dataclass(frozen=True, slots=True)
class Revision:
    """A new text for a record, and what makes it searchable. `metadata` None leaves what is there."""

    episode: Episode
    indexed: Indexed
    model: "Model"
    metadata: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Revised:
    """What became of a revision: the record's id, and how many claims of the old text were superseded."""

    node_id: str
    superseded: int


def revise(
    writing: Writing, asked: int | str, revision: Revision, agent: str | None = None, follow: Follow | None = None
) -> Revised:
    """Give a record another text, metadata or both, in the open transaction.

    Claims that only its old text spoke for are superseded first, so that what is drawn from the new text contests
    none of them. Raises NotFound where it is not here, Conflict for an archived one.
    """
    one = kept(writing, asked, agent)
    if one.state["lifecycle"] == Lifecycle.ARCHIVED:
        raise Conflict("an archived memory cannot be updated", field="memory_id", hint="archived is final; add another")
    revision = replace(revision, indexed=vectored(writing, revision.indexed, revision.model))
    same = said(writing, one.episode) == revision.episode.content
    episode = revision.episode if not same else replace(revision.episode, id=one.episode)
    gone = 0
    if not same:
        gone = withdraw(writing, resting_on(writing, {*one.texts, one.row.id}), Disposition.SUPERSEDED, REASON)
        record_episode(writing, episode, None, channel="revise")
    _record(writing, one, episode, revision)
    if not same:
        _stand(writing, one)
        if follow is not None:
            follow(writing)
    return Revised(one.row.id, gone)


def said(writing: Writing, episode: str) -> str:
    """The text of an episode; empty once it has been erased."""
    event = writing.snapshot.by_id(episode)
    return str(event.body["content"]) if event is not None and event.body is not None else ""


def _record(writing: Writing, one: Kept, episode: Episode, revision: Revision) -> None:
    metadata = one.state.get("metadata") if revision.metadata is None else dict(revision.metadata)
    body = {"memory": one.row.id, "episode": episode.id, "was": one.episode, "metadata": metadata, "reason": REASON}
    seq = writing.append("memory.revised", body)
    first = writing.snapshot.by_id(one.row.id)
    assert first is not None and first.body is not None, "a memory that is there was recorded"
    index_memory(writing, _item(one, first.body, metadata or {}), first.seq, seq, episode, revision.indexed)


def _item(one: Kept, body: Mapping[str, Any], metadata: Mapping[str, Any]) -> StoredMemory:
    return StoredMemory(
        one.row.id,
        body["number"],
        one.episode,
        NodeType(body["node_type"]),
        Scope(body["scope"]),
        confidence=body["confidence"],
        salience=body["salience"],
        claim=body["claim"],
        metadata=metadata,
        agent=body["agent"],
        run=body["run"],
        labels=body.get("labels") or {},
    )


def _stand(writing: Writing, one: Kept) -> None:
    """A revised memory is offered again as what it was, though the claim that it was fell with its old text."""
    row = writing.ask(queries.item, one.row.id, upto=writing.upto)
    assert row is not None, "it was there a moment ago"
    before, now = one.state["lifecycle"], json.loads(row.state)["lifecycle"]
    wanted = Lifecycle(before if before in ACTIVE and before != Lifecycle.CONTESTED else Lifecycle.TENTATIVE)
    if now != wanted:
        moved = {"memory": one.row.id, "state": wanted.value, "reason": REASON, "because": None}
        writing.append("memory.moved", moved)
    stand(writing, one.row.id, wanted)
