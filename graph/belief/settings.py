"""The thresholds of belief, with their defaults."""

from dataclasses import dataclass

from hornbook.graph.clock import DAY


@dataclass(frozen=True, slots=True)
class BeliefSettings:
    """What counts as fresh, as confident, and as long enough apart for a change of mind."""

    fresh_days: float = 30
    aging_days: float = 90
    low_confidence: float = 0.2  # below it an External claim is pending
    extracted_confidence: float = 0.7  # below it an extracted claim closes and contests nothing
    succession_gap: int = DAY  # two statements of one speaker this far apart can succeed each other


DEFAULTS = BeliefSettings()
