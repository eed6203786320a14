"""When a claim holds: the dates of its sentence, read with its verb's tense; a past without a date gets none."""

from typing import TYPE_CHECKING

from hornbook.extraction.dates import Found, Role, find_dates
from hornbook.extraction.offline.draft import Draft
from hornbook.extraction.offline.reading import Reading
from hornbook.graph.claim import Intent, Mood
from hornbook.graph.dates import Moment
from hornbook.graph.interval import Interval

if TYPE_CHECKING:
    from spacy.tokens import Span, Token


class Dates:
    """The dates of a text, found once a sentence and looked up by the clause they stand in."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.found: dict[tuple[int, bool], list[Found]] = {}

    def near(self, verb: "Token", future: bool) -> Found | None:
        """The one date of this clause: below the verb, and not below another verb; of several the first."""
        sentence: Span = verb.sent
        for found in self._in(sentence, future):
            if self._governor(sentence, found) == verb.i:
                return found
        return None

    def _in(self, sentence: "Span", future: bool) -> list[Found]:
        key = (sentence.start, future)
        if key not in self.found:
            self.found[key] = find_dates(sentence.text, self.reading.passage.occurred_at, future=future)
        return self.found[key]

    def _governor(self, sentence: "Span", found: Found) -> int:
        """The nearest verb above the phrase."""
        offset = sentence.start_char
        span = sentence.doc.char_span(offset + found.start, offset + found.end, alignment_mode="expand")
        token = span.root if span is not None else sentence.root
        while token.pos_ not in ("VERB", "AUX") and token.head != token:
            token = token.head
        return int(token.i)


def clause_verb(word: "Token") -> "Token":
    """The verb of the clause a word stands in."""
    while word.pos_ not in ("VERB", "AUX") and word.head != word:
        word = word.head
    return word


def valid_of(draft: Draft, dates: Dates, occurred_at: Moment | None) -> Interval:
    """The interval in which the claim is said to hold."""
    manner = draft.manner
    found = dates.near(clause_verb(draft.word), manner.mood is not Mood.ASSERTED)
    event = bool(draft.sense and draft.sense.event)
    change = bool(draft.sense and draft.sense.intent is Intent.UPDATE) or manner.intent is Intent.UPDATE
    if found is None:
        return (
            Interval(None, occurred_at, 0.8)
            if manner.past and not (event or change or manner.perfect) and draft.sense and occurred_at
            else Interval()
        )
    interval = found.interval
    if change and found.role is Role.AT:  # it begins then, and goes on
        return Interval(interval.start, None, interval.confidence)
    return interval
