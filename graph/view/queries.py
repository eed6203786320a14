"""Everything that is asked of the graph, by name. Every answer is as of a journal position `upto`.

Shapes: an id is text; `log` columns are cut at `upto` here, so that no caller sees the future of a row.
States and claims stay JSON text: the caller parses what it needs.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any, Protocol

from hornbook.graph.view.log import dumped, entries, latest, merged
from hornbook.graph.view.project import window


class Asked(Protocol):
    """What answers: a view, or an engine."""

    def rows(self, text: str, values: dict[str, Any] | None = None) -> list[list[Any]]: ...


STANDS = "r.seq <= $upto AND r.until_seq > $upto"


# entities


@dataclass(frozen=True, slots=True)
class EntityRow:
    """An entity; `absorbed` are the ids of those merged into it, `merged_into` the one it was merged into."""

    id: str
    seq: int
    name: str
    type: str | None
    aliases: tuple[str, ...] = ()
    merged_into: str | None = None
    absorbed: tuple[str, ...] = ()


ENTITY = "e.id, e.seq, e.log"


def _entity(row: Sequence[Any], upto: int) -> EntityRow:
    id_, seq, log = row
    state = merged(log, upto)
    released = list(state.get("released", ()))
    absorbed = list(state.get("absorbed", ()))
    for other in released:
        absorbed.remove(other)
    return EntityRow(
        id_, seq, state["name"], state["type"], tuple(state["aliases"]), state["merged_into"], tuple(absorbed)
    )


def entity(view: Asked, id: str, upto: int) -> EntityRow | None:
    """An entity by its id."""
    found = view.rows(f"MATCH (e:Entity {{id: $id}}) WHERE e.seq <= $upto RETURN {ENTITY}", {"id": id, "upto": upto})
    return _entity(found[0], upto) if found else None


def entity_by_name(view: Asked, key: str, upto: int) -> tuple[EntityRow, ...]:
    """The entities that bear a name, oldest first: more than one means that the name is ambiguous."""
    text = f"MATCH (n:Name {{id: $key}})-[r:Names]->(e:Entity) WHERE {STANDS} RETURN DISTINCT {ENTITY} ORDER BY e.seq"
    return tuple(_entity(row, upto) for row in view.rows(text, {"key": key, "upto": upto}))


def names_of(view: Asked, entity: str, upto: int) -> tuple[str, ...]:
    """The name keys under which an entity is found, oldest first."""
    text = (
        f"MATCH (e:Entity {{id: $id}})<-[r:Names]-(n:Name) WHERE {STANDS}"
        " RETURN n.id, min(r.seq) AS first ORDER BY first, n.id"
    )
    return tuple(row[0] for row in view.rows(text, {"id": entity, "upto": upto}))


def known_names(view: Asked, upto: int) -> dict[str, tuple[str, ...]]:
    """Every name key with the entities that bear it: for finding names in a question. Read it once and keep it."""
    text = f"MATCH (n:Name)-[r:Names]->(e:Entity) WHERE {STANDS} RETURN DISTINCT n.id, e.id, e.seq ORDER BY e.seq"
    names: dict[str, tuple[str, ...]] = {}
    for key, id_, _ in view.rows(text, {"upto": upto}):
        names[key] = (*names.get(key, ()), id_)
    return names


def entities_page(view: Asked, upto: int, after: int = 0, limit: int = 100) -> tuple[EntityRow, ...]:
    """Entities in the order they came, those recorded after the position `after`."""
    text = f"MATCH (e:Entity) WHERE e.seq > $after AND e.seq <= $upto RETURN {ENTITY} ORDER BY e.seq LIMIT $limit"
    return tuple(_entity(row, upto) for row in view.rows(text, {"after": after, "upto": upto, "limit": limit}))


# lines and claims


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A claim on a line: `data` is the claim as it was written, `state` what is decided about it, both JSON."""

    id: str
    seq: int
    line: str
    value_key: str
    polarity: str
    mirrored: bool
    data: str
    state: str


CLAIM = "c.id, c.seq, l.id, r.value_key, c.polarity, r.mirrored, c.data, c.log"
ON_LINE = "MATCH (l:Line {id: $line})-[r:OnLine]->(c:Claim) WHERE " + STANDS


def _claims(rows: Iterable[Sequence[Any]], upto: int) -> tuple[ClaimRow, ...]:
    return tuple(_claim(row, upto) for row in rows)


def _claim(row: Sequence[Any], upto: int) -> ClaimRow:
    id_, seq, line_id, value_key, polarity, mirrored, data, log = row[:8]
    return ClaimRow(id_, seq, line_id, value_key, polarity, mirrored, data, latest(log, upto))


def line(view: Asked, line_id: str, upto: int) -> tuple[ClaimRow, ...]:
    """All claims of a line, oldest first."""
    text = f"{ON_LINE} RETURN {CLAIM} ORDER BY c.seq"
    return _claims(view.rows(text, {"line": line_id, "upto": upto}), upto)


def live_on(view: Asked, line_id: str, since: int, until: int, upto: int) -> tuple[ClaimRow, ...]:
    """The live claims of a line whose window can touch [since, until], oldest first.

    Windows are at their widest: what is not trusted is open, a coarse end is the end of its period. A claim that has
    changed since `upto` is let through by the engine and looked at here.
    """
    text = (
        f"{ON_LINE} AND (c.changed > $upto OR (c.live AND c.since <= $until AND c.until >= $since))"
        f" RETURN {CLAIM}, c.changed ORDER BY c.seq"
    )
    rows = view.rows(text, {"line": line_id, "since": since, "until": until, "upto": upto})
    return _claims((row for row in rows if row[8] <= upto or _touches(latest(row[7], upto), since, until)), upto)


def _touches(state: str, since: int, until: int) -> bool:
    was = json.loads(state)
    first, last = window(was["valid"])
    return bool(was["live"]) and first <= until and last >= since


def same_value(view: Asked, line_id: str, value_key: str, upto: int) -> tuple[ClaimRow, ...]:
    """All claims of a line that say or ever said a value, in either polarity, oldest first."""
    text = f"{ON_LINE} AND r.value_key = $value RETURN {CLAIM} ORDER BY c.seq"
    return _claims(view.rows(text, {"line": line_id, "value": value_key, "upto": upto}), upto)


def line_ids_of(view: Asked, entity: str, upto: int) -> tuple[str, ...]:
    """The lines of an entity that have claims, in the order they came."""
    text = (
        "MATCH (e:Entity {id: $id})-[h:Has]->(l:Line) WHERE h.seq <= $upto"
        " AND EXISTS {MATCH (l)-[r:OnLine]->(:Claim) WHERE r.seq <= $upto AND r.until_seq > $upto}"
        " RETURN l.id ORDER BY l.seq, l.id"
    )
    return tuple(row[0] for row in view.rows(text, {"id": entity, "upto": upto}))


OPEN_CONTESTS = ("Contested", "QueuedForAdjudication")


def contested_claims(view: Asked, upto: int, after: int = 0, limit: int = 1_000) -> tuple[ClaimRow, ...]:
    """Live claims in an open contest, on each of their lines, oldest first; those after the position `after`.

    A claim that is on two lines counts as two rows. Fewer than `limit` rows means that there are no more: as many
    as the limit, that the last row's `seq` is where to go on from, that row's claim excepted if it was cut in two.
    """
    text = (
        f"MATCH (l:Line)-[r:OnLine]->(c:Claim) WHERE c.seq > $after AND {STANDS}"
        " AND (c.changed > $upto OR (c.live AND c.disposition IN $open))"
        f" RETURN {CLAIM} ORDER BY c.seq, l.id"
    )
    rows = _claims(view.rows(text, {"after": after, "upto": upto, "open": list(OPEN_CONTESTS)}), upto)
    return tuple(row for row in rows if _contested(row.state))[:limit]


def _contested(state: str) -> bool:
    was = json.loads(state)
    return bool(was["live"]) and was["disposition"] in OPEN_CONTESTS


def claims(view: Asked, ids: Iterable[str], upto: int) -> tuple[ClaimRow, ...]:
    """Claims by id, oldest first, each on the line that it was said on; what is not known is left out."""
    text = f"MATCH (c:Claim {{id: $id}})<-[r:OnLine]-(l:Line) WHERE {STANDS} AND NOT r.mirrored RETURN {CLAIM}"
    return tuple(sorted(_claims(_by_ids(view, text, ids, upto), upto), key=lambda row: row.seq))


FEW = 4  # ids looked up one by one; for more, one scan costs less


def _by_ids(view: Asked, text: str, ids: Iterable[str], upto: int) -> list[list[Any]]:
    """The rows of a statement about one `$id`, for each of the ids."""
    wanted = list(dict.fromkeys(ids))
    if len(wanted) <= FEW:
        return [row for id_ in wanted for row in view.rows(text, {"id": id_, "upto": upto})]
    scan = f"UNWIND $ids AS wanted {text.replace('{id: $id}', '{id: wanted}')}"
    chunks = (wanted[at : at + 1_000] for at in range(0, len(wanted), 1_000))
    return [row for chunk in chunks for row in view.rows(scan, {"ids": chunk, "upto": upto})]


@dataclass(frozen=True, slots=True)
class Dependent:
    """A claim that rests on others; `chain` leads from one of those asked about to it, both included."""

    id: str
    chain: tuple[str, ...]


def dependents(view: Asked, ids: Iterable[str], upto: int) -> tuple[Dependent, ...]:
    """Everything that rests on the claims, nearest first, each with a shortest chain. A circle is walked once."""
    text = (
        f"MATCH (p:Claim {{id: $id}})<-[r:Bears]-(c:Claim) WHERE {STANDS} AND r.kind = 'rests_on'"
        " RETURN p.id, c.id ORDER BY c.seq, p.seq"
    )
    chains: dict[str, tuple[str, ...]] = {id_: (id_,) for id_ in ids}
    asked, found = list(chains), []
    while asked:
        pairs, asked = _by_ids(view, text, asked, upto), []
        for premise, id_ in pairs:
            if id_ not in chains:
                chains[id_] = (*chains[premise], id_)
                found.append(Dependent(id_, chains[id_]))
                asked.append(id_)
    return tuple(found)


def premises(view: Asked, claim: str, upto: int) -> tuple[str, ...]:
    """The claims that a claim was said to rest on, oldest first."""
    text = (
        f"MATCH (c:Claim {{id: $id}})-[r:Bears]->(p:Claim) WHERE {STANDS} AND r.kind = 'rests_on'"
        " RETURN p.id ORDER BY p.seq"
    )
    return tuple(row[0] for row in view.rows(text, {"id": claim, "upto": upto}))


# items: episodes and memories


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


ITEM_COLUMNS = tuple(field.name for field in fields(ItemRow) if field.name != "state")
ITEM = ", ".join(f"i.{name}" for name in (*ITEM_COLUMNS, "log"))


def _item(row: Sequence[Any], upto: int) -> ItemRow:
    *columns, log = row
    return ItemRow(**dict(zip(ITEM_COLUMNS, columns, strict=True)), state=dumped(merged(log, upto)))


def item(view: Asked, id: str, upto: int) -> ItemRow | None:
    """An episode or a memory by its id."""
    return next(iter(items(view, (id,), upto)), None)


def items(view: Asked, ids: Iterable[str], upto: int) -> tuple[ItemRow, ...]:
    """Items by id, oldest first; what is not known is left out."""
    text = f"MATCH (i:Item {{id: $id}}) WHERE i.seq <= $upto RETURN {ITEM}"
    return tuple(sorted((_item(row, upto) for row in _by_ids(view, text, ids, upto)), key=lambda row: row.seq))


def items_page(view: Asked, upto: int, after: int = 0, limit: int = 100) -> tuple[ItemRow, ...]:
    """Items in the order they came, those recorded after the position `after`."""
    text = f"MATCH (i:Item) WHERE i.seq > $after AND i.seq <= $upto RETURN {ITEM} ORDER BY i.seq LIMIT $limit"
    return tuple(_item(row, upto) for row in view.rows(text, {"after": after, "upto": upto, "limit": limit}))


def items_of_claim(view: Asked, claim: str, upto: int) -> tuple[ItemRow, ...]:
    """The texts and memories that a claim was taken from, oldest first."""
    text = f"MATCH (c:Claim {{id: $id}})-[r:Evidence]->(i:Item) WHERE {STANDS} RETURN DISTINCT {ITEM} ORDER BY i.seq"
    return tuple(_item(row, upto) for row in view.rows(text, {"id": claim, "upto": upto}))


def claims_of_items(view: Asked, ids: Iterable[str], upto: int) -> dict[str, tuple[str, ...]]:
    """The ids of the claims that rest on each item as their evidence, oldest first; items without are left out."""
    text = f"MATCH (i:Item {{id: $id}})<-[r:Evidence]-(c:Claim) WHERE {STANDS} RETURN DISTINCT i.id, c.id, c.seq"
    found: dict[str, tuple[str, ...]] = {}
    for item_id, claim, _ in sorted(_by_ids(view, text, ids, upto), key=lambda row: int(row[2])):
        found[item_id] = (*found.get(item_id, ()), claim)
    return found


def claims_of_item(view: Asked, item: str, upto: int) -> tuple[str, ...]:
    """The ids of the claims that have an item as their evidence, oldest first."""
    return claims_of_items(view, (item,), upto).get(item, ())


def memories_of_episode(view: Asked, episode: str, upto: int) -> tuple[ItemRow, ...]:
    """The memories whose text an episode is, oldest first."""
    text = (
        f"MATCH (e:Item {{id: $id}})<-[r:Joins]-(i:Item) WHERE {STANDS} AND r.kind = 'of'"
        f" RETURN DISTINCT {ITEM} ORDER BY i.seq"
    )
    return tuple(_item(row, upto) for row in view.rows(text, {"id": episode, "upto": upto}))


def last_in_session(view: Asked, session: str, upto: int) -> str | None:
    """The id of the newest episode of a session."""
    found = view.rows("MATCH (m:Meta {id: $id}) RETURN m.value", {"id": f"session|{session}"})
    last = found[0][0] if found else None
    while last is not None and not view.rows(
        "MATCH (i:Item {id: $id}) WHERE i.seq <= $upto RETURN i.id", {"id": last, "upto": upto}
    ):
        before = view.rows(
            "MATCH (i:Item {id: $id})<-[r:Joins]-(p:Item) WHERE r.kind = 'next' RETURN p.id", {"id": last}
        )
        last = before[0][0] if before else None
    return last


# the rest


def notes(view: Asked, kind: str, upto: int) -> dict[str, tuple[str, ...]]:
    """What was noted about each thing of a kind, oldest first, as JSON.

    `predicate`: declarations by predicate · `contest`: resolutions and reopenings by line, `kind` says which ·
    `question`: the oracle's by question · `rule`: texts by rule id, null once removed.
    """
    rows = view.rows("MATCH (m:Meta) WHERE m.kind = $kind RETURN m.id, m.log ORDER BY m.seq, m.id", {"kind": kind})
    found = {id_.partition("|")[2]: tuple(text for _, text in entries(log, upto)) for id_, log in rows}
    return {about: texts for about, texts in found.items() if texts}


def notes_about(view: Asked, kind: str, about: str, upto: int) -> tuple[str, ...]:
    """What was noted about one thing, oldest first, as JSON."""
    rows = view.rows("MATCH (m:Meta {id: $id}) RETURN m.log", {"id": f"{kind}|{about}"})
    return tuple(text for row in rows for _, text in entries(row[0], upto))


def counts(view: Asked, upto: int) -> dict[str, int]:
    """How many there are: entities, lines, claims, live claims, contested claims, episodes, memories."""
    found = {
        table.lower(): view.rows(f"MATCH (n:{table}) WHERE n.seq <= $upto RETURN count(n.id)", {"upto": upto})[0][0]
        for table in ("Entity", "Line", "Claim")
    }
    rows = view.rows("MATCH (i:Item) WHERE i.seq <= $upto RETURN i.kind, count(i.id)", {"upto": upto})
    kinds = {row[0]: row[1] for row in rows}
    live, contested = _states(view, upto)
    return {
        "entities": found["entity"],
        "lines": found["line"],
        "claims": found["claim"],
        "live": live,
        "contested": contested,
        "episodes": kinds.get("episode", 0),
        "memories": kinds.get("memory", 0),
    }


def _states(view: Asked, upto: int) -> tuple[int, int]:
    """How many claims are live, and how many of those contested."""
    settled = view.rows(
        "MATCH (c:Claim) WHERE c.seq <= $upto AND c.changed <= $upto AND c.live RETURN c.disposition, count(c.id)",
        {"upto": upto},
    )
    changed = view.rows("MATCH (c:Claim) WHERE c.seq <= $upto AND c.changed > $upto RETURN c.log", {"upto": upto})
    states = [json.loads(latest(row[0], upto)) for row in changed]
    live = [state["disposition"] for state in states if state["live"]]
    totals = [*settled, *([disposition, 1] for disposition in live)]
    return (
        sum(number for _, number in totals),
        sum(number for disposition, number in totals if disposition in OPEN_CONTESTS),
    )
