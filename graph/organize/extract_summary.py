"""A summary without a model: the sentences of a conversation that say most of what it is about, in their order."""

import re
from collections import Counter
from collections.abc import Sequence
from math import log

from hornbook.graph.journal.lexical import STOP

WORD = re.compile(r"\w+")
SENTENCE = re.compile(r"(?<=[.!?\u3002\uff01\uff1f])\s+|\n+")
SENTENCES = 6
LONGEST = 300  # characters of one sentence


def extract_summary(turns: Sequence[str], most: int = SENTENCES) -> str:
    """The sentences whose words the conversation comes back to, each word counted once however often it is said.

    >>> extract_summary(["The pump leaks.", "Hello!", "A new pump seal stops the pump leaks."], most=1)
    'A new pump seal stops the pump leaks.'
    """
    sentences = [part.strip() for turn in turns for part in SENTENCE.split(turn) if part.strip()]
    words = [{word.lower() for word in WORD.findall(one)} - STOP for one in sentences]
    told = Counter(word for one in words for word in one)
    weights = [_weight(one, told) for one in words]
    best = sorted(range(len(sentences)), key=lambda at: (-weights[at], at))
    chosen: list[int] = []
    for at in best:
        if len(chosen) < most and not any(_alike(words[at], words[other]) for other in chosen):
            chosen.append(at)
    return "\n".join(_short(sentences[at]) for at in sorted(chosen))


def _weight(words: set[str], told: Counter[str]) -> float:
    """What comes back in other sentences counts most; a long sentence says more, but not in proportion."""
    return sum(told[word] - 0.5 for word in words) / (1 + log(1 + len(words))) if words else 0.0


def _alike(one: set[str], other: set[str]) -> bool:
    return len(one & other) * 2 > len(one | other)


def _short(sentence: str) -> str:
    return sentence if len(sentence) <= LONGEST else sentence[: LONGEST - 1] + "…"
