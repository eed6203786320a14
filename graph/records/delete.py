"""Deleting records: hidden and tombstoned, never reused; what rested on them alone is no longer believed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hornbook.graph.claim import Disposition
from hornbook.graph.errors import NotFound
from hornbook.graph.interval import ALWAYS, FOREVER
from hornbook.graph.records.held import Kept, kept
from hornbook.graph.records.withdraw import resting_on, withdraw
from hornbook.graph.retrieval.index import DELETED
from hornbook.graph.store import Writing
from hornbook.graph.view import queries

REASON = "source deleted"
SHOWN = 50  # numbers that a reply names
AT_ONCE = 16  # records of one transaction: with their texts and their claims well below 64 items


@dataclass(frozen=True, slots=True)
class Deleted:
    """How many records were deleted and how many claims went with them; with `dry_run` what would have been."""

    deleted: int
    claims: int = 0
    dry_run: bool = False
    memory_ids: tuple[int, ...] = ()
    declined: bool = False

    def as_dict(self) -> dict[str, Any]:
        """The reply."""
        shown: dict[str, Any] = {"deleted": self.deleted, "claims_invalidated": self.claims}
        flags = {name: True for name in ("dry_run", "declined") if getattr(self, name)}
        return {**shown, **flags, **({"memory_ids": list(self.memory_ids[:SHOWN])} if self.memory_ids else {})}

    def and_more(self, other: "Deleted") -> "Deleted":
        """The two together."""
        return Deleted(
            self.deleted + other.deleted, self.claims + other.claims, memory_ids=self.memory_ids + other.memory_ids
        )


def delete(writing: Writing, asked: Sequence[int | str], agent: str | None = None, reason: str = REASON) -> Deleted:
    """Delete records in the open transaction. NotFound naming the first that is not here: then none is deleted."""
    found = [kept(writing, one, agent) for one in asked]
    texts = [text for one in found for text in _own_texts(writing, one)]
    claims = resting_on(writing, {*texts, *(one.row.id for one in found)})
    gone = (*(one.row.id for one in found), *texts)
    for ref in gone:
        writing.append("memory.deleted", {"memory": ref, "reason": reason})
    withdrawn = withdraw(writing, claims, Disposition.INVALIDATED, reason)
    for ref in gone:  # last, since the fate of a claim moves the memories that mirror it
        writing.snapshot.stand(ref, DELETED, active=False, since=ALWAYS, until=FOREVER)
    return Deleted(len(found), withdrawn, memory_ids=tuple(one.row.number or 0 for one in found))


def _own_texts(writing: Writing, one: Kept) -> list[str]:
    """The episodes that only this memory stands for."""
    return [text for text in one.texts if not _shared(writing, text, one.row.id)]


def _shared(writing: Writing, text: str, memory: str) -> bool:
    return any(other.id != memory for other in writing.ask(queries.memories_of_episode, text, upto=writing.upto))


def delete_present(writing: Writing, numbers: Sequence[int]) -> Deleted:
    """Delete those of the records that are still there: somebody else may have been faster."""
    there = []
    for number in numbers:
        try:
            there.append(kept(writing, number).row.number or 0)
        except NotFound:
            continue
    return delete(writing, there) if there else Deleted(0)
