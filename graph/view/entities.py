"""Questions about entities and their names."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hornbook.graph.view.asked import STANDS, Asked, by_seq, step
from hornbook.graph.view.log import merged


@dataclass(frozen=True, slots=True)
class EntityRow:
    """An entity; `absorbed` are the ids of those merged into it, `merged_into` the one it was merged into.

    A `retired` one is found by its names still, so that its history can be asked, and is not offered: nothing that is
    believed or stored speaks of it any more.
    """

    id: str
    seq: int
    name: str
    type: str | None
    aliases: tuple[str, ...] = ()
    merged_into: str | None = None
    absorbed: tuple[str, ...] = ()
    retired: bool = False


ENTITY = "e.id, e.seq, e.log"


def _entity(row: Sequence[Any], upto: int) -> EntityRow:
    id_, seq, log = row
    state = merged(log, upto)
    released = list(state.get("released", ()))
    absorbed = list(state.get("absorbed", ()))
    for other in released:
        absorbed.remove(other)
    aliases = list(state["aliases"])
    for alias in state.get("dropped", ()):
        if alias in aliases:
            aliases.remove(alias)
    return EntityRow(
        id_,
        seq,
        state["name"],
        state["type"],
        tuple(aliases),
        state["merged_into"],
        tuple(absorbed),
        state.get("retired", False),
    )


def entity(view: Asked, id: str, upto: int) -> EntityRow | None:
    """An entity by its id."""
    found = view.rows(f"MATCH (e:Entity {{id: $id}}) WHERE e.seq <= $upto RETURN {ENTITY}", {"id": id, "upto": upto})
    return _entity(found[0], upto) if found else None


def entity_by_name(view: Asked, key: str, upto: int) -> tuple[EntityRow, ...]:
    """The entities that bear a name, oldest first: more than one means that the name is ambiguous."""
    bearers = view.rows(step("n:Name", "-Names->", "e:Entity", "r.entity"), {"id": key, "upto": upto})
    found = (entity(view, row[0], upto) for row in bearers)
    return tuple(sorted({row for row in found if row}, key=lambda row: row.seq))


def names_of(view: Asked, entity: str, upto: int) -> tuple[str, ...]:
    """The name keys under which an entity is found, oldest first."""
    text = step("e:Entity", "<-Names-", "n:Name", "r.name, r.seq")
    return tuple(dict.fromkeys(row[0] for row in by_seq(view.rows(text, {"id": entity, "upto": upto}))))


def known_names(view: Asked, upto: int) -> dict[str, tuple[str, ...]]:
    """Every name key with the entities that bear it: for finding names in a question. Read it once and keep it."""
    text = f"MATCH (n:Name)-[r:Names]->(e:Entity) WHERE {STANDS} RETURN n.id, e.id, e.seq"
    names: dict[str, dict[str, None]] = {}
    for key, id_, _ in sorted(view.rows(text, {"upto": upto}), key=lambda row: (row[2], row[0])):
        names.setdefault(key, {})[id_] = None
    return {key: tuple(bearers) for key, bearers in names.items()}


def entities_page(view: Asked, upto: int, after: int = 0, limit: int = 100) -> tuple[EntityRow, ...]:
    """Entities in the order they came, those recorded after the position `after`."""
    text = f"MATCH (e:Entity) WHERE e.seq > $after AND e.seq <= $upto RETURN {ENTITY} ORDER BY e.seq LIMIT $limit"
    return tuple(_entity(row, upto) for row in view.rows(text, {"after": after, "upto": upto, "limit": limit}))
