"""When there is no answer, none is given: the floor under what a search returns.

Calibrated with `benchmarks/locomo.py` and the question sets of `tests/graph/retrieval`: of questions that have nothing
to do with a store, 95 in 100 stay below; of those it can answer, about one in 100.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from hornbook.graph.retrieval.embed import MiniLM
from hornbook.graph.retrieval.question import Question
from hornbook.graph.retrieval.rank import Hit
from hornbook.graph.retrieval.static import StaticEmbedder


@dataclass(frozen=True, slots=True)
class Floor:
    """The cosines of one model. Each model has its own scale, so a floor is calibrated for it or is none.

    `close`: of the nearest document, its meaning is enough. `near`: beside which words are believed. `far`: below
    which a document without a shared word is only filling. Of the words, how much of the question one document's
    must cover: `worded` beside vectors, `alone` where there are none to ask, for better too much than nothing.
    """

    close: float = 0.0
    near: float = 0.0
    far: float = 0.0
    worded: float = 0.6
    alone: float = 0.25


FLOORS: Mapping[str, Floor] = {
    MiniLM.model: Floor(close=0.365, near=0.25, far=0.12),
    StaticEmbedder.model: Floor(close=0.46, near=0.36, far=0.2),
}


def above(hits: Sequence[Hit], question: Question, model: str = MiniLM.model) -> list[Hit]:
    """The hits that are worth returning, in their order: none when the question is not about what is stored.

    The question is answerable when some hit is close to it in meaning, or near it and made of its words, or holds an
    identifier or number of the question verbatim; or when it is nothing but a name that is known. Of an answerable
    question, what shares neither meaning nor words nor the company of a turn that does is left out. A model that is
    not in FLOORS has no floor.
    """
    floor, heard = FLOORS.get(model, Floor()), heard_of(hits)
    return [hit for hit in hits if not _filling(hit, floor)] if answerable(heard, question, floor) else []


@dataclass(frozen=True, slots=True)
class Heard:
    """The best that speaks for any of some hits: an identifier, the words, the speaker, the cosine if there is one."""

    exact: float = 0.0
    words: float = 0.0
    speaker: float = 0.0
    nearest: float | None = None


def heard_of(hits: Sequence[Hit]) -> Heard:
    """The best of each signal that a floor asks for."""
    exact, words, speaker = (
        max((hit.signals.score(name) for hit in hits), default=0.0) for name in ("exact", "lexical", "speaker")
    )
    return Heard(exact, words, speaker, max((hit.cosine for hit in hits if hit.cosine is not None), default=None))


def answerable(heard: Heard, question: Question, floor: Floor) -> bool:
    """Whether anything found speaks to the question at all."""
    if heard.exact:
        return True
    if question.named and not question.carrying:  # "Tell me about Ana": whatever there is
        return bool(heard.words or heard.speaker)
    if heard.nearest is None:
        return heard.words >= floor.alone
    believed = heard.nearest >= floor.near or not question.latin or question.bare
    return heard.nearest >= floor.close or (heard.words >= floor.worded and believed)


def common(hits: Sequence[Hit], question: Question, model: str = MiniLM.model) -> bool:
    """Whether a question is refused for its words alone, which may be because they are common: then weigh them anew.

    bm25 tells a word that few documents have from one that none has no better than from one that half of them have.
    """
    floor, heard = FLOORS.get(model, Floor()), heard_of(hits)
    if not heard.words or answerable(heard, question, floor):
        return False
    return answerable(heard, question, replace(floor, worded=0.0, alone=0.0))


def _filling(hit: Hit, floor: Floor) -> bool:
    far = hit.cosine is None or hit.cosine < floor.far
    return far and not any(hit.signals.score(name) for name in ("lexical", "exact", "graph", "neighbours"))
