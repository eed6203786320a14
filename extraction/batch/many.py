"""Ingesting many texts: embedded and read in groups outside the lock, written in short transactions."""

import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from hornbook.extraction.again import record_again
from hornbook.extraction.candidate import Extractor
from hornbook.extraction.ingest import Ingested, keep, record, tried
from hornbook.extraction.parked import TAKEN_IN
from hornbook.extraction.read import Found, read_texts
from hornbook.graph.episode import Episode
from hornbook.graph.errors import HornbookError, StoreError
from hornbook.graph.events import Actor
from hornbook.graph.record import EMBEDDED, Embed, Indexed, embedded, keys_of, prepare
from hornbook.graph.store import Reading, Store, Writing
from hornbook.graph.view import queries

if TYPE_CHECKING:
    from hornbook.graph.journal import Model

GROUP = 64  # texts taken in, embedded and read together; the most items of one transaction
TURN = 0.05  # seconds a transaction goes on taking further items: then others get the lock
Thing = TypeVar("Thing")
Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Texts:
    """What it takes to ingest texts into one memory."""

    store: Store
    actor: Actor
    extractor: Extractor
    owner: str
    model: "Model"
    embed: Embed


@dataclass(frozen=True, slots=True)
class Item:
    """One text to ingest, the key under which it is known again, and what to say about how it was read."""

    episode: Episode
    key: str | None = None
    notes: tuple[str, ...] = ()


def ingest_many(into: Texts, items: Iterable[Item | Ingested], *, dry_run: bool = False) -> Iterator[Ingested]:
    """What became of each text, in order. Only one group of texts is in memory at a time.

    What could not even be made into an item comes as its outcome, and is passed on in its place.
    Texts that are there already are passed over; those that were stored and never read, because a run was cut off,
    are read now.
    """
    waiting = iter(items)
    while group := list(islice(waiting, GROUP)):
        texts = [one for one in group if isinstance(one, Item)]
        done = _tried(into, texts) if dry_run else iter(_ingested(into, texts))
        yield from (next(done) if isinstance(one, Item) else one for one in group)
        into.store.compact()


def read_again(into: Texts, episodes: Iterable[Episode]) -> Iterator[Ingested]:
    """Extract stored texts anew, or for the first time, in order; earlier claims that are not said again go."""
    waiting = iter(episodes)
    while group := list(islice(waiting, GROUP)):
        yield from _recorded(into, group, record_again)
        into.store.compact()


def _tried(into: Texts, group: Sequence[Item]) -> Iterator[Ingested]:
    read = read_texts(into.extractor, [one.episode for one in group], into.owner)
    return (_noted(item, tried(into.store, into.actor, found)) for item, found in zip(group, read, strict=True))


def _ingested(into: Texts, group: Sequence[Item]) -> list[Ingested]:
    done = _known(into.store, group)
    new = [one for one in group if one.episode.id not in done]
    for item, (episode, outcome) in zip(new, _kept(into, new), strict=True):
        done[item.episode.id] = (episode, outcome)
    unread = [replace(one.episode, id=done[one.episode.id][0]) for one in group if done[one.episode.id][1] is None]
    read = dict(zip((one.id for one in unread), _recorded(into, unread, _first), strict=True))
    outcomes = [(one, done[one.episode.id]) for one in group]
    return [_noted(one, outcome or read[episode]) for one, (episode, outcome) in outcomes]


Placed = tuple[str, Ingested | None]  # the id under which a text is stored, and what became of it unless it is unread


def _known(store: Store, group: Sequence[Item]) -> dict[str, Placed]:
    """The texts of a group that are there already: found before anything is embedded, and without the lock."""
    with store.reading() as reading:
        known = {one.episode.id: _recalled(reading, one) for one in group}
        unread = _unread(reading, [id_ for id_ in known.values() if id_ is not None])
    return {
        own: (id_, None if id_ in unread else Ingested(id_, "known")) for own, id_ in known.items() if id_ is not None
    }


def _recalled(reading: Reading, item: Item) -> str | None:
    """The id of the same text; a key that stands for another text is left to the transaction to refuse."""
    for key in keys_of(item.episode, item.key):
        if (found := reading.snapshot.recalled(key)) is not None:
            event = reading.snapshot.by_id(found)
            same = event is None or event.body is None or event.body["content"] == item.episode.content
            return found if same else None
    return None


def _unread(reading: Reading | Writing, ids: Sequence[str]) -> set[str]:
    """Those texts that were taken in to be read, and of which no extraction was recorded, not even a failed one."""
    rows = reading.ask(queries.items, ids, upto=reading.upto)
    return {
        row.id
        for row in rows
        if "extraction" not in json.loads(row.state) and json.loads(row.data)["channel"] == TAKEN_IN
    }


def _kept(into: Texts, new: Sequence[Item]) -> list[Placed]:
    """Store the texts that are new."""
    ready = list(zip(new, prepared([one.episode for one in new], into.embed), strict=True))

    def act(writing: Writing, one: tuple[Item, Indexed]) -> Placed:
        item, indexed = one
        try:
            known = keep(writing, item.episode, indexed, keys_of(item.episode, item.key), into.model)
        except HornbookError as error:
            if isinstance(error, StoreError):
                raise
            return item.episode.id, _refused(item, error)
        return (item.episode.id, None) if known is None else (known, Ingested(known, "known"))

    def alone(one: tuple[Item, Indexed], error: HornbookError) -> Placed:
        return one[0].episode.id, _refused(one[0], error)

    return in_turns(into, ready, act, alone)


def _refused(item: Item, error: HornbookError) -> Ingested:
    place = {"source": item.episode.source, "position": item.episode.position}
    return refused(error, **{name: given for name, given in place.items() if given is not None})


def refused(error: HornbookError, **place: Any) -> Ingested:
    """What became of a text that could not be stored; `place` says which it was."""
    return Ingested("", "refused", failed=({**error.as_dict(), **place},))


def prepared(episodes: Sequence[Episode], embed: Embed) -> list[Indexed]:
    """The passages of each text with their vectors, embedded together."""
    import numpy as np  # here, since the server starts without it

    cut = [prepare(one.content, one.speaker, None) for one in episodes]
    spoken = [text for one in cut for text in one.texts[:EMBEDDED]]
    vectors = [embedded(spoken[at : at + GROUP], embed) for at in range(0, len(spoken), GROUP)]
    if any(rows is None for rows in vectors):
        return cut  # found by their words until the model can be had
    every = (row for rows in vectors if rows is not None for row in rows)
    return [replace(one, vectors=np.stack(list(islice(every, len(one.texts[:EMBEDDED]))))) for one in cut]


Recording = Callable[[Writing, Found], Ingested]


def _recorded(into: Texts, episodes: Sequence[Episode], recording: Recording) -> list[Ingested]:
    """Read the episodes, then record what was found."""
    found = read_texts(into.extractor, episodes, into.owner, into.embed)

    def alone(one: Found, error: HornbookError) -> Ingested:
        one = replace(one, read=[replace(piece, error=error) for piece in one.read], claims=())
        return into.store.write(into.actor, lambda writing: record(writing, one))

    return in_turns(into, found, recording, alone)


def _first(writing: Writing, found: Found) -> Ingested:
    """Record an extraction, unless another process has done so meanwhile."""
    if _unread(writing, [found.episode.id]):
        return record(writing, found)
    return Ingested(found.episode.id, "known")


def in_turns(
    into: Texts,
    things: Sequence[Thing],
    act: Callable[[Writing, Thing], Made],
    alone: Callable[[Thing, HornbookError], Made],
) -> list[Made]:
    """Do something for each thing, in transactions of at most 64 items or 50 ms.

    A thing that cannot be done takes no other with it: the rest of its transaction is done one by one, and `alone`
    says what became of it.
    """
    done: list[Made] = []
    while len(done) < len(things):
        left = things[len(done) :]
        try:
            done.extend(into.store.write(into.actor, partial(_turn, things=left, act=act)))
        except StoreError:
            raise
        except HornbookError:
            done.extend(_one_by_one(into, left[:GROUP], act, alone))
    return done


def _turn(writing: Writing, things: Sequence[Thing], act: Callable[[Writing, Thing], Made]) -> list[Made]:
    until, made = time.monotonic() + TURN, []
    for thing in things[:GROUP]:
        made.append(act(writing, thing))
        if time.monotonic() >= until:
            break
    return made


def _one_by_one(
    into: Texts,
    things: Sequence[Thing],
    act: Callable[[Writing, Thing], Made],
    alone: Callable[[Thing, HornbookError], Made],
) -> Iterator[Made]:
    for thing in things:
        try:
            yield _alone(into, thing, act)
        except StoreError:
            raise
        except HornbookError as error:
            yield alone(thing, error)


def _alone(into: Texts, thing: Thing, act: Callable[[Writing, Thing], Made]) -> Made:
    return into.store.write(into.actor, lambda writing: act(writing, thing))


def _noted(item: Item, outcome: Ingested) -> Ingested:
    return replace(outcome, notes=(*item.notes, *outcome.notes)) if item.notes else outcome
