"""Reading: one instant of a journal, bounded by the last event that it holds."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hornbook.graph.errors import Conflict, NotFound, StoreDamaged
from hornbook.graph.events import Actor, Event, Vocabulary, decode, redaction_id
from hornbook.graph.journal.chain import genesis
from hornbook.graph.journal.columns import DOCUMENT_COLUMNS, side_by_side
from hornbook.graph.journal.database import Database, Row
from hornbook.graph.journal.lexical import expression
from hornbook.graph.journal.vectors import Model, Vectors, unpacked

PAGE = 500  # rows fetched at a time: no lock is held between two pages
FACETS = ("scope", "session", "agent", "run", "speaker")  # have columns of their own
ENVELOPE = "e.seq, e.txn, e.known_at, e.event_id, e.origin, e.kind, e.version, e.client, e.tool, e.process"
EVENTS = f"SELECT {ENVELOPE}, b.bytes FROM event e LEFT JOIN body b ON b.id = e.body"
LEXICAL = (
    "SELECT d.id, l.score FROM (SELECT rowid, -rank AS score FROM lexicon WHERE lexicon MATCH ? AND rowid <= ?"
    " ORDER BY rank, rowid LIMIT ?) l CROSS JOIN document d ON d.id = l.rowid WHERE d.seq <= ?"
    " ORDER BY l.score DESC, d.id"
)
DOCUMENTS = f"SELECT id, ref, kind, seq, {', '.join(FACETS)}, more FROM document"


@dataclass(frozen=True, slots=True)
class Document:
    """Something that can be searched: what it is (`ref`), of which event, and what a search can be narrowed by."""

    id: int
    ref: str
    kind: str
    seq: int
    facets: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Standing:
    """From event `seq` on: the lifecycle of a ref, whether it is offered in a search, and while it is true.

    `since` and `until` are microseconds of valid time, half-open.
    """

    id: int
    ref: str
    seq: int
    lifecycle: str
    active: bool
    since: int
    until: int

    def __post_init__(self) -> None:
        """SQLite has no booleans."""
        object.__setattr__(self, "active", bool(self.active))


STANDING = "id, ref, seq, lifecycle, active, since, until"


class Snapshot:
    """A journal as it stood at one instant: every answer is bounded by `head`."""

    def __init__(self, database: Database, journal_id: str, head: int, vocabulary: Vocabulary) -> None:
        self._database: Database | None = database
        self._journal_id = journal_id
        self._vocabulary = vocabulary
        self._bound = head  # the last event in the tables; a transaction may hold more that are not written yet
        self._hashes: dict[int, bytes] = {0: genesis(journal_id)}  # one read asks several times for the head's

    @property
    def journal_id(self) -> str:
        """Which journal it is of."""
        return self._journal_id

    @property
    def head(self) -> int:
        """The last event's seq, 0 when there is none."""
        return self._bound

    def _rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[Row]:
        if self._database is None:
            raise Conflict("this reading of the journal has ended", hint="open another")
        return self._database.rows(sql, parameters)

    def finish(self) -> None:
        """End it: what is asked of it later is refused."""
        self._database = None

    # events

    def known_at(self, seq: int) -> int:
        """When an event was recorded."""
        return int(self._envelope(seq, "known_at"))

    def hash_at(self, seq: int) -> bytes:
        """The chain's hash at an event; at 0 what stands before the first."""
        if seq not in self._hashes:
            self._hashes[seq] = bytes(self._envelope(seq, "hash"))
        return self._hashes[seq]

    def _envelope(self, seq: int, column: str) -> Any:
        found = self._rows(f"SELECT {column} FROM event WHERE seq = ? AND seq <= ?", (seq, self.head))
        if not found:
            raise NotFound(f"there is no event {seq}")
        return found[0][0]

    def seq_at(self, known_at: int) -> int:
        """The last event recorded at that instant or before it; 0 when there is none."""
        found = self._rows(
            "SELECT seq FROM event WHERE known_at <= ? ORDER BY known_at DESC, seq DESC LIMIT 1", (known_at,)
        )
        return min(int(found[0][0]), self.head) if found else 0

    def events(
        self,
        after: int = 0,
        upto: int | None = None,
        *,
        kinds: Collection[str] | None = None,
        limit: int | None = None,
        descending: bool = False,
    ) -> Iterator[Event]:
        """The events with after < seq <= upto, in order; the newest first when `descending`."""
        last = self.head if upto is None else min(upto, self.head)
        left = limit
        narrowed = f" AND e.kind IN ({places(kinds)})" if kinds is not None else ""
        order = "DESC" if descending else "ASC"
        sql = f"{EVENTS} WHERE e.seq > ? AND e.seq <= ?{narrowed} ORDER BY e.seq {order} LIMIT ?"
        while after < last and (left is None or left > 0):
            page = PAGE if left is None else min(left, PAGE)
            rows = self._rows(sql, (after, last, *(kinds or ()), page))
            yield from map(self._event, rows)
            if len(rows) < page:
                return
            left = None if left is None else left - page
            after, last = (after, rows[-1][0] - 1) if descending else (rows[-1][0], last)

    def event(self, seq: int) -> Event | None:
        """One event by its place."""
        return next(self.events(seq - 1, seq), None)

    def by_id(self, event_id: str) -> Event | None:
        """One event by its id."""
        rows = self._rows(f"{EVENTS} WHERE e.event_id = ? AND e.seq <= ?", (event_id, self.head))
        return self._event(rows[0]) if rows else None

    def _event(self, row: Row) -> Event:
        seq, txn, known_at, event_id, origin, kind, version, client, tool, process, data = row
        body = self._left(event_id) if data is None else self._vocabulary.upcast(kind, version, readable(seq, data))
        current = self._vocabulary.version_read(kind, version)
        return Event(seq, txn, known_at, event_id, origin, kind, current, Actor(client, tool, process), body)

    def _left(self, event_id: str) -> dict[str, Any] | None:
        """What an erasure left of a body; None when that is nothing."""
        sql = "SELECT e.seq, b.bytes FROM event e JOIN body b ON b.id = e.body WHERE e.event_id = ?"
        for seq, data in self._rows(sql, (redaction_id(event_id),)):
            if data is not None:
                left = readable(seq, data)
                return self._vocabulary.upcast(left["kind"], left["version"], left["body"])
        return None

    def noted(self, key: str) -> int:
        """A number that a transaction has noted under a key; 0 where none has."""
        found = self._rows("SELECT value FROM meta WHERE key = ?", (key,))
        return int(found[0][0]) if found else 0

    @property
    def erased(self) -> int:
        """The event that recorded the last erasure; 0 when nothing was ever erased.

        What was taken from the journal before it, a view or an index, holds what is to be gone.
        """
        return self.noted("erased")

    # documents: words and vectors

    def lexical(self, question: str, limit: int, upto: int | None = None) -> list[tuple[int, float]]:
        """Documents that share words with a question, best first, with the score of BM25 (higher is better).

        The score orders; it says nothing by itself.
        """
        match = expression(question)
        if match is None or limit <= 0:
            return []
        last = self.head if upto is None else min(upto, self.head)
        return [(row[0], row[1]) for row in self._rows(LEXICAL, (match, self._last_document(last), limit, last))]

    def holding(self, word: str, ids: Iterable[int], upto: int) -> tuple[int, set[int]]:
        """In how many documents a word stands, and in which of these."""
        match, last = expression(word), self._last_document(upto)
        if match is None:
            return 0, set()
        ((count,),) = self._rows("SELECT count(*) FROM lexicon WHERE lexicon MATCH ? AND rowid <= ?", (match, last))
        wanted = "SELECT rowid FROM lexicon WHERE lexicon MATCH ? AND rowid IN (SELECT value FROM json_each(?))"
        return int(count), {row[0] for row in self._rows(wanted, (match, json.dumps(list(ids))))}

    def _last_document(self, upto: int) -> int:
        """The last document as of an event; they are numbered as their events are, so it bounds a search cheaply."""
        sql = "SELECT id FROM document WHERE seq <= ? ORDER BY seq DESC, id DESC LIMIT 1"
        found = self._rows(sql, (min(upto, self.head),))
        return int(found[0][0]) if found else 0

    def documents(self, ids: Iterable[int]) -> dict[int, Document]:
        """Documents by id; what is not there is left out."""
        wanted = json.dumps([int(id_) for id_ in ids])
        sql = f"{DOCUMENTS} WHERE id IN (SELECT value FROM json_each(?)) AND seq <= ? ORDER BY id"
        return {row[0]: document(row) for row in self._rows(sql, (wanted, self.head))}

    def documents_after(self, after: int) -> "Mapping[str, Sequence[Any]]":
        """The documents added after one, in the order in which they were added: one sequence a facet."""
        return side_by_side(self._rows(f"{DOCUMENT_COLUMNS} WHERE id > ? AND seq <= ? ORDER BY id", (after, self.head)))

    def standings_after(self, after: int) -> list[Row]:
        """What was noted after one about whether things are offered in a search, in order: rows of STANDING."""
        return self._rows(f"SELECT {STANDING} FROM standing WHERE id > ? AND seq <= ? ORDER BY id", (after, self.head))

    def standing_of(self, ref: str, upto: int | None = None) -> "Standing | None":
        """The latest that was noted about a ref; None when it is as it was recorded."""
        sql = f"SELECT {STANDING} FROM standing WHERE ref = ? AND seq <= ? ORDER BY id DESC LIMIT 1"
        rows = self._rows(sql, (ref, self.head if upto is None else min(upto, self.head)))
        return Standing(*rows[0]) if rows else None

    def lifecycles_of(self, ref: str) -> list[str]:
        """The lifecycles that were noted about a ref, the latest first."""
        sql = "SELECT lifecycle FROM standing WHERE ref = ? AND seq <= ? ORDER BY id DESC"
        return [row[0] for row in self._rows(sql, (ref, self.head))]

    def document_of(self, ref: str) -> Document | None:
        """The newest document of something."""
        rows = self._rows(f"{DOCUMENTS} WHERE ref = ? AND seq <= ? ORDER BY id DESC LIMIT 1", (ref, self.head))
        return document(rows[0]) if rows else None

    def model(self) -> Model | None:
        """The model whose vectors this journal holds."""
        rows = self._rows("SELECT name, digest, dimension FROM model ORDER BY id DESC LIMIT 1")
        return Model(*rows[0]) if rows else None

    def vectors(self, after: int = 0) -> Vectors:
        """The vectors written after a mark, of the current model only; pass the result's mark to read on."""
        model = self.model()
        rows = self._rows(
            "SELECT v.id, v.document, v.bytes FROM vector v JOIN document d ON d.id = v.document"
            " WHERE v.id > ? AND v.model = (SELECT max(id) FROM model) AND d.seq <= ? ORDER BY v.id",
            (after, self.head),
        )
        return unpacked(rows, model.dimension if model else 0, after)

    def without_vector(self, limit: int = 1000) -> list[int]:
        """Documents that the current model has not embedded: those of another model count as such."""
        sql = (
            "SELECT d.id FROM document d LEFT JOIN vector v ON v.document = d.id"
            " AND v.model = (SELECT max(id) FROM model) WHERE v.id IS NULL AND d.seq <= ? ORDER BY d.id LIMIT ?"
        )
        return [row[0] for row in self._rows(sql, (self.head, limit))]

    # keys and numbers

    def recalled(self, key: str) -> str | None:
        """What an idempotency key stands for."""
        rows = self._rows("SELECT ref FROM idempotency WHERE key = ? AND seq <= ?", (key, self.head))
        return rows[0][0] if rows else None

    def ref_of(self, number: int) -> str | None:
        """What a number stands for."""
        rows = self._rows("SELECT ref FROM number WHERE number = ? AND seq <= ?", (number, self.head))
        return rows[0][0] if rows else None

    def numbers_of(self, refs: Iterable[str]) -> dict[str, int]:
        """The numbers of refs; those without one are left out."""
        wanted = json.dumps(list(refs))
        sql = "SELECT ref, number FROM number WHERE ref IN (SELECT value FROM json_each(?)) AND seq <= ?"
        return dict(self._rows(sql, (wanted, self.head)))


def readable(seq: int, data: bytes) -> dict[str, Any]:
    """An event's body; opening checks the last links alone, so an older one may turn out damaged here."""
    try:
        return decode(data)
    except ValueError as error:
        raise StoreDamaged(
            f"the body of event {seq} is damaged", hint="check the whole journal, and restore a backup"
        ) from error


def places(values: Collection[str]) -> str:
    """As many question marks as there are values."""
    return ", ".join("?" * len(values))


def document(row: Row) -> Document:
    """A document from its row."""
    id_, ref, kind, seq, *values, more = row
    facets = {name: value for name, value in zip(FACETS, values, strict=True) if value is not None}
    return Document(id_, ref, kind, seq, facets | (json.loads(more) if more else {}))
