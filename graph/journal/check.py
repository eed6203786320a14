"""Checking: whether the events still are what was chained, and up to where."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hornbook.graph.errors import HornbookError, StoreDamaged
from hornbook.graph.events import Actor
from hornbook.graph.journal.chain import Envelope, digest, genesis, link
from hornbook.graph.journal.database import Database, Row

if TYPE_CHECKING:
    from hornbook.graph.journal.journal import Journal

TAIL = 1_000  # links checked on opening
PAGE = 200
LINKS = (
    "SELECT e.seq, e.txn, e.known_at, e.event_id, e.origin, e.kind, e.version, e.client, e.tool, e.process, e.body,"
    " e.digest, e.hash, b.id, b.salt, b.bytes FROM event e LEFT JOIN body b ON b.id = e.body"
    " WHERE e.seq > ? ORDER BY e.seq LIMIT ?"
)


@dataclass(frozen=True, slots=True)
class Damage:
    """The first event that is not what was recorded, and why; all before it is good."""

    seq: int
    reason: str


def verify(journal: "Journal", whole: bool = True) -> Damage | None:
    """Check the chain of a journal, all of it or the last 1,000 links; None when it is sound."""
    with journal.reading() as snapshot:
        head = snapshot.head
    if journal.damage is not None and not whole:
        return journal.damage
    with journal.checking() as database:
        return check(database, journal.id, 0 if whole else max(0, head - TAIL))


def tables_sound(journal: "Journal") -> bool:
    """Whether the file's tables are whole, those beside the chain too; reads all of the file."""
    try:
        with journal.checking() as database:
            return [("ok",)] == database.rows("PRAGMA quick_check")
    except StoreDamaged:
        return False


def check_tail(database: Database, journal_id: str) -> Damage | None:
    """Check the last 1,000 links, or everything when the last event cannot even be read."""
    try:
        ((head,),) = database.rows("SELECT coalesce(max(seq), 0) FROM event")
    except StoreDamaged:
        return check(database, journal_id, 0)
    found = check(database, journal_id, max(0, head - TAIL))
    return check(database, journal_id, 0) if found is not None else None


def check(database: Database, journal_id: str, after: int) -> Damage | None:
    """Walk the chain from an event on."""
    seq, previous = after, genesis(journal_id)
    try:
        if after:
            ((previous,),) = database.rows("SELECT hash FROM event WHERE seq = ?", (after,))
        for row in links(database, after):
            reason = fault(row, seq + 1, previous)
            if reason is not None:
                return Damage(seq + 1, reason)
            seq, previous = row[0], row[12]
    except StoreDamaged:
        return Damage(seq + 1, "its page of the file cannot be read")
    return None


def links(database: Database, after: int) -> Iterator[Row]:
    """The rows of the chain. Where a page of them cannot be read, those before it are read one by one."""
    size = PAGE
    while True:
        try:
            rows = database.rows(LINKS, (after, size))
        except StoreDamaged:
            if size == 1:
                raise
            size = 1
            continue
        yield from rows
        if len(rows) < size:
            return
        after = rows[-1][0]


def fault(row: Row, expected: int, previous: bytes) -> str | None:
    """What is wrong with a link, if anything."""
    seq, txn, known_at, event_id, origin, kind, version, client, tool, process, body, kept, hash_, *stored = row
    if seq != expected:
        return "it is missing"
    id_, salt, data = stored
    if id_ is None or (salt is None) != (data is None):
        return "its body is missing"
    try:
        envelope = Envelope(
            *(seq, txn, known_at, event_id, origin, kind, version), Actor(client, tool, process), body=body
        )
        if data is not None and digest(salt, data) != kept:
            return "its body was changed"
        return None if link(previous, envelope, kept) == hash_ else "its envelope was changed"
    except (TypeError, ValueError):  # a flipped bit can change the type of a value
        return "its values cannot be read"


def refusal(damage: Damage) -> HornbookError:
    """What a writer is told about a damaged journal."""
    return StoreDamaged(
        f"the journal is damaged at event {damage.seq}: {damage.reason}; the {damage.seq - 1} before it can be read",
        hint="restore a backup, or export what can be read into a new store; nothing is written to this one",
    )
