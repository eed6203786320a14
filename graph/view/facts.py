"""Questions that rules ask: the claims of some predicates with their lines, and what else is known as relations."""

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hornbook.graph.view.asked import STANDS, Asked, Tabled, by_seq, step
from hornbook.graph.view.claims import CLAIM, ClaimRow, claim_row
from hornbook.graph.view.entities import EntityRow, entities_page
from hornbook.graph.view.items import ItemRow, items_page

if TYPE_CHECKING:
    import pyarrow as pa

LIVE = "(c.changed > $upto OR c.live)"
MOST = 1 << 40
PAGE = 100_000  # journal positions that are asked about together; fewer cost more, and need less memory


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


# what rules read of a claim on a line, by the names of the columns
SAID = {
    "line": "r.line",
    "entity": "l.entity",
    "predicate": "l.predicate",
    "id": "r.claim",
    "value_key": "r.value_key",
    "mirrored": "r.mirrored",
    "subject": "c.subject",
    "value": "c.value",
    "polarity": "c.polarity",
    "confidence": "c.confidence",
    "provenance": "c.provenance",
    "external": "c.external",
    "asserted": "c.asserted",
    "disputed": "c.disputed",
    "free": "c.free",
    "attested_at": "c.attested_at",
    "start_at": "c.start_at",
    "start_as": "c.start_as",
    "end_at": "c.end_at",
    "end_as": "c.end_as",
    "stop_at": "c.stop_at",
    "firm": "c.firm",
    "changed": "c.changed",
}


def claims_about(view: Tabled, predicates: Collection[str], upto: int) -> "pa.Table":
    """The live claims on the lines of some predicates, a row a line, with the columns of SAID: those at present.

    One whose state has changed since `upto` is among them, whether it was live then or not.
    """
    return _about(view, ", ".join(f"{what} AS {name}" for name, what in SAID.items()), predicates, upto)


def names(view: Tabled, upto: int) -> "pa.Table":
    """Every entity with the name that it was recorded under, and the name's key."""
    text = "MATCH (e:Entity) WHERE e.seq > $after AND e.seq <= $until RETURN e.id AS id, e.name AS name, e.key AS key"
    return _paged(view, text, {}, upto)


def lines_about(
    view: Tabled, predicates: Collection[str], upto: int, only: Collection[str] | None = None
) -> tuple[LineRow, ...]:
    """The lines of some predicates that have live claims, `only` some of them where they are given.

    A few are asked for one by one; for more of them everything is looked at once.
    """
    if only is not None and len(only) <= FEW:
        return lines_with_ids(view, only, upto)
    import pyarrow as pa
    import pyarrow.compute as pc

    columns = ", ".join(f"{what} AS v{place}" for place, what in enumerate(f"{CLAIM}, l.entity".split(", ")))
    found = _about(view, columns, predicates, upto)
    if only is not None:
        found = found.filter(pc.is_in(found.column("v2"), pa.array(only, pa.string())))
    rows = [list(row) for row in zip(*(column.to_pylist() for column in found.columns), strict=True)]
    return _lines(rows, _names(view, {row[8] for row in rows}, upto), upto)


def _about(view: Tabled, columns: str, predicates: Collection[str], upto: int) -> "pa.Table":
    text = (
        "MATCH (l:Line)-[r:OnLine]->(c:Claim) WHERE c.seq > $after AND c.seq <= $until"
        f" AND l.predicate IN $predicates AND {STANDS} AND {LIVE} RETURN {columns}"
    )
    return _paged(view, text, {"predicates": sorted(predicates), "upto": upto}, upto)


def _paged(view: Tabled, text: str, given: dict[str, Any], upto: int) -> "pa.Table":
    """The answers over all positions, a page after the other: more rows at once would fill the pool of the engine."""
    import pyarrow as pa

    starts = range(0, max(upto, 1), PAGE)
    return pa.concat_tables(
        view.arrow(text, {**given, "after": start, "until": min(start + PAGE, upto)}) for start in starts
    )


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
