"""One tenant's store: its journal, the view that follows it, and the order in which the two are written and read.

A write: take the lock, bring the view to the head, begin in the view, decide item by item (ask the view, append events,
apply them to the view), commit the journal, commit the view. A read: open a snapshot of the journal, bring the view
up to it, filter every source by its sequence number. Whatever goes wrong with the view, it is thrown away and built
again from the journal: an engine fault never fails a write that was decided, and never loses one.
"""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from hornbook.graph.belief.registry import Registry, built_in
from hornbook.graph.clock import Clock, rfc3339
from hornbook.graph.errors import EngineFault
from hornbook.graph.events import Actor, Event
from hornbook.graph.naming import NAMING, Naming
from hornbook.graph.view import queries

if TYPE_CHECKING:
    from hornbook.graph.claim import Claim
    from hornbook.graph.journal import Journal, Snapshot, Transaction
    from hornbook.graph.view import GraphView
    from hornbook.graph.view.queries import EntityRow

P = ParamSpec("P")
T = TypeVar("T")

NOBODY = Actor()
COMPACT_FROM = 6_000  # events, a little more than what a view is kept in memory for when it is opened
DECLARATIONS = ("predicate.declared",)
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Reading:
    """The store at one instant: everything it answers is as of the journal's sequence number `upto`."""

    store: "Store"
    snapshot: "Snapshot"
    upto: int
    now: int  # the instant of the read, in microseconds UTC: the default for "true now"
    registry: Registry

    def ask(self, query: "Callable[Concatenate[GraphView, P], T]", *args: P.args, **kwargs: P.kwargs) -> T:
        """The answer of a named query of the view."""
        return self.store.asked(self.snapshot, query, *args, **kwargs)

    def bearers(self, key: str) -> "tuple[EntityRow, ...]":
        """The entities that bear a name; remembered for readings of the head."""

        def ask() -> "tuple[EntityRow, ...]":
            return self.ask(queries.entity_by_name, key, upto=self.upto)

        return (
            self.store.naming.bearers(self.snapshot, self.upto, key, ask) if self.upto == self.snapshot.head else ask()
        )

    def known_at(self, seq: int) -> int:
        """When an event became known."""
        return self.snapshot.known_at(seq)

    @property
    def settled(self) -> int:
        """Up to which event it is settled when each became known."""
        return self.upto

    @property
    def as_known(self) -> str:
        """The known instant of this reading: given back as `knowledge_at`, it gives the same answer for ever."""
        return rfc3339(self.known_at(self.upto) if self.upto else 0)


@dataclass(slots=True)
class Writing:
    """The store while it is being written: the lock is held, both transactions are open."""

    store: "Store"
    snapshot: "Transaction"
    view: "GraphView"
    now: int
    registry: Registry
    began: int = field(init=False)  # the last event before this transaction
    renamed: bool = False  # whether it has changed what a name means

    def __post_init__(self) -> None:
        """Note where the transaction begins."""
        self.began = self.snapshot.head

    @property
    def upto(self) -> int:
        """The last event, the ones of this transaction included."""
        return self.snapshot.head

    @property
    def settled(self) -> int:
        """Up to which event it is settled when each became known: those of this transaction do so on commit."""
        return self.began

    def ask(self, query: "Callable[Concatenate[GraphView, P], T]", *args: P.args, **kwargs: P.kwargs) -> T:
        """The answer of a named query of the view, which sees what this transaction has written."""
        return query(self.view, *args, **kwargs)

    def bearers(self, key: str) -> "tuple[EntityRow, ...]":
        """The entities that bear a name; remembered as long as this transaction has named nothing."""

        def ask() -> "tuple[EntityRow, ...]":
            return self.ask(queries.entity_by_name, key, upto=self.upto)

        return ask() if self.renamed else self.store.naming.bearers(self.snapshot, self.began, key, ask)

    def known_at(self, seq: int) -> int:
        """When an event became known; for one of this transaction the instant at which it began."""
        return self.snapshot.known_at(seq) if seq <= self.began else self.now

    def registry_at(self, upto: int) -> Registry:
        """The predicates as they were declared up to an event."""
        return self.store._registry(self.snapshot, upto)

    def append(self, kind: str, body: dict[str, Any], *, event_id: str | None = None) -> int:
        """Record an event and apply it to the view; its sequence number."""
        seq = self.snapshot.append(kind, body, event_id=event_id)
        event = Event(seq, 0, self.now, event_id or "", "", kind, 1, NOBODY, body)
        self.view.apply(event)
        self.renamed = self.renamed or kind in NAMING
        if kind == "predicate.declared":
            self.registry = self.registry.declare(body)
        return seq


class Store:
    """A tenant's journal and view, shared by all threads of the process.

    `view_of` opens the view: called on first use, and again whenever the view had to be discarded.
    """

    def __init__(
        self,
        journal: "Journal",
        view_of: "Callable[[Journal], GraphView]",
        clock: Clock,
        *,
        owner: str | None = None,
        deadline: float = 30.0,
    ) -> None:
        self.journal = journal
        self.clock = clock
        self.owner = owner  # who speaks when the owner speaks
        self.asks = False  # whether an oracle is set, so that contested claims are put to it
        self.naming = Naming()
        self.parsed: dict[str, tuple[Claim, int]] = {}  # claims by id with when they became known: neither changes
        self._view_of = view_of
        self._deadline = deadline
        self._view: GraphView | None = None
        self._compact_from = COMPACT_FROM
        self._opening = threading.Lock()
        self._erased = 0  # the last erasure that this process has followed
        self._declared = (0, b"", built_in())  # the event up to which it knows declarations, the hash there, and it

    def __repr__(self) -> str:
        """The journal, and how far the view has followed it."""
        return f"Store({self.journal!r}, view at {self._view.seq if self._view else 'rest'})"

    # writing

    def write(self, actor: Actor, act: Callable[[Writing], T]) -> T:
        """Run `act` in one transaction over journal and view; all of it is kept, or nothing.

        `act` may run a second time when the engine fails under it: the first run is then rolled back whole.
        Raises StoreBusy when the lock cannot be had, StoreDamaged on a damaged journal, and what `act` raises.
        """
        try:
            return self._written(actor, act)
        except EngineFault:
            self._give_up_view()
            return self._written(actor, act)

    def _written(self, actor: Actor, act: Callable[[Writing], T]) -> T:
        self._nearly_followed()
        view: GraphView | None = None
        try:
            with self.journal.writing(actor, deadline=self._deadline) as transaction:
                view = self._followed(transaction)
                view.begin()
                result = act(Writing(self, transaction, view, self.clock(), self._registry(transaction)))
                transaction.seal()
                head, digest = transaction.head, transaction.hash_at(transaction.head)
        except BaseException:
            if view is not None:
                view.rollback()
            raise
        self._commit_view(view, head, digest)
        return result

    def _commit_view(self, view: "GraphView", head: int, digest: bytes) -> None:
        """The journal is committed: what the engine says now can only cost the view."""
        try:
            view.commit(head, digest)
        except EngineFault:
            log.warning("the graph view failed on commit and is discarded")
            self.discard_view()

    def _nearly_followed(self) -> None:
        """Catch up before the lock is taken, so that little is left to do under it."""
        self.compact()
        with self.journal.reading() as snapshot:
            self._followed(snapshot)

    # reading

    @contextmanager
    def reading(self, known_at: int | None = None) -> Iterator[Reading]:
        """The store as it was known at an instant; None for the head of the journal."""
        with self.journal.reading() as snapshot:
            upto = snapshot.head if known_at is None else snapshot.seq_at(known_at)
            yield Reading(self, snapshot, upto, self.clock(), self._registry(snapshot, upto))

    def asked(
        self, snapshot: "Snapshot", query: "Callable[Concatenate[GraphView, P], T]", *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """The answer of a named query; asked again of a rebuilt view when the engine fails."""
        try:
            return query(self._followed(snapshot), *args, **kwargs)
        except EngineFault:
            self._give_up_view()
            return query(self._followed(snapshot), *args, **kwargs)

    # the view

    def _followed(self, source: "Snapshot") -> "GraphView":
        """The view, brought up to what the source holds."""
        if (erased := source.erased) > self._erased:
            self.discard_view()  # it holds what was erased
            self._erased = erased
        view = self._view or self._opened()
        if view.seq > source.head and view.seq > self.journal.head():  # the journal was replaced by an older copy
            self.discard_view()
            view = self._opened()
        view.catch_up(source)
        return view

    def _opened(self) -> "GraphView":
        with self._opening:
            if self._view is None:
                self._view = self._view_of(self.journal)
            return self._view

    def compact(self) -> None:
        """Give back what a view in memory has grown by: it is built again, in a file once the journal is large.

        The engine keeps what was overwritten for as long as it is open; called between the groups of a long run.
        """
        view = self._view
        if view is not None and view.in_memory and view.seq >= self._compact_from:
            self._compact_from = 2 * view.seq  # a view that stays in memory is not built again for every group
            self.discard_view()

    def _give_up_view(self) -> None:
        """Discard the view that failed; one that another thread has put in its place stays."""
        view = self._view
        if view is None or not view.usable:
            self.discard_view()

    def discard_view(self) -> None:
        """Throw the view away; the next use builds another from the journal."""
        with self._opening:
            view, self._view = self._view, None
            self.parsed.clear()
            self.naming = Naming()
        if view is not None:
            view.discard()

    # the registry

    def _registry(self, source: "Snapshot", upto: int | None = None) -> Registry:
        """The predicates as declared up to an event: kept for the head, folded anew for the past."""
        seen, digest, registry = self._declared
        last = source.head if upto is None else upto
        if seen and (last < seen or source.hash_at(seen) != digest):
            seen, registry = 0, built_in()
        for event in source.events(seen, last, kinds=DECLARATIONS):
            if event.body is not None:
                registry = registry.declare(event.body)
        if last == source.head != seen:
            self._declared = (last, source.hash_at(last), registry)
        return registry

    def close(self) -> None:
        """Close the view and the journal; harmless when they are closed."""
        with self._opening:
            view, self._view = self._view, None
        if view is not None:
            view.close()
        self.journal.close()
