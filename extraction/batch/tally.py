"""How a run over many texts went: counted, and the failures named."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from hornbook.extraction.candidate import NO_USAGE, Usage
from hornbook.extraction.ingest import Ingested
from hornbook.graph.displayed import Displayed, counted

NAMED = 100  # failures that are told in words; the others are counted


@dataclass(slots=True, repr=False)
class Tally(Displayed):
    """Counts over the texts of a run.

    `stored`: new texts that are kept. `known`: there already. `extracted`: read. `failed`: could not be stored, or
    not be read, or not all of it. `left_out`: claims that were thrown away, each for a reason that its reply names.
    """

    texts: int = 0
    stored: int = 0
    known: int = 0
    extracted: int = 0
    failed: int = 0
    claims: int = 0
    entities: int = 0
    left_out: int = 0
    usage: Usage = NO_USAGE
    failures: list[dict[str, Any]] = field(default_factory=list)

    def add(self, outcome: Ingested) -> None:
        """Count one more text."""
        lost = outcome.status in ("partly", "stored", "refused")
        self.texts += 1
        self.stored += outcome.status in ("extracted", "partly", "stored")
        self.known += outcome.status == "known"
        self.extracted += outcome.status in ("extracted", "dry_run")
        self.failed += lost
        self.claims += len(outcome.claims)
        self.entities += outcome.entities
        self.left_out += 0 if lost else len(outcome.failed)
        self.usage += outcome.usage
        if lost and len(self.failures) < NAMED:
            self.failures.extend({**one, "event_id": outcome.event_id} for one in outcome.failed[:1])

    @classmethod
    def of(cls, outcomes: Iterable[Ingested]) -> "Tally":
        """The counts over these."""
        tally = cls()
        for outcome in outcomes:
            tally.add(outcome)
        return tally

    def _told(self) -> Iterator[str]:
        yield counted(self.texts, "text")
        fates = ("stored", "known", "extracted", "failed", "left_out")
        yield from (f"{many} {name}" for name in fates if (many := getattr(self, name)))
        yield from (counted(many, what) for many, what in ((self.claims, "claim"), (self.entities, "entity")) if many)

    def as_dict(self) -> dict[str, Any]:
        """The reply."""
        counts = ("texts", "stored", "known", "extracted", "failed", "claims", "entities", "left_out")
        shown: dict[str, Any] = {name: getattr(self, name) for name in counts}
        if self.usage.calls:
            spent = None if self.usage.cost is None else round(self.usage.cost, 6)
            shown |= {"calls": self.usage.calls, "tokens": self.usage.read + self.usage.written, "cost": spent}
        return shown | ({"failures": self.failures} if self.failures else {})
