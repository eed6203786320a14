"""Entities: which one a text means, and how a new one comes to be."""

from collections.abc import Callable, Sequence
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from hornbook.graph.ids import is_id, new_id
from hornbook.graph.names import name_key
from hornbook.graph.store import Writing
from hornbook.graph.view import queries
from hornbook.graph.view.asked import Asked
from hornbook.graph.view.queries import EntityRow

P = ParamSpec("P")
T = TypeVar("T")


class Asking(Protocol):
    """A reading or a writing: something that answers the view's named queries as of an event."""

    @property
    def upto(self) -> int: ...
    def ask(self, query: Callable[Concatenate[Asked, P], T], *args: P.args, **kwargs: P.kwargs) -> T: ...
    def bearers(self, key: str) -> tuple[EntityRow, ...]: ...


def find(asking: Asking, text: str) -> EntityRow | None:
    """The entity that a text means: by id, by canonical name, else by an alias that only one entity has.

    An alias of several entities means none of them. An entity that was merged into another means that one.
    """
    if is_id(text) and (found := asking.ask(queries.entity, text.lower(), upto=asking.upto)) is not None:
        return kept(asking, found)
    key = name_key(text)
    return meant(key, asking.bearers(key))


def meant(key: str, bearers: Sequence[EntityRow]) -> EntityRow | None:
    """Which of the entities that bear a name is meant by it: the one it is the name of, else the only one.

    Of two that have the name, since it was once told apart from the other's, the one recorded first is meant.
    """
    canonical = [entity for entity in bearers if name_key(entity.name) == key]
    if canonical:
        return min(canonical, key=_seq)
    return bearers[0] if len(bearers) == 1 else None


def _seq(entity: EntityRow) -> int:
    return entity.seq


def kept(asking: Asking, entity: EntityRow) -> EntityRow:
    """The entity that this one was merged into, through all mergers; itself when it stands on its own."""
    while entity.merged_into is not None:
        into = asking.ask(queries.entity, entity.merged_into, upto=asking.upto)
        if into is None:
            return entity
        entity = into
    return entity


def ensure(writing: Writing, name: str, kind: str | None = None, aliases: tuple[str, ...] = ()) -> str:
    """The id of the entity that a name means, recorded now if there is none; a type that was unknown is filled in."""
    found = find(writing, name)
    if found is None:
        return record(writing, name, kind, aliases)
    spoken_of_again(writing, found)
    if kind is not None and found.type is None:
        writing.append("entity.retyped", {"entity": found.id, "type": kind})
    for alias in aliases:
        add_alias(writing, found, alias, "named so in the same text")
    return found.id


def record(writing: Writing, name: str, kind: str | None = None, aliases: tuple[str, ...] = ()) -> str:
    """A new entity's id. Its name is kept as written; it is found under every key of its names."""
    id_ = new_id()
    keys = list(dict.fromkeys(name_key(text) for text in (name, *aliases)))
    writing.append(
        "entity.recorded",
        {"id": id_, "name": " ".join(name.split()), "type": kind, "aliases": list(aliases), "keys": keys},
    )
    return id_


def spoken_of_again(writing: Writing, entity: EntityRow) -> None:
    """Offer an entity again that nothing spoke of any more."""
    if entity.retired:
        writing.append("entity.restored", {"entity": entity.id, "keys": [], "aliases": [], "whole": True, "reason": ""})


def add_alias(writing: Writing, entity: EntityRow, alias: str, reason: str) -> None:
    """Let an entity be found under one more name; nothing happens where it already is."""
    key = name_key(alias)
    if key not in writing.ask(queries.names_of, entity.id, upto=writing.upto):
        writing.append("entity.aliased", {"entity": entity.id, "alias": alias, "key": key, "reason": reason})
