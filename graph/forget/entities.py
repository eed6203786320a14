"""Entities that nothing speaks of any more: they are not offered, until something does again."""

import json
from collections.abc import Collection, Iterable, Sequence

from hornbook.graph.records.withdraw import GONE
from hornbook.graph.store import Writing
from hornbook.graph.view import queries

DEAD = frozenset(disposition.value for disposition in GONE)


def touched_by(writing: Writing, items: Collection[str], claims: Collection[str]) -> tuple[str, ...]:
    """The entities that some texts and claims speak of."""
    found = dict.fromkeys(writing.ask(queries.mentioned_in, items, upto=writing.upto))
    for row in writing.ask(queries.claims, claims, upto=writing.upto):
        found[row.line.partition("|")[0]] = None
    for ref in claims:
        event = writing.snapshot.by_id(ref)
        if event is not None and event.body is not None and event.body["value_entity"]:
            found[event.body["value_entity"]] = None
    return tuple(found)


def retire_unsupported(writing: Writing, entities: Iterable[str], reason: str) -> int:
    """Retire those of the entities that nothing speaks of any more; how many those are."""
    retired = 0
    for id_ in entities:
        entity = writing.ask(queries.entity, id_, upto=writing.upto)
        if entity is not None and not entity.retired and not supported(writing, id_):
            body = {"entity": id_, "keys": [], "aliases": [], "whole": True, "reason": reason}
            writing.append("entity.retired", body)
            retired += 1
    return retired


def supported(writing: Writing, entity: str) -> bool:
    """Whether a claim that was not withdrawn, or a text that is there, speaks of an entity."""
    texts = writing.ask(queries.mentioning, entity, upto=writing.upto)
    if any(not json.loads(row.state)["deleted"] for row in texts):
        return True
    return any(json.loads(row.state)["disposition"] not in DEAD for row in _claims(writing, entity))


def _claims(writing: Writing, entity: str) -> Sequence[queries.ClaimRow]:
    lines = writing.ask(queries.line_ids_of, entity, upto=writing.upto)
    own = [row for line in lines for row in writing.ask(queries.line, line, upto=writing.upto)]
    return [*own, *writing.ask(queries.claims_saying, entity, upto=writing.upto)]
