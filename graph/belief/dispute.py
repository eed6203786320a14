"""Disputes: which lines are contested, at which instants, between whom; and how claims are told of it."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from hornbook.graph.belief.registry import Predicate
from hornbook.graph.belief.rivalry import Clash, Key, Side, arenas, sides_of
from hornbook.graph.belief.rivals import NAMED, Seats, known_of, telling_clashes
from hornbook.graph.belief.state import Change, ClaimState, Held, Ledger
from hornbook.graph.claim import Disposition

OPEN = (Disposition.CONTESTED, Disposition.QUEUED, Disposition.PENDING_CONFLICT)
KEPT = (Disposition.SUPERSEDED, Disposition.QUEUED, Disposition.REINSTATED)


@dataclass(frozen=True, slots=True)
class Dispute:
    """A line in dispute: its sides, the valid instants it is about as `[since, until)`, and since when it is known."""

    sides: tuple[Side, ...]
    spans: tuple[tuple[int, int], ...]
    since: int

    def at(self, instant: int) -> bool:
        """Whether it is in dispute at a valid instant."""
        return any(since <= instant < until for since, until in self.spans)

    @property
    def claims(self) -> tuple[str, ...]:
        """The External claims of its sides."""
        return tuple(one.id for side in self.sides for one in side.told)


def dispute(held: Iterable[Held], predicate: Predicate) -> Dispute | None:
    """The dispute of a line, from its live claims; None where its sides can all be right.

    Claims whose state names no rivals may be left out.
    """
    told = [side for side in sides_of(held, predicate) if side.external]
    found = [clash for group in arenas(told, predicate, _itself) for clash in telling_clashes(group, predicate)]
    if not found:
        return None
    sides = {side.key: side for clash in found for side in (clash.one, clash.other)}
    ordered = sorted(sides.values(), key=lambda side: min(one.seq for one in side.held))
    spans = _merged((clash.since, clash.until) for clash in found)
    return Dispute(tuple(ordered), spans, min(_known(clash) for clash in found))


def _known(clash: Clash) -> int:
    """When a conflict became known: when the later of its two sides did."""
    return max(known_of(window) for window in clash.windows)


def _itself(side: Side) -> Side:
    return side


def _merged(spans: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    merged: list[tuple[int, int]] = []
    for since, until in sorted(spans):
        if merged and since <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(until, merged[-1][1]))
        else:
            merged.append((since, until))
    return tuple(merged)


def settle(
    held: Sequence[Held],
    predicate: Predicate,
    reason: str,
    because: tuple[str, ...] = (),
    *,
    partial: bool = False,
    moved: Collection[Key] | None = None,
    gone: Collection[str] = (),
) -> tuple[Change, ...]:
    """What the claims of a line must be told so that each knows whether it is in dispute, and with whom.

    Its state names the first few of its rivals: a claim that knows as many is not told of one more, so that a line on
    which everybody disagrees does not change whole with each new claim. `moved` are the sides that changed since the
    line was settled last; None is any.

    Called after whatever moves windows or brings claims together: a resolution, an end, a merge, a declaration. A rival
    that is not among the claims given is no longer one; unless they are `partial`, or the rival may stand on the other
    line of a claim that is read from both ends: then nothing is known about it, and it stays, if it is
    not among those that are `gone`.
    """
    seats = Seats(held, predicate)
    given = {*gone, *(one.id for one in held)}
    partial = partial or predicate.mirror is not None
    telling = [one for one in held if one.counts and one.external]
    kept = {one.id: _still(one, seats, given if partial else None, moved) for one in telling}
    met = seats.first_against({ref for ref, rivals in kept.items() if len(rivals) < NAMED})
    found: list[Change] = []
    for one in telling:
        now = tuple(dict.fromkeys((*kept[one.id], *met.get(one.id, ()))))[:NAMED]
        if now != one.state.rivals or (not now and one.state.disposition in OPEN):
            found.append(told(one, now, reason, because))
    return tuple(found)


def _still(held: Held, seats: Seats, given: Collection[str] | None, moved: Collection[Key] | None) -> tuple[str, ...]:
    """The recorded rivals that a claim still has; those between sides that did not move need no second look."""

    def stands(ref: str) -> bool:
        side = seats.side(ref)
        if side is None:
            return given is not None and ref not in given
        unmoved = moved is not None and held.side not in moved and side.key not in moved
        return unmoved or seats.opposed(held.id, ref)

    return tuple(ref for ref in held.state.rivals if stands(ref))


def told(held: Held, rivals: tuple[str, ...], reason: str, because: tuple[str, ...] = ()) -> Change:
    """A claim with the rivals it has now. Without any it is committed again, if it was in dispute."""
    state = held.state
    if rivals:
        disposition = state.disposition if state.disposition in KEPT else Disposition.CONTESTED
        ledger = Ledger.CONTESTED
    else:
        disposition = committed(held) if state.disposition in OPEN else state.disposition
        ledger = Ledger.SETTLED
    return Change(held.id, replace(state, disposition=disposition, rivals=rivals), ledger, reason, because, state)


def freed(held: Held, settled: Collection[str]) -> ClaimState:
    """A claim's state once it is no longer in dispute with these claims; it may be with others, on its other line."""
    state = held.state
    left = tuple(ref for ref in state.rivals if ref not in settled)
    kept = state.disposition is Disposition.SUPERSEDED or left
    return replace(state, disposition=state.disposition if kept else committed(held), rivals=left)


def committed(held: Held) -> Disposition:
    """The disposition of a claim that nothing is the matter with."""
    return Disposition.COMMITTED_CHEAP if held.external else Disposition.COMMITTED_INFERRED


def after(held: Iterable[Held], changes: Iterable[Change]) -> tuple[Held, ...]:
    """The claims of a line as the changes leave them.

    >>> after((), ())
    ()
    """
    states = {change.claim_id: change.state for change in changes}
    return tuple(replace(one, state=states.get(one.id, one.state)) for one in held)


def merged_changes(*groups: Iterable[Change]) -> tuple[Change, ...]:
    """One change a claim: the last state, from the first state it had."""
    found: dict[str, Change] = {}
    for group in groups:
        for change in group:
            known = found.get(change.claim_id)
            found[change.claim_id] = (
                change
                if known is None
                else replace(known, state=change.state, because=tuple(dict.fromkeys((*known.because, *change.because))))
            )
    return tuple(found.values())
