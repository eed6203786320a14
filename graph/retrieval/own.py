"""What the one who asks has said of themselves: the nearest of it, where a question with "I" or "my" would get nothing.

"Which medicine must I avoid?" shares no word with "ana allergic to penicillin", and its cosine is below the floor under
which strangers' questions stay. Asked by Ana it is about Ana, and among her own claims a modest nearness is enough.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from hornbook.graph.names import name_key, value_key
from hornbook.graph.retrieval.documents import Floats, Mask
from hornbook.graph.retrieval.index import Index, line_of
from hornbook.graph.retrieval.vectors import cosines

FIRST = re.compile(r"\b(?:i|me|my|mine|myself|we|our|ours|us)\b", re.IGNORECASE)
MOST = 3  # claims that are told
LEAST, SHARE = 0.2, 0.75  # their cosine, and how much of the best one's


@dataclass(frozen=True, slots=True)
class Own:
    """The claims of the one who asks that lie nearest: each with its cosine, and the lines that they stand on."""

    nearness: Mapping[str, float] = field(default_factory=dict)
    lines: tuple[str, ...] = ()


def first_person(text: str) -> bool:
    """Whether a question is about the one who asks it.

    >>> first_person("Which medicine must I avoid?"), first_person("Which medicine is an island?")
    (True, False)
    """
    return FIRST.search(text) is not None


def own(index: Index, asker: str, vector: Floats, mask: Mask) -> Own:
    """The claims about the asker that lie nearest to a question, among what may be seen.

    0.2 stands between what such questions mean and what they do not, with either model that comes along.
    """
    if not index.corpus.vectors.shape[1]:
        return Own()
    mine = [(row, claim, fact) for row, claim, fact in _about(index, asker) if row < len(mask) and mask[row]]
    near = cosines(index.corpus.vectors[[row for row, *_ in mine]], vector) if mine else np.zeros(0)
    least = max(LEAST, SHARE * float(near.max(initial=0)))
    best = [at for at in np.argsort(-near, kind="stable")[:MOST].tolist() if near[at] >= least]
    nearness = {mine[at][1]: float(near[at]) for at in best}
    return Own(nearness, tuple(dict.fromkeys(line_of(mine[at][2]) for at in best)))


def _about(index: Index, asker: str) -> Iterator[tuple[int, str, str]]:
    """The claims whose subject or value is the asker: their rows, their refs and what they say."""
    entities = index.names.get(name_key(asker), set())
    values = {value_key(asker), *map(value_key, entities)}
    for row, claim, fact in index.claimed():
        entity, _, rest = fact.partition("|")
        if entity in entities or rest.partition("|")[2].rpartition("|")[0] in values:
            yield row, claim, fact
