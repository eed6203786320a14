"""What an extractor reads and what it gives back: passages in, mentions and candidate claims out. No store here."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from hornbook.graph.claim import Intent, Mood, Polarity
from hornbook.graph.dates import Moment
from hornbook.graph.displayed import Displayed
from hornbook.graph.errors import HornbookError
from hornbook.graph.interval import Interval

USER = "user"  # the subject of "I" in a text whose speaker nobody named


@dataclass(frozen=True, slots=True, repr=False)
class Passage(Displayed):
    """One text to read, with what is known about it.

    `speaker` is who says "I"; without one the text is read as prose, and "I" is `user`. `known` are names that the
    session spoke of, latest last: a pronoun may mean one of them. `title` is what the whole document is about.
    """

    text: str
    speaker: str | None = None
    occurred_at: Moment | None = None
    known: tuple[str, ...] = ()
    title: str | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Mention(Displayed):
    """A named thing in the text, `text[start:end]`, under the fullest name that the text gives it.

    `type` is one of person, place, organisation, date, event, product, work, language, group, quantity, thing.
    """

    name: str
    type: str
    start: int
    end: int
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Candidate(Displayed):
    """A claim as it was read, before the gate: who or what, which relation, which value, and the words it rests on.

    `value_type` is set when the value names an entity. `present` marks the present tense: the value is attested when
    the text was said. `speaker` is set when the text reports it as somebody else's word. `concluded` marks what the
    extractor made of the sentence rather than read in it. Below a confidence of 0.7 a claim closes and contests
    nothing.
    """

    subject: str
    predicate: str
    value: Any
    quote: str
    subject_type: str | None = None
    value_type: str | None = None
    polarity: Polarity = Polarity.HOLDS
    mood: Mood = Mood.ASSERTED
    intent: Intent = Intent.STATE
    kind: str = "fact"
    valid: Interval = Interval()
    present: bool = True
    confidence: float = 0.8
    concluded: bool = False
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """What reading took: calls to a model, tokens read and written, dollars (None: nobody knows the price).

    >>> Usage(1, 100, 10, 0.5) + Usage(1, 50, 5, None)
    Usage(calls=2, read=150, written=15, cost=None)
    """

    calls: int = 0
    read: int = 0
    written: int = 0
    cost: float | None = 0.0

    def __add__(self, other: "Usage") -> "Usage":
        """Both together."""
        cost = None if self.cost is None or other.cost is None else self.cost + other.cost
        return Usage(self.calls + other.calls, self.read + other.read, self.written + other.written, cost)


NO_USAGE = Usage()


@dataclass(frozen=True, slots=True, repr=False)
class Extraction(Displayed):
    """Everything read in one passage, by whom (name and version), and what could not be done.

    `failed` are claims that were left out, each with a code and a message; `error` says that the passage could not be
    read at all.
    """

    mentions: tuple[Mention, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    extractor: str = ""
    notes: tuple[str, ...] = ()
    failed: tuple[Mapping[str, Any], ...] = ()
    error: HornbookError | None = None
    usage: Usage = NO_USAGE


class Extractor(Protocol):
    """Reads passages. A pure function of the passage: what it returns depends on nothing else."""

    def extract(self, passage: Passage) -> Extraction:
        """What one passage says."""
        ...

    def extract_many(self, passages: Iterable[Passage]) -> Iterator[Extraction]:
        """The same for each passage, in order; faster than one by one. One that fails may carry its `error`."""
        ...
