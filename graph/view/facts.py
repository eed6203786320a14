"""Questions that rules ask: all claims of a predicate with their lines, and what else is known as relations."""

import json
from collections.abc import Iterable
from dataclasses import dataclass

from hornbook.graph.view.asked import STANDS, Asked, by_seq, step
from hornbook.graph.view.claims import CLAIM, ClaimRow, claim_row
from hornbook.graph.view.entities import EntityRow, entities_page
from hornbook.graph.view.items import ItemRow, items_page

LIVE = "(c.changed > $upto OR c.live)"
MOST = 1 << 40


@dataclass(frozen=True, slots=True)
class LineRow:
    """A line with its entity's name and its live claims, oldest first."""

    id: str
    entity: str
    name: str
    claims: tuple[ClaimRow, ...]


def predicates_said(view: Asked, upto: int) -> tuple[str, ...]:
    """Every predicate that somebody spoke of, sorted."""
    rows = view.rows("MATCH (l:Line) WHERE l.seq <= $upto RETURN DISTINCT l.predicate", {"upto": upto})
    return tuple(sorted(row[0] for row in rows))


def lines_about(view: Asked, predicate: str, upto: int) -> tuple[LineRow, ...]:
    """The lines of a predicate that have live claims."""
    text = (
        f"MATCH (l:Line)-[r:OnLine]->(c:Claim) WHERE l.predicate = $predicate AND {STANDS} AND c.seq <= $upto"
        f" AND {LIVE} RETURN {CLAIM}, l.entity"
    )
    rows = view.rows(text, {"predicate": predicate, "upto": upto})
    return _lines(rows, _names(view, {row[8] for row in rows}, upto), upto)


def lines_with_ids(view: Asked, ids: Iterable[str], upto: int) -> tuple[LineRow, ...]:
    """Lines by id, those that have live claims."""
    text = step("l:Line", "-OnLine->", "c:Claim", f"{CLAIM}, l.entity", f"AND c.seq <= $upto AND {LIVE}")
    rows = [row for id_ in dict.fromkeys(ids) for row in view.rows(text, {"id": id_, "upto": upto})]
    return _lines(rows, _names(view, {row[8] for row in rows}, upto), upto)


FEW = 500  # entities looked up one by one: from the key 0.1 ms each, against a scan


def _names(view: Asked, ids: set[str], upto: int) -> dict[str, str]:
    if len(ids) > FEW:
        rows = view.rows("MATCH (e:Entity) WHERE e.seq <= $upto RETURN e.id, e.name", {"upto": upto})
        return {id_: name for id_, name in rows if id_ in ids}
    text = "MATCH (e:Entity {id: $id}) RETURN e.id, e.name"
    return {row[0]: row[1] for id_ in ids for row in view.rows(text, {"id": id_})}


def _lines(rows: Iterable[list[object]], names: dict[str, str], upto: int) -> tuple[LineRow, ...]:
    grouped: dict[str, list[ClaimRow]] = {}
    entities: dict[str, str] = {}
    for *row, entity in rows:
        claim = claim_row(row, upto)
        if json.loads(claim.state)["live"]:
            grouped.setdefault(claim.line, []).append(claim)
            entities[claim.line] = str(entity)
    return tuple(
        LineRow(line, entities[line], names[entities[line]], tuple(sorted(grouped[line], key=_order)))
        for line in sorted(grouped)
    )


def _order(row: ClaimRow) -> tuple[int, bool]:
    return row.seq, row.mirrored


def all_entities(view: Asked, upto: int) -> tuple[EntityRow, ...]:
    """Every entity, those merged into others too, in the order they came."""
    return entities_page(view, upto, limit=MOST)


def mentions(view: Asked, upto: int) -> tuple[tuple[str, str], ...]:
    """Which texts mention which entities: pairs of ids."""
    text = f"MATCH (i:Item)-[r:Mentions]->(e:Entity) WHERE {STANDS} RETURN r.item, r.seq, r.entity"
    return tuple(dict.fromkeys((item, entity) for item, _, entity in by_seq(view.rows(text, {"upto": upto}))))


def episodes(view: Asked, upto: int) -> tuple[ItemRow, ...]:
    """Every text that was stored, oldest first."""
    return tuple(row for row in items_page(view, upto, limit=MOST) if row.kind == "episode")
