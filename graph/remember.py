"""Storing a memory: the text, the item that stands for it, and, where the caller says so, the claim that it is."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hornbook.graph.claim import Claim
from hornbook.graph.claims.assert_claim import Outcome, assert_claim
from hornbook.graph.claims.changes import stand
from hornbook.graph.claims.lines import claim_rows
from hornbook.graph.displayed import Displayed
from hornbook.graph.episode import Episode, StoredMemory
from hornbook.graph.events import Actor
from hornbook.graph.lifecycle import Lifecycle, mirrored
from hornbook.graph.record import Indexed, keys_of, known_again, record_episode, record_memory, vectored
from hornbook.graph.store import Store, Writing
from hornbook.graph.view import queries

if TYPE_CHECKING:
    from hornbook.graph.journal import Model


@dataclass(frozen=True, slots=True, repr=False)
class Stored(Displayed):
    """Where a memory went; `already` when it was there under the same key."""

    event_id: str
    node_id: str
    number: int
    claim: Outcome | None = None
    already: bool = False

    def _told(self) -> Iterator[str]:
        yield "already there" if self.already else "new"
        yield f"number={self.number}"
        yield f"node_id={self.node_id!r}"
        if self.claim is not None:
            yield self.claim.disposition.value

    def as_dict(self) -> dict[str, Any]:
        """The reply."""
        claimed = {} if self.claim is None else self.claim.as_dict()
        known = {"already": True} if self.already else {}
        return {"event_id": self.event_id, "node_id": self.node_id, "memory_id": self.number, **claimed, **known}


def remember(
    store: Store,
    actor: Actor,
    episode: Episode,
    memory: Callable[[int], StoredMemory],
    indexed: Indexed,
    model: "Model",
    *,
    claim: Claim | None = None,
    idempotency_key: str | None = None,
    channel: str = "store",
) -> Stored:
    """Store a text and the memory over it in one transaction; a claim too, where one is given.

    `memory` makes the item once its number is known; `channel` says what becomes of the text: "ingest" that claims are
    to be extracted from it. A repetition, by key or by place, changes nothing and returns
    what is there.
    """
    keys = keys_of(episode, idempotency_key)

    def act(writing: Writing) -> Stored:
        if (found := known_again(writing, episode, keys)) is not None:
            return there_already(writing, found)
        kept = vectored(writing, indexed, model)
        record_episode(writing, episode, None, keys, channel=channel)
        number = writing.snapshot.number(memory(0).id)
        item = memory(number)
        outcome = None if claim is None else assert_claim(writing, replace(claim, episode=episode.id, memory=item.id))
        if outcome is not None:
            item = replace(item, claim=outcome.claim_ref, state=mirrored(outcome.disposition, item.state).value)
        record_memory(writing, item, episode, kept)
        if outcome is not None:
            (held,) = claim_rows(writing, (outcome.claim_ref,))
            stand(writing, item.id, Lifecycle(item.state), held.state)
        return Stored(episode.id, item.id, number, outcome)

    return store.write(actor, act)


def there_already(writing: Writing, episode: str) -> Stored:
    """The memory that stands for an episode which is known again; the episode itself where it was only ingested."""
    found = writing.ask(queries.memories_of_episode, episode, upto=writing.upto)
    if not found:
        return Stored(episode, episode, 0, already=True)
    return Stored(episode, found[0].id, found[0].number or 0, already=True)
