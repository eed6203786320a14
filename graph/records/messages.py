"""What `add` takes: a text, one message, or a list of messages as chat models write them; each becomes a record."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hornbook.graph.episode import NodeType, Role, Scope, checked_text
from hornbook.graph.errors import InvalidArgument, TooLarge

MOST = 1_000  # messages of one call
LONGEST_METADATA = 65_536  # bytes of JSON
OTHER_ROLES = {"human": Role.USER, "ai": Role.ASSISTANT, "developer": Role.SYSTEM, "function": Role.TOOL}
CLIENTS_SCOPES = {"user": Scope.PERSONAL, "agent": Scope.PERSONAL, "session": Scope.PERSONAL}


@dataclass(frozen=True, slots=True)
class Message:
    """One thing that somebody said."""

    content: str
    role: Role = Role.USER
    speaker: str | None = None


def parse_messages(given: object) -> tuple[Message, ...]:
    """The messages of a call, checked; the error names the place of the first that is wrong.

    >>> parse_messages([{"role": "user", "content": "Tea, please."}])[0].content
    'Tea, please.'
    """
    if isinstance(given, str):
        return (Message(checked_text(given, "messages")),)
    if isinstance(given, Mapping):
        return (_message(given, "messages"),)
    if not isinstance(given, Sequence) or isinstance(given, bytes):
        raise InvalidArgument("messages is neither a text, a message nor a list", field="messages", hint=HINT)
    if not given:
        raise InvalidArgument("messages is empty", field="messages", hint="give the text to remember")
    if len(given) > MOST:
        raise TooLarge(f"messages has {len(given)} entries; the limit is {MOST}", field="messages")
    return tuple(
        Message(checked_text(one, f"messages.{at}")) if isinstance(one, str) else _message(one, f"messages.{at}")
        for at, one in enumerate(given)
    )


HINT = 'for example {"role": "user", "content": "Likes rye bread"}'


def _message(given: object, field: str) -> Message:
    if not isinstance(given, Mapping):
        raise InvalidArgument(f"{field} is not a message", field=field, hint=HINT)
    name = given.get("name")
    if name is not None and (not isinstance(name, str) or not name.strip()):
        raise InvalidArgument(f"{field}.name is not a name", field=f"{field}.name")
    return Message(
        checked_text(_content(given.get("content"), field), f"{field}.content"),
        _role(given.get("role", "user"), f"{field}.role"),
        name.strip() if name else None,
    )


def _content(given: object, field: str) -> object:
    """A message's text; of a list of parts, as chat models write them, the texts of its parts."""
    if not isinstance(given, list):
        return given
    texts = [part.get("text") for part in given if isinstance(part, Mapping) and part.get("type", "text") == "text"]
    if not all(isinstance(text, str) for text in texts):
        raise InvalidArgument(f"{field}.content has a part without text", field=f"{field}.content")
    return "\n".join(str(text) for text in texts)


def _role(given: object, field: str) -> Role:
    word = given.strip().lower() if isinstance(given, str) else ""
    found = OTHER_ROLES.get(word) or next((role for role in Role if role.value == word), None)
    if found is None:
        raise InvalidArgument(f"{field} is not a known role", field=field, valid=[role.value for role in Role])
    return found


def checked_metadata(given: object, field: str = "metadata") -> dict[str, Any]:
    """Metadata: a JSON object of a bounded size."""
    if given is None:
        return {}
    if not isinstance(given, Mapping) or not all(isinstance(key, str) for key in given):
        raise InvalidArgument(f"{field} is not an object", field=field, hint='for example {"priority": "high"}')
    try:
        size = len(json.dumps(dict(given), ensure_ascii=False, allow_nan=False).encode())
    except (TypeError, ValueError, RecursionError):  # UnicodeEncodeError is a ValueError
        raise InvalidArgument(f"{field} is not JSON", field=field, hint="texts, numbers, lists and objects") from None
    if size > LONGEST_METADATA:
        raise TooLarge(f"{field} has {size:,} bytes; the limit is {LONGEST_METADATA:,}", field=field)
    return dict(given)


def checked_scope(given: object) -> tuple[Scope, dict[str, str]]:
    """A scope in our words, and the client's own word beside it where it is another.

    >>> checked_scope("agent"), checked_scope(None)
    ((<Scope.PERSONAL: 'personal'>, {'scope': 'agent'}), (<Scope.PERSONAL: 'personal'>, {}))
    """
    if given is None:
        return Scope.PERSONAL, {}
    word = given.strip().lower() if isinstance(given, str) else ""
    if word in CLIENTS_SCOPES:
        return CLIENTS_SCOPES[word], {"scope": word}
    for scope in Scope:
        if scope.value == word:
            return scope, {}
    valid = [*(scope.value for scope in Scope), *CLIENTS_SCOPES]
    raise InvalidArgument("scope is not a known word", field="scope", valid=valid)


def checked_type(given: object) -> tuple[NodeType, dict[str, str]]:
    """A memory type: one of ours makes the record one of those, any other word is kept as the client's own.

    >>> checked_type("preference")[0].value, checked_type("episodic")
    ('preference', (<NodeType.NOTE: 'note'>, {'memory_type': 'episodic'}))
    """
    if given is None:
        return NodeType.NOTE, {}
    if not isinstance(given, str) or not given.strip() or len(given) > 64:
        raise InvalidArgument("memory_type is not a short word", field="memory_type")
    kind = next((kind for kind in NodeType if kind.value == given.strip().lower()), NodeType.NOTE)
    return kind, {"memory_type": given.strip()}
