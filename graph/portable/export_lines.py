"""Exporting: a whole memory as lines of JSON that bring it back, history included.

    {"format": "hornbook", "version": 1, "journal": id, "owner": …, "model": …, "counts": {…}}
    {"event": {"seq", "txn", "of", "known_at", "event_id", "origin", "kind", "version", "actor": {…}, "body"}}
    {"document": …} {"standing": …} {"key": …} {"number": …}      what was written beside the events of a transaction
    {"end": {"events": n, "hash": …}}                             so that a file that was cut off is noticed

The events of a transaction come together, then what stands beside them, then the next transaction. Texts of documents
are not repeated: they are cut from the events again. `body` is null where it has been erased.
"""

import base64
import json
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any

from hornbook.graph.journal.carried import Beside, beside, totals, transactions

if TYPE_CHECKING:
    from hornbook.graph.events import Event
    from hornbook.graph.journal import Document, Snapshot

FORMAT, VERSION = "hornbook", 1
AT_ONCE = 1_000  # events that are held in memory

Line = dict[str, Any]


def export_lines(snapshot: "Snapshot", owner: str | None) -> Iterator[str]:
    """The lines of an export, without line ends, in the order in which an import needs them."""
    for line in lines(snapshot, owner):
        yield json.dumps(line, ensure_ascii=False, separators=(",", ":"))


def lines(snapshot: "Snapshot", owner: str | None) -> Iterator[Line]:
    """The same as values."""
    upto, model = snapshot.head, snapshot.model()
    yield {
        "format": FORMAT,
        "version": VERSION,
        "journal": snapshot.journal_id,
        "owner": owner,
        "model": None if model is None else [model.name, model.digest, model.dimension],
        "counts": totals(snapshot),
    }
    for first, last in transactions(snapshot, AT_ONCE, upto):
        held = _by_event(beside(snapshot, first, last))
        for _, events in groupby(snapshot.events(first - 1, last), key=lambda event: event.txn):
            own = list(events)
            yield from ({"event": _event(event, len(own))} for event in own)
            yield from (line for event in own for line in held.get(event.seq, ()))
    yield {"end": {"events": upto, "hash": snapshot.hash_at(upto).hex()}}


def _event(event: "Event", of: int) -> Line:
    actor = event.actor
    return {
        "seq": event.seq,
        "txn": event.txn,
        "of": of,
        "known_at": event.known_at,
        "event_id": event.event_id,
        "origin": event.origin,
        "kind": event.kind,
        "version": event.version,
        "actor": {"client": actor.client, "tool": actor.tool, "process": actor.process},
        "body": event.body,
    }


def _by_event(rows: Beside) -> dict[int, list[Line]]:
    """The lines of what stands beside each event, documents in the order in which they were written."""
    held: dict[int, list[Line]] = {}
    for document, vector in rows.documents:
        held.setdefault(document.seq, []).append({"document": _document(document, vector)})
    for ref, seq, lifecycle, active, since, until in rows.standings:
        line = {"ref": ref, "seq": seq, "lifecycle": lifecycle, "active": bool(active), "since": since, "until": until}
        held.setdefault(seq, []).append({"standing": line})
    for key, ref, seq in rows.keys:
        held.setdefault(seq, []).append({"key": {"key": key, "ref": ref, "seq": seq}})
    for number, ref, seq in rows.numbers:
        held.setdefault(seq, []).append({"number": {"number": number, "ref": ref, "seq": seq}})
    return held


def _document(document: "Document", vector: bytes | None) -> Line:
    shown = {"ref": document.ref, "kind": document.kind, "seq": document.seq, "facets": dict(document.facets)}
    return shown if vector is None else {**shown, "vector": base64.b64encode(vector).decode()}
