"""A record: a stored memory as clients of a record store see it, read from what the index holds about its text."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hornbook.graph.clock import rfc3339
from hornbook.graph.displayed import Displayed, brief
from hornbook.graph.names import name_key
from hornbook.graph.nodes import text_of
from hornbook.graph.records.filters import METADATA, MISSING, Fields
from hornbook.graph.store import Reading

if TYPE_CHECKING:
    from hornbook.graph.retrieval.index import Index

OWN_WORDS = ("scope", "memory_type")  # what a client called these, where hornbook has other words


@dataclass(frozen=True, slots=True, repr=False)
class Record(Displayed):
    """One record as it stood at the instant of the read; `memory_id` is the small number of the tenant's journal."""

    memory_id: int
    node_id: str
    content: str
    user_id: str | None
    created_at: str
    updated_at: str
    node_type: str
    scope: str
    lifecycle_state: str
    role: str
    metadata: Mapping[str, Any] = field(default_factory=dict)
    memory_type: str | None = None
    agent_id: str | None = None
    run_id: str | None = None
    session_id: str | None = None
    speaker: str | None = None
    occurred_at: str | None = None
    claim_ref: str | None = None
    score: float | None = None

    def _told(self) -> Iterator[str]:
        yield str(self.memory_id)
        yield brief(self.content)
        if self.score is not None:
            yield f"score={brief(self.score)}"
        yield f"node_id={self.node_id!r}"

    def as_dict(self) -> dict[str, Any]:
        """The reply, without what is not known; `id` is `memory_id` under the name that most clients read."""
        shown = {name: getattr(self, name) for name in self.__slots__}
        return {"id": self.memory_id, **{name: value for name, value in shown.items() if value is not None}}


def fields_of(reading: Reading, index: "Index", row: int) -> Fields:
    """What filters see of the record whose text begins at a row of the index; times in microseconds."""
    facets = index.facets(row)
    record = facets["record"]
    metadata, labels = record["metadata"], record["labels"]

    def value(key: str) -> Any:
        match key:
            case "memory_id" | "id":
                return facets.get("number", MISSING)
            case "node_id":
                return index.corpus.documents[row].ref
            case "user_id":
                return reading.store.owner
            case "agent_id" | "run_id" | "session_id":
                return facets.get(key.removesuffix("_id"), MISSING)
            case "speaker" | "node_type" | "occurred_at":
                return facets.get(key, MISSING)
            case "role":
                return record["role"]
            case "scope" | "memory_type":
                return labels.get(key, facets.get("scope" if key == "scope" else "node_type", MISSING))
            case "created_at":
                return reading.known_at(record["first"])
            case "updated_at":
                return reading.known_at(index.seq(row))
        return metadata.get(key.removeprefix(METADATA), MISSING)

    return value


def record_at(reading: Reading, index: "Index", row: int, score: float | None = None) -> Record:
    """The record whose text begins at a row, with the whole of its text."""
    facets = index.facets(row)
    record, document = facets["record"], index.corpus.documents[row]
    at = facets.get("occurred_at")
    return Record(
        memory_id=facets["number"],
        node_id=document.ref,
        content=text_of(reading, facets["episode"]),
        user_id=reading.store.owner,
        created_at=rfc3339(reading.known_at(record["first"])),
        updated_at=rfc3339(reading.known_at(index.seq(row))),
        node_type=facets["node_type"],
        scope=record["labels"].get("scope", facets["scope"]),
        lifecycle_state=index.lifecycle(row, reading.upto) or "tentative",
        role=record["role"],
        metadata=record["metadata"],
        memory_type=record["labels"].get("memory_type"),
        agent_id=facets.get("agent"),
        run_id=facets.get("run"),
        session_id=facets.get("session"),
        speaker=facets.get("speaker"),
        occurred_at=None if at is None else rfc3339(at),
        claim_ref=record.get("claim"),
        score=score,
    )


def stands_in(query: str, text: str) -> bool:
    """Whether a question stands in a text word by word, whatever its case and punctuation.

    >>> stands_in("new impeller", "The bilge pump needs a new Impeller."), stands_in("pump, impeller", "pump impeller")
    (True, True)
    """
    asked, said = _words(query), _words(text)
    return bool(asked.strip()) and asked in said


def _words(text: str) -> str:
    spoken = "".join(char if char.isalnum() else " " for char in name_key(text))
    return f" {' '.join(spoken.split())} "


def similarity(query: str, text: str, cosine: float | None) -> float:
    """How alike a question and a record are, 0 to 1: what `threshold` is compared with.

    1 where the question stands in the text word by word; else the cosine of the two, which is 0 where it is negative;
    without a cosine (no model, or a script it does not read) the share of the question's words that the text has.

    >>> similarity("tea", "Prefers tea", 0.4), similarity("tea with milk", "Prefers tea", None)
    (1.0, 0.3333333333333333)
    """
    if stands_in(query, text):
        return 1.0
    if cosine is not None:
        return min(max(cosine, 0.0), 1.0)
    asked, said = set(_words(query).split()), set(_words(text).split())
    return len(asked & said) / len(asked) if asked else 0.0
