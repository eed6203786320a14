"""Recording what comes in: episodes and memories, with what makes them searchable, in one open transaction."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from hornbook.graph.belief.codec import moment_to_json
from hornbook.graph.episode import Episode, StoredMemory, checked_name
from hornbook.graph.errors import Conflict, EmbeddingError
from hornbook.graph.passages import passages
from hornbook.graph.retrieval.said import asks, spoken_of
from hornbook.graph.store import Writing
from hornbook.graph.view import queries

if TYPE_CHECKING:
    from hornbook.graph.journal import Model
    from hornbook.graph.retrieval.embed import Vectors

log = logging.getLogger(__name__)
EMBEDDED = 64  # passages of one text that get a vector; the rest is found by its words
Embed = Callable[[Sequence[str]], "Vectors"]


@dataclass(frozen=True, slots=True)
class Indexed:
    """A text cut into passages, each with its vector if it has one: made before the write lock is taken."""

    spans: tuple[tuple[int, int], ...]
    texts: tuple[str, ...]
    vectors: "Vectors | None"


def prepare(text: str, speaker: str | None, embed: Embed | None) -> Indexed:
    """Cut and embed a text; `embed` None leaves it to be found by its words alone, and so does a model that fails."""
    spans = passages(text)
    spoken = tuple(f"{speaker}: {text[start:end]}" if speaker else text[start:end] for start, end in spans)
    return Indexed(spans, spoken, embedded(spoken[:EMBEDDED], embed))


def embedded(texts: Sequence[str], embed: Embed | None) -> "Vectors | None":
    """The vectors of texts; None where they cannot be had, for no text is refused or lost over that."""
    if embed is None:
        return None
    try:
        return embed(texts)
    except EmbeddingError as error:
        log.warning("a text is stored without vectors: %s", error.message)
        return None


def vectored(writing: Writing, indexed: Indexed, model: "Model") -> Indexed:
    """What is written of an indexed text: its vectors too, unless the store's are of another model by now."""
    if indexed.vectors is None:
        return indexed
    current = writing.snapshot.model()
    if current not in (None, model):
        return replace(indexed, vectors=None)
    writing.snapshot.use_model(model)
    return indexed


def identity_key(source: str, position: str | None, content: str) -> str:
    """The key under which the same text at the same place of the same source is known again."""
    digest = sha256("\0".join((source, position or "", content)).encode()).hexdigest()
    return f"text:{digest}"


def keys_of(episode: Episode, idempotency_key: str | None) -> tuple[str, ...]:
    """The keys under which an episode is known again: what the caller gave, and its place in its source."""
    given = (f"key:{checked_name(idempotency_key, 'idempotency_key')}",) if idempotency_key else ()
    placed = (identity_key(episode.source, episode.position, episode.content),) if episode.source else ()
    return (*given, *placed)


def known_again(writing: Writing, episode: Episode, keys: Sequence[str]) -> str | None:
    """The id of the episode that this one is a repetition of; Conflict when a key stands for another text."""
    for key in keys:
        if (found := writing.snapshot.recalled(key)) is None:
            continue
        event = writing.snapshot.by_id(found)
        if event is not None and event.body is not None and event.body["content"] != episode.content:
            raise Conflict(
                "this idempotency_key was used for another text",
                field="idempotency_key",
                hint="use a new key for a new text",
            )
        return found
    return None


def record_episode(
    writing: Writing, episode: Episode, indexed: Indexed | None, keys: Sequence[str] = (), channel: str = "ingest"
) -> int:
    """Record an episode, link it to its session, and index it unless a memory stands for it; its event."""
    previous = writing.ask(queries.last_in_session, episode.session, upto=writing.upto) if episode.session else None
    seq = writing.append(
        "episode.recorded",
        {
            "id": episode.id,
            "content": episode.content,
            "role": episode.role.value,
            "speaker": episode.speaker,
            "scope": episode.scope.value,
            "session": episode.session,
            "source": episode.source,
            "position": episode.position,
            "occurred_at": moment_to_json(episode.occurred_at),
            "agent": episode.agent,
            "run": episode.run,
            "metadata": dict(episode.metadata),
            "previous": previous,
            "channel": channel,
        },
        event_id=episode.id,
    )
    for key in keys:
        writing.snapshot.remember(key, episode.id)
    if indexed is not None:
        index(writing, episode.id, "episode", seq, episode, indexed, {})
    return seq


def record_memory(writing: Writing, memory: StoredMemory, episode: Episode, indexed: Indexed) -> int:
    """Record a memory over an episode that is recorded already, and index its text under the memory's id."""
    seq = writing.append(
        "memory.recorded",
        {
            "id": memory.id,
            "number": memory.number,
            "episode": memory.episode,
            "node_type": memory.node_type.value,
            "scope": memory.scope.value,
            "confidence": memory.confidence,
            "salience": memory.salience,
            "state": memory.state,
            "claim": memory.claim,
            "metadata": dict(memory.metadata),
            "agent": memory.agent,
            "run": memory.run,
            "labels": dict(memory.labels),
            "summarises": list(memory.summarises),
        },
        event_id=memory.id,
    )
    index_memory(writing, memory, seq, seq, episode, indexed)
    return seq


def index_memory(
    writing: Writing, memory: StoredMemory, first: int, seq: int, episode: Episode, indexed: Indexed
) -> None:
    """Make a memory's text searchable as of the event `seq`; it was recorded by the event `first`."""
    facets = {
        "node_type": memory.node_type.value,
        "salience": memory.salience,
        "confidence": memory.confidence,
        "number": memory.number,
    }
    record = {
        "first": first,
        "role": episode.role.value,
        "metadata": dict(memory.metadata),
        "labels": dict(memory.labels),
        "claim": memory.claim,
    }
    index(writing, memory.id, "memory", seq, episode, indexed, facets, record)


def index(
    writing: Writing,
    ref: str,
    kind: str,
    seq: int,
    episode: Episode,
    indexed: Indexed,
    more: Mapping[str, Any],
    record: Mapping[str, Any] | None = None,
) -> None:
    """Make the passages of a text searchable under one ref; the first carries what filters of records look at."""
    vectors = indexed.vectors
    for number, ((start, end), text) in enumerate(zip(indexed.spans, indexed.texts, strict=True)):
        facets = {
            "scope": episode.scope.value,
            "session": episode.session,
            "agent": episode.agent,
            "run": episode.run,
            "speaker": episode.speaker,
            "episode": episode.id,
            "occurred_at": episode.occurred_at.at if episode.occurred_at else None,
            "span": [start, end] if len(indexed.spans) > 1 else None,
            "length": end - start,
            "asks": asks(episode.content[start:end]),
            "about": spoken_of(episode.content[start:end]),
            **more,
            "record": record if number == 0 else None,
        }
        vector = vectors[number] if vectors is not None and number < len(vectors) else None
        writing.snapshot.add_document(ref, kind, seq, text, vector, facets)
