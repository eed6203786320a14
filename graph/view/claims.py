"""Questions about lines and their claims."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hornbook.graph.view.asked import STANDS, Asked, by_ids, by_seq, step
from hornbook.graph.view.log import entries, latest
from hornbook.graph.view.project import window

Given = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A claim on a line: `state` is what is decided about it, JSON. What was written stands in the event `seq`."""

    id: str
    seq: int
    line: str
    value_key: str
    polarity: str
    mirrored: bool
    asserted: bool
    state: str


CLAIM = "c.id, c.seq, r.line, r.value_key, c.polarity, r.mirrored, c.asserted, c.log"

PLACE = "r.claim, r.line, r.value_key, r.mirrored"
FEW = 8  # claims read one by one: from the key 0.1 ms each, against 1 ms and more for a join


def _on_line(
    view: Asked,
    line_id: str,
    upto: int,
    also: str = "",
    given: Given | None = None,
    side: str = "",
    said: Given | None = None,
    long: bool = False,
) -> list[list[Any]]:
    """The rows of a line's claims: `also`, with the values `given`, narrows the claims, `side` their places on it.

    A line that is known to be `long` is not looked at first.
    """
    start = {"id": line_id, "upto": upto, **(said or {})}
    first = step("l:Line", "-OnLine->", "c:Claim", f"{PLACE} LIMIT {FEW + 1}", side)
    places = [] if long else view.rows(first, start)
    if long or len(places) > FEW:
        text = step("l:Line", "-OnLine->", "c:Claim", f"{CLAIM}, c.changed", f"{side} {also}")
        return view.rows(text, {**start, **(given or {})})
    return [row for place in places for row in _placed(view, place, upto, also, given or {})]


def _placed(
    view: Asked, place: Sequence[Any], upto: int, also: str = "", given: Given | None = None
) -> Iterator[list[Any]]:
    """The row of one claim at its place, if it is one of those asked for."""
    id_, line_id, value_key, mirrored = place
    alone = (
        f"MATCH (c:Claim {{id: $id}}) WHERE c.seq <= $upto {also}"
        " RETURN c.seq, c.polarity, c.asserted, c.log, c.changed"
    )
    for seq, polarity, asserted, log, changed in view.rows(alone, {"id": id_, "upto": upto, **(given or {})}):
        yield [id_, seq, line_id, value_key, polarity, mirrored, asserted, log, changed]


def _claims(rows: Iterable[Sequence[Any]], upto: int) -> tuple[ClaimRow, ...]:
    return tuple(sorted((claim_row(row, upto) for row in rows), key=lambda row: (row.seq, row.line, row.mirrored)))


def claim_row(row: Sequence[Any], upto: int) -> ClaimRow:
    """A row of the columns of CLAIM, its log cut at `upto`."""
    id_, seq, line_id, value_key, polarity, mirrored, asserted, log = row[:8]
    return ClaimRow(id_, seq, line_id, value_key, polarity, mirrored, asserted, latest(log, upto))


def line(view: Asked, line_id: str, upto: int) -> tuple[ClaimRow, ...]:
    """All claims of a line, oldest first."""
    return _claims(_on_line(view, line_id, upto), upto)


def short_line(view: Asked, line_id: str, upto: int) -> tuple[ClaimRow, ...] | None:
    """All claims of a line that has few; None where it has many, of which a question is better asked for less."""
    start = {"id": line_id, "upto": upto}
    places = view.rows(step("l:Line", "-OnLine->", "c:Claim", f"{PLACE} LIMIT {FEW + 1}"), start)
    return None if len(places) > FEW else _claims((row for one in places for row in _placed(view, one, upto)), upto)


def live_on(view: Asked, line_id: str, since: int, until: int, upto: int) -> tuple[ClaimRow, ...]:
    """The live claims of a line whose window can touch [since, until], oldest first.

    Windows are at their widest: what is not trusted is open, a coarse end is the end of its period. A claim that has
    changed since `upto` is let through by the engine and looked at here.
    """
    also = "AND (c.changed > $upto OR (c.live AND c.since <= $until AND c.until >= $since))"
    rows = _on_line(view, line_id, upto, also, {"since": since, "until": until})
    return _claims((row for row in rows if row[8] <= upto or _touches(latest(row[7], upto), since, until)), upto)


def met_or_said(
    view: Asked, line_id: str, since: int, until: int, value_key: str, upto: int
) -> tuple[tuple[ClaimRow, ...], tuple[ClaimRow, ...]]:
    """`live_on` and `same_value` in one look at a long line: what a new claim can meet, and what says the same."""
    also = "AND (r.value_key = $value OR c.changed > $upto OR (c.live AND c.since <= $until AND c.until >= $since))"
    rows = _on_line(view, line_id, upto, also, {"since": since, "until": until, "value": value_key}, long=True)
    met = (row for row in rows if _touches(latest(row[7], upto), since, until))
    return _claims(met, upto), _claims((row for row in rows if row[3] == value_key), upto)


def _touches(state: str, since: int, until: int) -> bool:
    was = json.loads(state)
    first, last = window(was["valid"])
    return bool(was["live"]) and first <= until and last >= since


PENDING = "PendingLowConfidence"


def read_on(view: Asked, line_id: str, at: int, upto: int, long: bool = False) -> tuple[ClaimRow, ...]:
    """What a belief at a valid instant is read from, oldest first; `long` where the line is known to be.

    The live claims whose window can hold then, those in dispute at any instant, those that were not said as facts, and
    those that are pending.
    """
    also = (
        "AND (c.changed > $upto OR c.disposition = $pending"
        " OR (c.live AND (c.disputed OR NOT c.asserted OR (c.since <= $at AND c.until >= $at))))"
    )
    rows = _on_line(view, line_id, upto, also, {"at": at, "pending": PENDING}, long=long)
    return _claims((row for row in rows if row[8] <= upto or _read_at(row, upto, at)), upto)


def _read_at(row: Sequence[Any], upto: int, at: int) -> bool:
    state = latest(row[7], upto)
    was = json.loads(state)
    if was["disposition"] == PENDING or _touches(state, at, at):
        return True
    return bool(was["live"]) and (bool(was["rivals"]) or not row[6])


def same_value(view: Asked, line_id: str, value_key: str, upto: int) -> tuple[ClaimRow, ...]:
    """All claims of a line that say or ever said a value, in either polarity, oldest first."""
    rows = _on_line(view, line_id, upto, side="AND r.value_key = $value", said={"value": value_key})
    return _claims(rows, upto)


def live_places(view: Asked, line_id: str, upto: int) -> tuple[tuple[str, str], ...]:
    """The claims of a line that are live, with what they say; those too that have changed since `upto`."""
    also = "AND c.seq <= $upto AND (c.live OR c.changed > $upto)"
    text = step("l:Line", "-OnLine->", "c:Claim", "r.claim, r.value_key", also)
    return tuple((row[0], row[1]) for row in view.rows(text, {"id": line_id, "upto": upto}))


def transitions(view: Asked, ids: Iterable[str], upto: int) -> dict[str, tuple[int, ...]]:
    """The journal positions at which each claim was recorded and changed."""
    text = "MATCH (c:Claim {id: $id}) WHERE c.seq <= $upto RETURN c.id, c.log"
    rows = by_ids(view, text, ids, upto)
    return {id_: tuple(seq for seq, _ in entries(log, upto)) for id_, log in rows}


def lines_of_predicate(view: Asked, predicate: str, upto: int) -> tuple[str, ...]:
    """The lines of a predicate, in the order they came: a scan over all lines, for what is rarely asked."""
    text = "MATCH (l:Line) WHERE l.predicate = $predicate AND l.seq <= $upto RETURN l.id ORDER BY l.seq, l.id"
    return tuple(row[0] for row in view.rows(text, {"predicate": predicate, "upto": upto}))


def claims_saying(view: Asked, entity: str, upto: int) -> tuple[ClaimRow, ...]:
    """The claims whose value names an entity, oldest first, each on the line it was said on."""
    text = "MATCH (:Entity {id: $id})<-[r:Says]-(c:Claim) WHERE " + STANDS + " RETURN c.id ORDER BY c.seq"
    return claims(view, [row[0] for row in view.rows(text, {"id": entity, "upto": upto})], upto)


def line_ids_of(view: Asked, entity: str, upto: int) -> tuple[str, ...]:
    """The lines of an entity that have claims, in the order they came."""
    given = {"id": entity, "upto": upto}
    lines = view.rows(step("e:Entity", "-Has->", "l:Line", "r.line, r.seq"), given)
    used = step("l:Line", "-OnLine->", "c:Claim", "r.line LIMIT 1")
    return tuple(row[0] for row in by_seq(lines) if view.rows(used, {"id": row[0], "upto": upto}))


OPEN_CONTESTS = ("Contested", "QueuedForAdjudication")
BACK = "Reinstated"  # in a dispute too, where it has rivals: a resolution that was undone brings it back into one


def contested_claims(view: Asked, upto: int, after: int = 0, limit: int = 1_000) -> tuple[ClaimRow, ...]:
    """Live claims in an open contest, on each of their lines, oldest first; those after the position `after`.

    A claim that is on two lines counts as two rows. Fewer than `limit` rows means that there are no more: as many
    as the limit, that the last row's `seq` is where to go on from, that row's claim excepted if it was cut in two.
    """
    text = (
        f"MATCH (:Line)-[r:OnLine]->(c:Claim) WHERE c.seq > $after AND {STANDS}"
        " AND (c.changed > $upto OR (c.live AND c.disputed AND c.disposition IN $open))"
        f" RETURN {CLAIM}"
    )
    rows = _claims(view.rows(text, {"after": after, "upto": upto, "open": [*OPEN_CONTESTS, BACK]}), upto)
    return tuple(row for row in rows if _contested(row.state))[:limit]


def _contested(state: str) -> bool:
    was = json.loads(state)
    return bool(was["live"]) and bool(was["rivals"]) and was["disposition"] in (*OPEN_CONTESTS, BACK)


def claims(view: Asked, ids: Iterable[str], upto: int) -> tuple[ClaimRow, ...]:
    """Claims by id, oldest first, each on the line that it was said on; what is not known is left out."""
    text = step("c:Claim", "<-OnLine-", "l:Line", "r.claim, r.line, r.value_key, r.mirrored", "AND NOT r.mirrored")
    places = by_ids(view, text, ids, upto)
    return _claims((row for place in places for row in _placed(view, place, upto, "", {})), upto)


def lines_of_claims(view: Asked, ids: Iterable[str], upto: int) -> tuple[str, ...]:
    """Every line that claims stand on, those seen from their values too, each once."""
    text = step("c:Claim", "<-OnLine-", "l:Line", "r.line, r.seq")
    return tuple(dict.fromkeys(row[0] for row in by_seq(by_ids(view, text, ids, upto))))


@dataclass(frozen=True, slots=True)
class Dependent:
    """A claim that rests on others; `chain` leads from one of those asked about to it, both included."""

    id: str
    chain: tuple[str, ...]


def dependents(view: Asked, ids: Iterable[str], upto: int) -> tuple[Dependent, ...]:
    """Everything that rests on the claims, nearest first, each with a shortest chain. A circle is walked once."""
    text = step("p:Claim", "<-Bears-", "c:Claim", "r.claim, r.seq, r.premise", "AND r.kind = 'rests_on'")
    chains: dict[str, tuple[str, ...]] = {id_: (id_,) for id_ in ids}
    asked, found = list(chains), []
    while asked:
        pairs, asked = by_seq(by_ids(view, text, asked, upto)), []
        for id_, _, premise in pairs:
            if id_ not in chains:
                chains[id_] = (*chains[premise], id_)
                found.append(Dependent(id_, chains[id_]))
                asked.append(id_)
    return tuple(found)


def premises(view: Asked, claim: str, upto: int) -> tuple[str, ...]:
    """The claims that a claim was said to rest on."""
    text = step("c:Claim", "-Bears->", "p:Claim", "r.premise", "AND r.kind = 'rests_on'")
    return tuple(sorted({row[0] for row in view.rows(text, {"id": claim, "upto": upto})}))
