"""Reading what is left of a torn file: the events before the damage, found without the indexes that may be torn too.

The chain vouches for the events. What stands beside it - words, vectors, keys - is given as far as it can be read.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from hornbook.graph.errors import StoreDamaged
from hornbook.graph.events import Event
from hornbook.graph.journal.columns import DOCUMENT_COLUMNS, side_by_side
from hornbook.graph.journal.database import Row
from hornbook.graph.journal.read import DOCUMENTS, STANDING, Document, Snapshot, document
from hornbook.graph.journal.vectors import Model, Vectors, unpacked

T = TypeVar("T")


class Salvaged(Snapshot):
    """A snapshot of a file of which pages are missing. Slow where it has to look at every event; it is read once."""

    def events(
        self,
        after: int = 0,
        upto: int | None = None,
        *,
        kinds: Collection[str] | None = None,
        limit: int | None = None,
        descending: bool = False,
    ) -> Iterator[Event]:
        """The events, by their place alone."""
        found = (
            event
            for event in super().events(after, upto, descending=descending)
            if kinds is None or event.kind in kinds
        )
        return found if limit is None else (event for _, event in zip(range(limit), found, strict=False))

    def seq_at(self, known_at: int) -> int:
        """The last event recorded at that instant or before it."""
        return max((event.seq for event in self.events() if event.known_at <= known_at), default=0)

    def by_id(self, event_id: str) -> Event | None:
        """One event by its id, looked for among all where the index is torn."""
        return whole(lambda: super(Salvaged, self).by_id(event_id), None) or next(
            (event for event in self.events() if event.event_id == event_id), None
        )

    @property
    def erased(self) -> int:
        """The last erasure; nobody writes to a torn file, so what is not readable changes nothing."""
        return whole(lambda: super(Salvaged, self).erased, 0)

    def lexical(self, question: str, limit: int, upto: int | None = None) -> list[tuple[int, float]]:
        """Documents that share words with a question; none where the index is torn."""
        return whole(lambda: super(Salvaged, self).lexical(question, limit, upto), [])

    def documents_after(self, after: int) -> Mapping[str, Sequence[Any]]:
        """The documents added after one, as far as they can be read."""
        sql = f"{DOCUMENT_COLUMNS} WHERE id > ? AND seq <= ? ORDER BY id LIMIT 1"
        return side_by_side(list(self._one_by_one(sql, after)))

    def standings_after(self, after: int) -> list[Row]:
        """What was noted after one, as far as it can be read."""
        sql = f"SELECT {STANDING} FROM standing WHERE id > ? AND seq <= ? ORDER BY id LIMIT 1"
        return list(self._one_by_one(sql, after))

    def document_of(self, ref: str) -> Document | None:
        """The newest document of something, as far as they can be read."""
        sql = f"{DOCUMENTS} WHERE id > ? AND seq <= ? ORDER BY id LIMIT 1"
        return next((document(row) for row in reversed(list(self._one_by_one(sql, 0))) if row[1] == ref), None)

    def model(self) -> Model | None:
        """The model whose vectors this journal holds, if it still says."""
        return whole(super().model, None)

    def vectors(self, after: int = 0) -> Vectors:
        """The vectors, as far as they can be read."""
        model = self.model()
        sql = (
            "SELECT v.id, v.document, v.bytes FROM vector v JOIN document d ON d.id = v.document"
            " WHERE v.id > ? AND d.seq <= ? ORDER BY v.id LIMIT 1"
        )
        rows = self._one_by_one(sql, after) if model else ()
        return unpacked([(row[0], row[1], row[2]) for row in rows], model.dimension if model else 0, after)

    def _one_by_one(self, sql: str, after: int) -> Iterator[Row]:
        """The rows after an id, up to the first that cannot be read."""
        while row := self._next(sql, after):
            after = row[0]
            yield row

    def _next(self, sql: str, after: int) -> Row | None:
        try:
            return next(iter(self._rows(sql, (after, self.head))), None)
        except StoreDamaged:
            return None


def whole(read: Callable[[], T], otherwise: T) -> T:
    """What was read, or something else where the file is torn."""
    try:
        return read()
    except StoreDamaged:
        return otherwise
