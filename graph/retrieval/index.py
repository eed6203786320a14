"""The index of one store, in this process: what can be found, in columns, extended as anybody writes.

Rows are only added, in the order of the journal; an index that has followed another history than the journal's, as
after a restored backup, is of no use any more and says so (`follows`). What is offered at an instant is a mask:
recorded by then, active by then, true at the valid instant asked, and inside the filters of the call. The mask is
exact on both clocks.
"""

import threading
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from hornbook.graph.retrieval.documents import NOBODY, Corpus, Document, Mask

if TYPE_CHECKING:
    from hornbook.graph.journal import Document as Indexed
    from hornbook.graph.journal import Snapshot, Standing
    from hornbook.graph.retrieval.embed import Embedder
    from hornbook.graph.store import Reading

NAMING = ("entity.recorded", "entity.aliased")
DELETED = "deleted"  # hidden whatever the caller asks for, from the event on
FILTERS = ("scope", "agent", "run", "session", "speaker", "node_type")


@dataclass(slots=True)
class Column:
    """A growing numpy column."""

    values: np.ndarray[Any, Any]
    size: int = 0

    def add(self, values: Sequence[Any]) -> None:
        """Append values; the room doubles when it runs out."""
        needed = self.size + len(values)
        if needed > len(self.values):
            self.values = np.resize(self.values, max(needed, 2 * len(self.values)))
        self.values[self.size : needed] = values
        self.size = needed

    @property
    def now(self) -> "np.ndarray[Any, Any]":
        """The filled part."""
        return self.values[: self.size]


def column(kind: Any) -> Column:
    """An empty column of a numpy type."""
    return Column(np.zeros(64, kind))


@dataclass(slots=True)
class Index:
    """What can be found in one store. `extend` brings it up to a snapshot.

    Its columns grow one after the other: whoever reads several of them holds `turn` meanwhile.
    """

    model: str
    corpus: Corpus
    names: set[str] = field(default_factory=set)  # every name key that an entity had
    _facets: list[Mapping[str, Any]] = field(default_factory=list)
    _seq: Column = field(default_factory=lambda: column(np.int64))
    _rows: dict[str, list[int]] = field(default_factory=dict)  # ref -> its rows
    _codes: dict[str, dict[str, int]] = field(default_factory=lambda: {name: {} for name in FILTERS})
    _coded: dict[str, Column] = field(default_factory=lambda: {name: column(np.int32) for name in FILTERS})
    _standings: list["Standing"] = field(default_factory=list)
    _stands: dict[str, Column] = field(
        default_factory=lambda: {
            "row": column(np.int64),
            "seq": column(np.int64),
            "active": column(np.bool_),
            "gone": column(np.bool_),
            "since": column(np.int64),
            "until": column(np.int64),
        }
    )
    _document: int = 0
    _vector: int = 0
    _standing: int = 0
    _named: int = 0
    _stands_at: tuple[int, bytes] = (0, b"")  # the last event taken in, and the chain's hash there
    turn: threading.RLock = field(default_factory=threading.RLock)

    def __repr__(self) -> str:
        """How much can be found."""
        return f"Index({len(self.corpus)} documents, {len(self.names)} names, {self.model})"

    @classmethod
    def of(cls, embedder: "Embedder") -> "Index":
        """An empty index for vectors of this embedder."""
        return cls(embedder.model, Corpus(embedder.dimension))

    # growing

    def follows(self, reading: "Reading") -> bool:
        """Whether what was taken in is the beginning of what the journal holds."""
        seq, digest = self._stands_at
        if seq > reading.snapshot.head:  # the reading is older than the index, or the journal went backwards
            return seq <= reading.store.journal.head()
        return seq == 0 or reading.snapshot.hash_at(seq) == digest

    def extend(self, snapshot: "Snapshot") -> None:
        """Take in what was written since; vectors of another model are left out."""
        with self.turn:
            self._add_documents(snapshot.documents_after(self._document))
            self._add_vectors(snapshot)
            self._add_standings(snapshot.standings_after(self._standing))
            self._add_names(snapshot)
            if snapshot.head > self._stands_at[0]:
                self._stands_at = (snapshot.head, snapshot.hash_at(snapshot.head))

    def _add_documents(self, found: "list[Indexed]") -> None:
        if not found:
            return
        start = len(self.corpus)
        self.corpus.extend([_document(one) for one in found])
        for offset, one in enumerate(found):
            self._facets.append(one.facets)
            self._rows.setdefault(one.ref, []).append(start + offset)
        self._seq.add([one.seq for one in found])
        for name in FILTERS:
            codes = self._codes[name]
            self._coded[name].add([_code(codes, one.facets.get(name)) for one in found])
        self._document = found[-1].id

    def _add_vectors(self, snapshot: "Snapshot") -> None:
        model = snapshot.model()
        if model is None or model.name != self.model:
            return
        vectors = snapshot.vectors(self._vector)
        self.corpus.attach(dict(zip(vectors.documents.tolist(), vectors.matrix, strict=True)))
        self._vector = vectors.mark

    def _add_standings(self, found: "list[Standing]") -> None:
        if not found:
            return
        placed = [(row, one) for one in found for row in self._rows.get(one.ref, ())]
        self._standings.extend(one for _, one in placed)
        stands = self._stands
        stands["row"].add([row for row, _ in placed])
        stands["seq"].add([one.seq for _, one in placed])
        stands["active"].add([one.active for _, one in placed])
        stands["gone"].add([one.lifecycle == DELETED for _, one in placed])
        stands["since"].add([one.since for _, one in placed])
        stands["until"].add([one.until for _, one in placed])
        self._standing = found[-1].id

    def _add_names(self, snapshot: "Snapshot") -> None:
        for event in snapshot.events(self._named, kinds=NAMING):
            body = event.body or {}
            self.names.update(body.get("keys", ()) or [body["key"]] if body else ())
        self._named = max(self._named, snapshot.head)

    # what is offered

    def eligible(
        self,
        upto: int,
        at: int,
        filters: Mapping[str, Collection[str]] | None = None,
        *,
        include_inactive: bool = False,
    ) -> Mask:
        """The rows that may be returned: as known at event `upto`, true at the valid instant `at`, inside the filters.

        A filter is a facet and the values it may have. What was deleted by then is never offered.
        """
        mask = np.asarray(self._seq.now <= upto)
        for name, allowed in (filters or {}).items():
            codes = [self._codes[name][value] for value in allowed if value in self._codes[name]]
            mask &= np.isin(self._coded[name].now, codes)
        return mask & self._offered(upto, at, include_inactive)

    def _offered(self, upto: int, at: int, include_inactive: bool) -> Mask:
        offered = np.ones(self._seq.size, np.bool_)
        stands = {name: held.now for name, held in self._stands.items()}
        known = stands["seq"] <= upto
        # in order of time, so that the latest standing of a row is the one that is left
        then = (stands["since"] <= at) & (at < stands["until"])
        good = ~stands["gone"] & (include_inactive | (stands["active"] & then))
        offered[stands["row"][known]] = good[known]
        return offered

    def lifecycle(self, row: int, upto: int) -> str | None:
        """The lifecycle of a row as known at an event; None when nothing was noted, so as it was recorded."""
        rows, seqs = self._stands["row"].now, self._stands["seq"].now
        known = np.flatnonzero((rows == row) & (seqs <= upto))
        return self._standings[int(known[-1])].lifecycle if len(known) else None

    def before(self, row: int) -> str | None:
        """The ref of the turn before a row in its session."""
        earlier = int(self.corpus.previous[row])
        return None if earlier == NOBODY else self.corpus.documents[earlier].ref

    def facets(self, row: int) -> Mapping[str, Any]:
        """What was noted about a document when it was indexed."""
        return self._facets[row]


def _document(found: "Indexed") -> Document:
    facets = found.facets
    return Document(
        found.id,
        found.ref,
        found.kind,
        speaker=facets.get("speaker"),
        session=facets.get("session"),
        position=found.seq,
        occurred_at=facets.get("occurred_at"),
        length=facets.get("length", 0),
        asks=facets.get("asks", False),
        about=tuple(facets.get("about", ())),
        source=facets.get("episode"),
        salience=facets.get("salience", 0.5),
        confidence=facets.get("confidence", 1.0),
    )


def _code(codes: dict[str, int], value: str | None) -> int:
    return -1 if value is None else codes.setdefault(value, len(codes))
