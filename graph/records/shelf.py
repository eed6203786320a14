"""Reading records: which there are, one of them, a page of them, and those that a search may find."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hornbook.graph.clock import rfc3339
from hornbook.graph.displayed import Displayed, brief, counted
from hornbook.graph.errors import InvalidArgument, NotFound
from hornbook.graph.ids import is_id
from hornbook.graph.lifecycle import Lifecycle
from hornbook.graph.records.filters import EVERYTHING, Filter, Joined, Term, holds
from hornbook.graph.records.record import Record, fields_of, record_at, similarity
from hornbook.graph.retrieval.standings import DELETED
from hornbook.graph.store import Reading, Writing

if TYPE_CHECKING:
    from hornbook.graph.retrieval.documents import Mask
    from hornbook.graph.retrieval.index import Index
    from hornbook.graph.retrieval.search import Results

LONGEST_ID = 15  # digits: exact in JavaScript


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which records are meant: those of an agent, of a run, that fulfil a filter; None is any."""

    agent: str | None = None
    run: str | None = None
    filter: Filter = EVERYTHING

    @property
    def whole(self) -> Filter:
        """All of it as one filter."""
        own = [Term(key, "eq", word) for key, word in (("agent_id", self.agent), ("run_id", self.run)) if word]
        return Joined("and", (*own, self.filter))


@dataclass(frozen=True, slots=True, repr=False)
class Page(Displayed):
    """Some of the records asked for, in the order of their numbers, and how many there are in all."""

    records: tuple[Record, ...]
    total: int
    offset: int
    as_known: str

    def _told(self) -> Iterator[str]:
        yield f"{len(self.records)} of {self.total} records"
        yield from (f"{one.memory_id} {brief(one.content)}" for one in self.records)

    def as_dict(self) -> dict[str, Any]:
        """The reply; `next_offset` while there are more."""
        after = self.offset + len(self.records)
        more = {"next_offset": after} if self.records and after < self.total else {}
        shown = [record.as_dict() for record in self.records]
        return {"results": shown, "count": len(shown), "total": self.total, **more, "as_known": self.as_known}


def unknown_record(asked: object) -> NotFound:
    """What is said of a record that is not here, is deleted, or is another agent's."""
    return NotFound(f"there is no memory {str(asked)[:80]}", field="memory_id", hint="list_memories names them")


def ref_of(reading: Reading | Writing, asked: int | str) -> str:
    """The id of a record, from its number as number or text, or from its id. Nothing is looked up but the number.

    Raises InvalidArgument for what can be neither.
    """
    text = str(asked).strip().lower()
    if text.isascii() and text.isdigit() and not isinstance(asked, bool):
        found = reading.snapshot.ref_of(int(text)) if len(text) <= LONGEST_ID else None
        if found is None:
            raise unknown_record(asked)
        return found
    if not is_id(text):
        raise InvalidArgument("memory_id is not an id", field="memory_id", hint="ids are small numbers or UUIDs")
    return text


def rows_of(reading: Reading, index: "Index", chosen: Chosen) -> list[int]:
    """The rows at which the texts of the chosen records begin, in the order of their numbers; deleted ones left out."""
    whole = chosen.whole
    there = (row for row in index.records(reading.upto) if index.lifecycle(row, reading.upto) != DELETED)
    rows = [row for row in there if holds(whole, fields_of(reading, index, row))]
    return sorted(rows, key=lambda row: index.facets(row)["number"])


def get(reading: Reading, index: "Index", asked: int | str, agent: str | None = None) -> Record:
    """One record. NotFound where it is not here, is deleted, or belongs to another agent than the one that asks."""
    ref = ref_of(reading, asked)
    present = set(index.records(reading.upto))
    rows = [row for row in index.rows_of(ref) if row in present]
    if not rows or index.lifecycle(rows[0], reading.upto) == DELETED:
        raise unknown_record(asked)
    if agent is not None and index.facets(rows[0]).get("agent") != agent:
        raise unknown_record(asked)
    return record_at(reading, index, rows[0])


def page(reading: Reading, index: "Index", chosen: Chosen, limit: int, offset: int) -> Page:
    """The chosen records from `offset` on, oldest first, so that paging is stable while others write.

    Archived ones are left out: archiving hides.
    """
    archived = Lifecycle.ARCHIVED.value
    rows = [row for row in rows_of(reading, index, chosen) if index.lifecycle(row, reading.upto) != archived]
    shown = tuple(record_at(reading, index, row) for row in rows[offset : offset + limit])
    return Page(shown, len(rows), offset, reading.as_known)


def summary(reading: Reading, index: "Index") -> dict[str, Any]:
    """The records in sum; archived ones are counted apart."""
    rows = rows_of(reading, index, Chosen())
    archived = sum(index.lifecycle(row, reading.upto) == Lifecycle.ARCHIVED.value for row in rows)
    facets = [index.facets(row) for row in rows]
    times = sorted(reading.known_at(one["record"]["first"]) for one in (facets[:1] + facets[-1:]))
    return {
        "total_memories": len(rows) - archived,
        "archived": archived,
        "types": dict(Counter(one["node_type"] for one in facets)),
        "agents": len({one["agent"] for one in facets if "agent" in one}),
        "runs": len({one["run"] for one in facets if "run" in one}),
        **({"first_added_at": rfc3339(times[0]), "last_added_at": rfc3339(times[-1])} if times else {}),
        "as_known": reading.as_known,
    }


def only(chosen: Chosen) -> "Callable[[Reading, Index], Mask]":
    """What narrows a search to the chosen records: every passage of their present texts, and what was drawn from it."""

    def mask(reading: Reading, index: "Index") -> "Mask":
        allowed = np.zeros(len(index.corpus), np.bool_)
        refs = (index.corpus.documents[row].ref for row in rows_of(reading, index, chosen))
        allowed[[row for ref in refs for row in index.every_row(ref)]] = True
        return allowed

    return mask


@dataclass(frozen=True, slots=True, repr=False)
class Matches(Displayed):
    """What a search of records found, the best first; `score` is the similarity that `threshold` is compared with."""

    records: tuple[Record, ...]
    metrics: dict[str, Any]
    as_known: str

    def _told(self) -> Iterator[str]:
        yield counted(len(self.records), "record")
        yield from (f"{one.memory_id} {brief(one.content)}" for one in self.records)

    def as_dict(self) -> dict[str, Any]:
        """The reply."""
        shown = [record.as_dict() for record in self.records]
        return {"results": shown, "count": len(shown), "metrics": self.metrics, "as_known": self.as_known}


def matches(
    reading: Reading, index: "Index", query: str, found: "Results", threshold: float | None, limit: int
) -> Matches:
    """The hits of a search as records, those below the threshold left out."""
    alike = ((hit.node_id, similarity(query, hit.content, hit.semantic_relevance)) for hit in found.hits)
    good = [(ref, score) for ref, score in alike if threshold is None or score >= threshold][:limit]
    with index.turn:
        present = {index.corpus.documents[row].ref: row for row in index.records(reading.upto)}
        kept = [record_at(reading, index, present[ref], round(score, 4)) for ref, score in good if ref in present]
    return Matches(tuple(kept), dict(found.metrics), found.as_known)
