"""What is ranked: a document's facets, and the corpus that holds them in columns beside the vectors.

Shape: row i of every column and of the vector matrix is one document. Rows are only added; a document that is gone
or out of scope is masked by the caller's `eligible`, so that a snapshot needs no copy.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from hornbook.graph.names import name_key
from hornbook.graph.retrieval.columns import Coded, Column, roomy

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
        self.documents = Documents(self)
        self.speakers: dict[str, int] = {}
        self.called: dict[str, set[int]] = {}  # full name or first name -> the speakers of that name
        self._about: dict[str, list[int]] = {}  # name key -> rows that speak of that person
        self._session = Coded()
        self._row: dict[int, int] = {}
        self._last: dict[int, int] = {}  # session code -> its latest row
        self._tangled: set[int] = set()  # sessions whose turns came out of order
        self._vectors = np.zeros((16, dimension), np.float32)
        self._said: dict[str, list[Any]] = {name: [] for name in TEXTS}
        self._columns = {name: Column.of(kind) for name, kind in NUMBERS.items()}

    def __len__(self) -> int:
        """How many documents there are, masked ones included."""
        return len(self._row)

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
        return self._columns["id"].now

    @property
    def speaker(self) -> Ints:
        """A code into `speakers`, or NOBODY."""
        return self._columns["speaker"].now

    @property
    def session(self) -> Ints:
        """A code for the session, or NOBODY."""
        return self._session.now

    @property
    def previous(self) -> Ints:
        """The row of the turn before, in the same session, or NOBODY."""
        self._untangle()
        return self._columns["previous"].now

    @property
    def following(self) -> Ints:
        """The row of the turn after, in the same session, or NOBODY."""
        self._untangle()
        return self._columns["following"].now

    @property
    def occurred_at(self) -> Ints:
        """When it was said or came to hold, in microseconds; UNDATED where unknown."""
        return self._columns["occurred_at"].now

    @property
    def length(self) -> Ints:
        """Characters of its text."""
        return self._columns["length"].now

    @property
    def asks(self) -> Mask:
        """Whether it ends in a question."""
        return self._columns["asks"].now

    @property
    def salience(self) -> Floats:
        """How much it matters by its owner's account, 0 to 1."""
        return self._columns["salience"].now

    @property
    def confidence(self) -> Floats:
        """How sure it is, 0 to 1."""
        return self._columns["confidence"].now

    @property
    def embedded(self) -> Mask:
        """Whether it has a vector by now."""
        return self._columns["embedded"].now

    @property
    def surfaces(self) -> tuple[Ints, Ints]:
        """The rows that are only another wording of a text, and beside each the row of that text."""
        bases = self._columns["base"].now
        rows = np.flatnonzero(bases != NOBODY)
        return rows, bases[rows]

    def fold(self, surface: int, base: int) -> None:
        """Let a row count as another wording of a text: it lends the text its match and is no hit of its own."""
        self._columns["base"].now[surface] = base

    def base(self, row: int) -> int:
        """The row of the text that a row is a wording of; itself where it stands alone."""
        base = int(self._columns["base"].now[row])
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

    def ref(self, row: int) -> str:
        """What a row is found as."""
        return str(self._said["ref"][row])

    def source(self, row: int) -> str | None:
        """The episode that a row's text stands in."""
        held: str | None = self._said["source"][row]
        return held

    @property
    def rows_by_id(self) -> Mapping[int, int]:
        """The row of each document, by its number in the journal."""
        return self._row

    def row(self, id_: int) -> int | None:
        """The row of one document."""
        return self._row.get(id_)

    def extend(self, documents: Sequence[Document], vectors: Floats | None = None) -> None:
        """Add documents, with their vectors if there are any."""
        self.add({one.name: [getattr(document, one.name) for document in documents] for one in fields(Document)})
        if vectors is not None:
            self.attach(np.array([document.id for document in documents], np.int64), vectors)

    def add(self, columns: Mapping[str, Sequence[Any]]) -> None:
        """Add documents side by side: for each facet of `Document` one value a document. No id comes twice."""
        start = len(self)
        rows = range(start, start + len(columns["id"]))
        self._row.update(zip(columns["id"], rows, strict=True))
        self._vectors = roomy(self._vectors, rows.stop)
        for name in TEXTS:
            self._said[name].extend(columns[name])
        codes = {name: self._speaker(name) for name in dict.fromkeys(columns["speaker"])}
        derived: Mapping[str, Any] = {
            "speaker": [codes[name] for name in columns["speaker"]],
            "occurred_at": [UNDATED if at is None else at for at in columns["occurred_at"]],
            "embedded": np.zeros(len(rows), np.bool_),
            **{name: np.full(len(rows), NOBODY) for name in ("previous", "following", "base")},
        }
        for name, column in self._columns.items():
            column.add(derived[name] if name in derived else columns[name])
        self._session.add([name or None for name in columns["session"]])
        for row, names in zip(rows, columns["about"], strict=True):
            for name in names:
                self._about.setdefault(name, []).append(row)
        self._link(start)

    def attach(self, ids: Ints, vectors: NDArray[np.floating]) -> None:
        """Give vectors to documents that came without, for instance after a change of model."""
        if not len(ids):
            return
        if not self._vectors.shape[1]:
            self._vectors = np.zeros((len(self._vectors), vectors.shape[1]), np.float32)
        rows = np.array([self._row.get(id_, NOBODY) for id_ in ids.tolist()], np.int64)
        here = np.flatnonzero(rows != NOBODY)
        placed: Any = rows[here]
        if len(placed) and (np.diff(placed) == 1).all():  # the whole of a store: a slice is copied at once
            placed = slice(int(placed[0]), int(placed[-1]) + 1)
        self._vectors[placed] = vectors if len(here) == len(rows) else vectors[here]
        self._columns["embedded"].now[placed] = True

    def _speaker(self, name: str | None) -> int:
        if not name:
            return NOBODY
        key = name_key(name)
        code = self.speakers.setdefault(key, len(self.speakers))
        for called in {key, key.split(" ", 1)[0]}:
            self.called.setdefault(called, set()).add(code)
        return code

    def _link(self, start: int) -> None:
        """Link the turns from a row on to those before them in their sessions."""
        sessions, positions = self.session, self._columns["position"].now
        previous, following = self._columns["previous"].now, self._columns["following"].now
        new = np.flatnonzero(sessions[start:] != NOBODY) + start
        for row, session in zip(new.tolist(), sessions[new].tolist(), strict=True):
            last = self._last.get(session, NOBODY)
            if last != NOBODY and positions[last] > positions[row]:
                self._tangled.add(session)
                continue
            self._last[session] = row
            previous[row] = last
            if last != NOBODY:
                following[last] = row

    def _untangle(self) -> None:
        """Link again the sessions whose turns came out of order; rare, so plain."""
        position = self._columns["position"].now
        previous, following = self._columns["previous"].now, self._columns["following"].now
        for session in self._tangled:
            rows = np.flatnonzero(self.session == session).tolist()
            rows.sort(key=lambda row: (position[row], row))
            for before, row, after in zip([NOBODY, *rows], rows, [*rows[1:], NOBODY], strict=False):
                previous[row], following[row] = before, after
            if rows:
                self._last[session] = rows[-1]
        self._tangled.clear()


class Documents(Sequence[Document]):
    """The documents of a corpus, row by row, each made when it is asked for."""

    def __init__(self, corpus: Corpus) -> None:
        """Of this corpus, as it grows."""
        self._corpus = corpus

    def __len__(self) -> int:
        """As many as the corpus has rows."""
        return len(self._corpus)

    @overload
    def __getitem__(self, row: int) -> Document: ...
    @overload
    def __getitem__(self, row: slice) -> Sequence[Document]: ...
    def __getitem__(self, row: int | slice) -> Document | Sequence[Document]:
        """The document of a row."""
        if isinstance(row, slice):
            return self.of(range(*row.indices(len(self))))
        return self.of((row,))[0]

    def of(self, rows: Sequence[int]) -> list[Document]:
        """The documents of several rows, in one sweep over each column."""
        said, held, at = self._corpus._said, self._corpus._columns, np.asarray(rows, np.int64)
        columns = {name: held[name].now[at].tolist() for name in PLAIN}
        columns |= {name: [column[row] for row in rows] for name, column in said.items()}
        columns["occurred_at"] = [None if when == UNDATED else when for when in held["occurred_at"].now[at].tolist()]
        return [Document(*values) for values in zip(*(columns[one.name] for one in fields(Document)), strict=True)]


TEXTS = ("ref", "kind", "speaker", "session", "about", "source")
PLAIN = ("id", "position", "length", "asks", "salience", "confidence")
NUMBERS: Mapping[str, type] = {
    "id": np.int64,
    "speaker": np.int64,
    "position": np.int64,
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
