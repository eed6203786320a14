"""What a line says at one instant: a belief, and the slots it is shown in."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from hornbook.graph.belief.state import Held
from hornbook.graph.claim import Criticality, Mood, Polarity, Provenance
from hornbook.graph.displayed import Displayed, brief, counted
from hornbook.graph.interval import Interval


class Status(StrEnum):
    """How a line stands at the instant asked."""

    NO_BELIEF = "NoBelief"
    RESOLVED = "Resolved"
    TIMING_UNCERTAIN = "TimingUncertain"
    CONTESTED = "Contested"
    CONFLICT = "Conflict"


class Currency(StrEnum):
    """How long ago somebody last said so."""

    FRESH = "Fresh"
    AGING = "AgingUnconfirmed"
    DECAYED = "Decayed"


@dataclass(frozen=True, slots=True, repr=False)
class Slot(Displayed):
    """One side of a line as it is shown: the claim that speaks for it, its window then, and what supports it.

    `evidence_count` counts its live claims, `corroboration_count` its independent External sources beyond the first.
    `contested` says that it is a side of a conflict at the instant asked.
    """

    held: Held
    valid: Interval
    claims: tuple[str, ...]
    evidence_count: int
    corroboration_count: int
    confidence: float
    currency: Currency
    stated_at: int
    markers: tuple[str, ...] = ()
    contested: bool = False
    timing_uncertain: bool = False

    @property
    def claim_ref(self) -> str:
        """The claim that speaks for the side."""
        return self.held.id

    @property
    def subject(self) -> Any:
        """The subject as it was written."""
        return self.held.subject

    @property
    def value(self) -> Any:
        """The value as it was written."""
        return self.held.value

    @property
    def polarity(self) -> Polarity:
        """Whether the value is said to hold, or not to."""
        return self.held.polarity

    @property
    def mood(self) -> Mood:
        """How it was said."""
        return self.held.claim.mood

    @property
    def provenance(self) -> Provenance:
        """Where the claim that speaks for it comes from."""
        return self.held.claim.provenance

    @property
    def external(self) -> bool:
        """Whether somebody said it, or an instrument read it."""
        return self.held.external

    def _told(self) -> Iterator[str]:
        yield self.held.words(self.valid)
        yield f"confidence={brief(self.confidence)}"
        yield from self.markers
        yield f"claim_ref={self.claim_ref!r}"


@dataclass(frozen=True, slots=True, repr=False)
class Belief(Displayed):
    """What a line says at a valid instant, of what was known: its status, the side that is believed, the others."""

    status: Status
    at: int
    primary: Slot | None = None
    alternatives: tuple[Slot, ...] = ()
    markers: tuple[str, ...] = ()
    currency: Currency | None = None
    criticality: Criticality | None = None

    @property
    def stale(self) -> bool:
        """Whether nobody has said so for a long time."""
        return self.currency is Currency.DECAYED

    @property
    def value(self) -> Any:
        """The believed value; None where nothing is believed."""
        return self.primary.value if self.primary else None

    @property
    def slots(self) -> tuple[Slot, ...]:
        """Everything that is shown, the primary first."""
        return (*((self.primary,) if self.primary else ()), *self.alternatives)

    def _told(self) -> Iterator[str]:
        yield self.status.value
        if self.primary is None:
            yield from [" or ".join(one.held.words(one.valid) for one in self.alternatives)] * bool(self.alternatives)
        else:
            yield self.primary.held.words(self.primary.valid)
            yield from [counted(len(self.alternatives), "other")] * bool(self.alternatives)
