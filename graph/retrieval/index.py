"""The index of one store, in this process: what can be found, in columns, extended as anybody writes.

Rows are only added, in the order of the journal; an index that has followed another history than the journal's, as
after a restored backup, is of no use any more and says so (`follows`). What is offered at an instant is a mask:
recorded by then, active by then, true at the valid instant asked, and inside the filters of the call. The mask is
exact on both clocks.

A claim that was taken from a text is a row too, another wording of that text: it stands or falls with the text and
with the claim, and is never a hit of its own.
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
MEMORY = "memory"
DELETED = "deleted"  # hidden whatever the caller asks for, from the event on
REF, CLAIM = 0, 1  # what a standing is about: the thing that a row is found as, or the claim that it is a wording of
NEVER = np.iinfo(np.int64).max
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
    digest: str = ""
    names: dict[str, set[str]] = field(default_factory=dict)  # every name key that an entity had -> the entities
    called: dict[str, set[str]] = field(default_factory=dict)  # entity -> its name keys
    _facets: list[Mapping[str, Any]] = field(default_factory=list)
    _seq: Column = field(default_factory=lambda: column(np.int64))
    _until: Column = field(default_factory=lambda: column(np.int64))  # the event that put another text in its place
    _rows: dict[str, list[int]] = field(default_factory=dict)  # ref -> its rows
    _wordings: dict[str, list[int]] = field(default_factory=dict)  # claim -> the rows that are wordings of a text
    _texts: dict[str, list[int]] = field(default_factory=dict)  # episode -> the rows of its text
    _homeless: dict[str, list[int]] = field(default_factory=dict)  # episode -> wordings that came before its text
    _claims: dict[str, list[int]] = field(default_factory=dict)  # episode, or claim without one -> rows of claims
    _spoken: dict[str, list[int]] = field(default_factory=dict)  # entity -> the rows of claims about it
    _noted: dict[str, list["Standing"]] = field(default_factory=dict)  # what was noted about a ref or a claim
    _stood: dict[int, list[int]] = field(default_factory=dict)  # row -> its standings as REF
    _records: list[int] = field(default_factory=list)  # the first passage of every text that a memory ever had
    _codes: dict[str, dict[str, int]] = field(default_factory=lambda: {name: {} for name in FILTERS})
    _coded: dict[str, Column] = field(default_factory=lambda: {name: column(np.int32) for name in FILTERS})
    _standings: list["Standing"] = field(default_factory=list)
    _stands: dict[str, Column] = field(
        default_factory=lambda: {
            "row": column(np.int64),
            "about": column(np.int8),
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
        return cls(embedder.model, Corpus(), embedder.digest)

    # growing

    def follows(self, reading: "Reading") -> bool:
        """Whether what was taken in is the beginning of what the journal holds."""
        seq, digest = self._stands_at
        if seq < reading.snapshot.erased:
            return False
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
        self._seq.add([one.seq for one in found])
        self._until.add([NEVER] * len(found))
        for name in FILTERS:
            codes = self._codes[name]
            self._coded[name].add([_code(codes, one.facets.get(name)) for one in found])
        for row, one in enumerate(found, start):
            self._facets.append(one.facets)
            if "record" in one.facets:
                self._records.append(row)
            self._retire(one)
            self._place(row, one)
        self._settle()
        self._document = found[-1].id

    def _retire(self, one: "Indexed") -> None:
        """The text of a memory that was revised: what stood there before is offered for the past only."""
        before = [row for row in self._rows.get(one.ref, ()) if self._seq.now[row] < one.seq]
        if one.kind != MEMORY or not any("record" in self._facets[row] for row in before):
            return
        for row in before:
            self._until.now[row] = min(self._until.now[row], one.seq)

    def _place(self, row: int, one: "Indexed") -> None:
        """Note under what a row is found, and what was noted about that before the row came."""
        claim, episode = one.facets.get("claim"), one.facets.get("episode")
        if claim is not None:
            self._claims.setdefault(episode or claim, []).append(row)
            self._spoken.setdefault(one.facets["fact"].split("|", 1)[0], []).append(row)
        if claim is not None and episode is not None:
            self._wordings.setdefault(claim, []).append(row)
            self._homeless.setdefault(episode, []).append(row)
            self._stand([(row, CLAIM, noted) for noted in self._noted.get(claim, ())])
            return
        self._rows.setdefault(one.ref, []).append(row)
        self._stand([(row, REF, noted) for noted in self._noted.get(one.ref, ())])
        if episode is not None:
            self._texts.setdefault(episode, []).append(row)
            if episode in self._claims:  # the text has come, or come again: its claims are wordings of this row now
                self._homeless[episode] = self._claims[episode].copy()

    def _settle(self) -> None:
        """Fold wordings into their texts, which may have come after them in the same transaction."""
        for episode in [episode for episode in self._homeless if episode in self._texts]:
            for wording in self._homeless.pop(episode):
                self.corpus.fold(wording, self._base(episode, wording))

    def _base(self, episode: str, wording: int) -> int:
        """The row of the passage that a claim was taken from."""
        rows = [row for row in self._texts[episode] if self._until.now[row] == NEVER] or self._texts[episode]
        span = self._facets[wording].get("span")
        return next((row for row in rows if self._facets[row].get("span") == span), rows[0])

    def _add_vectors(self, snapshot: "Snapshot") -> None:
        model = snapshot.model()
        if model is None or (model.name, model.digest) != (self.model, self.digest):
            return
        vectors = snapshot.vectors(self._vector)
        self.corpus.attach(dict(zip(vectors.documents.tolist(), vectors.matrix, strict=True)))
        self._vector = vectors.mark

    def _add_standings(self, found: "list[Standing]") -> None:
        if not found:
            return
        for one in found:
            self._noted.setdefault(one.ref, []).append(one)
        self._stand(
            [
                (row, about, one)
                for one in found
                for about, rows in ((REF, self._rows), (CLAIM, self._wordings))
                for row in rows.get(one.ref, ())
            ]
        )
        self._standing = found[-1].id

    def _stand(self, placed: "list[tuple[int, int, Standing]]") -> None:
        """Add standings of rows; those of one row come in the order of time."""
        if not placed:
            return
        for at, (row, about, _) in enumerate(placed, len(self._standings)):
            if about == REF:
                self._stood.setdefault(row, []).append(at)
        self._standings.extend(one for _, _, one in placed)
        stands = self._stands
        stands["row"].add([row for row, _, _ in placed])
        stands["about"].add([about for _, about, _ in placed])
        stands["seq"].add([one.seq for _, _, one in placed])
        stands["active"].add([one.active for _, _, one in placed])
        stands["gone"].add([one.lifecycle == DELETED for _, _, one in placed])
        stands["since"].add([one.since for _, _, one in placed])
        stands["until"].add([one.until for _, _, one in placed])

    def _add_names(self, snapshot: "Snapshot") -> None:
        for event in snapshot.events(self._named, kinds=NAMING):
            body = event.body or {}
            entity = str(body.get("id") or body.get("entity"))
            for key in body.get("keys") or ([body["key"]] if body else ()):
                self.names.setdefault(key, set()).add(entity)
                self.called.setdefault(entity, set()).add(key)
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
        mask = np.asarray((self._seq.now <= upto) & (upto < self._until.now))
        for name, allowed in (filters or {}).items():
            codes = [self._codes[name][value] for value in allowed if value in self._codes[name]]
            mask &= np.isin(self._coded[name].now, codes)
        mask &= self._offered(upto, at, include_inactive)
        mask[[row for rows in self._homeless.values() for row in rows]] = False
        return np.asarray(mask)

    def _offered(self, upto: int, at: int, include_inactive: bool) -> Mask:
        stands = {name: held.now for name, held in self._stands.items()}
        # in order of time, so that the latest standing of a row is the one that is left
        then = (stands["since"] <= at) & (at < stands["until"])
        good = ~stands["gone"] & (include_inactive | (stands["active"] & then))
        offered = np.ones((2, self._seq.size), np.bool_)
        for about in (REF, CLAIM):
            known = (stands["seq"] <= upto) & (stands["about"] == about)
            offered[about, stands["row"][known]] = good[known]
        return np.asarray(offered[REF] & offered[CLAIM])

    def lifecycle(self, row: int, upto: int) -> str | None:
        """What was last noted about a row as known at an event; None when nothing was, so as it was recorded."""
        known = [at for at in self._stood.get(row, ()) if self._standings[at].seq <= upto]
        return self._standings[known[-1]].lifecycle if known else None

    def claims_of(self, row: int, upto: int) -> dict[str, str]:
        """The claims of a text, or the claim that a row is, as known at an event: each with its disposition."""
        found = {}
        for at in self._claims.get(self._home(row), ()):
            if int(self._seq.now[at]) <= upto:
                claim = self._facets[at]["claim"]
                known = [one.lifecycle for one in self._noted.get(claim, ()) if one.seq <= upto]
                found[claim] = known[-1] if known else ""
        return found

    def facts_of(self, row: int) -> set[str]:
        """What the claims of a row's text say, one text a fact."""
        return {self._facets[at]["fact"] for at in self._claims.get(self._home(row), ())}

    def lines_of(self, name: str) -> list[str]:
        """The lines of what is called so, the one last spoken about first."""
        rows = [row for entity in self.names.get(name, ()) for row in self._spoken.get(entity, ())]
        return list(dict.fromkeys(line_of(self._facets[row]["fact"]) for row in sorted(rows, reverse=True)))

    def _home(self, row: int) -> str:
        facets = self._facets[row]
        return str(facets.get("episode") or facets["claim"])

    def rows_of(self, ref: str) -> list[int]:
        """The rows under which something is found: its passages, or the text that a claim was taken from."""
        return self._rows.get(ref) or [self.corpus.base(row) for row in self._wordings.get(ref, ())]

    def records(self, upto: int) -> list[int]:
        """The row of every record's present text as known at an event, its first passage; deleted ones included."""
        rows = np.array(self._records, np.int64)
        present = (self._seq.now[rows] <= upto) & (upto < self._until.now[rows])
        return [int(row) for row in rows[present]]

    def every_row(self, ref: str) -> list[int]:
        """Every row that is found under a ref: the passages of all its texts, and the wordings of its claims."""
        rows = self._rows.get(ref, [])
        return [*rows, *(at for home in {self._home(row) for row in rows} for at in self._claims.get(home, ()))]

    def seq(self, row: int) -> int:
        """The event that a row came with."""
        return int(self._seq.now[row])

    def before(self, row: int) -> str | None:
        """The ref of the turn before a row in its session."""
        earlier = int(self.corpus.previous[row])
        return None if earlier == NOBODY else self.corpus.documents[earlier].ref

    def facets(self, row: int) -> Mapping[str, Any]:
        """What was noted about a document when it was indexed."""
        return self._facets[row]


def line_of(fact: str) -> str:
    """The line that a fact stands on: an entity's id and a predicate.

    >>> line_of("01a2|lives_in|munich|holds")
    '01a2|lives_in'
    """
    return "|".join(fact.split("|", 2)[:2])


def _document(found: "Indexed") -> Document:
    facets = found.facets
    if facets.get("claim", found.ref) != found.ref:  # a wording: who said it, where and when is known of its text
        return Document(found.id, found.ref, found.kind, position=found.seq)
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
