"""Claims: what somebody said about a subject, and what the store decided to do with it."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from hornbook.graph.dates import Moment
from hornbook.graph.interval import Interval


class Polarity(StrEnum):
    """Whether the value is said to hold or not to hold."""

    HOLDS = "holds"
    NOT = "not"


class Mood(StrEnum):
    """How it was said. Only what is asserted enters belief."""

    ASSERTED = "asserted"
    PLANNED = "planned"
    POSSIBLE = "possible"
    CONDITIONAL = "conditional"


class Provenance(StrEnum):
    """Where a claim comes from. The two External kinds are people and instruments; the others are models."""

    USER_ASSERTED = "External:UserAsserted"
    FIRST_HAND = "External:ExternalFirstHand"
    MODEL_DERIVED = "ModelDerived"
    RECALL = "RecallReEntry"

    external: bool  # whether it was said by a person or read from an instrument

    def __init__(self, text: str) -> None:
        self.external = text.startswith("External")


class Criticality(StrEnum):
    """How dear a wrong belief would be. High and Critical claims are never closed by implication."""

    LOW = "Low"
    MEDIUM = "Medium"
    HIGH = "High"
    CRITICAL = "Critical"


class Cardinality(StrEnum):
    """How many values a line can have at one instant."""

    FUNCTIONAL = "Functional"
    SET_VALUED = "SetValued"
    UNKNOWN = "Unknown"


class Intent(StrEnum):
    """Whether the speaker states something or says that it changed."""

    STATE = "state"
    UPDATE = "update"


class Disposition(StrEnum):
    """What the store decided about a claim."""

    COMMITTED_CHEAP = "CommittedCheap"
    COMMITTED_INFERRED = "CommittedInferred"
    QUEUED = "QueuedForAdjudication"
    CONTESTED = "Contested"
    PENDING_CONFLICT = "PendingConflict"
    PENDING_REVIEW = "PendingReview"
    PENDING_LOW_CONFIDENCE = "PendingLowConfidence"
    QUARANTINED = "Quarantined"
    SUPERSEDED = "Superseded"
    INVALIDATED = "Invalidated"
    REINSTATED = "Reinstated"
    REJECTED = "Rejected"


class Channel(StrEnum):
    """How the words became a claim: stated through a tool, or taken from a text by an extractor."""

    STATED = "stated"
    EXTRACTED = "extracted"


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement, write-once: who said what about whom, and when it is held to be true.

    `occurred_at` is when it was said (None: unknown). `valid` is when it is true. `subject`, `predicate` and `value`
    are as they were written; the keys decide which line it is on and which value it says.
    `present` marks a statement in the present tense, which attests the value at `occurred_at`.
    """

    id: str
    subject: str
    predicate: str  # the registry's form: synonyms and inverses are already resolved
    value: Any
    subject_key: str
    value_key: str
    provenance: Provenance
    polarity: Polarity = Polarity.HOLDS
    mood: Mood = Mood.ASSERTED
    valid: Interval = Interval()
    confidence: float = 0.9
    criticality: Criticality = Criticality.LOW
    intent: Intent = Intent.STATE
    cardinality: Cardinality | None = None  # what the caller proposed; None: nothing
    speaker: str | None = None
    source: str | None = None
    evidence: str | None = None  # the quote
    episode: str | None = None  # the id of the text it was taken from or said in
    occurred_at: Moment | None = None
    present: bool = True
    channel: Channel = Channel.STATED
    extractor: str | None = None  # "name version", when extracted
    scope: str | None = None
    agent: str | None = None
    run: str | None = None
    derived_from: tuple[str, ...] = ()
    kind: str = "fact"  # fact, preference, decision, task, instruction
    subject_type: str | None = None
    value_type: str | None = None  # set when the value names an entity
    memory: str | None = None  # the stored item that is this claim, and mirrors it
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def side(self) -> tuple[str, Polarity]:
        """What it says: claims of a line with the same side corroborate each other."""
        return (self.value_key, self.polarity)

    @property
    def attested_at(self) -> int | None:
        """When it is known to have held because somebody said so then, in the present tense or as news."""
        if self.occurred_at is None or not (self.present or self.intent is Intent.UPDATE):
            return None
        return self.occurred_at.at

    @property
    def asserted(self) -> bool:
        """Whether it was said as a fact: what is planned, possible or conditional enters no belief."""
        return self.mood is Mood.ASSERTED

    @property
    def origin(self) -> str:
        """Who stands behind it, for counting independent sources: source, else speaker, else provenance."""
        return self.source or self.speaker or self.provenance.value
