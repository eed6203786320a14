"""What an importer hands over: texts and claims, each with its place in the other system, and what had to be left."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from hornbook.graph.dates import Moment
from hornbook.graph.displayed import Displayed, counted


@dataclass(frozen=True, slots=True)
class Text:
    """A text to be stored as a memory. `position` is its id there: the same one is never stored twice."""

    position: str
    content: str
    occurred_at: Moment | None = None
    role: str = "user"
    speaker: str | None = None
    session: str | None = None
    agent: str | None = None
    run: str | None = None
    scope: str = "personal"
    node_type: str = "note"
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Stated:
    """A claim to be stated, with what else was said about it; `rests_on` are the positions of its premises."""

    position: str
    subject: str
    predicate: str
    value: Any
    given: Mapping[str, Any] = field(default_factory=dict)
    rests_on: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ended:
    """A fact that was said to have ended at an instant."""

    position: str
    subject: str
    predicate: str
    value: Any
    at: Moment
    provenance: str


@dataclass(frozen=True, slots=True)
class Left:
    """Something that cannot be carried, and why; `many` of the kind."""

    what: str
    why: str
    many: int = 1


Brought = Text | Stated | Ended | Left


class Importer(Protocol):
    """One other system: reads its file, and changes nothing of it."""

    def __call__(self, path: Any, owner: str) -> Iterator[Brought]:
        """Everything in the file, oldest first."""


@dataclass(slots=True, repr=False)
class Report(Displayed):
    """What became of an import. `left` says what was not carried and why, each kind once with how many."""

    system: str
    texts: int = 0
    claims: int = 0
    ends: int = 0
    already: int = 0
    left: dict[tuple[str, str], int] = field(default_factory=dict)

    def leave(self, one: Left) -> None:
        """Count something that is not carried."""
        self.left[one.what, one.why] = self.left.get((one.what, one.why), 0) + one.many

    def _told(self) -> Iterator[str]:
        yield f"from {self.system}"
        yield from (counted(many, what) for many, what in ((self.texts, "text"), (self.claims, "claim")))
        yield from (f"{many} {what}" for many, what in ((self.ends, "ended"), (self.already, "already there")) if many)
        yield f"{sum(self.left.values())} not carried"

    def as_dict(self) -> dict[str, Any]:
        """The reply."""
        left: Sequence[dict[str, Any]] = [
            {"what": what, "why": why, "many": many} for (what, why), many in self.left.items()
        ]
        counts = {"texts": self.texts, "claims": self.claims, "ends": self.ends, "already": self.already}
        return {"from": self.system, **counts, "not_carried": list(left)}
