"""When a claim holds: the dates of its sentence, read with its verb's tense; a past without a date gets none."""

import re
from typing import TYPE_CHECKING

from hornbook.extraction.dates import Found, Role, find_dates, resolve_phrase
from hornbook.extraction.offline.draft import Draft
from hornbook.extraction.offline.reading import Reading
from hornbook.graph.belief.registry import built_in
from hornbook.graph.claim import Intent, Mood
from hornbook.graph.dates import Moment
from hornbook.graph.interval import Interval

if TYPE_CHECKING:
    from spacy.tokens import Span, Token


NOWHEN = Moment(0)
DURATION = re.compile(
    r"\bfor (?:about |almost |over |nearly )?((?:\w+|a couple of) (?:day|week|month|year|decade)s?)\b"
)


class Dates:
    """The dates of a text, found once a sentence and looked up by the clause they stand in."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.found: dict[tuple[int, bool], list[Found]] = {}

    def near(self, verb: "Token", future: bool) -> Found | None:
        """The one date of this clause: below the verb, and not below another verb; of several the first."""
        sentence = self.reading.sentence(verb)
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


BEGINNING = frozenset(("start", "begin", "commence", "join", "become", "adopt", "enrol", "enroll", "get"))


def valid_of(draft: Draft, dates: Dates, occurred_at: Moment | None) -> Interval:
    """The interval in which the claim is said to hold; none for what never changes, as a birth."""
    manner, sense = draft.manner, draft.sense
    if not draft.dated or built_in().named(draft.predicate).fixed or draft.literal is not None or _says_the_date(draft):
        return Interval()
    found = dates.near(clause_verb(draft.word), manner.mood is not Mood.ASSERTED)
    change = Intent.UPDATE in (manner.intent, sense.intent if sense else Intent.STATE)
    if found is None:
        if manner.perfect and not change and (since := _duration(draft.word, dates, occurred_at)):
            return since
        predicate = built_in().named(draft.predicate)
        begun = predicate.event or change or manner.perfect or begins(draft)
        over = manner.past and predicate.declared and not begun
        return Interval(None, occurred_at, 0.8) if over and occurred_at else Interval()
    if (change or begins(draft)) and found.role is Role.AT:  # it begins then, and goes on
        return Interval(found.interval.start, None, found.interval.confidence)
    return found.interval


def begins(draft: Draft) -> bool:
    """Whether the words tell the beginning of a state: "started working for", "joined", "became"."""
    if built_in().named(draft.predicate).event:
        return False
    word = draft.word
    above = word.head.lemma_ in BEGINNING - {"get"}  # who "got to work on it" may be done with it
    return word.lemma_ in BEGINNING or (word.dep_ in ("xcomp", "ccomp") and above)


def _says_the_date(draft: Draft) -> bool:
    """Whether the value is the date itself: "my birthday is 3 May"."""
    return not draft.value.named and bool(find_dates(draft.value.text, NOWHEN))


def _duration(word: "Token", dates: Dates, occurred_at: Moment | None) -> Interval | None:
    """In "has worked there for three years": since three years before it was said."""
    match = DURATION.search(dates.reading.sentence(word).text)
    return resolve_phrase(f"for the past {match[1]}", occurred_at) if match else None
