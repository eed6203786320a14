"""A powermem SQLite file: its memories, each with its agent, run, metadata and the time at which it was added.

The texts come in as records. Vectors are made anew by the model here; what a memory said before it was updated is not
in the file. A file can hold several users: only the memory's own owner comes in, since memories are never mixed.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hornbook.extraction.importers.brought import Brought, Left, Text
from hornbook.extraction.importers.sqlite_file import moment, rows, tables
from hornbook.graph.errors import InvalidArgument

SYSTEM = "powermem"
SHADOWS = ("_fts", "_fts_data", "_fts_idx", "_fts_docsize", "_fts_config")
NEW = 1_000  # microseconds
KEPT = ("actor_id", "category", "updated_at", "hash")


def read_powermem(path: Path, owner: str) -> Iterator[Brought]:
    """The memories of one user, and of none, in the order in which they were added; and what is left."""
    there = tables(path, SYSTEM)
    collections = sorted(name for name in there if _is_collection(path, name, there))
    if not collections:
        raise InvalidArgument("the file is not a database of powermem", field="path", hint="name powermem.db")
    others: Counter[str] = Counter()
    updated = 0
    for name in collections:
        for row in rows(path, f"SELECT id, payload FROM {_quoted(name)} ORDER BY id", SYSTEM):
            payload = _payload(row)
            if payload is None:
                yield Left("a memory", "its payload is not JSON with a text")
            elif payload.get("user_id") not in (None, "", owner):
                others[str(payload["user_id"])] += 1
            else:
                updated += _was_updated(payload)
                yield _text(row["id"], payload)
    for user, many in others.items():
        yield Left("a memory of another user", f"bring it into the memory of {user[:60]}", many)
    if updated:
        yield Left("what a memory said before it was updated", "the file does not keep it", updated)


def _is_collection(path: Path, name: str, there: frozenset[str]) -> bool:
    """Whether a table holds memories: it has an index of words beside it, and a payload."""
    if name.endswith(SHADOWS) or f"{name}_fts" not in there:
        return False
    columns = rows(path, f"SELECT name FROM pragma_table_info({_literal(name)})", SYSTEM)
    return {"id", "payload"} <= {row["name"] for row in columns}


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _literal(name: str) -> str:
    return "'" + name.replace("'", "''") + "'"


def _payload(row: Mapping[str, Any]) -> Mapping[str, Any] | None:
    try:
        found = json.loads(row["payload"])
    except (TypeError, ValueError):
        return None
    text = isinstance(found, dict) and isinstance(found.get("data"), str) and found["data"].strip()
    return found if text else None


def _text(id_: int, payload: Mapping[str, Any]) -> Text:
    own = payload.get("metadata")
    kept = {name: payload[name] for name in KEPT if payload.get(name)}
    return Text(
        str(id_),
        payload["data"],
        moment(payload.get("created_at")),
        speaker=payload.get("actor_id") or None,
        agent=payload.get("agent_id") or None,
        run=payload.get("run_id") or None,
        metadata={**(own if isinstance(own, dict) else {}), "imported": {"from": SYSTEM, "id": str(id_), **kept}},
    )


def _was_updated(payload: Mapping[str, Any]) -> bool:
    """Whether a memory said something else once: the two times of a new one are some microseconds apart."""
    added, updated = moment(payload.get("created_at")), moment(payload.get("updated_at"))
    return added is not None and updated is not None and updated.at - added.at > NEW
