"""Episodes: pieces of source text as they came in, never changed; and memories, the items a client stores."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

from hornbook.graph.claim import Provenance
from hornbook.graph.dates import Moment
from hornbook.graph.errors import InvalidArgument, TooLarge

Word = TypeVar("Word", bound=StrEnum)

LONGEST_TEXT = 4_000_000  # bytes of UTF-8 in one text; larger ones are split by the batch reader
LONGEST_NAME = 2_000  # characters of a speaker, a session, a source or a key


class Role(StrEnum):
    """Who is speaking, seen from the owner of the memory."""

    USER = "user"  # the memory's owner
    PARTICIPANT = "participant"  # another human in the conversation
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"


class Scope(StrEnum):
    """Which part of the owner's life a text belongs to."""

    PERSONAL = "personal"
    PROJECT = "project"
    ORGANISATION = "organisation"


class NodeType(StrEnum):
    """What a stored memory is."""

    ENTITY = "entity"
    FACT = "fact"
    DECISION = "decision"
    PREFERENCE = "preference"
    TASK = "task"
    INSTRUCTION = "instruction"
    SUMMARY = "summary"
    NOTE = "note"


CLAIM_TYPES = (NodeType.FACT, NodeType.DECISION, NodeType.PREFERENCE)  # those that may carry a claim

PROVENANCE = {
    Role.USER: Provenance.USER_ASSERTED,
    Role.PARTICIPANT: Provenance.USER_ASSERTED,
    Role.TOOL: Provenance.FIRST_HAND,
    Role.ASSISTANT: Provenance.MODEL_DERIVED,
    Role.SYSTEM: Provenance.MODEL_DERIVED,
}


@dataclass(frozen=True, slots=True)
class Episode:
    """One text as it came in. `occurred_at` is when it was said (None: unknown); `position` its place in `source`."""

    id: str
    content: str
    role: Role = Role.USER
    speaker: str | None = None
    scope: Scope = Scope.PERSONAL
    session: str | None = None
    source: str | None = None
    position: str | None = None
    occurred_at: Moment | None = None
    agent: str | None = None
    run: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def spoken(self) -> str:
        """The text with its speaker in front, as it is indexed: who said it is half of what it says."""
        return f"{self.speaker}: {self.content}" if self.speaker else self.content


@dataclass(frozen=True, slots=True)
class StoredMemory:
    """An item that a client stored: it refers to the episode that holds its text."""

    id: str
    number: int
    episode: str
    node_type: NodeType = NodeType.NOTE
    scope: Scope = Scope.PERSONAL
    confidence: float = 0.9
    salience: float = 0.5
    state: str = "tentative"
    claim: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    agent: str | None = None
    run: str | None = None
    labels: Mapping[str, Any] = field(default_factory=dict)  # a client's own words for its scope and type
    summarises: tuple[str, ...] = ()  # the episodes that a summary is of


def checked_word(given: object, kind: type[Word], field_name: str) -> Word:
    """A word of a closed vocabulary, without regard to case, or an error that lists the vocabulary.

    >>> checked_word("Note", NodeType, "node_type").value
    'note'
    """
    for word in kind:
        if isinstance(given, str) and given.strip().lower() == word.value.lower():
            return word
    raise InvalidArgument(f"{field_name} is not a known word", field=field_name, valid=[word.value for word in kind])


def checked_name(given: str | None, field_name: str) -> str | None:
    """Who or what something is called by a caller: of any words, but no text."""
    if given is not None and len(given) > LONGEST_NAME:
        raise TooLarge(f"{field_name} has {len(given)} characters; the limit is {LONGEST_NAME}", field=field_name)
    return given


MENDS = {  # of what says nothing, and of what is too long
    "content": ("give the text to remember", "split it: the command line's ingest does that for files"),
    "query": ("ask something", "ask a shorter question"),
}


def checked_text(given: object, field_name: str = "content", longest: int = LONGEST_TEXT) -> str:
    """A text that says something and can be stored, unchanged."""
    mend, shorter = MENDS.get(field_name, MENDS["content"])
    if not isinstance(given, str):
        raise InvalidArgument(f"{field_name} is no text", field=field_name, hint=mend)
    if not given.strip():
        raise InvalidArgument(f"{field_name} is blank", field=field_name, hint=mend)
    try:
        size = len(given.encode())
    except UnicodeEncodeError:
        raise InvalidArgument(
            f"{field_name} holds half of a surrogate pair", field=field_name, hint="send valid Unicode"
        ) from None
    if size > longest:
        raise TooLarge(
            f"{field_name} has {size:,} bytes; the limit is {longest:,}",
            field=field_name,
            hint=shorter,
        )
    return given
