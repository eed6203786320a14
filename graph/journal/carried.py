"""What stands beside the events, as rows that can be carried to another journal and written there."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hornbook.graph.journal.read import DOCUMENTS, STANDING, Document, document

if TYPE_CHECKING:
    from hornbook.graph.journal.read import Snapshot
    from hornbook.graph.journal.write import Transaction


@dataclass(frozen=True, slots=True)
class Beside:
    """The rows that came with some events: each kind in the order in which it was written, each with its event."""

    documents: tuple[tuple[Document, bytes | None], ...]  # with the vector of the journal's model
    standings: tuple[tuple[Any, ...], ...]  # ref, seq, lifecycle, active, since, until
    keys: tuple[tuple[str, str, int], ...]  # key, ref, seq
    numbers: tuple[tuple[int, str, int], ...]  # number, ref, seq


def beside(snapshot: "Snapshot", first: int, last: int) -> Beside:
    """What was written with the events from one to another."""
    within = (first, last)
    found = snapshot._rows(f"{DOCUMENTS} WHERE seq BETWEEN ? AND ? ORDER BY id", within)
    vectors: dict[int, bytes] = dict(
        snapshot._rows(
            "SELECT v.document, v.bytes FROM document d JOIN vector v ON v.document = d.id"
            " WHERE d.seq BETWEEN ? AND ? AND v.model = (SELECT max(id) FROM model)",
            within,
        )
    )
    standings = snapshot._rows(f"SELECT {STANDING} FROM standing WHERE seq BETWEEN ? AND ? ORDER BY id", within)
    keys = snapshot._rows("SELECT key, ref, seq FROM idempotency WHERE seq BETWEEN ? AND ? ORDER BY seq, key", within)
    numbers = snapshot._rows("SELECT number, ref, seq FROM number WHERE seq BETWEEN ? AND ? ORDER BY number", within)
    return Beside(
        tuple((document(row), vectors.get(row[0])) for row in found),
        tuple(row[1:] for row in standings),
        tuple((row[0], row[1], row[2]) for row in keys),
        tuple((row[0], row[1], row[2]) for row in numbers),
    )


def transactions(snapshot: "Snapshot", at_least: int, upto: int) -> Iterator[tuple[int, int]]:
    """The journal in portions of whole transactions, (first, last), each of at least so many events."""
    first = 1
    while first <= upto:
        last = min(first + at_least - 1, upto)
        ((end,),) = snapshot._rows(
            "SELECT max(seq) FROM event WHERE txn = (SELECT txn FROM event WHERE seq = ?) AND seq BETWEEN ? AND ?",
            (last, last, upto),
        )
        yield first, int(end)
        first = int(end) + 1


def totals(snapshot: "Snapshot") -> dict[str, int]:
    """How many rows of each kind a journal holds."""
    counted = {
        "transactions": "SELECT count(DISTINCT txn) FROM event WHERE seq <= ?",
        "documents": "SELECT count(*) FROM document WHERE seq <= ?",
        "standings": "SELECT count(*) FROM standing WHERE seq <= ?",
        "keys": "SELECT count(*) FROM idempotency WHERE seq <= ?",
        "numbers": "SELECT count(*) FROM number WHERE seq <= ?",
    }
    return {
        "events": snapshot.head,
        **{name: int(snapshot._rows(sql, (snapshot.head,))[0][0]) for name, sql in counted.items()},
    }


def put_vector(transaction: "Transaction", id_: int, data: bytes) -> None:
    """Give a document the vector that it had, byte for byte."""
    sql = "INSERT INTO vector (document, model, bytes) SELECT ?, max(id), ? FROM model"
    transaction._rows(sql, (id_, data))


def put_standing(transaction: "Transaction", row: tuple[Any, ...]) -> None:
    """Note how something stood as of the event that it was noted with."""
    sql = "INSERT INTO standing (ref, seq, lifecycle, active, since, until) VALUES (?, ?, ?, ?, ?, ?)"
    transaction._rows(sql, row)


def put_key(transaction: "Transaction", key: str, ref: str, seq: int) -> None:
    """Note what an idempotency key stands for."""
    transaction._rows("INSERT OR IGNORE INTO idempotency VALUES (?, ?, ?)", (key, ref, seq))


def put_number(transaction: "Transaction", number: int, ref: str, seq: int) -> None:
    """Give something the number that it had."""
    transaction._rows("INSERT OR IGNORE INTO number (number, ref, seq) VALUES (?, ?, ?)", (number, ref, seq))
