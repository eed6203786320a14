"""What holds now before what held: of two texts on the line that is asked about, the one whose claim still holds.

"Where does Ana live?" is nearest to "I live in Berlin", word for word, and answered by "We moved to Munich".
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from hornbook.graph.names import name_key
from hornbook.graph.retrieval.documents import Mask
from hornbook.graph.retrieval.index import Index
from hornbook.graph.retrieval.own import first_person
from hornbook.graph.retrieval.question import Question, Steer
from hornbook.graph.retrieval.rank import Hit

THEN = re.compile(r"\b(?:did|was|were|had|before)\b", re.IGNORECASE)
NEAR = 10  # hits among which the later one is looked for


def current_first(index: Index, question: Question, asker: str | None, hits: Sequence[Hit], mask: Mask) -> list[Hit]:
    """The hits, the best one behind the first that says what holds now on the line asked about, where it does not.

    Only for questions of the present whose words name the line: of whom, and a word of the predicate.
    """
    found = list(hits)
    if not found or question.window is not None or question.steer is Steer.PAST or THEN.search(question.text):
        return found
    held, over = index.lines_at(found[0].row, mask)
    asked = {line for line in over - held if _asks(index, question, asker, line)}
    for at in range(1, min(NEAR, len(found)) if asked else 0):
        if asked & index.lines_at(found[at].row, mask)[0]:
            scores = [hit.score for hit in found[: at + 1]]
            order = [found[at], *found[:at]]
            found[: at + 1] = [replace(hit, score=score) for hit, score in zip(order, scores, strict=True)]
            break
    return found


def _asks(index: Index, question: Question, asker: str | None, line: str) -> bool:
    """Whether the question names the entity of a line, and a word of its predicate."""
    entity, _, predicate = line.partition("|")
    whom = (*question.named, *([name_key(asker)] if asker and first_person(question.text) else ()))
    said = {word.rstrip("s") for word in predicate.split("_")}
    return bool(said & {word.rstrip("s") for word in question.words}) and any(
        entity in index.names.get(name, ()) for name in whom
    )
