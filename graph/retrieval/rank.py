"""From raw evidence to a ranked list that can say why: pool, score in context, fuse.

Pure: the lexical hits, the vector of the question, the graph's weights and the eligible rows come in as values.

1. *Pool*: the rows with the best match of words and meaning, those the graph or an exact token points at, and the
   turns around them. All that follows costs the same whether the corpus has a thousand rows or a million.
2. *Evidence*: the match, in its context: (match + neighbours) · (1 + speaker) + session + graph, more for the time
   that is asked about, less for a text that says nothing.
3. *Fuse* the evidence with the other signals, by rank or by weight.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from hornbook.graph.retrieval import fuse, signals
from hornbook.graph.retrieval.documents import NOBODY, Corpus, Document, Documents, Floats, Ints, Mask
from hornbook.graph.retrieval.question import Question, Steer, mentioned, window_by
from hornbook.graph.retrieval.scoring import Fusion, Scoring, Weights
from hornbook.graph.retrieval.vectors import best, cosines

POOL = 400  # rows taken by match; a caller may ask for 200


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the sources found, by document id. bm25 as a positive number; `exact` counts identifiers found verbatim.

    Without a `vector` (no model, or another model's vectors) the rest still ranks.
    """

    lexical: Mapping[int, float] = field(default_factory=dict)
    vector: Floats | None = None
    graph: Mapping[int, float] = field(default_factory=dict)
    exact: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Signal:
    """One signal of one hit: its score, 0 to 1, and its rank among the candidates (0: silent)."""

    score: float
    rank: int


class Columns:
    """The signals of all candidates; ranks are worked out for those that somebody asks about."""

    def __init__(self, scores: Mapping[str, Floats]) -> None:
        self.scores = {name: column.tolist() for name, column in scores.items()}
        self._arrays = scores
        self._ranks: dict[str, list[int]] = {}

    def rank(self, name: str, at: int) -> int:
        """The rank of a candidate by one signal."""
        if name not in self._ranks:
            self._ranks[name] = fuse.ranks(self._arrays[name]).tolist()
        return self._ranks[name][at]


class Heard(Mapping[str, Signal]):
    """The signals of one hit, by name: a view, since hundreds of hits are ranked and few are explained."""

    __slots__ = ("_at", "_columns")

    def __init__(self, columns: Columns, at: int) -> None:
        self._columns, self._at = columns, at

    def __getitem__(self, name: str) -> Signal:
        """One signal's score and rank."""
        return Signal(self._columns.scores[name][self._at], self._columns.rank(name, self._at))

    def __iter__(self) -> Iterator[str]:
        """The names of all signals, silent ones too."""
        return iter(self._columns.scores)

    def __len__(self) -> int:
        """How many signals there are."""
        return len(self._columns.scores)

    def score(self, name: str) -> float:
        """One signal's score alone, which costs nothing."""
        return float(self._columns.scores[name][self._at])


@dataclass(frozen=True, slots=True)
class Hit:
    """A document that was found. `score` only ranks; `cosine` is the similarity, None where there is no vector.

    Hundreds are ranked and few are told, so the document is made when it is asked for.
    """

    documents: Documents
    row: int
    score: float
    cosine: float | None
    lexical: float
    signals: Heard

    @property
    def document(self) -> Document:
        """What was found."""
        return self.documents[self.row]

    @property
    def why(self) -> tuple[str, ...]:
        """The signals that speak for it, the strongest rank first."""
        heard = [(signal.rank, name) for name, signal in self.signals.items() if signal.rank]
        return tuple(name for _, name in sorted(heard))


def rank(
    corpus: Corpus,
    question: Question,
    evidence: Evidence,
    *,
    now: int,
    eligible: Mask | None = None,
    scoring: Scoring | None = None,
    most: int = POOL,
) -> list[Hit]:
    """The eligible documents that something speaks for, best first, at most `most`.

    >>> corpus = Corpus(2)
    >>> corpus.extend([Document(1, "a", speaker="Ana"), Document(2, "b", speaker="Ben"), Document(3, "c")])
    >>> found = rank(corpus, Question("?", named=("ben",)), Evidence(lexical={1: 2.0, 2: 2.0}), now=0)
    >>> [hit.document.ref for hit in found], found[0].signals["speaker"]
    (['b', 'a'], Signal(score=1.0, rank=1))
    """
    scoring = scoring or Scoring()
    named = dict.fromkeys((*question.named, *mentioned(question.text, corpus.called)))
    question = replace(question, named=tuple(named))
    whole = _whole(corpus, question, evidence, eligible, scoring.weights)
    rows = _pool(corpus, whole, evidence, eligible)
    if not len(rows):
        return []
    found = _signals(corpus, question, evidence, whole, rows, now, scoring)
    found["evidence"] = _evidence(found, question, scoring.weights)
    scores = _fused(found, whole.coverage, scoring)
    order = np.lexsort((rows, -scores))[:most]
    return _hits(corpus, evidence, whole, rows, scores, found, order[scores[order] > 0])


@dataclass(frozen=True, slots=True)
class Whole:
    """What is known of every row before any is picked."""

    coverage: float
    lexical: Floats
    cosine: Floats
    match: Floats


def _whole(corpus: Corpus, question: Question, evidence: Evidence, eligible: Mask | None, weights: Weights) -> Whole:
    bm25 = spread(corpus, evidence.lexical)
    blind = evidence.vector is None or not corpus.vectors.shape[1]  # no model, or nothing that it has embedded yet
    cosine = np.zeros(len(corpus), np.float32) if blind else cosines(corpus.vectors, np.asarray(evidence.vector))
    if eligible is not None:
        # masked before anything is scaled: what may not be seen must not move what may
        bm25, cosine = np.where(eligible, bm25, 0), np.where(eligible, cosine, 0)
    bm25, cosine = _folded(corpus, bm25, eligible), _folded(corpus, cosine, eligible, weights.claim)
    covered = signals.coverage(bm25, question.carrying, len(corpus))
    words = signals.lexical(bm25, covered)
    # what waits for its vector is taken to mean as much as its words say, or it would come behind all that has one
    meaning = np.where(corpus.embedded | (cosine > 0), cosine, words * cosine.max(initial=0))
    return Whole(covered, words, cosine, signals.match(words, signals.semantic(meaning), weights.lexical_share))


def _folded(corpus: Corpus, values: Floats, eligible: Mask | None, share: float = 1.0) -> Floats:
    """A text is matched as well as by the best of its wordings: itself, and the claims taken from it, these by a share.

    The vector of so short a sentence as a claim's is close to many questions.
    """
    rows, bases = corpus.surfaces
    if not len(rows):
        return values
    best_ = values.copy()
    np.maximum.at(best_, bases, share * values[rows])
    best_[rows] = 0
    return best_ if eligible is None else np.where(eligible, best_, 0)


def spread(corpus: Corpus, values: Mapping[int, float]) -> Floats:
    """Values by document id as a column; ids that are not in the corpus are left out."""
    column = np.zeros(len(corpus), np.float32)
    known = [(row, value) for id_, value in values.items() if (row := corpus.row(id_)) is not None]
    if known:
        rows, numbers = zip(*known, strict=True)
        column[list(rows)] = numbers
    return column


def _pool(corpus: Corpus, whole: Whole, evidence: Evidence, eligible: Mask | None) -> Ints:
    """The rows worth a closer look, in row order: the best matches with their neighbours, and what is pointed at."""
    top = best(whole.match, POOL)
    ring = top
    for _ in range(2):
        ring = np.unique(np.concatenate([ring, corpus.previous[ring], corpus.following[ring]]))
        ring = ring[ring != NOBODY]
    pointed = corpus.rows([*evidence.graph, *evidence.exact])
    rows = np.unique(np.concatenate([ring, pointed]))
    return rows if eligible is None else rows[eligible[rows]]


def _signals(
    corpus: Corpus, question: Question, evidence: Evidence, whole: Whole, rows: Ints, now: int, scoring: Scoring
) -> dict[str, Floats]:
    """Each signal at the pool's rows; the session's needs the scores of its turns and so comes last."""
    around = signals.neighbours(whole.match, corpus.previous, corpus.following, corpus.asks)
    found = {
        "match": whole.match[rows],
        "lexical": whole.lexical[rows],
        "semantic": signals.semantic(whole.cosine[rows]),
        "neighbours": around[rows],
        "speaker": signals.speaker(
            corpus.speaker[rows], speaker_named(corpus, question), corpus.speaks_of(question.named)[rows]
        ),
        "graph": signals.graph(spread(corpus, evidence.graph)[rows]),
        "temporal": signals.temporal(corpus.occurred_at[rows], window_by(question, int(corpus.occurred_at.max()))),
        "recency": signals.recency(corpus.occurred_at[rows], now, scoring.half_life_days),
        "substance": signals.substance(corpus.length[rows]),
        "exact": signals.scaled(spread(corpus, evidence.exact)[rows]),
        "salience": corpus.salience[rows],
        "confidence": corpus.confidence[rows],
    }
    found["session"] = signals.session(_spoken(found, scoring.weights), corpus.session[rows])
    return found


def speaker_named(corpus: Corpus, question: Question) -> int | None:
    """The one speaker whom the question names, in full or by an unshared first name.

    >>> corpus = Corpus(1)
    >>> corpus.extend([Document(1, "a", speaker="Ana Silva"), Document(2, "b", speaker="Ben")])
    >>> speaker_named(corpus, Question("?", named=("ana",))), speaker_named(corpus, Question("?", named=("ana", "ben")))
    (0, None)
    """
    codes = set().union(*(corpus.called.get(name, set()) for name in question.named))
    return codes.pop() if len(codes) == 1 else None


def _spoken(found: Mapping[str, Floats], weights: Weights) -> Floats:
    matched = found["match"] + weights.neighbours * found["neighbours"]
    return np.asarray(matched * (1 + weights.speaker * found["speaker"]), np.float32)


def _evidence(found: Mapping[str, Floats], question: Question, weights: Weights) -> Floats:
    """What speaks for each row as evidence, 0 to 1: the match in its context and in the time asked about."""
    score = _spoken(found, weights) + weights.session * found["session"] + weights.graph * found["graph"]
    score -= weights.substance * (1 - found["substance"])
    score *= 1 + weights.temporal * found["temporal"]
    if question.steer is not Steer.NONE:
        late = found["recency"] if question.steer is Steer.CURRENT else 1 - found["recency"]
        score *= 1 + weights.steer * late
    return signals.scaled(score)


FUSED = ("evidence", "lexical", "semantic", "recency", "salience", "confidence")


def _fused(found: Mapping[str, Floats], coverage: float, scoring: Scoring) -> Floats:
    weights = {name: float(getattr(scoring.weights, name)) for name in FUSED}
    weights["lexical"] *= coverage
    weights["semantic"] += scoring.weights.doubt * (1 - coverage)
    heard = {name: found[name] for name in FUSED}
    fused = (fuse.reciprocal if scoring.fusion is Fusion.RRF else fuse.weighted)(heard, weights)
    # on top of the fusion and not in it: dense noise must never drown an identifier that stands there verbatim
    exact = scoring.weights.exact * found["exact"]
    return np.asarray((fused + exact) / (1 + exact.max()), np.float32)


def _hits(
    corpus: Corpus,
    evidence: Evidence,
    whole: Whole,
    rows: Ints,
    scores: Floats,
    found: Mapping[str, Floats],
    order: Ints,
) -> list[Hit]:
    columns = Columns(found)
    lexical, cosines_ = evidence.lexical, whole.cosine[rows[order]].tolist()
    seen = evidence.vector is not None
    found_ = rows[order].tolist()
    places = zip(
        found_, corpus.ids[rows[order]].tolist(), order.tolist(), scores[order].tolist(), cosines_, strict=True
    )
    return [
        Hit(
            corpus.documents, row, score, cosine if seen and cosine else None, lexical.get(id_, 0.0), Heard(columns, at)
        )
        for row, id_, at, score, cosine in places
    ]
