"""Writing: one transaction, from the first event to the seal that gives all of them their time and their place.

Events wait in memory until the seal; rows of documents, vectors, keys and numbers are written at once, in the same
SQLite transaction. The seal is the last step before the commit.
"""

import json
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hornbook.graph.clock import Clock
from hornbook.graph.errors import Conflict, Incoherent, NotFound
from hornbook.graph.events import Actor, Event, Vocabulary, decode, encode, redaction_id
from hornbook.graph.ids import new_id
from hornbook.graph.journal.chain import SALT_BYTES, Envelope, digest, genesis, link
from hornbook.graph.journal.database import Database
from hornbook.graph.journal.lexical import indexed
from hornbook.graph.journal.read import FACETS, Document, Snapshot, document, places
from hornbook.graph.journal.vectors import Model, packed

if TYPE_CHECKING:
    from hornbook.graph.journal.vectors import Vector

INSERT_EVENT = f"INSERT INTO event VALUES ({places('x' * 13)})"
INSERT_DOCUMENT = f"INSERT INTO document VALUES ({places('x' * 10)}) RETURNING id"
TextOf = Callable[[Document], str | None]


@dataclass(frozen=True, slots=True)
class Head:
    """The last event of a journal: what the next transaction builds on."""

    seq: int
    txn: int
    known_at: int
    hash: bytes


def read_head(database: Database, journal_id: str) -> Head:
    """The head as it stands in the tables."""
    row = database.one("SELECT seq, txn, known_at, hash FROM event ORDER BY seq DESC LIMIT 1")
    return Head(*row) if row else Head(0, 0, 0, genesis(journal_id))


class Transaction(Snapshot):
    """What one writer does between the lock and the commit. It reads like a snapshot and sees its own events."""

    def __init__(
        self,
        database: Database,
        journal_id: str,
        vocabulary: Vocabulary,
        actor: Actor,
        clock: Clock,
        known_at: int | None = None,
    ) -> None:
        self._before = read_head(database, journal_id)
        super().__init__(database, journal_id, self._before.seq, vocabulary)
        self._actor = actor
        self._clock = clock
        self._given = known_at
        self._waiting: list[tuple[Event, bytes | None]] = []
        self._sealed = False
        self.erased_here = False
        if known_at is not None and known_at <= self._before.known_at:
            raise Incoherent(
                "an imported transaction must be later than what the journal already knows",
                field="known_at",
                hint="import in order of time, into an empty store",
            )

    # events

    @property
    def head(self) -> int:
        """The last seq that is taken, by an event of this transaction too."""
        return self._bound + len(self._waiting)

    @property
    def pending(self) -> tuple[Event, ...]:
        """The events of this transaction before the seal; their `known_at` is the earliest that it can become."""
        return tuple(event for event, _ in self._waiting)

    def append(
        self, kind: str, body: Mapping[str, Any] | None, *, event_id: str | None = None, origin: str | None = None
    ) -> int:
        """Record an event; its seq, which later events of the same transaction may refer to.

        A body of None is for an import alone: the event's own had been erased where it comes from.
        """
        self._refuse_sealed()
        version = self._vocabulary.version(kind)
        data = None if body is None else encode(body)
        if event_id is not None and self.by_id(event_id) is not None:
            raise Conflict("an event with this id is already recorded", field="event_id")
        event = Event(
            *(self.head + 1, self._before.txn + 1, self._earliest(), event_id or new_id(), origin or self._journal_id),
            *(kind, version, self._actor, None if data is None else decode(data)),
        )
        self._waiting.append((event, data))
        return event.seq

    def _earliest(self) -> int:
        return self._given if self._given is not None else self._before.known_at + 1

    def seal(self) -> tuple[Event, ...]:
        """Fix the time of the transaction and chain its events; nothing can be appended after it.

        The commit does this by itself. Call it when the events are needed with their final `known_at` before.
        """
        self._refuse_sealed()
        self._sealed = True
        known_at = self._given if self._given is not None else max(self._clock(), self._before.known_at + 1)
        events = tuple(replace(event, known_at=known_at) for event in self.pending)
        self._insert(events, [data for _, data in self._waiting])
        self._bound += len(events)
        self._waiting = []
        return events

    def _insert(self, events: tuple[Event, ...], bodies: list[bytes | None]) -> None:
        assert self._database is not None
        previous, rows, kept = self._before.hash, [], []
        for event, data in zip(events, bodies, strict=True):
            salt = os.urandom(SALT_BYTES)
            body_digest = digest(salt, data or b"")
            previous = link(previous, envelope(event), body_digest)
            rows.append((*columns(event), event.seq, body_digest, previous))
            kept.append((event.seq, None if data is None else salt, data))
        self._database.many("INSERT INTO body VALUES (?, ?, ?)", kept)
        self._database.many(INSERT_EVENT, rows)

    @property
    def sealed(self) -> bool:
        """Whether the seal is set."""
        return self._sealed

    def _refuse_sealed(self) -> None:
        if self._sealed:
            raise Conflict("the transaction is sealed", hint="open another")

    def events(
        self,
        after: int = 0,
        upto: int | None = None,
        *,
        kinds: Collection[str] | None = None,
        limit: int | None = None,
        descending: bool = False,
    ) -> Iterator[Event]:
        """The events with after < seq <= upto, this transaction's own included."""
        own = [event for event in self.pending if event.seq > after and (upto is None or event.seq <= upto)]
        own = [event for event in own if kinds is None or event.kind in kinds]
        left = limit
        for event in reversed(own) if descending else ():
            if left == 0:
                return
            yield event
            left = left and left - 1
        for event in super().events(after, upto, kinds=kinds, limit=left, descending=descending):
            yield event
            left = left and left - 1
        if not descending:
            yield from own if left is None else own[:left]

    def by_id(self, event_id: str) -> Event | None:
        """One event by its id, this transaction's own included."""
        own = (event for event in self.pending if event.event_id == event_id)
        return next(own, None) or super().by_id(event_id)

    # documents: words and vectors

    def add_document(
        self,
        ref: str,
        kind: str,
        seq: int,
        text: str,
        vector: "Vector | None" = None,
        facets: Mapping[str, Any] | None = None,
    ) -> int:
        """Make something searchable by its words, and by its vector if there is one; the document's id."""
        given = {name: value for name, value in (facets or {}).items() if value is not None}
        more = {name: value for name, value in given.items() if name not in FACETS}
        values = [given.get(name) for name in FACETS]
        row = (None, ref, kind, seq, *values, encode(more).decode() if more else None)
        id_ = int(self._rows(INSERT_DOCUMENT, row)[0][0])
        self._index(id_, text)
        if vector is not None:
            self.put_vector(id_, vector)
        return id_

    def _index(self, id_: int, text: str) -> None:
        self._rows("INSERT INTO lexicon (rowid, text, grams) VALUES (?, ?, ?)", (id_, *indexed(text)))

    def stand(self, ref: str, lifecycle: str, *, active: bool, since: int, until: int) -> None:
        """Note, as of the last event, whether a ref is offered in a search, and while it is true."""
        row = (ref, self.head, lifecycle, active, since, until)
        self._rows("INSERT INTO standing (ref, seq, lifecycle, active, since, until) VALUES (?, ?, ?, ?, ?, ?)", row)

    def use_model(self, model: Model, *, replace: bool = False) -> None:
        """Say which model makes the vectors. Another one is refused, or replaces it: then its vectors count alone."""
        current = self.model()
        if current == model:
            return
        if current is not None and not replace:
            raise Conflict(
                f"the store holds vectors of the model '{current.name}', not of '{model.name}'",
                hint="open it with the same model, or embed everything again with the new one",
            )
        self._rows("INSERT INTO model (name, digest, dimension) VALUES (?, ?, ?)", astuple(model))

    def put_vector(self, id_: int, vector: "Vector") -> None:
        """Give a document its vector, or another one."""
        current = self._rows("SELECT id, dimension FROM model ORDER BY id DESC LIMIT 1")
        if not current:
            raise Conflict("no model is named for the vectors", hint="call use_model first")
        model, dimension = current[0]
        data = packed(vector, dimension)
        self._rows("INSERT OR REPLACE INTO vector (document, model, bytes) VALUES (?, ?, ?)", (id_, model, data))

    # keys and numbers

    def remember(self, key: str, ref: str) -> None:
        """Note what an idempotency key stands for; a key keeps its first meaning."""
        self._rows("INSERT OR IGNORE INTO idempotency VALUES (?, ?, ?)", (key, ref, self.head))

    def compact(self, pages: int = 500) -> bool:
        """Merge a part of the index of words; False when there was nothing left to merge."""
        changes = "SELECT total_changes()"
        before = self._rows(changes)[0][0]
        self._rows("INSERT INTO lexicon (lexicon, rank) VALUES ('merge', ?)", (pages,))
        return bool(self._rows(changes)[0][0] - before >= 2)  # the statement itself counts as one

    def release(self, refs: Iterable[str]) -> int:
        """Give free the keys that stand for these refs; how many there were."""
        wanted = json.dumps(list(refs))
        sql = "DELETE FROM idempotency WHERE ref IN (SELECT value FROM json_each(?)) RETURNING key"
        return len(self._rows(sql, (wanted,)))

    def number(self, ref: str) -> int:
        """The number of something, given now if it has none. A number is never given twice."""
        found = self._rows("SELECT number FROM number WHERE ref = ?", (ref,))
        if not found:
            found = self._rows("INSERT INTO number (ref, seq) VALUES (?, ?) RETURNING number", (ref, self.head))
        return int(found[0][0])

    # erasure

    def erase(self, seqs: Iterable[int], text_of: TextOf, *, keep: Collection[int] = ()) -> int:
        """Remove the bodies of events for good, with their documents and vectors; how many were there.

        What is found by the events in `keep` stays: of them something is left (see `redact`). The envelopes stay, and
        the chain still verifies. The words are indexed anew from `text_of`, which gives the text of a document that
        stays as it was given to `add_document`. What was taken from the journal before this transaction, views and
        indexes, is of no use any more: `erased` says so.
        """
        gone = [int(seq) for seq in seqs]
        wanted, unkept = json.dumps(gone), json.dumps([seq for seq in gone if seq not in keep])
        events = "SELECT body FROM event WHERE seq IN (SELECT value FROM json_each(?))"
        erased = self._rows(
            f"UPDATE body SET salt = NULL, bytes = NULL WHERE id IN ({events}) AND bytes IS NOT NULL RETURNING id",
            (wanted,),
        )
        documents = "SELECT id FROM document WHERE seq IN (SELECT value FROM json_each(?))"
        self._rows(f"DELETE FROM vector WHERE document IN ({documents})", (unkept,))
        self._rows("DELETE FROM document WHERE seq IN (SELECT value FROM json_each(?))", (unkept,))
        self.reindex(text_of)
        self.note("erased", self.head)
        self.erased_here = True
        return len(erased)

    def drop_keys(self, first: int, last: int) -> None:
        """Let the idempotency keys that came with some events be used again."""
        self._rows("DELETE FROM idempotency WHERE seq BETWEEN ? AND ?", (first, last))

    def note(self, key: str, number: int) -> None:
        """Note a number under a key of the journal's own."""
        self._rows("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, number))

    def redact(self, event: Event, body: Mapping[str, Any]) -> int:
        """Say what is left of an event whose body is erased in this transaction: readers get that in its place."""
        left = {"event": event.event_id, "kind": event.kind, "version": event.version, "body": dict(body)}
        return self.append("event.redacted", left, event_id=redaction_id(event.event_id))

    def _left(self, event_id: str) -> dict[str, Any] | None:
        """What an erasure left of a body, one of this transaction included."""
        own = (event.body for event in self.pending if event.event_id == redaction_id(event_id))
        body = next(own, None)
        return super()._left(event_id) if body is None else dict(body["body"])

    def drop_beside(self, refs: Iterable[str]) -> None:
        """Remove the idempotency keys of things, which tell their texts by a digest, and how they stood."""
        wanted = json.dumps(list(refs))
        for table in ("idempotency", "standing"):
            self._rows(f"DELETE FROM {table} WHERE ref IN (SELECT value FROM json_each(?))", (wanted,))

    def reindex(self, text_of: TextOf) -> None:
        """Index the words of every document anew."""
        self._rows("INSERT INTO lexicon (lexicon) VALUES ('delete-all')")
        for row in self._rows(f"SELECT id, ref, kind, seq, {', '.join(FACETS)}, more FROM document ORDER BY id"):
            found = document(row)
            text = text_of(found)
            if text is None:
                raise NotFound(f"the text of document {found.id} is not there", hint="nothing was changed")
            self._index(found.id, text)


def envelope(event: Event) -> Envelope:
    """What the chain covers of an event; its body stands under its own seq."""
    return Envelope(
        *(event.seq, event.txn, event.known_at, event.event_id, event.origin, event.kind, event.version, event.actor),
        body=event.seq,
    )


def columns(event: Event) -> tuple[Any, ...]:
    """An event's columns in the table, as far as the reference to its body."""
    actor = (event.actor.client, event.actor.tool, event.actor.process)
    return (event.seq, event.txn, event.known_at, event.event_id, event.origin, event.kind, event.version, *actor)


def astuple(model: Model) -> tuple[str, str, int]:
    """A model as a row."""
    return model.name, model.digest, model.dimension
