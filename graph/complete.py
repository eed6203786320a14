"""Completing what somebody begins to write: names of entities, and predicates that a subject has."""

from collections.abc import Iterable
from typing import Any

from hornbook.graph import entities
from hornbook.graph.names import name_key
from hornbook.graph.store import Reading
from hornbook.graph.view import queries

MOST = 100


def names(reading: Reading, begun: str) -> list[str]:
    """The names of entities of which one begins so, by any of their names; at most a hundred, the oldest first."""
    key = name_key(begun)
    known = reading.ask(queries.known_names, upto=reading.upto)
    ids = dict.fromkeys(id_ for name, bearers in known.items() if name.startswith(key) for id_ in bearers)
    found = (reading.ask(queries.entity, id_, upto=reading.upto) for id_ in _few(ids))
    return list(dict.fromkeys(entities.kept(reading, one).name for one in found if one and not one.retired))


def predicates(reading: Reading, begun: str, subject: str | None = None) -> list[str]:
    """The predicates that begin so: of a subject, those it has lines of; otherwise all that are declared."""
    entity = None if subject is None else entities.find(reading, subject)
    if entity is None:
        every: Iterable[str] = (predicate.key for predicate in reading.registry.predicates.values())
    else:
        every = (line.partition("|")[2] for line in reading.ask(queries.line_ids_of, entity.id, upto=reading.upto))
    begin = begun.strip().casefold().replace(" ", "_").replace("-", "_")
    return _few(sorted({key for key in every if key.startswith(begin)}))


def _few(found: Iterable[Any]) -> list[Any]:
    return list(found)[:MOST]
