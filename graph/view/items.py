"""Questions about items: episodes and memories."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from hornbook.graph.view.asked import Asked, by_ids, by_seq, step
from hornbook.graph.view.log import dumped, merged


@dataclass(frozen=True, slots=True)
class ItemRow:
    """An episode or a memory. `data` is what was recorded, without the text; `state` what changes, both JSON.

    An episode's state has `deleted`; a memory's also `lifecycle`, `episode` (the id of its present text) and
    `metadata`; both may have `reason`, `because` and, on an episode, `extraction`.
    """

    id: str
    seq: int
    kind: str
    node_type: str | None
    scope: str
    role: str | None
    speaker: str | None
    session: str | None
    source: str | None
    agent: str | None
    run: str | None
    occurred_at: int | None
    position: str | None
    number: int | None
    claim: str | None
    data: str
    state: str


ITEM = "i.id, i.seq, i.kind, i.data, i.log"
SAID = ("node_type", "role", "speaker", "session", "source", "position", "number", "claim")  # of one kind only, or null


def _item(row: Sequence[Any], upto: int) -> ItemRow:
    id_, seq, kind, data, log = row
    body = json.loads(data)
    return ItemRow(
        **{name: body.get(name) for name in SAID},
        **{name: body[name] for name in ("scope", "agent", "run")},
        **{"id": id_, "seq": seq, "kind": kind, "data": data, "state": dumped(merged(log, upto))},
        occurred_at=(body.get("occurred_at") or {}).get("at"),
    )


def item(view: Asked, id: str, upto: int) -> ItemRow | None:
    """An episode or a memory by its id."""
    return next(iter(items(view, (id,), upto)), None)


def items(view: Asked, ids: Iterable[str], upto: int) -> tuple[ItemRow, ...]:
    """Items by id, oldest first; what is not known is left out."""
    text = f"MATCH (i:Item {{id: $id}}) WHERE i.seq <= $upto RETURN {ITEM}"
    return tuple(sorted((_item(row, upto) for row in by_ids(view, text, ids, upto)), key=lambda row: row.seq))


def items_page(view: Asked, upto: int, after: int = 0, limit: int = 100) -> tuple[ItemRow, ...]:
    """Items in the order they came, those recorded after the position `after`."""
    text = f"MATCH (i:Item) WHERE i.seq > $after AND i.seq <= $upto RETURN {ITEM} ORDER BY i.seq LIMIT $limit"
    return tuple(_item(row, upto) for row in view.rows(text, {"after": after, "upto": upto, "limit": limit}))


def items_of_claim(view: Asked, claim: str, upto: int) -> tuple[ItemRow, ...]:
    """The texts and memories that a claim was taken from, oldest first."""
    text = step("c:Claim", "-Evidence->", "i:Item", "r.item")
    return items(view, (row[0] for row in view.rows(text, {"id": claim, "upto": upto})), upto)


def claims_of_items(view: Asked, ids: Iterable[str], upto: int) -> dict[str, tuple[str, ...]]:
    """The ids of the claims that rest on each item as their evidence, oldest first; items without are left out."""
    text = step("i:Item", "<-Evidence-", "c:Claim", "r.claim, r.seq, r.item")
    found: dict[str, dict[str, None]] = {}
    for claim, _, item_id in by_seq(by_ids(view, text, ids, upto)):
        found.setdefault(item_id, {})[claim] = None
    return {item_id: tuple(of) for item_id, of in found.items()}


def claims_of_item(view: Asked, item: str, upto: int) -> tuple[str, ...]:
    """The ids of the claims that have an item as their evidence, oldest first."""
    return claims_of_items(view, (item,), upto).get(item, ())


def memories_of_episode(view: Asked, episode: str, upto: int) -> tuple[ItemRow, ...]:
    """The memories whose text an episode is, oldest first."""
    text = step("e:Item", "<-Joins-", "m:Item", "r.one", "AND r.kind = 'of'")
    return items(view, (row[0] for row in view.rows(text, {"id": episode, "upto": upto})), upto)


def mentioning(view: Asked, entity: str, upto: int) -> tuple[ItemRow, ...]:
    """The texts in which an entity was found, oldest first."""
    text = step("e:Entity", "<-Mentions-", "i:Item", "r.item")
    return items(view, (row[0] for row in view.rows(text, {"id": entity, "upto": upto})), upto)


def mentioned_in(view: Asked, items: Iterable[str], upto: int) -> tuple[str, ...]:
    """The entities that were found in texts, each once."""
    text = step("i:Item", "-Mentions->", "e:Entity", "r.entity, r.seq")
    return tuple(dict.fromkeys(row[0] for row in by_seq(by_ids(view, text, items, upto))))


def last_in_session(view: Asked, session: str, upto: int) -> str | None:
    """The id of the newest episode of a session."""
    found = view.rows("MATCH (m:Meta {id: $id}) RETURN m.value", {"id": f"session|{session}"})
    last = found[0][0] if found else None
    while last is not None and not view.rows(
        "MATCH (i:Item {id: $id}) WHERE i.seq <= $upto RETURN i.id", {"id": last, "upto": upto}
    ):
        before = view.rows(
            "MATCH (:Item {id: $id})<-[r:Joins]-(:Item) WHERE r.kind = 'next' RETURN r.one", {"id": last}
        )
        last = before[0][0] if before else None
    return last
