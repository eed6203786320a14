"""Everything that was ever said, with its history: for pictures whose known time can be moved."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hornbook.graph.view.asked import Asked
from hornbook.graph.view.log import entries


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """That a claim stands on a line, over the journal positions `[seq, until_seq)`."""

    claim: str
    line: str
    value_key: str
    mirrored: bool
    seq: int
    until_seq: int


@dataclass(frozen=True, slots=True)
class LoggedClaim:
    """A claim's states (JSON) by the position from which each counts."""

    id: str
    seq: int
    states: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class LoggedEntity:
    """An entity with its name, and what changed about it by position; `merged_into` is among the changes."""

    id: str
    changes: tuple[tuple[int, Mapping[str, Any]], ...]


@dataclass(frozen=True, slots=True)
class Spoken:
    """Entities, lines as (id, entity, predicate), claims, where they stand, and the entities that values name."""

    entities: tuple[LoggedEntity, ...]
    lines: tuple[tuple[str, str, str], ...]
    claims: tuple[LoggedClaim, ...]
    places: tuple[PlaceRow, ...]
    names: tuple[tuple[str, str, int, int], ...]  # claim, entity, seq, until_seq


def spoken(view: Asked, upto: int) -> Spoken:
    """All of it up to a position, in the order in which it came. Cost and size grow with the store."""
    given = {"upto": upto}
    entities = view.rows("MATCH (e:Entity) WHERE e.seq <= $upto RETURN e.id, e.log ORDER BY e.seq", given)
    lines = view.rows(
        "MATCH (l:Line) WHERE l.seq <= $upto RETURN l.id, l.entity, l.predicate ORDER BY l.seq, l.id", given
    )
    claims = view.rows("MATCH (c:Claim) WHERE c.seq <= $upto RETURN c.id, c.seq, c.log ORDER BY c.seq", given)
    places = view.rows(
        "MATCH (:Line)-[r:OnLine]->(:Claim) WHERE r.seq <= $upto"
        " RETURN r.claim, r.line, r.value_key, r.mirrored, r.seq, r.until_seq"
        " ORDER BY r.seq, r.line, r.claim, r.mirrored",
        given,
    )
    names = view.rows(
        "MATCH (:Claim)-[r:Says]->(:Entity) WHERE r.seq <= $upto"
        " RETURN r.claim, r.entity, r.seq, r.until_seq ORDER BY r.seq, r.claim",
        given,
    )
    return Spoken(
        tuple(LoggedEntity(id_, _changes(log, upto)) for id_, log in entities),
        tuple((id_, entity, predicate) for id_, entity, predicate in lines),
        tuple(LoggedClaim(id_, seq, tuple(entries(log, upto))) for id_, seq, log in claims),
        tuple(PlaceRow(*row) for row in places),
        tuple((claim, entity, seq, until) for claim, entity, seq, until in names),
    )


def _changes(log: str, upto: int) -> tuple[tuple[int, Mapping[str, Any]], ...]:
    return tuple((seq, json.loads(text)) for seq, text in entries(log, upto))
