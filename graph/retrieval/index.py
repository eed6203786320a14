"""The index of one store, in this process: what can be found, in columns, extended as anybody writes.

Rows are only added, in the order of the journal; an index that has followed another history than the journal's, as
after a restored backup, is of no use any more and says so (`follows`). What is offered at an instant is a mask:
recorded by then, active by then, true at the valid instant asked, and inside the filters of the call. The mask is
exact on both clocks.

A claim that was taken from a text is a row too, another wording of that text: it stands or falls with the text and
with the claim, and is never a hit of its own.
"""

import json
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import numpy as np

from hornbook.graph.retrieval.columns import Coded, Column, Grouped
from hornbook.graph.retrieval.documents import NOBODY, Corpus, Mask
from hornbook.graph.retrieval.standings import CLAIM, REF, Standings

if TYPE_CHECKING:
    from hornbook.graph.journal import Snapshot
    from hornbook.graph.retrieval.embed import Embedder
    from hornbook.graph.store import Reading

NAMING = ("entity.recorded", "entity.aliased")
MEMORY = "memory"
NEVER = np.iinfo(np.int64).max
MOST_WAITING = 256  # documents without a vector that are named at a time
FILTERS = ("scope", "agent", "run", "session", "speaker", "node_type")


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
    _facets: dict[str, Coded] = field(default_factory=lambda: {name: Coded() for name in FILTERS})
    _more: list[Mapping[str, Any] | str | None] = field(default_factory=list)  # as written, until it is asked for
    _claim: list[str | None] = field(default_factory=list)
    _fact: list[str | None] = field(default_factory=list)
    _seq: Column = field(default_factory=lambda: Column.of(np.int64))
    _until: Column = field(default_factory=lambda: Column.of(np.int64))  # the event that put another text in its place
    _record: Column = field(default_factory=lambda: Column.of(np.bool_))  # the first passage of a text of a memory
    _rows: Grouped = field(default_factory=Grouped)  # ref -> its rows
    _wordings: Grouped = field(default_factory=Grouped)  # claim -> the rows that are wordings of a text
    _texts: Grouped = field(default_factory=Grouped)  # episode -> the rows of its text
    _claims: Grouped = field(default_factory=Grouped)  # episode, or claim without one -> rows of claims
    _homeless: set[str] = field(default_factory=set)  # episodes of which a claim has come, and no text
    _lines: dict[str, dict[str, None]] = field(default_factory=dict)  # entity -> its lines, the last spoken of last
    _standings: Standings = field(default_factory=Standings)
    _document: int = 0
    _vector: int = 0
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
            self._standings.note(snapshot.standings_after(self._standings.mark), self._rows, self._wordings)
            self._add_names(snapshot)
            if snapshot.head > self._stands_at[0]:
                self._stands_at = (snapshot.head, snapshot.hash_at(snapshot.head))

    def _add_documents(self, found: Mapping[str, Sequence[Any]]) -> None:
        if not found["id"]:
            return
        start = len(self.corpus)
        self.corpus.add(_searchable(found))
        self._seq.add(found["seq"])
        self._until.add(np.full(len(found["id"]), NEVER))
        self._record.add(found["record"])
        for name in FILTERS:
            self._facets[name].add(found[name])
        self._more += found["more"]
        self._claim += found["claim"]
        self._fact += found["fact"]
        self._place(start, found)
        self._document = found["id"][-1]

    def _place(self, start: int, found: Mapping[str, Sequence[Any]]) -> None:
        """Note under what rows are found, and how they stand by what was noted before they came."""
        refs, homes, claims = found["ref"], found["episode"], found["claim"]
        count = range(len(refs))
        alone = [at for at in count if claims[at] is None or homes[at] is None]
        texts = [at for at in alone if homes[at] is not None]
        spoken = [at for at in count if claims[at] is not None]
        wordings = [at for at in spoken if homes[at] is not None]
        self._rows.add([refs[at] for at in alone], [start + at for at in alone])
        self._texts.add([homes[at] for at in texts], [start + at for at in texts])
        self._claims.add([homes[at] or claims[at] for at in spoken], [start + at for at in spoken])
        self._wordings.add([claims[at] for at in wordings], [start + at for at in wordings])
        self._retire(start + at for at in alone if found["kind"][at] == MEMORY and self._rows.several(refs[at]))
        self._speak(start + at for at in spoken)
        self._standings.stand(REF, ((start + at, refs[at]) for at in alone))
        self._standings.stand(CLAIM, ((start + at, claims[at]) for at in wordings))
        answered = [homes[at] for at in texts if homes[at] in self._claims]
        self._fold(dict.fromkeys([homes[at] for at in wordings] + answered))

    def _retire(self, rows: Iterable[int]) -> None:
        """The text of a memory that was revised: what stood there before is offered for the past only."""
        for row in rows:
            seq = self.seq(row)
            before = [at for at in self._rows.get(self.corpus.ref(row)) if self.seq(at) < seq]
            if any(self._record.now[at] for at in before):
                self._until.now[before] = np.minimum(self._until.now[before], seq)

    def _speak(self, rows: Iterable[int]) -> None:
        """Note the lines that claims stand on; of an entity the line last spoken of comes last."""
        for row in rows:
            fact = self._fact[row] or ""
            lines, line = self._lines.setdefault(fact.partition("|")[0], {}), line_of(fact)
            lines.pop(line, None)
            lines[line] = None

    def _fold(self, episodes: Iterable[str]) -> None:
        """Fold wordings into their texts, which may come after them."""
        for episode in episodes:
            if episode not in self._texts:
                self._homeless.add(episode)
                continue
            self._homeless.discard(episode)
            for wording in self._claims.get(episode):
                self.corpus.fold(wording, self._base(episode, wording))

    def _base(self, episode: str, wording: int) -> int:
        """The row of the passage that a claim was taken from."""
        every = self._texts.get(episode)
        rows = [row for row in every if self._until.now[row] == NEVER] or every
        if len(rows) == 1:
            return rows[0]
        span = self.facets(wording).get("span")
        return next((row for row in rows if self.facets(row).get("span") == span), rows[0])

    def _add_vectors(self, snapshot: "Snapshot") -> None:
        model = snapshot.model()
        if model is None or (model.name, model.digest) != (self.model, self.digest):
            return
        vectors = snapshot.vectors(self._vector)
        self.corpus.attach(vectors.documents, vectors.matrix)
        self._vector = vectors.mark

    def waiting(self, upto: int) -> list[int]:
        """Some documents without a vector as of an event: claims first, as they are short, and the latest first.

        Of a long text the later passages are found by their words, so they wait for nothing.
        """
        bare = ~self.corpus.embedded & (self._seq.now <= upto) & (self._until.now == NEVER)
        latest = np.flatnonzero(bare)[::-1].tolist()
        claims = (row for row in latest if self._claim[row] is not None)
        texts = (row for row in latest if self._claim[row] is None and not self._rows.several(self.corpus.ref(row)))
        return [int(id_) for id_ in self.corpus.ids[list(islice(chain(claims, texts), MOST_WAITING))]]

    def attach(self, ids: Sequence[int], vectors: Any) -> None:
        """Give vectors to documents that have none yet."""
        self.corpus.attach(np.array(ids, np.int64), vectors)

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
            mask &= self._facets[name].among(allowed)
        mask &= self._standings.offered(len(mask), upto, at, include_inactive)
        mask[[row for episode in self._homeless for row in self._claims.get(episode)]] = False
        return np.asarray(mask)

    def lifecycle(self, row: int, upto: int) -> str | None:
        """What was last noted about a row as known at an event; None when nothing was, so as it was recorded."""
        return self._standings.lifecycle(self.corpus.ref(row), upto)

    def claims_of(self, row: int, upto: int) -> dict[str, str]:
        """The claims of a text, or the claim that a row is, as known at an event: each with its disposition."""
        known = [at for at in self._claims.get(self._home(row)) if self.seq(at) <= upto]
        return {claim: self._standings.lifecycle(claim, upto) or "" for at in known if (claim := self._claim[at])}

    def facts_of(self, row: int) -> set[str]:
        """What the claims of a row's text say, one text a fact."""
        return {fact for at in self._claims.get(self._home(row)) if (fact := self._fact[at])}

    def claimed(self) -> Iterator[tuple[int, str, str]]:
        """Every row that words a claim, with the claim and what it says."""
        for row, (claim, fact) in enumerate(zip(self._claim, self._fact, strict=True)):
            if claim is not None and fact is not None:
                yield row, claim, fact

    def lines_at(self, row: int, mask: Mask) -> tuple[set[str], set[str]]:
        """The lines of the claims of a row's text: of those that may be seen, as they still hold, and of the others."""
        rows = [at for at in self._claims.get(self._home(row)) if at < len(mask) and self._fact[at]]
        held, over = ({line_of(self._fact[at] or "") for at in rows if mask[at] == seen} for seen in (True, False))
        return held, over

    def lines_of(self, name: str) -> list[str]:
        """The lines of what is called so, the one last spoken about first."""
        return [line for entity in sorted(self.names.get(name, ())) for line in reversed(self._lines.get(entity, {}))]

    def _home(self, row: int) -> str:
        return str(self.corpus.source(row) or self._claim[row])

    def rows_of(self, ref: str) -> list[int]:
        """The rows under which something is found: its passages, or the text that a claim was taken from."""
        return self._rows.get(ref) or [self.corpus.base(row) for row in self._wordings.get(ref)]

    def records(self, upto: int) -> list[int]:
        """The row of every record's present text as known at an event, its first passage; deleted ones included."""
        present = self._record.now & (self._seq.now <= upto) & (upto < self._until.now)
        return [int(row) for row in np.flatnonzero(present)]

    def every_row(self, ref: str) -> list[int]:
        """Every row that is found under a ref: the passages of all its texts, and the wordings of its claims."""
        rows = self._rows.get(ref)
        return [*rows, *(at for home in {self._home(row) for row in rows} for at in self._claims.get(home))]

    def seq(self, row: int) -> int:
        """The event that a row came with."""
        return int(self._seq.now[row])

    def before(self, row: int) -> str | None:
        """The ref of the turn before a row in its session."""
        earlier = int(self.corpus.previous[row])
        return None if earlier == NOBODY else self.corpus.ref(earlier)

    def facets(self, row: int) -> Mapping[str, Any]:
        """What was noted about a document when it was indexed."""
        held = self._more[row]
        if held is None or isinstance(held, str):
            named = {name: self._facets[name].get(row) for name in FILTERS}
            more = json.loads(held) if held else {}
            held = self._more[row] = {name: value for name, value in named.items() if value is not None} | more
        return held


def line_of(fact: str) -> str:
    """The line that a fact stands on: an entity's id and a predicate.

    >>> line_of("01a2|lives_in|munich|holds")
    '01a2|lives_in'
    """
    return "|".join(fact.split("|", 2)[:2])


def _searchable(found: "Mapping[str, Sequence[Any]]") -> Mapping[str, Sequence[Any]]:
    """Columns of the journal as the corpus has them."""
    # of a wording who said it, where and when is known of its text
    plain = [claim is None or claim == ref for claim, ref in zip(found["claim"], found["ref"], strict=True)]
    about = {text: tuple(json.loads(text)) if text else () for text in dict.fromkeys(found["about"])}

    def told(name: str, default: Any) -> list[Any]:
        return [value if own and value is not None else default for value, own in zip(found[name], plain, strict=True)]

    return {
        "id": found["id"],
        "ref": found["ref"],
        "kind": found["kind"],
        "position": found["seq"],
        "about": [about[text] if own else () for text, own in zip(found["about"], plain, strict=True)],
        "source": told("episode", None),
        **{name: told(name, default) for name, default in UNTOLD.items()},
    }


UNTOLD: Mapping[str, Any] = {
    "speaker": None,
    "session": None,
    "occurred_at": None,
    "length": 0,
    "asks": False,
    "salience": 0.5,
    "confidence": 1.0,
}
