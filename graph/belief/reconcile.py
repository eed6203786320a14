"""Looking at a line again: what time has decided meanwhile, and which rivals its claims have now."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hornbook.graph.belief.dispute import OPEN, after, committed, dispute, merged_changes, settle
from hornbook.graph.belief.registry import Predicate
from hornbook.graph.belief.state import Change, Held, Ledger
from hornbook.graph.claim import Disposition
from hornbook.graph.interval import FOREVER


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """Every claim that was looked at, with its disposition now, and what changed."""

    outcomes: tuple[tuple[str, str], ...]
    changes: tuple[Change, ...]


def reconcile(held: Sequence[Held], predicate: Predicate, *, now: int, reason: str | None = None) -> Reconciliation:
    """Apply what is decidable on a line at this instant, given its live claims.

    A side in dispute whose window is over is superseded; the one that is left is committed again, though the two still
    contradict each other about the past. A reason clears the reviews that wait on the line.
    """
    settled = settle(held, predicate, "looked at again")
    line = after(held, settled)
    decided = _decided(line, predicate, now)
    cleared = [_reviewed(one, reason) for one in after(line, decided) if reason and one.state.review is not None]
    changes = merged_changes(settled, decided, cleared)
    final = after(held, changes)
    return Reconciliation(tuple((one.id, one.state.disposition.value) for one in final if one.state.live), changes)


def _decided(held: Sequence[Held], predicate: Predicate, now: int) -> list[Change]:
    """Claims in dispute that time has decided about."""
    found = dispute(held, predicate)
    if found is None or found.at(now):
        return []
    changes = []
    for one in held:
        if not one.counts or one.state.disposition not in OPEN:
            continue
        valid = one.state.valid
        over = (valid.until if valid.end_trusted else FOREVER) <= now
        disposition = Disposition.SUPERSEDED if over else committed(one)
        reason = "its window is over" if over else "its rivals are over"
        state = replace(one.state, disposition=disposition)
        changes.append(Change(one.id, state, Ledger.SETTLED, reason, one.state.rivals, one.state))
    return changes


def _reviewed(held: Held, reason: str) -> Change:
    return Change(held.id, replace(held.state, review=None), Ledger.REVIEWED, reason, (), held.state)
