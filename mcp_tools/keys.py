"""Bearer keys: which key is whose, and the owner of a key that a request brings."""

import hmac
import json
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from hornbook.graph.errors import InvalidArgument
from hornbook.settings import Settings
from hornbook.tenants import checked_user

SHORTEST, LONGEST = 16, 512  # characters of a key
NAME = "HORNBOOK_MCP_USER_KEYS"
HINT = 'a JSON object {"ana": "her key", "ben": "his key"}, or ana:her-key,ben:his-key'


@dataclass(frozen=True, slots=True, repr=False)
class Keys:
    """The digests of the keys with their owners; the keys themselves are not kept."""

    owners: tuple[tuple[bytes, str], ...]

    def __repr__(self) -> str:
        """How many there are."""
        return f"Keys({len(self.owners)})"

    def owner_of(self, header: str | None) -> str | None:
        """The owner of the key in an `Authorization` header. Takes as long whichever key it is, or none.

        >>> keys = keys_of('{"ana": "ana-key-0123456789"}')
        >>> keys.owner_of("Bearer ana-key-0123456789"), keys.owner_of("Bearer another"), keys.owner_of(None)
        ('ana', None, None)
        """
        kind, _, key = (header or "").partition(" ")
        given, found = digest(key.strip()), None
        for known, owner in self.owners:
            if hmac.compare_digest(known, given):
                found = owner
        return found if kind.lower() == "bearer" else None


def digest(key: str) -> bytes:
    """What of a key is kept, and compared."""
    return sha256(key.encode("utf-8", "surrogatepass")).digest()


def keys_for(settings: Settings) -> Keys:
    """The keys that a server over HTTP needs; without any, or with a server bound to one user, it does not start."""
    if settings.mcp_user_keys is None:
        raise InvalidArgument(f"streamable-http needs {NAME}: one bearer key a user", field=NAME, hint=HINT)
    if settings.bound_user_id is not None:
        raise InvalidArgument(
            "over HTTP the key says whose memory it is",
            field="HORNBOOK_BOUND_USER_ID",
            hint=f"unset it, and give {NAME} that one user's key only",
        )
    return keys_of(settings.mcp_user_keys.get_secret_value())


def keys_of(text: str) -> Keys:
    """Read the keys. A short one, or one that two users share, is refused, without being shown.

    >>> keys_of("ana:ana-key-0123456789, ben:ben-key-0123456789")
    Keys(2)
    """
    found: dict[bytes, str] = {}
    for user, key in _pairs(text.strip()):
        owner = checked_user(user)
        if not SHORTEST <= len(key) <= LONGEST or not all("!" <= char <= "~" for char in key):
            told = f"the key of {owner} must be {SHORTEST} to {LONGEST} printable characters without blanks"
            raise InvalidArgument(told, field=NAME, hint="make one with: openssl rand -hex 24")
        if owner in found.values():
            raise InvalidArgument(f"{owner} has two keys", field=NAME, hint="one key a user")
        if digest(key) in found:
            told = f"{owner} and {found[digest(key)]} have the same key"
            raise InvalidArgument(told, field=NAME, hint="one key a user")
        found[digest(key)] = owner
    if not found:
        raise InvalidArgument(f"{NAME} names no user", field=NAME, hint=HINT)
    return Keys(tuple(found.items()))


def _pairs(text: str) -> list[tuple[str, str]]:
    if not text.startswith("{"):
        return [_pair(part) for part in text.split(",") if part.strip()]
    try:
        pairs: Any = json.loads(text, object_pairs_hook=list)  # a list, so that a user named twice is seen
    except (ValueError, RecursionError):
        pairs = None
    if not isinstance(pairs, list) or not all(isinstance(key, str) for _, key in pairs):
        raise InvalidArgument(f"{NAME} cannot be read", field=NAME, hint=HINT)
    return [(user, key) for user, key in pairs]


def _pair(part: str) -> tuple[str, str]:
    user, colon, key = part.strip().partition(":")
    if not colon:
        raise InvalidArgument(f"{NAME} cannot be read", field=NAME, hint=HINT)
    return user, key
