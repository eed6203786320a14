"""What a forgetting is about: all that came from a source, a session, a client, or with one text or memory."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from hornbook.graph.errors import InvalidArgument, NotFound
from hornbook.graph.ids import checked_id
from hornbook.graph.store import Reading, Writing

if TYPE_CHECKING:
    from hornbook.graph.events import Event

KINDS = ("episode.recorded", "memory.recorded", "memory.revised", "claim.recorded")


@dataclass(frozen=True, slots=True)
class Selection:
    """What is meant: whatever fits all that is given; every text and memory where nothing is.

    `episode` is the id of a text, or of a memory. Claims that rest on no text are meant by source or client only.

    >>> Selection(source="mail", session="7").as_dict()
    {'source': 'mail', 'session': '7'}
    """

    source: str | None = None
    session: str | None = None
    client: str | None = None
    episode: str | None = None
    agent: str | None = None
    run: str | None = None

    def as_dict(self) -> dict[str, str]:
        """What was given."""
        given = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: word for name, word in given.items() if word is not None}

    @property
    def of_claims(self) -> bool:
        """Whether claims that rest on no text may be meant."""
        elsewhere = (self.session, self.episode, self.agent, self.run)
        return not any(elsewhere) and (self.source is not None or self.client is not None)


def checked(source: object, session: object, client: object, episode: object) -> Selection:
    """A selection that names something: a destructive call without an explicit scope is refused."""
    given = {"source": source, "session": session, "client": client}
    for name, word in given.items():
        if word is not None and (not isinstance(word, str) or not word.strip()):
            raise InvalidArgument(f"{name} is blank", field=name, hint="leave out what is not meant")
    ref = None if episode is None else checked_id(episode, "episode")
    found = Selection(**{name: word for name, word in given.items() if isinstance(word, str)}, episode=ref)
    if not found.as_dict():
        raise InvalidArgument(
            "nothing says what to forget",
            field="source",
            hint="name a source, a session, a client or an episode",
            valid=["source", "session", "client", "episode"],
        )
    return found


@dataclass(frozen=True, slots=True)
class Selected:
    """The things meant, by id, in the order in which they came; what was deleted before is among them."""

    episodes: tuple[str, ...] = ()
    memories: Mapping[str, tuple[str, ...]] | tuple[()] = ()  # each with the episodes that hold or held its text
    claims: tuple[str, ...] = ()  # those that rest on none of the texts, and come from there all the same

    def __bool__(self) -> bool:
        """Whether anything is meant."""
        return bool(self.episodes or self.memories or self.claims)

    @property
    def items(self) -> tuple[str, ...]:
        """Texts and memories."""
        return (*self.episodes, *self.memories)


def select(asking: Reading | Writing, wanted: Selection) -> Selected:
    """Everything that a selection means, by one walk over the journal. NotFound for an episode that is not here.

    A memory goes with its present text, a text with the memory that is named; a summary goes with any text that it
    sums up.
    """
    episodes: dict[str, None] = {}
    texts: dict[str, list[str]] = {}  # memory -> its texts, the present one last
    sums: dict[str, tuple[str, ...]] = {}
    claims: dict[str, None] = {}
    for event in asking.snapshot.events(kinds=KINDS):
        body = event.body
        if body is None:
            continue
        if event.kind == "episode.recorded":
            if _fits(event, body, wanted, body["id"]):
                episodes[body["id"]] = None
        elif event.kind == "memory.recorded":
            texts[body["id"]] = [body["episode"]]
            sums[body["id"]] = tuple(body.get("summarises") or ())
        elif event.kind == "memory.revised":
            texts.setdefault(body["memory"], []).append(body["episode"])
        elif wanted.of_claims and _fits(event, body["claim"], wanted, None):
            claims[body["claim"]["id"]] = None
    if wanted.episode in texts:
        episodes |= dict.fromkeys(texts[wanted.episode])
    if wanted.episode is not None and not episodes:
        raise NotFound(f"there is no text or memory {wanted.episode}", field="episode")
    return _closed(episodes, texts, sums, claims)


def _fits(event: "Event", body: Mapping[str, Any], wanted: Selection, id_: str | None) -> bool:
    return (
        wanted.source in (None, body.get("source"))
        and wanted.session in (None, body.get("session"))
        and wanted.client in (None, event.actor.client)
        and wanted.episode in (None, id_)
        and wanted.agent in (None, body.get("agent"))
        and wanted.run in (None, body.get("run"))
    )


def _closed(
    episodes: dict[str, None],
    texts: Mapping[str, list[str]],
    sums: Mapping[str, tuple[str, ...]],
    claims: Mapping[str, None],
) -> Selected:
    """The selection with the memories of its texts, and with what sums it up, to the last."""
    memories: dict[str, tuple[str, ...]] = {}
    while True:
        found = [
            memory
            for memory, own in texts.items()
            if memory not in memories and not episodes.keys().isdisjoint((own[-1], *sums.get(memory, ())))
        ]
        if not found:
            return Selected(tuple(episodes), memories, tuple(claims))
        for memory in found:
            memories[memory] = tuple(dict.fromkeys(texts[memory]))
            episodes |= dict.fromkeys(memories[memory])
