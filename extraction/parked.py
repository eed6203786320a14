"""Texts that are stored and not extracted: those that failed, and those whose run was cut off before they were read."""

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from hornbook.graph.belief.codec import moment_from_json
from hornbook.graph.episode import Episode, Role, Scope
from hornbook.graph.store import Reading, Store
from hornbook.graph.view import queries

if TYPE_CHECKING:
    from hornbook.graph.events import Event
    from hornbook.graph.journal import Snapshot

KINDS = ("episode.recorded", "extraction.recorded", "extraction.failed")
TAKEN_IN = "ingest"  # the channel of texts that are to be extracted


def parked(store: Store, limit: int | None = None) -> Iterator[Episode]:
    """The texts that wait for their extraction, oldest first; erased and deleted ones do not.

    Which they are is looked up once; the texts themselves are read as they are asked for.
    """
    with store.reading() as reading:
        waiting = waiting_in(reading.snapshot, reading.upto)
    found = 0
    for id_ in waiting:
        if limit is not None and found >= limit:
            return
        with store.reading() as reading:
            episode = stored_episode(reading, id_)
        if episode is not None:
            found += 1
            yield episode


def waiting_in(snapshot: "Snapshot", upto: int) -> list[str]:
    """The ids of the texts that wait, as the journal alone tells it: deleted ones still stand among them."""
    waiting: dict[str, None] = {}
    for event in snapshot.events(0, upto, kinds=KINDS):
        if event.body is None:
            continue
        if event.kind == "extraction.recorded":
            waiting.pop(event.body["episode"], None)
        elif event.kind == "extraction.failed":
            waiting.setdefault(event.body["episode"])
        elif event.body["channel"] == TAKEN_IN:
            waiting.setdefault(event.body["id"])
    return list(waiting)


def stored_episode(reading: Reading, id_: str) -> Episode | None:
    """A text as it was stored; None where it is not here, or no longer."""
    event = reading.snapshot.by_id(id_)
    if event is None or event.kind != "episode.recorded" or event.body is None:
        return None
    row = reading.ask(queries.item, id_, upto=reading.upto)
    return None if row is None or json.loads(row.state)["deleted"] else episode_of(event)


def episode_of(event: "Event") -> Episode:
    """The episode that an event recorded."""
    body: Mapping[str, Any] = event.body or {}
    return Episode(
        body["id"],
        body["content"],
        Role(body["role"]),
        body["speaker"],
        Scope(body["scope"]),
        body["session"],
        body["source"],
        body["position"],
        moment_from_json(body["occurred_at"]),
        body["agent"],
        body["run"],
        body["metadata"],
    )
