"""Conversations as other programs write them: OpenAI messages, ChatGPT and Claude exports, one text a message."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from hornbook.extraction.batch.piece import Piece, Read, Unread

ROLES = {"human": "user", "developer": "system", "function": "tool", "ai": "assistant", "model": "assistant",
         "bot": "assistant"}  # fmt: skip
RENAMED = {"text": "content", "session_id": "session", "timestamp": "occurred_at", "created_at": "occurred_at",
           "name": "speaker", "agent_id": "agent", "run_id": "run"}  # fmt: skip
FIELDS = ("content", "role", "speaker", "scope", "session", "occurred_at", "agent", "run", "metadata")
MILLISECONDS = 1e11  # a larger timestamp does not count seconds


@dataclass(frozen=True, slots=True)
class Place:
    """Where something was found: its source, and what to call it there."""

    source: str
    called: str

    def unread(self, why: str) -> Unread:
        """It is not a text."""
        return Unread(self.source, self.called, why)


def texts_of(value: Any, place: Place) -> Iterator[Read]:
    """The texts of one element of a file: a message, or by its shape a conversation. One without words is no text."""
    if not isinstance(value, dict):
        yield place.unread("it is not an object")
    elif isinstance(value.get("mapping"), dict):
        yield from _chatgpt(value, place)
    elif isinstance(value.get("chat_messages"), list):
        yield from _claude(value, place)
    elif isinstance(value.get("messages"), list):
        session = value.get("id") or value.get("session_id") or value.get("session")
        for number, message in enumerate(value["messages"], 1):
            yield from _message(message, Place(place.source, f"{place.called}, message {number}"), session)
    elif isinstance(value.get("conversations"), list):
        for number, one in enumerate(value["conversations"], 1):
            yield from texts_of(one, Place(place.source, f"{place.called}, conversation {number}"))
    else:
        yield from _message(value, place)


def _message(message: Any, place: Place, session: Any = None) -> Iterator[Read]:
    """A message, or a line with its text; one that is there for a call of a tool alone says nothing."""
    if not isinstance(message, dict):
        yield place.unread("it is not an object")
        return
    given: dict[str, Any] = {
        RENAMED.get(str(key), str(key)): value for key, value in message.items() if value is not None
    }
    content = words_of(given.get("content"))
    if content is None and "content" in given and not isinstance(given["content"], list):
        yield place.unread("its content is not text")
    elif content is None and not ({"tool_calls", "function_call", "content"} & given.keys() or "content" in message):
        yield place.unread("it has no content")
    elif content is not None and content.strip():
        position = str(given["id"]) if isinstance(given.get("id"), str | int) else place.called
        fields = {"session": str(session) if session else None, **given, "content": content}
        yield Piece(place.source, position, _fields(fields))


def words_of(content: Any) -> str | None:
    """The words of a message: a text, or the texts among its parts.

    >>> words_of("Hi"), words_of([{"type": "text", "text": "Hi"}, {"type": "image_url"}]), words_of(None)
    ('Hi', 'Hi', None)
    """
    if isinstance(content, str):
        return whole_letters(content)
    if isinstance(content, list):
        parts = [one if isinstance(one, str) else one.get("text") if isinstance(one, dict) else None for one in content]
        said = [one for one in parts if isinstance(one, str) and one.strip()]
        return whole_letters("\n\n".join(said)) if said else None
    return None


def whole_letters(text: str) -> str:
    """The text with halves of surrogate pairs joined or replaced: a text is not lost for half a letter."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _fields(given: Mapping[str, Any]) -> dict[str, Any]:
    kept = {key: given[key] for key in FIELDS if given.get(key) is not None}
    role = str(kept.get("role", "user")).lower()
    return {**kept, "role": ROLES.get(role, role), **_dated(kept.get("occurred_at"))}


def _dated(when: Any) -> dict[str, str]:
    """A time as text; exports count seconds since 1970."""
    if when is None or isinstance(when, bool) or not isinstance(when, int | float):
        return {} if when is None else {"occurred_at": str(when)}
    try:
        moment = datetime.fromtimestamp(when / 1000 if when > MILLISECONDS else when, UTC)
    except (OverflowError, OSError, ValueError):
        return {"occurred_at": str(when)}
    return {"occurred_at": moment.isoformat(timespec="seconds").replace("+00:00", "Z")}


def _chatgpt(conversation: Mapping[str, Any], place: Place) -> Iterator[Read]:
    """The thread that was last shown: from its last message up to the first. Answers that were replaced are left."""
    mapping, id_ = conversation["mapping"], conversation.get("conversation_id") or conversation.get("id")
    source = f"chatgpt:{id_}" if id_ else place.source
    thread = _thread(mapping, conversation.get("current_node"))
    for node in thread:
        message = mapping[node].get("message")
        if not isinstance(message, dict):
            continue
        hidden = (message.get("metadata") or {}).get("is_visually_hidden_from_conversation")
        content = message.get("content") or {}
        said = words_of(content.get("parts") or content.get("text")) if isinstance(content, dict) else None
        if hidden or said is None or not said.strip():
            continue
        role = (message.get("author") or {}).get("role", "user")
        when = message.get("create_time") or conversation.get("create_time")
        fields = {"content": said, "role": role, "session": source, "occurred_at": when}
        yield Piece(source, str(message.get("id") or node), _fields(fields))
    if not thread:
        yield place.unread("the conversation has no messages")


def _thread(mapping: Mapping[str, Any], last: Any) -> list[str]:
    """The nodes from the root to the last one shown; without it, to the end of the newest branch."""
    if last not in mapping:
        roots = [key for key, node in mapping.items() if isinstance(node, dict) and not node.get("parent")]
        last = roots[0] if roots else None
        while last and (further := [one for one in mapping[last].get("children") or () if one in mapping]):
            last = further[-1]
    found: dict[str, None] = {}
    while isinstance(last, str) and last in mapping and last not in found and isinstance(mapping[last], dict):
        found[last] = None
        last = mapping[last].get("parent")
    return list(found)[::-1]


def _claude(conversation: Mapping[str, Any], place: Place) -> Iterator[Read]:
    id_ = conversation.get("uuid")
    source = f"claude:{id_}" if id_ else place.source
    for number, message in enumerate(conversation["chat_messages"], 1):
        where = Place(source, f"message {number}")
        if not isinstance(message, dict):
            yield where.unread("it is not an object")
            continue
        said = words_of(message.get("content")) or words_of(message.get("text"))
        if said is not None and said.strip():
            role, when = message.get("sender") or "user", message.get("created_at") or conversation.get("created_at")
            fields = {"content": said, "role": role, "session": source, "occurred_at": when}
            yield Piece(source, str(message.get("uuid") or where.called), _fields(fields))
