"""Importing: an export's lines become the journal that they came from, ids, times and history included.

The store must be empty, or hold the beginning of the same history: what is known already is skipped, so an import can
be repeated and goes on where it stopped. Each transaction of the file is one transaction here, with the time at which
it became known there; its events keep their origin, which says that they were imported.
"""

import base64
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hornbook.graph.belief.codec import claim_from_json, state_from_json
from hornbook.graph.clock import rfc3339
from hornbook.graph.displayed import Displayed
from hornbook.graph.errors import Conflict, Forbidden, InvalidArgument, StoreNewer
from hornbook.graph.events import VOCABULARY, Actor, Event
from hornbook.graph.journal import Document, Model
from hornbook.graph.journal.carried import put_key, put_number, put_standing, put_vector
from hornbook.graph.portable.export_lines import FORMAT, VERSION
from hornbook.graph.portable.texts import text_of
from hornbook.graph.view.project import project

if TYPE_CHECKING:
    from hornbook.graph.journal import Journal, Transaction

BESIDE = ("document", "standing", "key", "number")
Line = Mapping[str, Any]


@dataclass(frozen=True, slots=True, repr=False)
class Imported(Displayed):
    """What an import did. The times at which things became known are those of the original: `known` says which."""

    events: int
    transactions: int
    already: int
    journal: str
    known: tuple[str, str] | None = None  # the first and the last instant that was kept
    without_vectors: int = 0
    erased: int = 0  # events whose words the file still has, and which have been erased here: they stay so

    def as_dict(self) -> dict[str, Any]:
        """The reply."""
        shown: dict[str, Any] = {"events": self.events, "transactions": self.transactions, "already": self.already}
        kept = {} if self.known is None else {"known_times_kept": list(self.known)}
        lacking = {"without_vectors": self.without_vectors} if self.without_vectors else {}
        left = {"stay_erased": self.erased} if self.erased else {}
        return {**shown, "from_journal": self.journal, **kept, **lacking, **left}


@dataclass(slots=True)
class Portion:
    """The lines of one transaction of the file, with their numbers."""

    events: list[tuple[int, Line]] = field(default_factory=list)
    beside: list[tuple[int, str, Line]] = field(default_factory=list)


@dataclass(slots=True)
class Tally:
    """What has been written so far."""

    events: int = 0
    transactions: int = 0
    already: int = 0
    without_vectors: int = 0
    erased: int = 0
    known: list[int] = field(default_factory=list)


def import_lines(journal: "Journal", given: Iterable[str], owner: str) -> Imported:
    """Import the lines of an owner's export, transaction by transaction; Forbidden where it is another's.

    Raises InvalidArgument naming the line that is wrong: the transactions before it are kept, nothing of its own is.
    Conflict where the store holds another history than the file's.
    """
    numbered = enumerate(given, 1)
    head = header(numbered)
    whose = head.get("owner")
    if whose not in (None, owner):
        raise Forbidden(
            f"the export is of the memory of {str(whose)[:80]}, not of {owner}",
            field="owner",
            hint="to take it in all the same, say whose it is: --owner, or load(lines, owner=...)",
        )
    tally = Tally()
    for portion in portions(numbered, int(head["counts"]["events"])):
        _take_in(journal, portion, head, tally)
    known = (rfc3339(tally.known[0]), rfc3339(tally.known[-1])) if tally.known else None
    counts = (tally.events, tally.transactions, tally.already)
    return Imported(*counts, str(head["journal"]), known, tally.without_vectors, tally.erased)


def header(numbered: Iterator[tuple[int, str]]) -> Line:
    """The first line, if it is that of an export that can be read here."""
    _, text = next(numbered, (1, ""))
    head = parsed(1, text)
    if head.get("format") != FORMAT or not isinstance(head.get("counts"), dict):
        raise InvalidArgument("line 1 is not the head of an export", field="path", hint="name a file of `export`")
    if not isinstance(head.get("version"), int) or head["version"] > VERSION:
        raise StoreNewer(
            f"the export has version {head.get('version')}, this hornbook reads up to {VERSION}",
            hint="upgrade hornbook to import it",
        )
    return head


def portions(numbered: Iterator[tuple[int, str]], count: int) -> Iterator[Portion]:
    """The transactions of the file; one is complete when the next begins, or the file says that it ends."""
    portion, txn, at, events = Portion(), None, 1, 0
    for at, text in numbered:
        kind, line = one(at, parsed(at, text))
        if kind == "end":
            if line.get("events") != events or events != count:
                raise wrong(at, f"the file says {line.get('events')} events and holds {events}")
            yield from whole(at, portion)
            return
        if kind == "event":
            if line.get("txn") != txn:
                yield from whole(at, portion)
                portion, txn = Portion(), line.get("txn")
            events += 1
            portion.events.append((at, line))
        else:
            portion.beside.append((at, kind, line))
    raise wrong(at + 1, "the file ends before its end line; what was complete before it has been imported")


def whole(at: int, portion: Portion) -> Iterator[Portion]:
    """The portion, if it has all events of its transaction: each line says how many those are."""
    if any(line.get("of") != len(portion.events) for _, line in portion.events):
        raise wrong(at, "the transaction before it is not whole")
    if portion.events:
        yield portion


def one(at: int, line: Line) -> tuple[str, Line]:
    """What kind of line it is, and what it holds."""
    if len(line) == 1:
        ((kind, held),) = line.items()
        if kind in ("event", "end", *BESIDE) and isinstance(held, dict):
            return kind, held
    raise wrong(at, "it is none of event, document, standing, key, number, end")


def parsed(at: int, text: str) -> Line:
    """A line as a JSON object."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise wrong(at, "it is not JSON") from None
    if not isinstance(found, dict):
        raise wrong(at, "it is not an object")
    return found


def wrong(at: int, why: str) -> InvalidArgument:
    """The refusal of a line."""
    return InvalidArgument(f"line {at}: {why}", field="path", hint="export again, or mend the line")


def _take_in(journal: "Journal", portion: Portion, head: Line, tally: Tally) -> None:
    """Write one transaction of the file, unless it is there already."""
    checked = [_checked(at, line) for at, line in portion.events]
    at, first = portion.events[0][0], checked[0]
    with journal.reading() as snapshot:
        if first.seq <= snapshot.head:
            there = [snapshot.event(one.seq) for one in checked]
            for here, one in zip(there, checked, strict=True):
                if here is None or here.event_id != one.event_id:
                    raise other(at, one.seq, erased=bool(snapshot.erased))
                tally.erased += one.body is not None and here.body is None
            tally.already += len(checked)
            return
        if first.seq != snapshot.head + 1:
            raise other(at, first.seq, erased=bool(snapshot.erased))
    with journal.writing(first.actor, known_at=first.known_at) as transaction:
        _write(transaction, portion, checked, head, tally)
    tally.events += len(checked)
    tally.transactions += 1
    tally.known = [*tally.known[:1], first.known_at]


def other(at: int, seq: int, *, erased: bool) -> Conflict:
    """The refusal to mix two histories, which part at an event."""
    told = f"this memory holds another history than the file (line {at})"
    if seq > 1:
        told = f"this memory has gone on by itself since event {seq - 1}, and the file goes on otherwise (line {at})"
    back = "; what has been erased here since the export would be in it again" if erased else ""
    return Conflict(told, hint=f"import into an empty memory{back}")


def _write(transaction: "Transaction", portion: Portion, events: list[Event], head: Line, tally: Tally) -> None:
    for (at, _), event in zip(portion.events, events, strict=True):
        if (event.seq, event.known_at) != (transaction.head + 1, events[0].known_at):
            raise wrong(at, "it does not follow the event before it")
        with at_line(at):
            transaction.append(event.kind, event.body, event_id=event.event_id, origin=event.origin)
    vectors = _use_model(transaction, head)
    places = {event.seq for event in events}
    for at, kind, line in portion.beside:
        if line.get("seq") not in places:
            raise wrong(at, "it belongs to no event of its transaction")
        with at_line(at):
            if not _put(transaction, kind, line, vectors):
                tally.without_vectors += 1


def _use_model(transaction: "Transaction", head: Line) -> bool:
    """Whether the vectors of the file can be taken over: the store has none yet, or those of the same model."""
    if head.get("model") is None:
        return False
    model = Model(*head["model"])
    if transaction.model() not in (None, model):
        return False
    transaction.use_model(model)
    return True


def _put(transaction: "Transaction", kind: str, line: Line, vectors: bool) -> bool:
    """Write one row beside the events; False where its vector had to be left out."""
    if kind == "standing":
        row = (line["ref"], line["seq"], line["lifecycle"], int(line["active"]), line["since"], line["until"])
        put_standing(transaction, row)
    elif kind == "key":
        put_key(transaction, str(line["key"]), str(line["ref"]), int(line["seq"]))
    elif kind == "number":
        put_number(transaction, int(line["number"]), str(line["ref"]), int(line["seq"]))
    else:
        return _put_document(transaction, line, vectors)
    return True


def _put_document(transaction: "Transaction", line: Line, vectors: bool) -> bool:
    facets = dict(line["facets"])
    found = Document(0, str(line["ref"]), str(line["kind"]), int(line["seq"]), facets)
    id_ = transaction.add_document(found.ref, found.kind, found.seq, text_of(transaction, found), None, facets)
    if "vector" not in line:
        return True
    if vectors:
        put_vector(transaction, id_, base64.b64decode(line["vector"], validate=True))
    return vectors


@contextmanager
def at_line(at: int) -> Iterator[None]:
    """Whatever is wrong with a line is said with its number; a fault of the store is passed on as it is."""
    try:
        yield
    except (InvalidArgument, Conflict) as error:
        raise wrong(at, error.message) from error
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, IndexError) as error:
        raise wrong(at, "its fields are not those of its kind") from error


def _checked(at: int, line: Line) -> Event:
    """The event of a line, if it is one that a view can be built from."""
    with at_line(at):
        actor = Actor(**{name: str(line["actor"][name]) for name in ("client", "tool", "process")})
        kind, version = str(line["kind"]), int(line["version"])
        if version > VOCABULARY.version(kind):
            raise InvalidArgument(f"'{kind}' of version {version} is newer than this hornbook")
        body = None if line["body"] is None else VOCABULARY.upcast(kind, version, dict(line["body"]))
        numbers = (int(line["seq"]), int(line["txn"]), int(line["known_at"]))
        event = Event(*numbers, str(line["event_id"]), str(line["origin"]), kind, version, actor, body)
        project(event)
        if kind == "claim.recorded" and body is not None:
            claim_from_json(body["claim"])
        if kind in ("claim.recorded", "claim.changed") and body is not None:
            state_from_json(body["state"])
    return event
