"""The signals: what speaks for a document as the answer to a question. One small function each, over columns.

Every signal is 0 to 1 and stays 0 where it has nothing to say. `match` is the base; `neighbours`, `speaker` and
`session` say who said it and where it stands; the others are the document's own.
"""

import numpy as np
from numpy.typing import NDArray

from hornbook.graph.clock import DAY
from hornbook.graph.retrieval.documents import NOBODY, UNDATED, Floats, Ints, Mask


def semantic(cosine: Floats) -> Floats:
    """max(cosine, 0): what points away from the question is as silent as what is at right angles."""
    return _floats(np.maximum(cosine, 0))


def coverage(bm25: Floats, words: int, size: int) -> float:
    """How much of the question its best lexical hit covers: best bm25 ÷ (0.7 · words · ln(size + 1)), at most 1.

    A word that stands in one document of `size` earns about ln(size) of bm25. One word of four found is no answer, and
    without this scale it would look as good as four of four.

    >>> coverage(np.array([5.3, 1.0], np.float32), words=4, size=200) < 0.4
    True
    """
    whole = 0.7 * max(words, 1) * float(np.log(size + 1))
    return min(1.0, float(bm25.max(initial=0)) / whole) if whole else 0.0


def lexical(bm25: Floats, coverage: float = 1.0) -> Floats:
    """Coverage · bm25 ÷ the best bm25 of this question; bm25 as a positive number.

    >>> lexical(np.array([4.0, 1.0, 0.0], np.float32)).tolist()
    [1.0, 0.25, 0.0]
    """
    return _floats(coverage * scaled(bm25))


def match(lexical: Floats, semantic: Floats, lexical_share: float = 0.7) -> Floats:
    """(share · lexical + semantic) ÷ the best such sum: the words and the meaning of the document itself.

    Added as scores and not as ranks: by how much the first is ahead of the second is most of what there is to know.
    """
    return scaled(lexical_share * lexical + semantic)


def neighbours(match: Floats, previous: Ints, following: Ints, asks: Mask) -> Floats:
    """0.15 · match of the turn before + 0.1 · of the turn after, + 0.15 · of the turn before if it asked something.

    And 0.02 of the turns two away. A conversation speaks of a thing over several turns, and an answer follows its
    question.
    """
    before, after = _at(match, previous), _at(match, following)
    further = _at(before, previous) + _at(after, following)
    answered = before * _at(asks.astype(np.float32), previous)
    return _floats(0.15 * before + 0.1 * after + 0.02 * further + 0.15 * answered)


def speaker(speakers: Ints, named: int | None, spoken_of: Mask) -> Floats:
    """1 where the one person whom the question names is the one who spoke, or whom another speaks of.

    Silent when the question names nobody or several: then who spoke says nothing about what is asked.
    """
    about = np.zeros(len(speakers), np.bool_) if named is None else (speakers == named) | spoken_of
    return _floats(about)


def session(scores: Floats, sessions: Ints) -> Floats:
    """The score of the session's best turn: what was talked about there is talked about around it.

    >>> session(np.array([0.2, 0.8, 0.5], np.float32), np.array([0, 0, -1])).round(1).tolist()
    [0.800000011920929, 0.800000011920929, 0.0]
    """
    if not (sessions >= 0).any():
        return _floats(np.zeros(len(scores)))
    top = np.zeros(int(sessions.max()) + 1, np.float32)
    np.maximum.at(top, sessions[sessions >= 0], scores[sessions >= 0])
    return _floats(np.where(sessions >= 0, top[sessions], 0))


def substance(length: Ints) -> Floats:
    """1 - e^(-characters ÷ 40): "Thanks, you too!" answers nothing, however well it matches.

    >>> substance(np.array([0, 40, 400])).round(2).tolist()
    [0.0, 0.6299999952316284, 1.0]
    """
    return _floats(1 - np.exp(-length / 40))


def graph(weights: Floats) -> Floats:
    """The personalised PageRank of the document from the question's entities ÷ the highest one."""
    return scaled(weights)


def recency(occurred_at: Ints, now: int, half_life_days: float = 30.0) -> Floats:
    """2^(-age ÷ half-life); what lies ahead counts as now, what has no date is silent.

    >>> recency(np.array([0, 30 * DAY]), 30 * DAY).tolist()
    [0.5, 1.0]
    """
    # ages as floats: UNDATED is the smallest integer, and subtracting it from now would wrap
    age = np.maximum(float(now) - occurred_at.astype(np.float64), 0) / DAY
    return _floats(np.where(occurred_at == UNDATED, 0, np.exp2(-age / half_life_days)))


def temporal(occurred_at: Ints, window: tuple[int, int] | None) -> Floats:
    """1 inside the time that the question names; outside, e^(-distance ÷ its length), that taken as 1 to 90 days.

    >>> temporal(np.array([5 * DAY, 11 * DAY, UNDATED]), (0, 10 * DAY)).round(2).tolist()
    [1.0, 0.8999999761581421, 0.0]
    """
    if window is None:
        return _floats(np.zeros(len(occurred_at)))
    start, end = window
    at = occurred_at.astype(np.float64)
    distance = np.maximum(np.maximum(start - at, at - end), 0)
    return _floats(np.where(occurred_at == UNDATED, 0, np.exp(-distance / np.clip(end - start, DAY, 90 * DAY))))


def _at(values: Floats, rows: Ints) -> Floats:
    """The values at these rows; 0 for NOBODY."""
    return _floats(np.where(rows == NOBODY, 0, values[rows]))


def scaled(values: NDArray[np.floating]) -> Floats:
    """The values ÷ the highest; what is negative is silent."""
    positive = np.maximum(values, 0)
    top = float(positive.max(initial=0))
    return _floats(positive / top if top > 0 else positive)


def _floats(values: NDArray[np.generic]) -> Floats:
    return np.asarray(values, np.float32)
