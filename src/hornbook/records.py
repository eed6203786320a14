"""The facade's part on records: stored memories as clients of a record store add, find, revise and delete them."""

from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hornbook.claiming import Claiming, When
from hornbook.graph.dates import Moment, parse_moment
from hornbook.graph.displayed import Displayed, brief, counted
from hornbook.graph.episode import Episode, StoredMemory, checked_text
from hornbook.graph.errors import Conflict, InvalidArgument, NotFound
from hornbook.graph.events import Actor
from hornbook.graph.ids import new_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hornbook.extraction.candidate import Extractor
    from hornbook.extraction.ingest import Ingested
    from hornbook.graph.records.delete import Deleted
    from hornbook.graph.records.messages import Message
    from hornbook.graph.records.record import Record
    from hornbook.graph.records.shelf import Chosen, Matches, Page
    from hornbook.graph.retrieval.embed import Embedder, Vectors
    from hornbook.graph.retrieval.index import Index
    from hornbook.graph.store import Reading, Writing
    from hornbook.settings import Settings

LONGEST_QUERY = 100_000  # characters
MOST_HITS = 200
MOST_LISTED = 1_000
LONGEST_WORD = 256  # characters of an agent's or a run's id


@dataclass(frozen=True, slots=True, repr=False)
class Added(Displayed):
    """A record that was added, and what was extracted from it; `already` where it was there under the same key."""

    record: "Record"
    already: bool = False
    ingested: "Ingested | None" = None

    def _told(self) -> "Iterator[str]":
        yield "already there" if self.already else "new"
        yield f"{self.record.memory_id} {brief(self.record.content)}"
        if self.ingested is not None:
            yield counted(len(self.ingested.claims), "claim")

    def as_dict(self) -> dict[str, Any]:
        """The row of the reply."""
        read = self.ingested
        drawn: dict[str, Any] = {} if read is None else {"claims": len(read.claims), "status": read.status}
        return {**self.record.as_dict(), "event": "NONE" if self.already else "ADD", **drawn}


class Addition(Displayed, tuple[Added, ...]):
    """The records that were added together, in the order of their messages."""

    __slots__ = ()

    def _told(self) -> "Iterator[str]":
        yield counted(len(self), "record")
        yield from (f"{one.record.memory_id} {brief(one.record.content)}" for one in self)


class Recording(Claiming):
    """What a memory does as a record store. A record is a stored memory; its number is `memory_id`."""

    settings: "Settings"
    _embedder: "Embedder"
    _extractor: "Extractor"
    _index: "Index | None"

    def add(
        self,
        messages: Any,
        *,
        agent: str | None = None,
        run: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        scope: str | None = None,
        memory_type: str | None = None,
        filters: Mapping[str, Any] | None = None,
        infer: bool = True,
        occurred_at: When = None,
        session: str | None = None,
        idempotency_key: str | None = None,
        actor: Actor | None = None,
    ) -> tuple[Added, ...]:
        """Add a text, a message or a list of messages; each message becomes a record of its own.

        `filters` is kept with the metadata, so that later filters find it. With `infer` entities and claims are
        extracted from each; the texts are kept whatever comes of that. All arguments are checked before anything is
        written.
        """
        from hornbook.graph.records.messages import checked_metadata, checked_scope, checked_type, parse_messages

        said = parse_messages(messages)
        kept = {**checked_metadata(filters, "filters"), **checked_metadata(metadata)}
        ours, scope_label = checked_scope(scope)
        kind, type_label = checked_type(memory_type)
        own = _checked_word(agent, "agent_id"), _checked_word(run, "run_id")
        when = None if occurred_at is None else parse_moment(occurred_at, "occurred_at")
        labels = {**scope_label, **type_label}

        def item(episode: Episode, id_: str) -> StoredMemory:
            return StoredMemory(id_, 0, episode.id, kind, ours, metadata=kept, agent=own[0], run=own[1], labels=labels)

        keys = [f"{idempotency_key}#{at}" if at else idempotency_key for at in range(len(said))]
        episodes = [_episode(one, ours, session, when, own) for one in said]
        return Addition(
            self._added(episode, item, key if idempotency_key else None, infer, actor or self._actor)
            for episode, key in zip(episodes, keys, strict=True)
        )

    def _added(self, episode: Episode, item: Any, key: str | None, infer: bool, actor: Actor) -> Added:
        from hornbook.extraction.ingest import extract
        from hornbook.graph.record import prepare
        from hornbook.graph.remember import remember

        indexed = prepare(episode.content, episode.speaker, self._embed)
        memory = item(episode, new_id())
        stored = remember(
            self._store,
            actor,
            episode,
            lambda number: replace(memory, number=number),
            indexed,
            self._model(),
            idempotency_key=key,
            channel="ingest"
            if infer
            else "store",  # what is to be read is read by the next run, if this one is cut off
        )
        read = None
        if infer and not stored.already:
            read = extract(self._store, actor, episode, self._extractor, self.user, self._embed)
        try:
            return Added(self.get_record(stored.node_id), stored.already, read)
        except NotFound:
            raise Conflict(
                "the text that this key stands for was deleted", field="idempotency_key", hint="use a new key"
            ) from None

    def get_record(self, memory_id: int | str, *, agent: str | None = None, knowledge_at: When = None) -> "Record":
        """One record by its number or id. NotFound where it is not here, or belongs to another agent."""
        from hornbook.graph.records.shelf import get

        with self._shelves(knowledge_at) as (reading, index):
            return get(reading, index, memory_id, agent)

    def list(
        self,
        *,
        limit: int = 100,
        offset: int = 0,
        filters: Mapping[str, Any] | None = None,
        agent: str | None = None,
        run: str | None = None,
        knowledge_at: When = None,
    ) -> "Page":
        """A page of records, oldest first. See `hornbook.graph.records.filters` for what filters can say."""
        from hornbook.graph.records.shelf import page

        chosen = _chosen(agent, run, filters)
        _bounded(limit, "limit", 1, MOST_LISTED)
        _bounded(offset, "offset", 0, None)
        with self._shelves(knowledge_at) as (reading, index):
            return page(reading, index, chosen, limit, offset)

    def summary(self) -> dict[str, Any]:
        """How many records there are, of which types, agents and runs, and since when."""
        from hornbook.graph.records.shelf import summary

        with self._shelves(None) as (reading, index):
            return {"user_id": self.user, **summary(reading, index)}

    def search_records(
        self,
        query: str,
        *,
        limit: int = 10,
        filters: Mapping[str, Any] | None = None,
        threshold: float | None = None,
        agent: str | None = None,
        run: str | None = None,
        valid_at: When = None,
        knowledge_at: When = None,
    ) -> "Matches":
        """The records that answer a question, best first.

        `score` is the similarity to the question, 0 to 1, and `threshold` is compared with it: the cosine of the
        two, and 1 where the question stands in the record word by word.
        """
        from hornbook.claiming import instant
        from hornbook.graph.records.shelf import matches, only
        from hornbook.graph.retrieval.found import Query
        from hornbook.graph.retrieval.scoring import Fusion, Scoring
        from hornbook.graph.retrieval.search import search

        asked = checked_text(query, "query", LONGEST_QUERY)
        _bounded(limit, "limit", 1, MOST_HITS)
        least = checked_threshold(threshold)
        chosen = _chosen(agent, run, filters)
        with self._read(knowledge_at) as reading:
            index, at = self._indexed(reading), instant(reading, valid_at, knowledge_at)
            wanted = Query(asked, at, limit, only=only(chosen))
            scoring = Scoring(Fusion(self.settings.scoring.fusion), self.settings.scoring.weights)
            found = search(reading, index, self._embedder, wanted, scoring)
            kept = matches(reading, index, asked, found, least, limit)
            if least is None or len(kept.records) == limit or len(found.hits) < limit:
                return kept
            # the best answers are not always the most alike: look at all of them before saying that there are few
            found = search(reading, index, self._embedder, replace(wanted, limit=MOST_HITS), scoring)
            return matches(reading, index, asked, found, least, limit)

    def update(
        self,
        memory_id: int | str,
        content: str,
        *,
        metadata: Mapping[str, Any] | None = None,
        agent: str | None = None,
        actor: Actor | None = None,
    ) -> "Record":
        """Give a record another text, and other metadata where it is given; its number stays.

        What it said before stays known as of then. Claims that only the old text spoke for are superseded, and where
        claims were extracted from it they are extracted from the new one.
        """
        from hornbook.graph.record import prepare
        from hornbook.graph.records.held import read_before
        from hornbook.graph.records.messages import checked_metadata
        from hornbook.graph.records.revise import Revision, revise

        text = checked_text(content)
        kept = None if metadata is None else checked_metadata(metadata)
        with self._store.reading() as reading:
            before, was_read = read_before(reading, memory_id, agent)
        episode = _again(before, text)
        indexed = prepare(text, episode.speaker, self._embed)
        changed = text != before["content"]
        follow = self._read_anew(episode) if was_read and changed else None
        revision = Revision(episode, indexed, self._model(), kept)
        self._store.write(actor or self._actor, lambda writing: revise(writing, memory_id, revision, agent, follow))
        return self.get_record(memory_id)

    def _read_anew(self, episode: Episode) -> "Callable[[Writing], Any]":
        """Extract outside the lock; what came of it is recorded by whoever stores the text."""
        from hornbook.extraction.ingest import record
        from hornbook.extraction.read import read_texts

        (found,) = read_texts(self._extractor, [episode], self.user, self._embed)
        return lambda writing: record(writing, found)

    def delete(self, memory_id: int | str, *, agent: str | None = None, actor: Actor | None = None) -> "Deleted":
        """Delete a record: it is gone from reading, listing and search, and its number is never given again.

        What was known before can still be asked as of then; claims that rested on it alone are invalidated.
        """
        from hornbook.graph.records.delete import delete

        return self._store.write(actor or self._actor, lambda writing: delete(writing, [memory_id], agent))

    def delete_all(
        self,
        *,
        user: str | None = None,
        agent: str | None = None,
        run: str | None = None,
        dry_run: bool = False,
        actor: Actor | None = None,
    ) -> "Deleted":
        """Delete every record of a user, of an agent, or of a run: of all that are named together.

        At least one must be named: a default user is none. The texts go too, also those that were ingested and are no
        records, what sums them up, and the claims that rested on them alone; claims that were told without a text
        stay. `dry_run` only counts.
        """
        from hornbook.graph.records.delete import delete_all

        if user is None and agent is None and run is None:
            raise InvalidArgument(
                "nothing says whose memories to delete", field="user_id", hint="name user_id, agent_id or run_id"
            )
        if user is not None and user.strip() != self.user:
            raise InvalidArgument("this memory is another user's", field="user_id")
        own = _checked_word(agent, "agent_id"), _checked_word(run, "run_id")
        return delete_all(self._store, actor or self._actor, *own, dry_run=dry_run)

    @contextmanager
    def _shelves(self, knowledge_at: When) -> "Iterator[tuple[Reading, Index]]":
        """A reading and the index brought up to it, which nobody extends meanwhile."""
        with self._read(knowledge_at) as reading:
            index = self._indexed(reading)
            with index.turn:
                index.extend(reading.snapshot)
                yield reading, index

    def _indexed(self, reading: "Reading") -> "Index":
        from hornbook.graph.retrieval.index import Index

        index = self._index
        if index is None or not index.follows(reading):
            index = self._index = Index.of(self._embedder)
        return index

    def _embed(self, texts: Sequence[str]) -> "Vectors":
        """Vectors to write. EmbeddingError where the model cannot be had, or the store's vectors are of another."""
        from hornbook.graph.retrieval.waiting import checked_model

        with self._store.journal.reading() as snapshot:
            checked_model(snapshot.model(), self._embedder)
        return self._embedder.embed(texts)

    def _model(self) -> Any:
        from hornbook.graph.journal import Model

        return Model(self._embedder.model, self._embedder.digest, self._embedder.dimension)


def checked_threshold(given: object) -> float | None:
    """A similarity from 0 to 1.

    >>> checked_threshold(5)
    Traceback (most recent call last):
    hornbook.graph.errors.InvalidArgument: threshold must be 0 to 1
    """
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 <= given <= 1:
        raise InvalidArgument("threshold must be 0 to 1", field="threshold", hint="leave it out for all that answers")
    return float(given)


def _bounded(given: object, field: str, least: int, most: int | None) -> None:
    if isinstance(given, bool) or not isinstance(given, int) or given < least or (most is not None and given > most):
        bound = f"{least} or more" if most is None else f"{least} to {most}"
        raise InvalidArgument(f"{field} must be {bound}", field=field)


def _checked_word(given: object, field: str) -> str | None:
    if given is None:
        return None
    if not isinstance(given, str) or not given.strip() or len(given) > LONGEST_WORD:
        raise InvalidArgument(f"{field} is blank or longer than {LONGEST_WORD} characters", field=field)
    return given.strip()


def _chosen(agent: object, run: object, filters: object) -> "Chosen":
    from hornbook.graph.records.filters import parse
    from hornbook.graph.records.shelf import Chosen

    return Chosen(_checked_word(agent, "agent_id"), _checked_word(run, "run_id"), parse(filters))


def _episode(
    said: "Message", scope: Any, session: str | None, when: Moment | None, own: tuple[str | None, str | None]
) -> Episode:
    return Episode(
        new_id(),
        said.content,
        said.role,
        said.speaker,
        scope,
        session,
        occurred_at=when,
        agent=own[0],
        run=own[1],
    )


def _again(before: Mapping[str, Any], text: str) -> Episode:
    """A new text in the place of another: said by the same person, of the same thing."""
    from hornbook.graph.belief.codec import moment_from_json
    from hornbook.graph.episode import Role, Scope

    return Episode(
        new_id(),
        text,
        Role(before["role"]),
        before["speaker"],
        Scope(before["scope"]),
        before["session"],
        occurred_at=moment_from_json(before["occurred_at"]),
        agent=before["agent"],
        run=before["run"],
        metadata=before["metadata"],
    )
