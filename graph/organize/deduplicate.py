"""deduplicate: of memories that are the same, the first stays and the others are superseded by it.

The same is: the same text, type, scope, speaker, agent, run and metadata, said at the same time. When we were told
is no part of it. Memories that are claims stand as their claims stand and are not touched: a claim said twice
corroborates.
"""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from hornbook.graph.lifecycle import Lifecycle
from hornbook.graph.organize.moving import Move, move_all
from hornbook.graph.organize.work import Report, Work, ended, memories, pages
from hornbook.graph.store import Reading
from hornbook.graph.view.queries import ItemRow

LIVING = (Lifecycle.TENTATIVE, Lifecycle.STABLE)


def deduplicate(work: Work) -> Report:
    """Supersede later copies of a memory by the first."""
    seen: dict[bytes, str] = work.note("deduplicate", dict)
    looked_at = changed = 0
    for reading, rows in pages(work, "deduplicate"):
        found: list[Move] = []
        for row, state in memories(rows, *LIVING):
            looked_at += 1
            first = seen.setdefault(identity(reading, row, state), row.id) if row.claim is None else row.id
            if first != row.id:
                found.append((row.id, Lifecycle(state["lifecycle"]), f"a copy of {first}"))
        changed += move_all(work, found, Lifecycle.SUPERSEDED)
    return Report("deduplicate", looked_at, changed, ended(work, "deduplicate"), "no two memories are the same")


def identity(reading: Reading, row: ItemRow, state: Mapping[str, Any]) -> bytes:
    """What makes two memories the same, as a hash."""
    event = reading.snapshot.by_id(state["episode"])
    said: Mapping[str, Any] = (event.body if event else None) or {}
    text = " ".join(str(said.get("content", row.id)).split())  # an erased text is like no other
    parts = (
        text,
        row.node_type,
        *(row.scope, row.agent, row.run),
        *(said.get("role"), said.get("speaker"), said.get("occurred_at")),
        state.get("metadata"),
        json.loads(row.data).get("labels"),
    )
    return sha256(json.dumps(parts, sort_keys=True).encode("utf-8", "surrogatepass")).digest()
