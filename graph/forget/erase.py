"""Erasing: the bytes of what is meant are removed from the journal, its indexes, the views and the freed pages.

One transaction withdraws what rested on it, empties the bodies and says so; then the file is rewritten and the views
are thrown away. Between the two the process may end: the journal knows that the rest is still to be done, and the next
call does it. The chain still verifies, over envelopes and digests.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hornbook.graph.displayed import Displayed
from hornbook.graph.events import Actor
from hornbook.graph.forget.blank import Plan, planned
from hornbook.graph.forget.forget import hide
from hornbook.graph.forget.select import Selected, Selection, select
from hornbook.graph.portable.texts import text_of
from hornbook.graph.store import Store, Writing
from hornbook.graph.view.slots import forget as forget_views

BACKUPS = "copies made by backup, pack or export are out of reach: delete them, or take new ones"


@dataclass(frozen=True, slots=True, repr=False)
class Erased(Displayed):
    """What was erased, and whether a copy is still held somewhere: then `pending` says by what, and it is repeated."""

    selection: Selection | None = None
    episodes: int = 0
    memories: int = 0
    claims: int = 0
    entities: int = 0
    events: int = 0
    pending: tuple[str, ...] = ()
    dry_run: bool = False

    @property
    def counts(self) -> dict[str, int]:
        """How much of each."""
        return {name: getattr(self, name) for name in ("episodes", "memories", "claims", "entities", "events")}

    def _told(self) -> Iterator[str]:
        yield "would erase" if self.dry_run else "pending" if self.pending else "done"
        yield from (f"{many} {what}" for what, many in self.counts.items() if many)

    def as_dict(self) -> dict[str, Any]:
        """The reply."""
        meant = {} if self.selection is None else {"erased": self.selection.as_dict()}
        counted = {**meant, **self.counts}
        if self.dry_run:
            return {**counted, "dry_run": True, "out_of_reach": BACKUPS}
        status = "pending" if self.pending else "done"
        return {**counted, "status": status, "pending": list(self.pending), "out_of_reach": BACKUPS}


class Tried(Exception):
    """Carries what a dry run found out of a transaction that is rolled back."""

    def __init__(self, erased: Erased) -> None:
        super().__init__("dry run")
        self.erased = erased


def erase(store: Store, actor: Actor, wanted: Selection, views: Path | None, *, dry_run: bool = False) -> Erased:
    """Erase what a selection means. `views` is the folder in which processes keep their views.

    Repeat it, or call `finish`, while it says `pending`: a reader or another process still holds a copy.
    """

    def act(writing: Writing) -> Erased:
        done = _erased(writing, select(writing, wanted), wanted)
        if dry_run:
            raise Tried(done)
        return done

    try:
        done = store.write(actor, act)
    except Tried as tried:
        return replace(tried.erased, dry_run=True)
    return replace(done, pending=finish(store, views))


def _erased(writing: Writing, selected: Selected, wanted: Selection) -> Erased:
    """Withdraw and empty in the open transaction, all at once: half an erasure would leave the rest to be found."""
    if not selected:
        return Erased(wanted)
    hide(writing, selected, retire=False)
    plan = planned(writing, selected)
    for event, left in plan.events.values():
        if left is not None:
            writing.snapshot.redact(event, left)
    done = Erased(
        wanted, len(plan.episodes), len(plan.memories), len(plan.claims), len(plan.entities), len(plan.events)
    )
    writing.append("erasure.recorded", done.counts)
    _empty(writing, plan)
    return done


def _empty(writing: Writing, plan: Plan) -> None:
    transaction = writing.snapshot
    transaction.erase(plan.events, lambda document: text_of(transaction, document), keep=plan.kept)
    transaction.drop_beside((*plan.episodes, *plan.memories, *plan.claims))
    transaction.note("erasing", transaction.head)


def finish(store: Store, views: Path | None) -> tuple[str, ...]:
    """Remove what an erasure has left in freed pages and views; what still holds a copy, empty when nothing does."""
    with store.journal.reading() as snapshot:
        began, erased = snapshot.noted("erasing"), snapshot.erased
    if not began:
        return ()
    store.discard_view()
    pending = []
    stale = forget_views(views, store.journal.id, erased) if views is not None else 0
    if stale:
        pending.append(f"{stale} other process(es) have a view that is older; each drops it when it next answers")
    if not store.journal.vacuum():
        pending.append("a reader still stands on old pages of the file")
    if not pending:
        store.journal.settle("erasing")
    return tuple(pending)
