"""The MCP reference memory server's file: a line of JSON an entity with its observations, or a relation.

It has no times and does not say who spoke: a model wrote it, so what it says is ModelDerived and believed only where
nobody says otherwise.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hornbook.extraction.importers.brought import Brought, Left, Stated, Text
from hornbook.graph.errors import InvalidArgument

MODEL = {"provenance": "ModelDerived", "cardinality": None}
UNTIMED = "when it became known, and who said it"


def read_reference_server(path: Path, owner: str) -> Iterator[Brought]:
    """Observations as texts, types and relations as claims. InvalidArgument naming the line that is none of these."""
    said = 0
    with path.open(encoding="utf-8") as file:
        for at, line in enumerate(file, 1):
            for one in _brought(at, line) if line.strip() else ():
                said += 1
                yield one
    if said:
        yield Left(UNTIMED, "the file does not say it: all of it counts as a model's, of an unknown time", said)


def _brought(at: int, line: str) -> Iterator[Brought]:
    try:
        found = json.loads(line)
        kind = found["type"]
        if kind == "relation":
            yield _relation(found)
        elif kind == "entity":
            yield from _entity(found)
        else:
            yield Left(f"a line of type {str(kind)[:40]}", "the reference server has entities and relations")
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InvalidArgument(
            f"line {at} is neither an entity nor a relation", field="path", hint="name the server's memory file"
        ) from error


def _relation(found: Mapping[str, Any]) -> Stated:
    ends = (str(found["from"]), str(found["relationType"]), str(found["to"]))
    return Stated("|".join(("relation", *ends)), *ends, MODEL)


def _entity(found: Mapping[str, Any]) -> Iterator[Brought]:
    name = str(found["name"])
    kind = found.get("entityType")
    if kind:
        yield Stated(f"type|{name}|{kind}", name, "is_a", str(kind), MODEL)
    for observation in found.get("observations", ()):
        text = str(observation)
        if text.strip():
            metadata = {"entity": name, **({"entity_type": kind} if kind else {})}
            yield Text(f"observation|{name}|{text}", f"{name}: {text}", role="assistant", metadata=metadata)
        else:
            yield Left("an observation", "it is blank")
