"""A search from question to answer: one snapshot for every source, one mask for what may be seen, one ranking."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hornbook.graph.clock import rfc3339
from hornbook.graph.errors import EmbeddingError
from hornbook.graph.retrieval import floor
from hornbook.graph.retrieval.index import Index
from hornbook.graph.retrieval.question import Question, analyse
from hornbook.graph.retrieval.rank import Evidence, Fusion, Hit, Scoring, rank
from hornbook.graph.store import Reading

if TYPE_CHECKING:
    from hornbook.graph.retrieval.embed import Embedder

POOL = 400  # documents taken from the lexical index before ranking
VERBATIM = 60  # of those, how many are looked through for an identifier as it was written


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked, of whom and as of when. Instants are microseconds; `at` is the valid instant."""

    text: str
    at: int
    limit: int = 10
    filters: Mapping[str, Collection[str]] = field(default_factory=dict)
    min_score: float | None = None
    include_inactive: bool = False
    explain: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """One thing that was found: what it is, what it says, who said it and when, how it stands, and why it is here.

    `score` only ranks. `semantic_relevance` is the cosine with the question, None where there is no vector.
    """

    node_id: str
    kind: str
    content: str
    score: float
    semantic_relevance: float | None
    lifecycle_state: str
    node_type: str
    scope: str
    why: tuple[str, ...]
    speaker: str | None = None
    session: str | None = None
    occurred_at: str | None = None
    number: int | None = None
    episode: str | None = None
    order: int = 0  # its place in time among the others
    previous: str | None = None  # the turn before it in its session
    truncated: bool = False  # whether `content` is a passage of a longer text
    explanation: Mapping[str, Mapping[str, float]] | None = None

    def as_dict(self) -> dict[str, Any]:
        """The hit as a reply shows it, without what is not known."""
        shown: dict[str, Any] = {
            "node_id": self.node_id,
            "content": self.content,
            "score": round(self.score, 4),
            "semantic_relevance": None if self.semantic_relevance is None else round(self.semantic_relevance, 4),
            "node_type": self.node_type,
            "lifecycle_state": self.lifecycle_state,
            "scope": self.scope,
            "speaker": self.speaker,
            "occurred_at": self.occurred_at,
            "session_id": self.session,
            "memory_id": self.number,
            "truncated": self.truncated or None,
            "why": list(self.why[:3]),
            "explanation": self.explanation,
        }
        return {key: value for key, value in shown.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Results:
    """What a search found, best first, and as of which known instant."""

    hits: tuple[Found, ...]
    metrics: Mapping[str, Any]
    as_known: str
    named: tuple[str, ...] = ()  # whom the question names

    def as_dict(self) -> dict[str, Any]:
        """The reply."""
        return {
            "results": [hit.as_dict() for hit in self.hits],
            "count": len(self.hits),
            "metrics": dict(self.metrics),
            "as_known": self.as_known,
        }


def search(reading: Reading, index: Index, embedder: "Embedder", query: Query, scoring: Scoring) -> Results:
    """The documents that answer a question, best first; an unrelated question gets none.

    When the model cannot be had, or the store's vectors are of another one, the words alone answer and the metrics
    say so: `backend_failures` names what failed, `min_score_skipped` that no similarity could be compared.
    """
    with index.turn:
        index.extend(reading.snapshot)
        question = analyse(query.text, index.names, query.at)
    vector, failures = _vector(embedder, index, reading, question)  # others may search while the model works
    lexical = dict(reading.snapshot.lexical(query.text, POOL, reading.upto))
    with index.turn:
        mask = index.eligible(reading.upto, query.at, query.filters, include_inactive=query.include_inactive)
        evidence = Evidence(lexical, vector, exact=_verbatim(reading, index, question, lexical))
        ranked = rank(index.corpus, question, evidence, now=query.at, eligible=mask, scoring=scoring)
        kept = [hit for hit in floor.above(ranked, question) if _similar(hit, query.min_score)]
        found = tuple(_found(reading, index, hit, query) for hit in _first_of_each(kept, query.limit))
    metrics: dict[str, Any] = {"candidates": len(ranked), "fusion": Fusion(scoring.fusion).value, "model": index.model}
    if failures:
        metrics["backend_failures"] = failures
        metrics["min_score_skipped"] = query.min_score is not None
    return Results(found, metrics, reading.as_known, question.named)


def _vector(embedder: "Embedder", index: Index, reading: Reading, asked: Question) -> tuple[Any, dict[str, str]]:
    if not asked.latin:
        return None, {"vector": f"'{index.model}' reads no other script than Latin: the words alone were compared"}
    model = reading.snapshot.model()
    if model is not None and (model.name, model.digest) != (embedder.model, embedder.digest):
        return None, {"vector": f"the store's vectors are of the model '{model.name}', not of '{index.model}'"}
    try:
        return embedder.embed([asked.text])[0], {}
    except EmbeddingError as error:
        return None, {"vector": error.message}


def _similar(hit: Hit, least: float | None) -> bool:
    return least is None or hit.cosine is None or hit.cosine >= least


def _first_of_each(hits: list[Hit], limit: int) -> Iterator[Hit]:
    """The best passage of each text, at most `limit` texts."""
    seen: set[str] = set()
    for hit in hits:
        if hit.document.ref not in seen:
            seen.add(hit.document.ref)
            yield hit
            if len(seen) == limit:
                return


def _verbatim(reading: Reading, index: Index, question: Question, lexical: Mapping[int, float]) -> dict[int, int]:
    """How many of the question's identifiers stand in each of the best lexical hits just as they were written."""
    if not question.exact:
        return {}
    patterns = [re.compile(rf"(?<!\w){re.escape(token)}(?!\w)", re.IGNORECASE) for token in question.exact]
    counts = {}
    for id_ in list(lexical)[:VERBATIM]:
        row = index.corpus.row(id_)
        if row is not None:
            text = _content(reading, index, row)
            counts[id_] = sum(bool(pattern.search(text)) for pattern in patterns)
    return {id_: count for id_, count in counts.items() if count}


def _content(reading: Reading, index: Index, row: int) -> str:
    """The passage of a row; a text that is one passage is given whole."""
    facets = index.facets(row)
    event = reading.snapshot.by_id(facets["episode"])
    if event is None or event.body is None:
        return ""
    start, end = facets.get("span") or (0, None)
    return str(event.body["content"][start:end])


def _found(reading: Reading, index: Index, hit: Hit, query: Query) -> Found:
    row = index.corpus.row(hit.document.id)
    assert row is not None, "a hit is a row of the corpus"
    facets = index.facets(row)
    at = hit.document.occurred_at
    return Found(
        node_id=hit.document.ref,
        kind=hit.document.kind,
        content=_content(reading, index, row),
        score=hit.score,
        semantic_relevance=hit.cosine,
        lifecycle_state=index.lifecycle(row, reading.upto) or "tentative",
        node_type=facets.get("node_type", "note"),
        scope=facets["scope"],
        why=hit.why,
        speaker=hit.document.speaker,
        session=hit.document.session,
        occurred_at=rfc3339(at) if at is not None else None,
        number=facets.get("number"),
        episode=facets["episode"],
        order=hit.document.position,
        previous=index.before(row),
        truncated=facets.get("span") is not None,
        explanation=_explained(hit) if query.explain else None,
    )


def _explained(hit: Hit) -> dict[str, dict[str, float]]:
    return {
        name: {"rank": signal.rank, "score": round(signal.score, 4)}
        for name, signal in hit.signals.items()
        if signal.rank
    }
