"""Reading one thing whole by any id that a reply names: a memory, an episode, a claim or an entity."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from hornbook.graph.claims.indexed import words_of
from hornbook.graph.claims.lines import held
from hornbook.graph.clock import rfc3339
from hornbook.graph.dates import Granularity, Moment
from hornbook.graph.displayed import Displayed, brief
from hornbook.graph.errors import InvalidArgument, NotFound
from hornbook.graph.ids import is_id
from hornbook.graph.lifecycle import Lifecycle, mirrored
from hornbook.graph.store import Reading
from hornbook.graph.view import queries
from hornbook.graph.view.queries import ItemRow


@dataclass(frozen=True, slots=True, repr=False)
class Node(Displayed):
    """A memory, an episode, a claim or an entity as it stood at the instant of the read. Times are UTC.

    A claim's content is what it says in words, an entity's its names.
    """

    node_id: str
    kind: str
    content: str
    node_type: str
    scope: str
    lifecycle_state: str
    event_id: str
    known_at: str
    memory_id: int | None = None
    role: str | None = None
    speaker: str | None = None
    session_id: str | None = None
    source: str | None = None
    agent_id: str | None = None
    run_id: str | None = None
    occurred_at: str | None = None
    claim_ref: str | None = None
    confidence: float | None = None
    salience: float | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def _told(self) -> Iterator[str]:
        yield self.node_type
        yield brief(self.content)
        yield self.lifecycle_state
        yield f"node_id={self.node_id!r}"

    def as_dict(self) -> dict[str, Any]:
        """The reply: every field that has something to say."""
        shown = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in shown.items() if value is not None}


def get(reading: Reading, asked: str | int) -> Node:
    """What an id stands for, or the small number that its journal gave a memory.

    Raises InvalidArgument for what is no id, NotFound for one that is not in this memory.
    """
    ref = _ref(reading, asked)
    row = reading.ask(queries.item, ref, upto=reading.upto)
    if row is not None and not json.loads(row.state)["deleted"]:
        return node(reading, row)
    for other in (_claim, _entity) if row is None else ():
        if (found := other(reading, ref)) is not None:
            return found
    raise unknown(asked)


def _claim(reading: Reading, ref: str) -> Node | None:
    """A claim as a node: its lifecycle is what its disposition comes to."""
    rows = held(reading, reading.ask(queries.claims, (ref,), upto=reading.upto))
    if not rows:
        return None
    (one,) = rows
    claim = one.claim
    return Node(
        node_id=ref,
        kind="claim",
        content=words_of(claim),
        node_type=claim.kind,
        scope=claim.scope or "personal",
        lifecycle_state=mirrored(one.state.disposition, Lifecycle.STABLE).value,
        event_id=claim.episode or ref,
        known_at=rfc3339(one.known_at),
        speaker=claim.speaker,
        source=claim.source,
        agent_id=claim.agent,
        run_id=claim.run,
        occurred_at=str(claim.occurred_at) if claim.occurred_at else None,
        claim_ref=ref,
        confidence=claim.confidence,
        metadata={"disposition": one.state.disposition.value},
    )


def _entity(reading: Reading, ref: str) -> Node | None:
    """An entity as a node."""
    row = reading.ask(queries.entity, ref, upto=reading.upto)
    if row is None:
        return None
    others = f" (also {', '.join(row.aliases)})" if row.aliases else ""
    return Node(
        node_id=ref,
        kind="entity",
        content=f"{row.name}{others}",
        node_type="entity",
        scope="personal",
        lifecycle_state=(Lifecycle.SUPERSEDED if row.merged_into else Lifecycle.STABLE).value,
        event_id=ref,
        known_at=rfc3339(reading.known_at(row.seq)),
        metadata={name: value for name, value in (("type", row.type), ("merged_into", row.merged_into)) if value},
    )


def unknown(asked: object) -> NotFound:
    """What is said of an id that is not here, or is another owner's."""
    return NotFound(f"there is no memory {asked}", field="node_id", hint="search for it, or list what is there")


def _ref(reading: Reading, asked: str | int) -> str:
    text = str(asked).strip().lower()
    if text.isascii() and text.isdigit() and not isinstance(asked, bool):
        found = reading.snapshot.ref_of(int(text)) if len(text) < 16 else None
        if found is None:
            raise unknown(asked)
        return found
    if not is_id(text):
        raise InvalidArgument("node_id is not an id", field="node_id", hint="ids are UUIDs or small numbers")
    return text


def node(reading: Reading, row: ItemRow) -> Node:
    """A row of the view with its text from the journal."""
    state, data = json.loads(row.state), json.loads(row.data)
    episode = reading.ask(queries.item, state["episode"], upto=reading.upto) if row.kind == "memory" else row
    assert episode is not None, "a memory's episode is recorded before it"
    said = json.loads(episode.data)
    return Node(
        node_id=row.id,
        kind=row.kind,
        content=text_of(reading, episode.id),
        node_type=row.node_type or "note",
        scope=row.scope,
        lifecycle_state=state.get("lifecycle", "recorded"),
        event_id=episode.id,
        known_at=rfc3339(reading.known_at(row.seq)),
        memory_id=row.number,
        role=episode.role,
        speaker=episode.speaker,
        session_id=episode.session,
        source=episode.source,
        agent_id=row.agent,
        run_id=row.run,
        occurred_at=shown(said["occurred_at"]),
        claim_ref=row.claim,
        confidence=data.get("confidence"),
        salience=data.get("salience"),
        metadata=state.get("metadata") or said["metadata"],
    )


def text_of(reading: Reading, episode: str) -> str:
    """The text of an episode; empty once it has been erased."""
    event = reading.snapshot.by_id(episode)
    return str(event.body["content"]) if event is not None and event.body is not None else ""


def shown(moment: Mapping[str, Any] | None) -> str | None:
    """A moment of an event as precisely as it was said.

    >>> shown({"at": 0, "granularity": "year"}), shown(None)
    ('1970', None)
    """
    return str(Moment(moment["at"], Granularity(moment["granularity"]))) if moment else None
