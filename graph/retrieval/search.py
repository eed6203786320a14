"""A search from question to answer: one snapshot for every source, one mask for what may be seen, one ranking."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hornbook.graph.errors import EmbeddingError
from hornbook.graph.retrieval import floor
from hornbook.graph.retrieval.current import current_first
from hornbook.graph.retrieval.documents import Floats, Mask
from hornbook.graph.retrieval.found import DIGITS, Found, Query, Results, content, found
from hornbook.graph.retrieval.index import Index
from hornbook.graph.retrieval.near import Aliased, aliased, behind, nearby
from hornbook.graph.retrieval.own import first_person, own
from hornbook.graph.retrieval.question import Question, analyse, anchored
from hornbook.graph.retrieval.rank import Evidence, Hit, rank
from hornbook.graph.retrieval.scoring import Fusion, Scoring
from hornbook.graph.retrieval.waiting import checked_model, embed_late
from hornbook.graph.retrieval.whole import wholly
from hornbook.graph.retrieval.worth import FEW, worth
from hornbook.graph.store import Reading

if TYPE_CHECKING:
    from hornbook.graph.retrieval.embed import Embedder

__all__ = ["Found", "Query", "Results", "search"]

POOL = 400  # documents taken from the lexical index before ranking
LARGEST, MORE = 20_000, 16  # how many are looked through at first where few may be seen; then times as many
RANKED = 200  # of the pool, how many are ranked at least: the floor is asked of these
VERBATIM = 60  # of the lexical hits, how many are looked through for an identifier as it was written
LINES, FEW_LINES = 32, 8  # lines of claims that a reader is shown; of one name, how many are shown unasked
TOLD = 50  # hits of a reply that tell their claims; a longer list is for a reader of texts


@dataclass(frozen=True, slots=True)
class Asking:
    """A search under way: of which store, as of when, with which model and which scoring."""

    reading: Reading
    index: Index
    embedder: "Embedder"
    query: Query
    scoring: Scoring
    mask: Mask  # what may be seen: as of one event, so rows that come meanwhile change nothing
    derived: bool = False  # whether the graph has what rules derive as of this reading


def search(
    reading: Reading, index: Index, embedder: "Embedder", query: Query, scoring: Scoring, *, derived: bool = False
) -> Results:
    """The documents that answer a question, best first; an unrelated question gets none.

    With `derived` the texts behind what rules derive for whom the question names are looked for too.

    When the model cannot be had, or the store's vectors are of another one, the words alone answer and the metrics
    say so: `backend_failures` names what failed, `min_score_skipped` that no similarity could be compared.
    """
    with index.turn:
        index.extend(reading.snapshot)
        asking = Asking(reading, index, embedder, query, scoring, _seen(reading, index, query), derived)
        question = analyse(query.text, index.names, query.at)
        also = aliased(index, question)
    question = _placed(asking, question)
    ranked, failures = _ranked(asking, question, max(RANKED, 4 * query.limit), also)
    told: tuple[str, ...] = ()
    speaking = floor.above(ranked, question, index.model) or wholly(reading, question, ranked)
    if not speaking:
        speaking, told = _of_the_asker(asking, question)
    with index.turn:
        by_score = scoring.fusion == Fusion.WEIGHTED
        least = None if failures and not by_score else query.min_score
        speaking = current_first(index, question, query.asker, speaking, asking.mask)
        kept = [hit for hit in speaking if _reaches(hit, least, by_score=by_score)]
        hits = tuple(
            found(reading, index, hit, query, claims=at < TOLD)
            for at, hit in enumerate(_first_of_each(index, kept, query.limit))
        )
        lines = told or tuple(_lines(index, question, hits))
    metrics: dict[str, Any] = {"candidates": len(ranked), "fusion": Fusion(scoring.fusion).value, "model": index.model}
    if failures:
        metrics["backend_failures"] = failures
        metrics["min_score_skipped"] = query.min_score is not None and not by_score
    return Results(hits, metrics, reading.as_known, lines)


def _seen(reading: Reading, index: Index, query: Query) -> Mask:
    """What may be seen."""
    mask = index.eligible(reading.upto, query.at, query.filters, include_inactive=query.include_inactive)
    return mask if query.only is None else mask & query.only(reading, index)


def _lines(index: Index, question: Question, hits: Sequence[Found]) -> list[str]:
    """The lines of what was found, in its order, then those of whom the question names: at most LINES.

    Of somebody who is much spoken of only the lines that share a word with the question, and the nearest few others.
    """
    found = list(dict.fromkeys(line for hit in hits[:TOLD] for line in hit.lines))
    for name in question.named:
        lines = index.lines_of(name)
        if len(lines) <= FEW_LINES or not question.carrying:
            found += lines
            continue
        asked = [line for line in lines if set(line.partition("|")[2].split("_")) & set(question.terms)]
        beside = set(lines).difference(asked)
        far = set([line for line in found if line in beside][FEW_LINES:])
        found = [line for line in found if line not in far] + asked
    return list(dict.fromkeys(found))[:LINES]


def _ranked(
    asking: Asking, question: Question, most: int, also: Aliased | None = None
) -> tuple[list[Hit], dict[str, str]]:
    """Everything that speaks to a question, best first, and which sources could not be asked."""
    reading, index = asking.reading, asking.index
    # asked under all names of what it names
    text = f"{question.text} ({', '.join(also.names)})" if also else question.text
    vector, failures = _vector(asking, question, text)  # others may search while the model works
    if vector is not None:
        embed_late(reading, index, asking.embedder)
    lexical = _lexical(asking, text)
    near = nearby(reading, also) if also else {}
    if asking.derived:
        for ref, weight in behind(reading, index, question, asking.query.at).items():
            near[ref] = max(weight, near.get(ref, 0.0))
    size = len(asking.mask)
    if size <= FEW and lexical:
        lexical = worth(reading, question, size, lexical)
    ranked = _ordered(asking, question, lexical, vector, near, most)
    if size > FEW and floor.common(ranked, question, index.model):
        ranked = _ordered(asking, question, worth(reading, question, size, lexical), vector, near, most)
    return ranked, failures


def _ordered(
    asking: Asking,
    question: Question,
    lexical: Mapping[int, float],
    vector: Floats | None,
    near: Mapping[str, float],
    most: int,
) -> list[Hit]:
    """What was found, ranked among what may be seen."""
    index, now = asking.index, asking.query.at
    with index.turn:
        evidence = Evidence(lexical, vector, _weights(index, near), _verbatim(asking, question, lexical))
        mask = np.pad(asking.mask, (0, len(index.corpus) - len(asking.mask)))
        return rank(index.corpus, question, evidence, now=now, eligible=mask, scoring=asking.scoring, most=most)


def _of_the_asker(asking: Asking, question: Question) -> tuple[list[Hit], tuple[str, ...]]:
    """What the one who asks said of themselves that lies nearest, and its lines, for a question that got nothing."""
    vector, _ = _vector(asking, question, question.text) if first_person(question.text) else (None, {})
    if vector is None or asking.query.asker is None:
        return [], ()
    with asking.index.turn:
        mine = own(asking.index, asking.query.asker, vector, asking.mask)
        rows = {row: near for ref, near in mine.nearness.items() for row in asking.index.rows_of(ref)}
    ranked = _ordered(asking, question, {}, vector, mine.nearness, RANKED) if rows else []
    return sorted((hit for hit in ranked if hit.row in rows), key=lambda hit: -rows[hit.row]), mine.lines


def _lexical(asking: Asking, text: str) -> dict[int, float]:
    """The best documents by words among those that may be seen, POOL of them where there are as many.

    The index of words knows nothing of what may be seen, so more is taken from it until enough of that may.
    """
    mask, rows = asking.mask, asking.index.corpus.rows_by_id
    if not mask.any():
        return {}
    share = float(mask.mean())
    most = POOL if share == 1.0 else round(1.25 * POOL / max(share, POOL / LARGEST))
    while True:
        found = asking.reading.snapshot.lexical(text, most, asking.reading.upto)
        at = np.array([rows.get(id_, len(mask)) for id_, _ in found], np.int64)
        may = np.append(mask, False)[np.minimum(at, len(mask))].tolist()
        seen = [one for one, shown in zip(found, may, strict=True) if shown]
        if len(seen) >= POOL or len(found) < most:
            return dict(seen[:POOL])
        most *= MORE


def _placed(asking: Asking, question: Question) -> Question:
    """The question with the time of the event that it measures time by: that of the best dated answer to it.

    "Who helped before the move?" is asked of the time before the best that is found for "the move".
    """
    if question.anchor is None:
        return question
    event = analyse(question.anchor[1], asking.index.names, asking.query.at)
    ranked, _ = _ranked(asking, event, RANKED)
    dated = (hit.document.occurred_at for hit in floor.above(ranked, event, asking.index.model)[:3])
    at = next((at for at in dated if at is not None), None)
    return question if at is None else anchored(question, at)


def _vector(asking: Asking, asked: Question, text: str) -> tuple[Any, dict[str, str]]:
    embedder, index = asking.embedder, asking.index
    if not asked.latin and embedder.model in floor.FLOORS:
        return None, {"vector": f"'{index.model}' reads no other script than Latin: the words alone were compared"}
    try:
        checked_model(asking.reading.snapshot.model(), embedder)
        return embedder.embed([text])[0], {}
    except EmbeddingError as error:
        return None, {"vector": error.message}


def _reaches(hit: Hit, least: float | None, *, by_score: bool) -> bool:
    """Whether a hit reaches a floor: its similarity does, or where scores are means of signals its score.

    What was read off a reply reaches itself.
    """
    if least is None:
        return True
    value = hit.score if by_score else hit.cosine
    return value is not None and round(value, DIGITS) >= least


def _first_of_each(index: Index, hits: list[Hit], limit: int) -> Iterator[Hit]:
    """The best passage of each text, at most `limit` texts; a claim only where nothing before it says the same."""
    seen: set[str] = set()
    told: set[str] = set()
    left = limit
    for hit in hits:
        document, facts = hit.document, index.facts_of(hit.row)
        if document.ref in seen or (document.kind == "claim" and facts <= told):
            continue
        seen.add(document.ref)
        told |= facts
        yield hit
        left -= 1
        if not left:
            return


def _weights(index: Index, near: Mapping[str, float]) -> dict[int, float]:
    """The graph's weights by document: of a claim, those of the text it was taken from."""
    return {index.corpus.documents[row].id: weight for ref, weight in near.items() for row in index.rows_of(ref)}


def _verbatim(asking: Asking, question: Question, lexical: Mapping[int, float]) -> dict[int, int]:
    """How many of the question's identifiers stand in each of the best lexical hits just as they were written."""
    if not question.exact:
        return {}
    corpus = asking.index.corpus
    patterns = [re.compile(rf"(?<!\w){re.escape(token)}(?!\w)", re.IGNORECASE) for token in question.exact]
    rows = [corpus.base(row) for id_ in list(lexical)[:VERBATIM] if (row := corpus.row(id_)) is not None]
    counts = {}
    for row in dict.fromkeys(rows):
        text, _ = content(asking.reading, asking.index, row)
        counts[corpus.documents[row].id] = sum(bool(pattern.search(text)) for pattern in patterns)
    return {id_: count for id_, count in counts.items() if count}
