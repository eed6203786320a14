"""Taking back the claims that rested on a text alone: what they closed opens again, what they contested is settled."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from hornbook.graph.belief.state import Change, ClaimState, Held, Ledger
from hornbook.graph.claim import Disposition
from hornbook.graph.claims import changes
from hornbook.graph.claims.lines import claim_rows, held
from hornbook.graph.claims.unsaid import unsaid
from hornbook.graph.interval import Interval
from hornbook.graph.store import Writing
from hornbook.graph.view import queries

GONE = (Disposition.INVALIDATED, Disposition.REJECTED)
LEDGER = {Disposition.INVALIDATED: Ledger.INVALIDATED, Disposition.SUPERSEDED: Ledger.SUPERSEDED}


def resting_on(writing: Writing, items: Collection[str]) -> tuple[str, ...]:
    """The claims whose only evidence are these texts and memories, oldest first."""
    claims = writing.ask(queries.claims_of_items, items, upto=writing.upto)
    found = dict.fromkeys(ref for refs in claims.values() for ref in refs)
    return tuple(
        ref
        for ref in found
        if all(item.id in items for item in writing.ask(queries.items_of_claim, ref, upto=writing.upto))
    )


def withdraw(writing: Writing, refs: Iterable[str], disposition: Disposition, reason: str) -> int:
    """Take claims out of belief; how many were in it or waited for it.

    Windows that they closed are opened again, their rivals are told, and the lines are settled, all in the open
    transaction.
    """
    lost = [one for one in claim_rows(writing, refs) if one.state.disposition not in GONE]
    if not lost:
        return 0
    own = {one.id for one in lost}
    reopened = {change.claim_id: change for change in _without(writing, lost, own, reason)}
    lines = _lines(writing, (*own, *reopened))
    changes.record(writing, [*(_lost(one, disposition, reason) for one in lost), *reopened.values()])
    for line in lines:
        changes.settle_line(writing, line, reason)
    return len(lost)


def _without(writing: Writing, lost: Sequence[Held], own: Collection[str], reason: str) -> Iterator[Change]:
    """What changes about the other claims of the lines, line by line."""
    by_line: dict[str, list[Held]] = {}
    for row, one in zip(writing.ask(queries.claims, own, upto=writing.upto), lost, strict=True):
        by_line.setdefault(row.line, []).append(one)
    for line, claims in by_line.items():
        refs = tuple(one.id for one in claims)
        states = unsaid(writing, line, refs)
        if states is None:
            for one in claims:
                yield from _reopened(writing, one, own, reason)
        else:
            for one in claim_rows(writing, [ref for ref in states if ref not in own]):
                yield from _as_if(one, states[one.id], refs, reason)


def _as_if(one: Held, would: ClaimState, gone: tuple[str, ...], reason: str) -> Iterator[Change]:
    """A claim in the state that it would have; whom it contradicts is found when its line is settled."""
    now = one.state
    same = (now.live, now.valid, now.markers) == (would.live, would.valid, would.markers)
    if same:
        return
    disposition = would.disposition
    if would.live and disposition is not Disposition.SUPERSEDED:
        fallen = not now.live or now.disposition is Disposition.SUPERSEDED
        disposition = Disposition.REINSTATED if fallen else now.disposition
    back = disposition is Disposition.REINSTATED
    state = replace(would, disposition=disposition, rivals=now.rivals if would.live else (), review=now.review)
    yield Change(one.id, state, Ledger.REINSTATED if back else Ledger.VALIDITY, reason, gone, now)


def _lost(one: Held, disposition: Disposition, reason: str) -> Change:
    state = replace(one.state, disposition=disposition, live=False, rivals=())
    return Change(one.id, state, LEDGER[disposition], reason, (), one.state)


def _reopened(writing: Writing, gone: Held, lost: Collection[str], reason: str) -> list[Change]:
    """The claims whose window this one closed when it came, as they were before it did."""
    closed = [ref for ref in _closed_by(writing, gone) if ref not in lost]
    if not closed:
        return []
    before = {one.id: one.state for one in _as_of(writing, closed, gone.seq - 1)}
    after = {one.id: one.state for one in _as_of(writing, (*closed, gone.id), _last_of(writing, gone))}
    chained = gone.state.valid if gone.state.valid.end != after[gone.id].valid.end else None
    return [
        Change(one.id, _back(one.state, before[one.id], chained), Ledger.REINSTATED, reason, (gone.id,), one.state)
        for one in claim_rows(writing, closed)
        if one.id in before and one.state.valid == after[one.id].valid != before[one.id].valid
    ]


def _back(now: ClaimState, then: ClaimState, chained: Interval | None) -> ClaimState:
    """A claim's state without the one that closed it: open again, or closed by what closed that one in its turn."""
    live = now.live or then.live
    disposition = Disposition.REINSTATED if now.disposition is Disposition.SUPERSEDED else now.disposition
    end = chained or then.valid
    valid = replace(then.valid, end=end.end, end_confidence=end.end_confidence)
    return replace(now, valid=valid, approximate=then.approximate, live=live, disposition=disposition)


def _closed_by(writing: Writing, one: Held) -> list[str]:
    """The claims that changed in the same transaction because of this one."""
    following = writing.snapshot.events(one.seq, _last_of(writing, one), kinds=("claim.changed",))
    bodies = [event.body for event in following if event.body is not None]
    return [body["claim"] for body in bodies if one.id in body["because"]]


def _last_of(writing: Writing, one: Held) -> int:
    """The last event that the claim's own arrival caused: those up to the next claim of its transaction."""
    came = writing.snapshot.event(one.seq)
    last = one.seq
    for event in writing.snapshot.events(one.seq):
        if came is None or event.txn != came.txn or event.kind == "claim.recorded":
            break
        last = event.seq
    return last


def _as_of(writing: Writing, refs: Collection[str], upto: int) -> tuple[Held, ...]:
    return held(writing, writing.ask(queries.claims, refs, upto=upto))


def _lines(writing: Writing, refs: Iterable[str]) -> tuple[str, ...]:
    """Every line that the claims stand on, the ones seen from their values too."""
    return writing.ask(queries.lines_of_claims, tuple(dict.fromkeys(refs)), upto=writing.upto)
