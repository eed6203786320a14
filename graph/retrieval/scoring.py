"""How the signals are put together: which fusion, and what each counts. Plain values, light enough for the settings."""

from dataclasses import dataclass, field, fields
from enum import StrEnum
from math import isfinite
from typing import ClassVar

from hornbook.graph.errors import InvalidArgument


class Fusion(StrEnum):
    """How the signals become one order."""

    RRF = "rrf"
    WEIGHTED = "weighted"


@dataclass(frozen=True, slots=True)
class Weights:
    """What each signal counts. The first block is the fusion, the second how the context adds to the evidence.

    Tuned on two conversations and checked on others; `docs/reference/retrieval.md` has the figures.
    """

    evidence: float = 8.0
    lexical: float = 0.5  # times the coverage: ranks of hits that cover little mean little
    semantic: float = 0.2
    doubt: float = 3.0  # added to semantic, times what is not covered
    recency: float = 0.05
    salience: float = 0.2
    confidence: float = 0.2

    lexical_share: float = 0.7
    claim: float = 0.6  # of a claim's cosine, for the text it was taken from
    neighbours: float = 1.0
    speaker: float = 0.8
    session: float = 0.5
    graph: float = 0.1
    temporal: float = 0.8
    steer: float = 0.3
    substance: float = 0.3
    exact: float = 1.0

    __pydantic_config__: ClassVar[dict[str, str]] = {"extra": "forbid"}  # as a setting: an unknown name is an error

    def __post_init__(self) -> None:
        """Refuse what would turn a signal round, or make every score NaN."""
        for weight in fields(self):
            value = getattr(self, weight.name)
            if not (isfinite(value) and value >= 0):
                raise InvalidArgument(f"the weight {weight.name} must be a number from 0 up", field=weight.name)


@dataclass(frozen=True, slots=True)
class Scoring:
    """How to rank: the fusion, the weights, and after how many days recency is halved."""

    fusion: Fusion = Fusion.RRF
    weights: Weights = field(default_factory=Weights)
    half_life_days: float = 30.0
