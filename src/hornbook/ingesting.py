"""The facade's part on texts: take in one or many, read what waits, read again with a better extractor."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hornbook.claiming import When
from hornbook.graph.dates import parse_moment
from hornbook.graph.episode import Episode, Role, Scope, checked_name, checked_text, checked_word
from hornbook.graph.errors import HornbookError, InvalidArgument, NotFound
from hornbook.graph.events import Actor
from hornbook.graph.ids import checked_id, new_id
from hornbook.records import Recording

if TYPE_CHECKING:
    from hornbook.extraction.batch.files import Format
    from hornbook.extraction.batch.many import Item, Texts
    from hornbook.extraction.batch.piece import Read
    from hornbook.extraction.batch.tally import Tally
    from hornbook.extraction.ingest import Ingested

FIELDS = (
    *("role", "speaker", "scope", "session", "source", "position", "occurred_at"),
    *("agent", "run", "metadata", "idempotency_key"),
)
Given = str | Mapping[str, Any] | HornbookError  # a text, the arguments of `ingest`, or why there is no text
Each = Callable[["Ingested"], object]  # told of every text as it is done


class Ingesting(Recording):
    """What a memory does with texts. A text is kept whatever its extraction comes to."""

    def ingest(
        self,
        content: str,
        *,
        role: str = "user",
        speaker: str | None = None,
        scope: str = "personal",
        session: str | None = None,
        source: str | None = None,
        position: str | int | None = None,
        occurred_at: When = None,
        idempotency_key: str | None = None,
        agent: str | None = None,
        run: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        dry_run: bool = False,
        actor: Actor | None = None,
    ) -> "Ingested":
        """Store a text, then extract entities and claims from it. The text is kept whatever extraction comes to.

        With `dry_run` nothing is stored, and the reply shows what would be.
        """
        from hornbook.extraction.ingest import ingest
        from hornbook.graph.record import prepare

        episode = episode_from(
            content, role, speaker, scope, session, source, position, occurred_at, agent, run, metadata
        )
        texts = self._texts(actor)
        return ingest(
            self._store,
            texts.actor,
            episode,
            prepare(episode.content, speaker, None if dry_run else texts.embed),
            texts.model,
            self._extractor,
            owner=self.user,
            idempotency_key=idempotency_key,
            dry_run=dry_run,
            embed=texts.embed,
        )

    def ingest_many(
        self,
        texts: "Iterable[Given]",
        *,
        dry_run: bool = False,
        each: Each | None = None,
        actor: Actor | None = None,
        **common: Any,
    ) -> "Tally":
        """Ingest any number of texts, given as they are or as the arguments of `ingest`; how it went, counted.

        `common` holds arguments for all of them. Texts are read in groups, so any number of them fits into memory;
        one that fails is counted and named, and the others go on. `each` is told of every text as it is done. What
        is there already is passed over: run it again after it was stopped.

        >>> from hornbook.memory import Memory
        >>> with Memory.open(":memory:", user="ana") as memory:
        ...     said = ["I live in Oslo.", {"content": "Bob lives in Bergen.", "position": "b"}, ""]
        ...     [memory.ingest_many(said, source="notes").texts, memory.ingest_many(said, source="notes").known]
        [3, 2]
        """
        outcomes = self.ingesting(texts, dry_run=dry_run, actor=actor, **common)
        return _counted(outcomes, each)

    def ingesting(
        self,
        texts: "Iterable[Given]",
        *,
        dry_run: bool = False,
        actor: Actor | None = None,
        **common: Any,
    ) -> "Iterator[Ingested]":
        """As `ingest_many`, but what became of each text, in order, as it is done; it goes on as it is asked to."""
        from hornbook.extraction.batch.many import ingest_many

        if unknown := [name for name in common if name not in FIELDS]:
            raise InvalidArgument(f"a text has no {unknown[0]}", field=unknown[0], valid=FIELDS)
        items = (self._item(number, given, common) for number, given in enumerate(texts))
        return ingest_many(self._texts(actor), items, dry_run=dry_run)

    def ingest_files(
        self,
        *paths: str | Path,
        format: "Format | None" = None,
        dry_run: bool = False,
        each: Each | None = None,
        actor: Actor | None = None,
        **common: Any,
    ) -> "Tally":
        """Ingest the texts of files and folders, each file by its kind, as `hornbook ingest` does; how it went.

        What cannot be read is counted and named, and the other files go on; what is there already is passed over.
        `common` holds arguments of `ingest` for all texts that do not say it themselves. InvalidArgument where a path
        is not there.
        """
        for path in map(Path, paths):
            if not path.exists():
                raise InvalidArgument(f"{path.name} is not there", field="paths", hint="name files or folders")
        from hornbook.extraction.batch.files import files_in, read_files

        texts = map(given, read_files(files_in(map(Path, paths)), format))
        return self.ingest_many(texts, dry_run=dry_run, each=each, actor=actor, **common)

    def retry_extraction(
        self, limit: int | None = None, *, each: Each | None = None, actor: Actor | None = None
    ) -> "Tally":
        """Read texts that are stored and were not extracted, because it failed or a run was cut off; oldest first."""
        return _counted(self.retrying(limit, actor=actor), each)

    def retrying(self, limit: int | None = None, *, actor: Actor | None = None) -> "Iterator[Ingested]":
        """As `retry_extraction`, but what became of each text, in order, as it is done."""
        from hornbook.extraction.batch.many import read_again
        from hornbook.extraction.parked import parked

        return read_again(self._texts(actor), parked(self._store, limit))

    def reextract(self, episode_id: str, *, actor: Actor | None = None) -> "Ingested":
        """Extract a stored text again with today's extractor.

        Claims that an earlier one took from it and that are not said again are superseded and contest nothing; those
        said again are left alone. NotFound where the text is not here.
        """
        from hornbook.extraction.batch.many import read_again
        from hornbook.extraction.parked import stored_episode

        id_ = checked_id(episode_id, "episode_id")
        with self._store.reading() as reading:
            episode = stored_episode(reading, id_)
        if episode is None:
            raise NotFound(f"there is no text {id_}", field="episode_id", hint="ingest names it as event_id")
        (outcome,) = read_again(self._texts(actor), [episode])
        return outcome

    def _texts(self, actor: Actor | None) -> "Texts":
        from hornbook.extraction.batch.many import Texts

        return Texts(self._store, actor or self._actor, self._extractor, self.user, self._model(), self._embed)

    def _item(self, number: int, given: Given, common: Mapping[str, Any]) -> "Item | Ingested":
        """One of many texts; one that cannot be is an outcome already."""
        from hornbook.extraction.batch.many import refused

        if isinstance(given, HornbookError):
            return refused(given)
        try:
            return _made(number, given, common)
        except HornbookError as error:
            return refused(error, **_place(number, given))


def given(read: "Read") -> Given:
    """What was read in a file, as `Memory.ingest_many` takes it: a text, or why there is none."""
    from hornbook.extraction.batch.piece import Unread

    if isinstance(read, Unread):
        return InvalidArgument(f"{read.place}: {read.why}", field="paths")
    return {**read.fields, "source": read.source, "position": read.position}


def _counted(outcomes: "Iterator[Ingested]", each: Each | None) -> "Tally":
    from hornbook.extraction.batch.tally import Tally

    tally = Tally()
    for outcome in outcomes:
        tally.add(outcome)
        if each is not None:
            each(outcome)
    return tally


def _place(number: int, given: str | Mapping[str, Any]) -> dict[str, Any]:
    """Which of many texts it is: by its source and position, else by its number from 0."""
    named = {} if isinstance(given, str) else {key: given[key] for key in ("source", "position") if given.get(key)}
    return {"position": number, **named}


def _made(number: int, given: str | Mapping[str, Any], common: Mapping[str, Any]) -> "Item":
    from hornbook.extraction.batch.many import Item

    fields: dict[str, Any] = {**common, **({"content": given} if isinstance(given, str) else given)}
    key, content = fields.pop("idempotency_key", None), fields.pop("content", None)
    if unknown := [name for name in fields if name not in FIELDS]:
        raise InvalidArgument(f"a text has no {unknown[0]}", field=unknown[0], valid=FIELDS)
    if fields.get("source"):
        fields.setdefault("position", number)
    try:
        return Item(episode_from(content, **fields), key)
    except InvalidArgument as error:
        if error.field != "occurred_at":
            raise
        # a date that nobody can read is no reason to lose the text: its time is then unknown
        note = f"occurred_at is left out: {error.message}"
        return Item(episode_from(content, **{**fields, "occurred_at": None}), key, (note,))


def episode_from(
    content: Any,
    role: str = "user",
    speaker: str | None = None,
    scope: str = "personal",
    session: str | None = None,
    source: str | None = None,
    position: str | int | None = None,
    occurred_at: When = None,
    agent: str | None = None,
    run: str | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> Episode:
    """A new episode from what a caller gave, checked."""
    for name, given in (("speaker", speaker), ("session", session), ("source", source), ("agent", agent), ("run", run)):
        if given is not None and not isinstance(given, str):
            raise InvalidArgument(f"{name} is not a text", field=name)
        checked_name(given, name)
    checked_name(None if position is None else str(position), "position")
    if metadata is not None and not isinstance(metadata, Mapping):
        raise InvalidArgument("metadata is not an object", field="metadata")
    return Episode(
        new_id(),
        checked_text(content),
        checked_word(role, Role, "role"),
        speaker,
        checked_word(scope, Scope, "scope"),
        session,
        source,
        None if position is None else str(position),
        None if occurred_at is None else parse_moment(occurred_at, "occurred_at"),
        agent,
        run,
        dict(metadata or {}),
    )
