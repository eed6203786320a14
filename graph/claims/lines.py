"""From rows of the view to what belief works on: claims as their lines see them, and the lines they stand on."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from hornbook.graph import entities
from hornbook.graph.belief.codec import claim_from_json, state_from_json
from hornbook.graph.belief.registry import Predicate
from hornbook.graph.belief.state import ClaimState, Held
from hornbook.graph.claim import Channel, Claim, Disposition
from hornbook.graph.errors import NotFound, StoreDamaged
from hornbook.graph.interval import ALWAYS, FOREVER
from hornbook.graph.store import Reading, Writing
from hornbook.graph.view import queries
from hornbook.graph.view.queries import ClaimRow, EntityRow

PARSED = 4_096  # claims that a store keeps parsed, some 2 kB each
FEW = 4  # claims whose sides are looked up one by one; for more the line is looked at once


@dataclass(frozen=True, slots=True)
class Place:
    """A line that a claim stands on: `mirrored` is the one seen from the entity that is its value."""

    line: str
    entity: str
    predicate: Predicate
    value_key: str
    mirrored: bool = False


def line_id(entity: str, predicate: str) -> str:
    """The id of a line."""
    return f"{entity}|{predicate}"


def held(asking: Reading | Writing, rows: Iterable[ClaimRow]) -> tuple[Held, ...]:
    """Claims as their line sees them, parsed."""
    return tuple(_held(asking, row) for row in rows)


def _held(asking: Reading | Writing, row: ClaimRow) -> Held:
    claim, known_at = _written(asking, row)
    state = _state(row.state)
    seen_as = row.line.partition("|")[2] if row.mirrored else ""
    return Held(claim, row.seq, known_at, state, row.value_key, claim.polarity, row.mirrored, seen_as)


def _written(asking: Reading | Writing, row: ClaimRow) -> tuple[Claim, int]:
    """What never changes about a claim: itself, and when it became known; kept, for lines with many claims."""
    parsed = asking.store.parsed
    found = parsed.get(row.id)
    if found is None:
        found = _recorded(asking, row.seq)
        if len(parsed) >= PARSED:
            parsed.clear()
        if row.seq <= asking.settled:  # of this transaction nobody knows yet when it will have become known
            parsed[row.id] = found
    return found


def _recorded(asking: Reading | Writing, seq: int) -> tuple[Claim, int]:
    """A claim as the journal has it."""
    event = asking.snapshot.event(seq)
    if event is None or event.body is None:
        raise StoreDamaged(f"the claim of event {seq} is gone", hint="open the store again")
    return claim_from_json(event.body["claim"]), event.known_at if seq <= asking.settled else asking.known_at(seq)


def written(reading: Reading) -> dict[str, Mapping[str, Any]]:
    """Every claim as it was written, as JSON, by id."""
    events = reading.snapshot.events(0, reading.upto, kinds=("claim.recorded",))
    return {event.body["claim"]["id"]: event.body["claim"] for event in events if event.body is not None}


@lru_cache(PARSED)
def _state(text: str) -> ClaimState:
    """A state names no text that anybody said: nothing is kept that may have to be forgotten."""
    return state_from_json(json.loads(text))


def place(writing: Writing, claim: Claim, predicate: Predicate) -> tuple[tuple[Place, ...], str | None]:
    """The lines of a new claim, its entities recorded where they are new; and the entity that its value names."""
    subject = entities.ensure(writing, claim.subject, claim.subject_type)
    named = _value_entity(writing, claim, predicate)
    key = predicate.key_of(named.name) if named else claim.value_key
    own = Place(line_id(subject, predicate.key), subject, predicate, key)
    if named is None or predicate.mirror is None or named.id == subject:
        return (own,), named.id if named else None
    seen = writing.registry.named(predicate.mirror)
    about = writing.ask(queries.entity, subject, upto=writing.upto)
    back = seen.key_of(about.name if about else claim.subject)
    return (own, Place(line_id(named.id, seen.key), named.id, seen, back, True)), named.id


def _value_entity(writing: Writing, claim: Claim, predicate: Predicate) -> EntityRow | None:
    """The entity that a text value names: one that is known, or a new one where a thing was said that is none yet.

    An extractor says which values are things by their type. What is stated is taken by the range of its predicate, so
    that what leads to a place or a person leads to a node, which other claims lead to as well.
    """
    if not isinstance(claim.value, str) or not claim.value.strip():
        return None
    found = entities.find(writing, claim.value)
    if found is not None:
        entities.spoken_of_again(writing, found)
    stated = claim.channel is Channel.STATED and predicate.names_things
    if found is not None or (claim.value_type is None and predicate.mirror is None and not stated):
        return found
    entities.record(writing, claim.value, claim.value_type or predicate.range)
    return entities.find(writing, claim.value)


def to_decide(
    asking: Reading | Writing, line: str, since: int, until: int, key: str
) -> tuple[tuple[Held, ...], tuple[Held, ...]]:
    """What a new claim is decided by: the live claims it can meet, and every claim that says or said its value.

    The first are those that can hold between two instants, with all live claims of their sides.
    """
    if (rows := asking.ask(queries.short_line, line, upto=asking.upto)) is not None:
        every = held(asking, rows)
        return tuple(one for one in every if one.state.live), tuple(one for one in every if one.value_key == key)
    met, said = asking.ask(queries.met_or_said, line, since, until, key, upto=asking.upto)
    same = held(asking, said)
    if any(one.state.disposition is Disposition.PENDING_LOW_CONFIDENCE for one in same):
        return live_on(asking, line), same  # one that the new claim wakes may meet others than the new claim does
    return with_sides(asking, line, met, said), same


def with_sides(
    asking: Reading | Writing, line: str, rows: Sequence[ClaimRow], said: Sequence[ClaimRow] = ()
) -> tuple[Held, ...]:
    """Claims of a line with all live claims of their sides, oldest first. `said` are all claims of one value."""
    keys = {row.value_key for row in rows}
    first = {row.id for row in rows}
    every = [*rows, *(row for row in said if row.value_key in keys)]
    refs = {row.id for row in every}
    more = keys - {row.value_key for row in said}
    if more and len(rows) <= FEW:
        for key in more:
            every += asking.ask(queries.same_value, line, key, upto=asking.upto)
    elif more and any(
        key in more and ref not in refs for ref, key in asking.ask(queries.live_places, line, upto=asking.upto)
    ):
        live = asking.ask(queries.live_on, line, ALWAYS, FOREVER, upto=asking.upto)
        every += [row for row in live if row.value_key in more]
    once = {(row.id, row.mirrored): row for row in every}  # one that names itself is seen from both its ends
    found = held(asking, sorted(once.values(), key=_order))
    return tuple(one for one in found if one.state.live or one.id in first)


def _order(row: ClaimRow) -> tuple[int, bool]:
    return row.seq, row.mirrored


def live_on(asking: Reading | Writing, line: str) -> tuple[Held, ...]:
    """Every live claim of a line, whatever its window."""
    return held(asking, asking.ask(queries.live_on, line, ALWAYS, FOREVER, upto=asking.upto))


def all_of(asking: Reading | Writing, line: str) -> tuple[Held, ...]:
    """Every claim that a line has, live or not, oldest first."""
    return held(asking, asking.ask(queries.line, line, upto=asking.upto))


def find_line(asking: Reading | Writing, subject: str, predicate: str) -> tuple[str, Predicate] | None:
    """The line that a subject and a predicate name; None where nobody spoke about the subject."""
    entity = entities.find(asking, subject)
    known = asking.registry.named(predicate)
    return (line_id(entity.id, known.key), known) if entity else None


def claim_rows(asking: Reading | Writing, ids: Iterable[str], field: str = "claim_ref") -> tuple[Held, ...]:
    """Claims by id, each on the line it was said on; NotFound naming the first that is not here."""
    wanted = tuple(ids)
    found = held(asking, asking.ask(queries.claims, wanted, upto=asking.upto)) if wanted else ()
    missing = [ref for ref in wanted if ref not in {one.id for one in found}]
    if missing:
        raise NotFound(f"there is no claim {missing[0]}", field=field, hint="query_memory and audit name the claims")
    return found
