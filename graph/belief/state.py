"""What can change about a claim, and a claim as a line sees it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from hornbook.graph.claim import Claim, Disposition, Polarity
from hornbook.graph.displayed import Displayed, brief
from hornbook.graph.interval import Interval


class Marker(StrEnum):
    """What a reader should know about a belief beside its status."""

    CONTESTED = "Contested"
    PENDING_CONFLICT = "PendingConflict"
    PENDING_REVIEW = "PendingReview"
    AGED_SET_MEMBER = "AgedSetMember"
    RECALL_TAINTED = "RecallTainted"
    LOW_DERIVATION_ANCHOR = "LowDerivationAnchor"
    CARDINALITY_UNKNOWN = "CardinalityUnknown"
    IMPLIED_SUCCESSION = "ImpliedSuccession"
    NOT_ASSERTED = "NotAsserted"


class Ledger(StrEnum):
    """The kinds of transition that the ledger shows."""

    COMMITTED = "ClaimCommitted"
    VALIDITY = "ValidityAsserted"
    ASKED = "AdjudicationRequested"
    ANSWERED = "AdjudicationResolved"
    EXPIRED = "AdjudicationExpired"
    RECALL = "RecallReEntryDetected"
    QUARANTINED = "Quarantined"
    FLAGGED = "DependentFlaggedPendingReview"
    REVIEWED = "DependentReviewCleared"
    CONTESTED = "ClaimContested"
    SETTLED = "ContestSettled"
    RESOLVED = "ContestResolved"
    CORROBORATED = "ClaimCorroborated"
    SUPERSEDED = "ClaimSuperseded"
    SUCCEEDED = "ClaimSucceeded"
    REINSTATED = "ClaimReinstated"
    INVALIDATED = "ClaimInvalidated"


@dataclass(frozen=True, slots=True)
class Review:
    """Why a claim should be looked at again: the premise that fell first, then each claim up to this one.

    `since` is the valid instant from which it counts; None is always.
    """

    chain: tuple[str, ...]
    since: int | None = None

    def due(self, at: int) -> bool:
        """Whether it counts at the valid instant asked."""
        return self.since is None or self.since <= at


@dataclass(frozen=True, slots=True)
class ClaimState:
    """The part of a claim that later events change.

    `live` claims take part in belief over their effective window `valid`, closed or not; `rivals` are the claims it is
    in dispute with at some instant; `approximate` says that an end of the window comes from when something was said.
    """

    disposition: Disposition
    live: bool
    valid: Interval
    markers: tuple[str, ...] = ()
    rivals: tuple[str, ...] = ()
    review: Review | None = None
    approximate: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """A claim's next state, the ledger's word for it, one sentence why, and the claims that led to it."""

    claim_id: str
    state: ClaimState
    ledger: Ledger
    reason: str
    because: tuple[str, ...] = ()
    before: ClaimState | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Held(Displayed):
    """A claim as a line sees it: from its subject, or (`mirrored`) from the entity that is its value."""

    claim: Claim
    seq: int
    known_at: int
    state: ClaimState
    value_key: str
    polarity: Polarity
    mirrored: bool = False
    seen_as: str = field(default="", compare=False)  # mirrored, the predicate as that end has it: child_of, employs

    @property
    def id(self) -> str:
        """The claim's ref."""
        return self.claim.id

    def words(self, valid: Interval) -> str:
        """What it says over a window, in a few words."""
        denied = "not " if self.polarity is Polarity.NOT else ""
        return f"{denied}{brief(self.value)} {valid}".rstrip()

    def told(self) -> str:
        """The claim in a line: what it says, and how it stands."""
        said = f"{brief(self.subject)} {self.predicate} {self.words(self.state.valid)}"
        return f"{said}, {self.state.disposition.value}, claim_ref={self.id!r}"

    def _told(self) -> Iterator[str]:
        yield self.told()

    @property
    def side(self) -> tuple[str, Polarity]:
        """What it says on this line."""
        return (self.value_key, self.polarity)

    @property
    def external(self) -> bool:
        """Whether a person said it or an instrument read it."""
        return self.claim.provenance.external

    @property
    def counts(self) -> bool:
        """Whether it takes part in belief: live, and said as a fact."""
        return self.state.live and self.claim.asserted

    @property
    def value(self) -> Any:
        """The value as seen from this line."""
        return self.claim.subject if self.mirrored else self.claim.value

    @property
    def subject(self) -> Any:
        """The subject as seen from this line."""
        return self.claim.value if self.mirrored else self.claim.subject

    @property
    def predicate(self) -> str:
        """The predicate as seen from this line."""
        return self.seen_as if self.mirrored and self.seen_as else self.claim.predicate

    @property
    def stated_at(self) -> int:
        """When it was said: its `occurred_at`, else when it was recorded."""
        return self.claim.occurred_at.at if self.claim.occurred_at else self.known_at
