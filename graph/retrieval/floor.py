"""When there is no answer, none is given: the floor under what a search returns.

Calibrated with `benchmarks/locomo.py` and the question sets of `tests/graph/retrieval`: of questions that have nothing
to do with a store, 95 in 100 stay below; of those it can answer, about one in 100.
"""

from collections.abc import Sequence

from hornbook.graph.retrieval.question import Question
from hornbook.graph.retrieval.rank import Hit

CLOSE = 0.365  # cosine of the nearest document: its meaning is enough
NEAR = 0.25  # cosine beside which words are believed
WORDED = 0.6  # coverage of the question by one document's words
WORDED_ALONE = 0.25  # the same when there are no vectors to ask: better too much than nothing
FAR = 0.12  # cosine below which a document without a shared word is only filling


def above(hits: Sequence[Hit], question: Question) -> list[Hit]:
    """The hits that are worth returning, in their order: none when the question is not about what is stored.

    The question is answerable when some hit is close to it in meaning, or near it and made of its words, or holds an
    identifier or number of the question verbatim. Of an answerable question, what shares neither meaning nor words
    nor the company of a turn that does is left out.
    """
    return [hit for hit in hits if not _filling(hit)] if answerable(hits, question) else []


def answerable(hits: Sequence[Hit], question: Question) -> bool:
    """Whether anything found speaks to the question at all."""
    if any(hit.signals.score("exact") for hit in hits):
        return True
    covered = max((hit.signals.score("lexical") for hit in hits), default=0.0)
    cosines = [hit.cosine for hit in hits if hit.cosine]  # 0 is a row that has no vector
    if not cosines:
        return covered >= WORDED_ALONE
    nearest = max(cosines)
    return nearest >= CLOSE or (covered >= WORDED and (nearest >= NEAR or not question.latin))


def _filling(hit: Hit) -> bool:
    far = hit.cosine is None or hit.cosine < FAR
    return far and not any(hit.signals.score(name) for name in ("lexical", "exact", "graph", "neighbours"))
