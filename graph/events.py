"""What the journal records: events, each with an envelope and a body, and how old bodies are read today.

An event is never rewritten. When the shape of a kind's body changes, its version here grows by one and an upcaster
from the version before is added: it runs whenever an old event is read.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid5

from hornbook.graph.errors import InvalidArgument, StoreNewer
from hornbook.graph.rekeyed import REKEYED

Body = Mapping[str, Any]
Upcaster = Callable[[dict[str, Any]], dict[str, Any]]

KINDS: dict[str, int] = {
    "episode.recorded": 1,
    "memory.recorded": 1,
    "memory.moved": 1,
    "memory.revised": 1,
    "memory.deleted": 1,
    "memory.restored": 1,
    "entity.recorded": 2,
    "entity.aliased": 2,
    "entity.retyped": 1,
    "entity.retired": 2,
    "entity.restored": 2,
    "entities.merged": 2,
    "entities.parted": 2,
    "claim.recorded": 2,
    "claim.changed": 1,
    "recall.detected": 1,
    "predicate.declared": 1,
    "contest.resolved": 1,
    "contest.reopened": 1,
    "oracle.asked": 1,
    "oracle.answered": 1,
    "oracle.expired": 1,
    "rules.added": 1,
    "rule.removed": 1,
    "extraction.recorded": 1,
    "extraction.failed": 1,
    "transaction.undone": 1,
    "event.redacted": 1,
    "erasure.recorded": 1,
}  # kind -> the version that is written today

UPCASTERS: dict[tuple[str, int], Upcaster] = {**REKEYED}  # (kind, version) -> the body one version later


@dataclass(frozen=True, slots=True)
class Actor:
    """Who wrote: the client, the tool it came through, and the process that served it."""

    client: str = ""
    tool: str = ""
    process: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened, as readers get it; `body` is None once it has been erased, or what was left of it."""

    seq: int
    txn: int
    known_at: int
    event_id: str
    origin: str
    kind: str
    version: int
    actor: Actor
    body: Body | None


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The kinds of event a journal takes, and how bodies of older versions are brought up to date.

    >>> words = Vocabulary({"met": 2}, {("met", 1): lambda body: {"who": body["name"]}})
    >>> words.upcast("met", 1, {"name": "Ana"})
    {'who': 'Ana'}
    """

    kinds: Mapping[str, int] = field(default_factory=lambda: KINDS)
    upcasters: Mapping[tuple[str, int], Upcaster] = field(default_factory=lambda: UPCASTERS)

    def version(self, kind: str) -> int:
        """The version in which a kind is written today; an unknown kind is refused."""
        if kind not in self.kinds:
            raise InvalidArgument(f"unknown kind of event '{kind}'", field="kind", valid=sorted(self.kinds))
        return self.kinds[kind]

    def upcast(self, kind: str, version: int, body: dict[str, Any]) -> dict[str, Any]:
        """The body in today's shape."""
        current = self.version_read(kind, version)
        for step in range(version, current):
            body = self.upcasters[kind, step](body)
        return body

    def version_read(self, kind: str, version: int) -> int:
        """The version a reader gets: today's; a kind that is no longer written stays as it is."""
        current = self.kinds.get(kind, version)
        if version > current:
            raise StoreNewer(
                f"the journal holds '{kind}' events of version {version}, this hornbook reads up to {current}",
                hint="upgrade hornbook to read this store",
            )
        return current


VOCABULARY = Vocabulary()
REDACTIONS = UUID("5f0c6c6e-4f52-5d43-9a86-9d2f1c1b7a10")


def redaction_id(event_id: str) -> str:
    """The id of the event that holds what is left of another one's body after an erasure, if anything is.

    >>> redaction_id("a") == redaction_id("a") != redaction_id("b")
    True
    """
    return str(uuid5(REDACTIONS, event_id))


def encode(body: Body) -> bytes:
    """A body as bytes: UTF-8 JSON, keys sorted, no spaces, so that equal bodies are equal bytes.

    >>> encode({"b": 1, "a": "é"}).decode()
    '{"a":"é","b":1}'
    """
    try:
        text = json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
        return text.encode("utf-8")
    except (TypeError, ValueError, RecursionError) as error:  # UnicodeEncodeError, a lone surrogate, is a ValueError
        raise InvalidArgument(
            "the body of an event must be JSON in valid Unicode, without NaN",
            field="body",
            hint="use text, numbers, booleans, null, lists and objects with text keys",
        ) from error


def decode(data: bytes) -> dict[str, Any]:
    """The body that the bytes stand for."""
    found: dict[str, Any] = json.loads(data)
    return found
