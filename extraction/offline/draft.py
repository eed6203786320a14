"""A claim half made: the phrases and the word it hangs on; times, quotes and reporters are added to all alike."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hornbook.extraction.offline.mood import PLAIN, Manner
from hornbook.extraction.offline.naming import Name
from hornbook.extraction.offline.reading import Phrase
from hornbook.extraction.offline.vocabulary import Sense

if TYPE_CHECKING:
    from spacy.tokens import Token


@dataclass(frozen=True, slots=True)
class Draft:
    """Subject, predicate, value, and the word of the sentence that says so."""

    word: "Token"
    subject: Phrase
    predicate: str
    value: Phrase
    manner: Manner = PLAIN
    sense: Sense | None = None
    literal: Name | None = None  # the date or number that is the value itself
    confidence: float = 0.85
    concluded: bool = False
    dated: bool = True  # whether the dates of its sentence are its own
