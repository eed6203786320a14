"""What is ranked: a document's facets, and the corpus that holds them in columns beside the vectors.

Shape: row i of every column and of the vector matrix is one document. Rows are only added; a document that is gone
or out of scope is masked by the caller's `eligible`, so that a snapshot needs no copy.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hornbook.graph.names import name_key

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]
NOBODY = -1  # no row, no speaker, no session
UNDATED = np.iinfo(np.int64).min


@dataclass(frozen=True, slots=True)
class Document:
    """The facets of one thing that can be found: an episode, a memory or a claim.

    `position` orders the turns of one session. `about` are the people it speaks of, as `spoken_of` finds them.
    `source` is the ref of the episode that a claim was drawn from.
    """

    id: int
    ref: str
    kind: str = "episode"
    speaker: str | None = None
    session: str | None = None
    position: int = 0
    occurred_at: int | None = None
    length: int = 0
    asks: bool = False
    about: tuple[str, ...] = ()
    source: str | None = None
    salience: float = 0.5
    confidence: float = 1.0


class Corpus:
    """Documents and their vectors, in memory, in columns; grows as the journal does.

    >>> corpus = Corpus(2)
    >>> corpus.extend([Document(7, "a", session="s", position=1), Document(9, "b", session="s", position=2)])
    >>> len(corpus), corpus.rows([9, 7, 8]).tolist(), corpus.previous[:2].tolist()
    (2, [1, 0], [-1, 0])
    """

    def __init__(self, dimension: int = 0) -> None:
        """A corpus of vectors of this length; 0 leaves it to the first vector that is attached."""
        self.documents: list[Document] = []
        self.speakers: dict[str, int] = {}
        self.called: dict[str, set[int]] = {}  # full name or first name -> the speakers of that name
        self._about: dict[str, list[int]] = {}  # name key -> rows that speak of that person
        self._sessions: dict[str, int] = {}
        self._row: dict[int, int] = {}
        self._last: dict[int, int] = {}  # session code -> its latest row
        self._tangled: set[int] = set()  # sessions whose turns came out of order
        self._vectors = np.zeros((16, dimension), np.float32)
        self._columns: dict[str, NDArray[Any]] = {name: np.zeros(16, kind) for name, kind in COLUMNS.items()}

    def __len__(self) -> int:
        """How many documents there are, masked ones included."""
        return len(self.documents)

    def __repr__(self) -> str:
        """The size in documents and dimensions."""
        return f"Corpus({len(self)} documents, {self._vectors.shape[1]} dimensions)"

    @property
    def vectors(self) -> Floats:
        """One float32 unit vector a document; a row of zeros where there is none."""
        return self._vectors[: len(self)]

    @property
    def ids(self) -> Ints:
        """The journal's number of each document."""
        return self._columns["id"][: len(self)]

    @property
    def speaker(self) -> Ints:
        """A code into `speakers`, or NOBODY."""
        return self._columns["speaker"][: len(self)]

    @property
    def session(self) -> Ints:
        """A code for the session, or NOBODY."""
        return self._columns["session"][: len(self)]

    @property
    def previous(self) -> Ints:
        """The row of the turn before, in the same session, or NOBODY."""
        self._untangle()
        return self._columns["previous"][: len(self)]

    @property
    def following(self) -> Ints:
        """The row of the turn after, in the same session, or NOBODY."""
        self._untangle()
        return self._columns["following"][: len(self)]

    @property
    def occurred_at(self) -> Ints:
        """When it was said or came to hold, in microseconds; UNDATED where unknown."""
        return self._columns["occurred_at"][: len(self)]

    @property
    def length(self) -> Ints:
        """Characters of its text."""
        return self._columns["length"][: len(self)]

    @property
    def asks(self) -> Mask:
        """Whether it ends in a question."""
        return self._columns["asks"][: len(self)]

    @property
    def salience(self) -> Floats:
        """How much it matters by its owner's account, 0 to 1."""
        return self._columns["salience"][: len(self)]

    @property
    def confidence(self) -> Floats:
        """How sure it is, 0 to 1."""
        return self._columns["confidence"][: len(self)]

    @property
    def embedded(self) -> Mask:
        """Whether it has a vector by now."""
        return self._columns["embedded"][: len(self)]

    @property
    def surfaces(self) -> tuple[Ints, Ints]:
        """The rows that are only another wording of a text, and beside each the row of that text."""
        bases = self._columns["base"][: len(self)]
        rows = np.flatnonzero(bases != NOBODY)
        return rows, bases[rows]

    def fold(self, surface: int, base: int) -> None:
        """Let a row count as another wording of a text: it lends the text its match and is no hit of its own."""
        self._columns["base"][surface] = base

    def base(self, row: int) -> int:
        """The row of the text that a row is a wording of; itself where it stands alone."""
        base = int(self._columns["base"][row])
        return row if base == NOBODY else base

    def speaks_of(self, names: Iterable[str]) -> Mask:
        """The rows that say something about one of these people, by full name or first name."""
        mask = np.zeros(len(self), np.bool_)
        for key in {key for name in names for key in (name, name.split(" ", 1)[0])}:
            mask[self._about.get(key, [])] = True
        return mask

    def rows(self, ids: Iterable[int]) -> Ints:
        """The rows of those ids that are here, in the order given."""
        return np.array([self._row[id_] for id_ in ids if id_ in self._row], np.int64)

    def row(self, id_: int) -> int | None:
        """The row of one document."""
        return self._row.get(id_)

    def extend(self, documents: Sequence[Document], vectors: Floats | None = None) -> None:
        """Add documents, with their vectors if there are any. An id that is here already has its row replaced."""
        self._reserve(len(documents))
        for offset, document in enumerate(documents):
            row = self._place(document)
            if vectors is not None:
                self._vectors[row] = vectors[offset]
            self._columns["embedded"][row] = vectors is not None

    def attach(self, vectors: Mapping[int, Floats]) -> None:
        """Give vectors to documents that came without, for instance after a change of model."""
        for id_, vector in vectors.items():
            if not self._vectors.shape[1]:
                self._vectors = np.zeros((len(self._vectors), len(vector)), np.float32)
            if (row := self._row.get(id_)) is not None:
                self._vectors[row] = vector
                self._columns["embedded"][row] = True

    def _place(self, document: Document) -> int:
        row = self._row.get(document.id)
        if row is None:
            row = self._row[document.id] = len(self.documents)
            self.documents.append(document)
            self._fill(row, document)
            self._link(row, document)
        else:
            self._tangled |= {int(self._columns["session"][row])} - {NOBODY}
            self.documents[row] = document
            self._fill(row, document)
            self._tangled |= {int(self._columns["session"][row])} - {NOBODY}
        return row

    def _fill(self, row: int, document: Document) -> None:
        columns = self._columns
        columns["id"][row] = document.id
        columns["speaker"][row] = self._speaker(document.speaker)
        columns["session"][row] = _code(self._sessions, document.session)
        columns["occurred_at"][row] = UNDATED if document.occurred_at is None else document.occurred_at
        columns["length"][row] = document.length
        columns["asks"][row] = document.asks
        columns["salience"][row] = document.salience
        columns["confidence"][row] = document.confidence
        columns["previous"][row] = columns["following"][row] = columns["base"][row] = NOBODY
        for name in document.about:
            self._about.setdefault(name, []).append(row)

    def _speaker(self, name: str | None) -> int:
        key = name_key(name) if name else ""
        code = _code(self.speakers, key)
        if code != NOBODY:
            for called in {key, key.split(" ", 1)[0]}:
                self.called.setdefault(called, set()).add(code)
        return code

    def _link(self, row: int, document: Document) -> None:
        session = int(self._columns["session"][row])
        if session == NOBODY:
            return
        last = self._last.get(session, NOBODY)
        if last != NOBODY and self.documents[last].position > document.position:
            self._tangled.add(session)
            return
        self._last[session] = row
        self._columns["previous"][row] = last
        if last != NOBODY:
            self._columns["following"][last] = row

    def _untangle(self) -> None:
        """Link again the sessions whose turns came out of order; rare, so plain."""
        for session in self._tangled:
            rows = np.flatnonzero(self.session == session).tolist()
            rows.sort(key=lambda row: (self.documents[row].position, row))
            for before, row, after in zip([NOBODY, *rows], rows, [*rows[1:], NOBODY], strict=False):
                self._columns["previous"][row], self._columns["following"][row] = before, after
            if rows:
                self._last[session] = rows[-1]
        self._tangled.clear()

    def _reserve(self, more: int) -> None:
        size, needed = len(self._vectors), len(self) + more
        if needed > size:
            grown = max(needed, size * 2) - size
            self._vectors = np.pad(self._vectors, ((0, grown), (0, 0)))
            self._columns = {name: np.pad(column, (0, grown)) for name, column in self._columns.items()}


COLUMNS: Mapping[str, type] = {
    "id": np.int64,
    "speaker": np.int64,
    "session": np.int64,
    "previous": np.int64,
    "following": np.int64,
    "base": np.int64,
    "occurred_at": np.int64,
    "length": np.int64,
    "asks": np.bool_,
    "embedded": np.bool_,
    "salience": np.float32,
    "confidence": np.float32,
}


def _code(codes: dict[str, int], name: str | None) -> int:
    return NOBODY if not name else codes.setdefault(name, len(codes))
