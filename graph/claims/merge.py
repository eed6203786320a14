"""Merging entities and parting them again: events that bring lines together or apart, gated in the same transaction."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hornbook.graph import entities
from hornbook.graph.belief.state import Held
from hornbook.graph.claims import changes
from hornbook.graph.claims.lines import all_of, held, line_id
from hornbook.graph.displayed import Displayed
from hornbook.graph.errors import Conflict, InvalidArgument, NotFound
from hornbook.graph.ids import new_id
from hornbook.graph.names import name_key
from hornbook.graph.store import Writing
from hornbook.graph.view import queries
from hornbook.graph.view.queries import ClaimRow, EntityRow

MERGED, PARTED = "entities.merged", "entities.parted"


@dataclass(frozen=True, slots=True, repr=False)
class Merged(Displayed):
    """What a merge or a parting did: its id, the entity that is kept, and how many claims changed their line."""

    merge_id: str
    kept: str
    merged: str
    claims: int

    def as_dict(self) -> dict[str, Any]:
        """The reply."""
        return {"merge_id": self.merge_id, "kept": self.kept, "merged": self.merged, "claims": self.claims}


def merge(writing: Writing, kept: str, merged: str, reason: str) -> Merged:
    """Make two entities one: the second's names and lines go over to the first. `part` undoes it."""
    first, second = _named(writing, kept, "kept"), _named(writing, merged, "merged")
    if first.id == second.id:
        raise Conflict("these are one entity already", field="merged")
    moves = _moves(writing, first, second)
    id_ = new_id()
    writing.append(
        MERGED,
        {
            "id": id_,
            "kept": first.id,
            "merged": second.id,
            "keys": _keys(writing, first, second),
            "moves": moves,
            "reason": checked_reason(reason),
        },
        event_id=id_,
    )
    _settle(writing, moves, "two entities became one")
    return Merged(id_, first.id, second.id, len(moves))


def part(writing: Writing, merge_id: str, reason: str) -> Merged:
    """Undo a merge: names and claims go back to whom they were said of, those said since included."""
    event = writing.snapshot.by_id(merge_id)
    if event is None or event.kind != MERGED or event.body is None:
        raise NotFound("there is no merge of that id", field="merge_id", hint="audit names the merges")
    body = event.body
    second = writing.ask(queries.entity, body["merged"], upto=writing.upto)
    if second is None or second.merged_into != body["kept"]:
        raise Conflict("this merge was undone already", field="merge_id")
    first = writing.ask(queries.entity, body["kept"], upto=writing.upto)
    if first is not None and first.merged_into is not None:  # its claims have gone on from there
        raise Conflict(
            f"{first.name[:80]} was itself merged into another since", field="merge_id", hint="undo that merge first"
        )
    moves = [reversed_move(move) for move in body["moves"]]
    moves += _since(writing, body["kept"], second, frozenset(body["keys"]), {move["claim"] for move in moves})
    writing.append(
        PARTED,
        {
            "merge": merge_id,
            "kept": body["kept"],
            "merged": body["merged"],
            "keys": list(body["keys"]),
            "moves": moves,
            "reason": checked_reason(reason),
        },
    )
    _settle(writing, moves, "two entities were parted")
    return Merged(merge_id, body["kept"], body["merged"], len(moves))


def _keys(writing: Writing, first: EntityRow, second: EntityRow) -> list[str]:
    """The names that go over: not those that the first bears too, or parting would take them from it."""
    own = writing.ask(queries.names_of, first.id, upto=writing.upto)
    return [key for key in writing.ask(queries.names_of, second.id, upto=writing.upto) if key not in own]


def checked_reason(reason: object) -> str:
    """Why somebody says so; it stands in the ledger."""
    if not isinstance(reason, str) or not reason.strip():
        raise InvalidArgument("reason is missing", field="reason", hint="say why: it stands in the ledger")
    return reason.strip()


def _named(writing: Writing, text: str, field: str) -> EntityRow:
    found = entities.find(writing, text)
    if found is None:
        raise NotFound(f"there is no entity {text[:80]}", field=field)
    return found


def _move(one: Held, source: str, target: str, key: str) -> dict[str, Any]:
    return {
        "claim": one.id,
        "from": source,
        "to": target,
        "value_key": key,
        "value_key_before": one.value_key,
        "mirrored": one.mirrored,
    }


def reversed_move(move: Mapping[str, Any]) -> dict[str, Any]:
    """The move of a claim back to where it came from."""
    back = {"from": move["to"], "to": move["from"]}
    keys = {"value_key": move["value_key_before"], "value_key_before": move["value_key"]}
    return {**move, **back, **keys}


def _moves(writing: Writing, first: EntityRow, second: EntityRow) -> list[dict[str, Any]]:
    """Every place that changes when the second becomes the first, each once."""
    lines = writing.ask(queries.line_ids_of, second.id, upto=writing.upto)
    saying = _saying(writing, second)
    return [
        *_handed_over(writing, first, lines, {row.id for row in saying}),
        *_said(writing, first, [row for row in saying if row.line not in lines]),
        *_seen(writing, first, _read_from_both(writing, lines), lines),
    ]


def _saying(writing: Writing, entity: EntityRow) -> list[ClaimRow]:
    """The claims whose value is an entity, or one that was merged into it, through all mergers."""
    found = [entity]
    for one in found:  # it grows while it is walked
        rows = (writing.ask(queries.entity, id_, upto=writing.upto) for id_ in one.absorbed)
        found += [row for row in rows if row is not None and row not in found]
    return [row for one in found for row in writing.ask(queries.claims_saying, one.id, upto=writing.upto)]


def _key(writing: Writing, line: str, entity: EntityRow) -> str:
    """What a claim on a line says that says an entity."""
    return writing.registry.named(line.partition("|")[2]).key_of(entity.name)


def _handed_over(
    writing: Writing, first: EntityRow, lines: Sequence[str], saying: Collection[str]
) -> list[dict[str, Any]]:
    """The claims on the second's lines, on the first's line of the same predicate; if they say the second, the first.

    One that says the second of itself is seen from its value on these lines too, or was said of an entity merged into
    the second.
    """
    seats = [(line, one) for line in lines for one in all_of(writing, line)]
    own = {one.id for _, one in seats if not one.mirrored}
    moves = []
    for line, one in seats:
        target = line_id(first.id, line.partition("|")[2])
        itself = one.id in (own if one.mirrored else saying)
        moves.append(_move(one, line, target, _key(writing, line, first) if itself else one.value_key))
    return moves


def _said(writing: Writing, first: EntityRow, rows: Sequence[ClaimRow]) -> list[dict[str, Any]]:
    """The claims of others whose value is the second: on their own line, they now say the first."""
    found = zip(rows, held(writing, rows), strict=True)
    return [_move(one, row.line, row.line, _key(writing, row.line, first)) for row, one in found]


def _read_from_both(writing: Writing, lines: Sequence[str]) -> set[str]:
    """The claims said on lines that are seen from their values too."""
    mirrors = [line for line in lines if writing.registry.named(line.partition("|")[2]).mirror is not None]
    return {one.id for line in mirrors for one in all_of(writing, line) if not one.mirrored}


def _seen(writing: Writing, first: EntityRow, refs: Collection[str], lines: Sequence[str]) -> list[dict[str, Any]]:
    """The claims about the second, where they are seen from others that are their values: there they say the first."""
    return [
        _move(one, other, other, _key(writing, other, first))
        for other in writing.ask(queries.lines_of_claims, tuple(refs), upto=writing.upto)
        if other not in lines
        for one in all_of(writing, other)
        if one.mirrored and one.id in refs
    ]


def _since(
    writing: Writing, kept: str, merged: EntityRow, keys: frozenset[str], known: Collection[str]
) -> list[dict[str, Any]]:
    """The places of claims recorded since the merge under a name of the merged entity, as subject or as value."""
    lines = writing.ask(queries.line_ids_of, kept, upto=writing.upto)
    seats = [(line, one) for line in lines for one in all_of(writing, line) if one.id not in known]
    named = [(line, one) for line, one in seats if name_key(str(one.subject)) in keys]
    moves = []
    for line, one in named:
        target = line_id(merged.id, line.partition("|")[2])
        itself = name_key(str(one.value)) in keys
        moves.append(_move(one, line, target, _key(writing, line, merged) if itself else one.value_key))
    rows = [row for row in writing.ask(queries.claims_saying, kept, upto=writing.upto) if row.id not in known]
    others = [row for row in rows if (row.line, row.id) not in {(line, one.id) for line, one in named}]
    said = [row for row in others if name_key(str(held(writing, [row])[0].value)) in keys]
    return [*moves, *_said(writing, merged, said), *_seen(writing, merged, {one.id for _, one in named}, lines)]


def _settle(writing: Writing, moves: Sequence[dict[str, Any]], reason: str) -> None:
    """Tell the claims of every line that was touched which rivals they have now."""
    for line in dict.fromkeys(place for move in moves for place in (move["from"], move["to"])):
        changes.settle_line(writing, line, reason)
