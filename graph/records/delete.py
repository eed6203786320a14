"""Deleting records: hidden and tombstoned, never reused; what rested on them alone is no longer believed."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from hornbook.graph.claim import Disposition
from hornbook.graph.displayed import Displayed
from hornbook.graph.events import Actor
from hornbook.graph.forget.forget import forget
from hornbook.graph.forget.select import Selection, select
from hornbook.graph.interval import ALWAYS, FOREVER
from hornbook.graph.records.held import Kept, kept
from hornbook.graph.records.withdraw import resting_on, withdraw
from hornbook.graph.retrieval.standings import DELETED
from hornbook.graph.store import Store, Writing
from hornbook.graph.view import queries

REASON = "source deleted"
SHOWN = 50  # numbers that a reply names


@dataclass(frozen=True, slots=True, repr=False)
class Deleted(Displayed):
    """How many records were deleted, and how many texts and claims went with them; with `dry_run` what would have.

    `texts` are those of the records, and of what was ingested and is no record.
    """

    deleted: int
    claims: int = 0
    texts: int = 0
    dry_run: bool = False
    memory_ids: tuple[int, ...] = ()
    declined: bool = False

    def as_dict(self) -> dict[str, Any]:
        """The reply."""
        shown: dict[str, Any] = {"deleted": self.deleted, "texts": self.texts, "claims_invalidated": self.claims}
        flags = {name: True for name in ("dry_run", "declined") if getattr(self, name)}
        return {**shown, **flags, **({"memory_ids": list(self.memory_ids[:SHOWN])} if self.memory_ids else {})}


def delete(writing: Writing, asked: Sequence[int | str], agent: str | None = None, reason: str = REASON) -> Deleted:
    """Delete records in the open transaction. NotFound naming the first that is not here: then none is deleted."""
    found = [kept(writing, one, agent) for one in asked]
    own = {one.row.id for one in found}
    texts = list(dict.fromkeys(text for one in found for text in _own_texts(writing, one, own)))
    claims = resting_on(writing, {*texts, *own})
    gone = (*dict.fromkeys(one.row.id for one in found), *texts)
    for ref in gone:
        writing.append("memory.deleted", {"memory": ref, "reason": reason})
    withdrawn = withdraw(writing, claims, Disposition.INVALIDATED, reason)
    for ref in gone:  # last, since the fate of a claim moves the memories that mirror it
        writing.snapshot.stand(ref, DELETED, active=False, since=ALWAYS, until=FOREVER)
    return Deleted(len(found), withdrawn, len(texts), memory_ids=tuple(one.row.number or 0 for one in found))


def _own_texts(writing: Writing, one: Kept, own: Collection[str]) -> list[str]:
    """The episodes of a memory that no other one stands on, but for those that go with it."""
    return [text for text in one.texts if not _shared(writing, text, own)]


def _shared(writing: Writing, text: str, own: Collection[str]) -> bool:
    there = (one for one in writing.ask(queries.memories_of_episode, text, upto=writing.upto) if one.id not in own)
    return any(not json.loads(one.state)["deleted"] for one in there)


def delete_all(store: Store, actor: Actor, agent: str | None, run: str | None, *, dry_run: bool = False) -> Deleted:
    """Delete all of a store's records, or those of an agent or a run, and the texts of theirs that are no records."""
    meant = Selection(agent=agent, run=run)
    with store.reading() as reading:
        rows = reading.ask(queries.items, select(reading, meant).memories, upto=reading.upto)
    numbers = tuple(sorted(row.number for row in rows if row.number and not json.loads(row.state)["deleted"]))
    hidden = forget(store, actor, meant, dry_run=dry_run).hidden
    return Deleted(hidden.memories, hidden.claims, hidden.episodes, dry_run, numbers)
