"""Reading one stored thing whole: a memory, or an episode, with its text and how it stands."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from hornbook.graph.clock import rfc3339
from hornbook.graph.dates import Granularity, Moment
from hornbook.graph.displayed import Displayed, brief
from hornbook.graph.errors import InvalidArgument, NotFound
from hornbook.graph.ids import is_id
from hornbook.graph.store import Reading
from hornbook.graph.view import queries
from hornbook.graph.view.queries import ItemRow


@dataclass(frozen=True, slots=True, repr=False)
class Node(Displayed):
    """A memory or an episode as it stood at the instant of the read. Times are UTC."""

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
    """The memory or episode of an id, or of the small number that its journal gave it.

    Raises InvalidArgument for what is no id, NotFound for one that is not in this memory.
    """
    row = reading.ask(queries.item, _ref(reading, asked), upto=reading.upto)
    if row is None or json.loads(row.state)["deleted"]:
        raise unknown(asked)
    return node(reading, row)


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
