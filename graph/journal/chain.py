"""The hash chain: each event's hash covers the one before, its envelope, and its body through the body's digest.

The digest stays in the event's row when a body and its salt are erased, so the chain can be checked without them, and
without the salt the digest does not give the body away.
"""

import hashlib
import json
from dataclasses import dataclass

from hornbook.graph.events import Actor

SALT_BYTES = 16


@dataclass(frozen=True, slots=True)
class Envelope:
    """What the hash of an event covers, besides the hash before and the body's digest."""

    seq: int
    txn: int
    known_at: int
    event_id: str
    origin: str
    kind: str
    version: int
    actor: Actor
    body: int


def canonical(envelope: Envelope) -> bytes:
    """The envelope as the bytes that are hashed: a JSON list in the order of its fields."""
    actor = envelope.actor
    parts = [
        *(envelope.seq, envelope.txn, envelope.known_at, envelope.event_id, envelope.origin, envelope.kind),
        *(envelope.version, [actor.client, actor.tool, actor.process], envelope.body),
    ]
    return json.dumps(parts, ensure_ascii=True, separators=(",", ":")).encode("ascii")


def digest(salt: bytes, body: bytes) -> bytes:
    """What the chain keeps of a body."""
    return hashlib.sha256(salt + body).digest()


def link(previous: bytes, envelope: Envelope, body_digest: bytes) -> bytes:
    """The hash of an event. Its first and last parts have a fixed length, so no two readings are possible."""
    return hashlib.sha256(previous + canonical(envelope) + body_digest).digest()


def genesis(journal_id: str) -> bytes:
    """What stands before the first event: bound to the journal, so that events cannot move to another.

    >>> genesis("a") == genesis("b")
    False
    """
    return hashlib.sha256(b"hornbook journal " + journal_id.encode()).digest()
