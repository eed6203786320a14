"""Texts that hold the whole question: every word that carries it, whatever their meaning comes to.

A note of many things means a little of each, so its cosine says nothing of one of them; its words still do.
"""

from collections.abc import Sequence

from hornbook.graph.journal.lexical import split
from hornbook.graph.retrieval.question import Question
from hornbook.graph.retrieval.rank import Hit
from hornbook.graph.store import Reading

KEYWORDS = 2  # words of a question that may rest on one of them: "tyres", "the tyres?"


def wholly(reading: Reading, question: Question, hits: Sequence[Hit]) -> list[Hit]:
    """The hits in which all words stand that carry the question, in their order.

    One word in a sentence of others is no question answered; alone it is what is looked for.
    """
    words = [] if question.bare else question.words
    if not words or (len(words) == 1 and len(split(question.text)) > KEYWORDS):
        return []
    ids = {hit.row: hit.document.id for hit in hits if hit.lexical}
    held = set(ids.values())
    for word in words:
        if not held:
            break
        held &= reading.snapshot.holding(word, held, reading.upto)[1]
    return [hit for hit in hits if ids.get(hit.row) in held]
