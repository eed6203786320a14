"""Embedding what waits for a vector: claims, what was stored without a model, everything after a change of model.

Stating a claim asks no model, since it has a few milliseconds; the next search does, before it looks.
"""

import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hornbook.graph.claims.indexed import text_of
from hornbook.graph.displayed import Displayed
from hornbook.graph.errors import Conflict, EmbeddingError, StoreError
from hornbook.graph.events import Actor
from hornbook.graph.journal import Model
from hornbook.graph.retrieval.embed import spoken
from hornbook.graph.store import Reading, Store

if TYPE_CHECKING:
    from hornbook.graph.journal import Snapshot
    from hornbook.graph.journal.read import Document
    from hornbook.graph.retrieval.embed import Embedder
    from hornbook.graph.retrieval.index import Index

log = logging.getLogger(__name__)
AT_ONCE = 32  # documents of one round: a model's batch, and a transaction that lets others in soon
LATE_MS = 250.0  # that a search spends on what waits; a claim takes the bundled model some 2


@dataclass(frozen=True, slots=True, repr=False)
class Embedded(Displayed):
    """How many documents got a vector, and whether some still wait: then call it again."""

    embedded: int
    waiting: bool

    def as_dict(self) -> dict[str, Any]:
        """The reply."""
        return {"embedded": self.embedded, "waiting": self.waiting}


def checked_model(current: Model | None, embedder: "Embedder") -> None:
    """EmbeddingError where a store's vectors are of another model than the embedder's."""
    if current is not None and (current.name, current.digest) != (embedder.model, embedder.digest):
        raise EmbeddingError(
            f"the store's vectors are of the model '{current.name}', not of '{embedder.model}'",
            hint="open it with that model, or embed everything anew",
        )


def embed_late(reading: Reading, index: "Index", embedder: "Embedder", budget_ms: float = LATE_MS) -> None:
    """Give vectors to what has none yet, for a search that is under way: claims first, the latest first.

    They are written where nobody else is writing just now, and are this process's alone where somebody is, or where
    the store can only be read; what does not fit in the budget is found by its words, and is in the next round.
    """
    began = time.monotonic()
    with index.turn:
        waiting = index.waiting(reading.upto)
    while waiting and (time.monotonic() - began) * 1_000 < budget_ms:
        at_once, waiting = waiting[:AT_ONCE], waiting[AT_ONCE:]
        texts = {id_: _text(reading.snapshot, one) for id_, one in reading.snapshot.documents(at_once).items()}
        try:
            vectors = embedder.embed(list(texts.values()))
        except EmbeddingError as error:
            log.warning("what waits for a vector is found by its words: %s", error.message)
            return
        with index.turn:
            index.attach(list(texts), vectors)
        _kept(reading.store, embedder, dict(zip(texts, vectors, strict=True)))


def _kept(store: Store, embedder: "Embedder", vectors: Mapping[int, Any]) -> None:
    """Write vectors if that is possible at once; what is not written is embedded again by the next process."""
    model = Model(embedder.model, embedder.digest, embedder.dimension)
    try:
        with store.journal.writing(Actor(), deadline=0.0) as transaction:
            if transaction.model() is None:
                transaction.use_model(model)
            _put(transaction, model, vectors)
    except (StoreError, Conflict) as error:
        log.debug("vectors are kept in memory alone: %s", error.message)


def embed_waiting(
    store: Store, actor: Actor, embedder: "Embedder", budget_ms: float | None = None, *, replace: bool = False
) -> Embedded:
    """Give vectors to the documents that have none of the current model, round by round, until the budget is spent.

    With `replace` the embedder's model takes the place of the one that the store has; without, a store of another
    model is left as it is. The model works outside the lock. Whatever is done stays done: call it again for the rest.
    """
    if not embedder.dimension:
        embedder.embed(["dimension"])  # a server's model, not asked yet
    model = Model(embedder.model, embedder.digest, embedder.dimension)
    with store.journal.reading() as snapshot:
        current = snapshot.model()
    if current is not None and current != model and not replace:
        return Embedded(0, waiting=True)
    if current != model:
        store.write(actor, lambda writing: writing.snapshot.use_model(model, replace=True))
    began, done = time.monotonic(), 0
    while ids := _waiting(store):
        for start in range(0, len(ids), AT_ONCE):
            if budget_ms is not None and done and (time.monotonic() - began) * 1_000 >= budget_ms:
                return Embedded(done, waiting=True)
            put = _round(store, actor, embedder, model, ids[start : start + AT_ONCE])
            if not put:  # erased, or of another model, while this one worked
                return Embedded(done, waiting=True)
            done += put
    return Embedded(done, waiting=False)


def _round(store: Store, actor: Actor, embedder: "Embedder", model: Model, ids: Sequence[int]) -> int:
    """Embed some documents and write their vectors; how many were written."""
    with store.journal.reading() as snapshot:
        texts = {id_: _text(snapshot, document) for id_, document in snapshot.documents(ids).items()}
    vectors = dict(zip(texts, embedder.embed(list(texts.values())), strict=True))
    return store.write(actor, lambda writing: _put(writing.snapshot, model, vectors))


def _put(transaction: Any, model: Model, given: Mapping[int, Any]) -> int:
    """Write the vectors of the documents that are still there; none where the model was changed meanwhile."""
    if transaction.model() != model:
        return 0
    there = transaction.documents(given)
    for id_ in there:
        transaction.put_vector(id_, given[id_])
    return len(there)


def _waiting(store: Store) -> list[int]:
    """The next documents that have no vector of the store's model."""
    with store.journal.reading() as snapshot:
        return snapshot.without_vector()


def _text(snapshot: "Snapshot", document: "Document") -> str:
    """The text of a document as it was indexed; empty once it has been erased."""
    facets = document.facets
    event = snapshot.by_id(facets.get("claim") or facets["episode"])
    if event is None or event.body is None:
        return ""
    if "claim" in facets:
        return text_of(event.body)
    start, end = facets.get("span") or (0, None)
    return spoken(event.body["content"][start:end], facets.get("speaker"))
