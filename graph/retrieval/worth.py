"""What words are worth where FTS5's bm25 says nothing: in a small store, and where a question has common words only.

It counts a word that stands in half of the documents or more as worth nothing, and in a store of ten that is most
words. Here each word of the question is worth ln(1 + (size - n + 0.5) ÷ (n + 0.5)) where it stands in n documents,
and a document as much of the whole question as it has of that.
"""

from collections.abc import Mapping
from math import log

from hornbook.graph.retrieval.question import Question
from hornbook.graph.store import Reading

FEW = 64  # documents


def worth(reading: Reading, question: Question, size: int, lexical: Mapping[int, float]) -> dict[int, float]:
    """Numbers in the place of bm25 for these lexical hits, on its scale: all words found is full coverage."""
    named = {word for name in question.named for word in name.split()}
    carrying = [term for term in question.terms if term not in named] or list(question.terms)
    found = {term: reading.snapshot.holding(term, lexical, reading.upto) for term in question.terms}
    value = {term: log(1 + (size - count + 0.5) / (count + 0.5)) for term, (count, _) in found.items()}
    mean = sum(value[term] for term in carrying) / max(len(carrying), 1) or 1.0
    whole = 0.7 * log(size + 1) / mean
    sums = {id_: whole * sum(value[term] for term, (_, ids) in found.items() if id_ in ids) for id_ in lexical}
    # what no single word finds keeps its place behind: a phrase, or another name
    return {id_: total or min(lexical[id_], 0.01) for id_, total in sums.items()}
