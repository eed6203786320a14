"""The ways out of a contest: a winner, a split in time, all, none; and reopening what was resolved."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hornbook.graph.belief.dispute import Dispute, after, committed, dispute, freed, merged_changes, settle
from hornbook.graph.belief.provenance import external_only
from hornbook.graph.belief.registry import Predicate
from hornbook.graph.belief.rivalry import Side, clashes_between, exclusive, sides_of
from hornbook.graph.belief.state import Change, ClaimState, Held, Ledger, Marker
from hornbook.graph.belief.validate import checked_window
from hornbook.graph.claim import Cardinality, Disposition, Polarity, Provenance
from hornbook.graph.errors import Conflict, InvalidArgument, NotFound
from hornbook.graph.interval import Interval

OUTCOMES = ("winner", "split", "all", "none", "reopen")
NOTHING = Interval()


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a resolution changes. `declares` is a cardinality to declare; `before` the states to reopen to."""

    outcome: str
    changes: tuple[Change, ...]
    reason: str
    winner: str | None = None
    declares: Cardinality | None = None

    @property
    def outcomes(self) -> tuple[tuple[str, str], ...]:
        """Each changed claim with its disposition now."""
        return tuple((change.claim_id, change.state.disposition.value) for change in self.changes)

    @property
    def before(self) -> dict[str, ClaimState]:
        """The states as they were."""
        return {change.claim_id: change.before for change in self.changes if change.before is not None}


@dataclass(frozen=True, slots=True)
class Open:
    """A line whose contest is to be ended."""

    held: tuple[Held, ...]
    predicate: Predicate
    dispute: Dispute
    reason: str


def resolve(
    held: Sequence[Held],
    predicate: Predicate,
    outcome: object,
    *,
    reason: object,
    provenance: Provenance = Provenance.USER_ASSERTED,
    winner: Any = None,
    windows: object = None,
) -> Resolution:
    """End the contest of a line, given all its live claims, and its claims in dispute.

    Raises InvalidArgument naming the field, Forbidden for what is not External, Conflict where nothing is contested,
    NotFound for a winner that is not on the line.
    """
    name = checked_outcome(outcome)
    text = checked_reason(reason)
    external_only(provenance, "end a contest")
    _needs(name, winner, windows)
    found = dispute(held, predicate)
    if found is None:
        raise Conflict("this line is not contested: there is nothing to resolve")
    line = Open(tuple(held), predicate, found, text)
    return WAYS[name](line, winner, windows)


def checked_outcome(given: object) -> str:
    """One of the outcomes there are."""
    for name in OUTCOMES:
        if isinstance(given, str) and given.strip().casefold() == name:
            return name
    raise InvalidArgument(f"outcome is none of {', '.join(OUTCOMES)}", field="outcome", valid=OUTCOMES)


def checked_reason(given: object) -> str:
    """The reason, which the ledger keeps."""
    if isinstance(given, str) and given.strip():
        return given.strip()
    raise InvalidArgument("reason is missing or blank", field="reason", hint="say in a sentence how it was decided")


def _needs(outcome: str, winner: object, windows: object) -> None:
    if outcome == "reopen":
        raise InvalidArgument("reopen undoes a resolution; it is no way to end a contest", field="outcome")
    if outcome == "winner" and winner is None:
        raise InvalidArgument("winner is missing", field="winner", hint="the ref of a claim, or a value of the line")
    if outcome == "split" and not (isinstance(windows, Mapping) and windows):
        raise InvalidArgument(
            "windows are missing", field="windows", hint='{"<claim_ref>": {"start": "2020", "end": "2022"}, ...}'
        )


def _win(line: Open, winner: Any, windows: object) -> Resolution:
    """The winner's side is believed; every other side of its dispute is superseded."""
    side = winning_side(line.held, line.predicate, winner)
    group = _together(line, side)
    losers = [one for other in group if other.key != side.key for one in other.held]
    changes = [
        *(_ended(one, Disposition.SUPERSEDED, line.reason, side) for one in losers),
        *(_freed(line, one) for one in side.held if one.state.rivals or one.state.disposition is not committed(one)),
    ]
    first = side.told[-1].id
    return _resolution(line, "winner", changes, winner=first)


def winning_side(held: Sequence[Held], predicate: Predicate, winner: Any) -> Side:
    """The side that a claim ref or a value names."""
    sides = sides_of(held, predicate)
    for side in sides:
        if any(one.id == winner for one in side.held):
            return side
    key = predicate.key_of(winner)
    named = [side for side in sides if side.key[0] == key or any(_says(one, key, predicate) for one in side.held)]
    positive = [side for side in named if side.key[1] is Polarity.HOLDS] or named
    if not positive:
        choices = tuple(str(side.held[0].value) for side in sides)
        raise NotFound("winner is neither a claim nor a value of this line", field="winner", valid=choices)
    return positive[0]


def _says(held: Held, key: str, predicate: Predicate) -> bool:
    return predicate.key_of(held.value) == key


def _together(line: Open, side: Side) -> list[Side]:
    """The sides that a winner decides about: those in dispute with it, and with these, and so on.

    A winner that is in dispute with nobody (a guess, a side of another period) decides about all of them.
    """
    group, left = [side], [other for other in line.dispute.sides if other.key != side.key]
    for one in group:  # it grows as it is gone through
        met = [other for other in left if _clash(one, other, line.predicate)]
        group += met
        keys = {other.key for other in met}
        left = [other for other in left if other.key not in keys]
    return group if len(group) > 1 else [side, *line.dispute.sides]


def _clash(one: Side, other: Side, predicate: Predicate) -> bool:
    return one.external and exclusive(one, other, predicate) and bool(clashes_between(one, other))


def _split(line: Open, winner: Any, windows: object) -> Resolution:
    """Each side in dispute holds in its own window."""
    assert isinstance(windows, Mapping)
    given = _windows_by_side(line, windows)
    for side in line.dispute.sides:
        if side.key not in given:
            raise InvalidArgument(
                f"windows say nothing of the side {side.held[0].value!r}",
                field="windows",
                hint="give every side in dispute its window",
                valid=[one.id for one in side.told],
            )
    _check_apart(given)
    changes: list[Change] = []
    for side in line.dispute.sides:
        own = given[side.key]
        first = next(iter(own.values()))
        for one in side.told:
            free = freed(one, {held.id for held in line.held})
            disposition = free.disposition if free.rivals else committed(one)
            valid = own.get(one.id, first)
            state = replace(free, disposition=disposition, live=True, valid=valid, approximate=False)
            changes.append(Change(one.id, state, Ledger.RESOLVED, line.reason, (), one.state))
    return _resolution(line, "split", changes)


def _windows_by_side(line: Open, windows: Mapping[Any, Any]) -> dict[Any, dict[str, Interval]]:
    known = {one.id: side for side in line.dispute.sides for one in side.held}
    found: dict[Any, dict[str, Interval]] = {}
    for ref, given in windows.items():
        side = known.get(str(ref).strip().lower())
        if side is None:
            raise NotFound(f"windows name {ref}, which is not in this contest", field="windows", valid=tuple(known))
        found.setdefault(side.key, {})[str(ref).strip().lower()] = checked_split(given, f"windows.{ref}")
    return found


def checked_split(given: object, field: str) -> Interval:
    """A window of a split: relied on, and not backwards."""
    window = checked_window(given, field, default=1.0)
    if window.start is None and window.end is None:
        raise InvalidArgument(f"{field} has neither start nor end", field=field, hint='for example {"start": "2020"}')
    if window.backwards:
        raise InvalidArgument(f"{field} ends before it starts", field=field)
    return replace(window, confidence=1.0)


def _check_apart(given: Mapping[Any, Mapping[str, Interval]]) -> None:
    spans = [(window, ref, key) for key, own in given.items() for ref, window in own.items()]
    for index, (one, ref, key) in enumerate(spans):
        for other, theirs, side in spans[index + 1 :]:
            if side != key and one.since < other.until and other.since < one.until:
                raise InvalidArgument(f"the windows of {ref} and {theirs} overlap", field="windows")


def _all(line: Open, winner: Any, windows: object) -> Resolution:
    """The predicate takes several values after all: every side is a member."""
    several = replace(line.predicate, cardinality=Cardinality.SET_VALUED)
    if dispute(line.held, several) is not None:
        raise Conflict("a value cannot both hold and not hold; choose a winner, or split", field="outcome")
    members = [one for side in line.dispute.sides for one in side.told]
    resolution = _resolution(line, "all", [_freed(line, one) for one in members])
    return replace(resolution, declares=Cardinality.SET_VALUED)


def _none(line: Open, winner: Any, windows: object) -> Resolution:
    """No side is right: all are invalidated."""
    lost = [one for side in line.dispute.sides for one in side.held]
    return _resolution(line, "none", [_ended(one, Disposition.INVALIDATED, line.reason) for one in lost])


WAYS: Mapping[str, Callable[[Open, Any, object], Resolution]] = {
    "winner": _win,
    "split": _split,
    "all": _all,
    "none": _none,
}


def reopen(
    held: Sequence[Held],
    predicate: Predicate,
    before: Mapping[str, ClaimState],
    *,
    reason: object,
    provenance: Provenance = Provenance.USER_ASSERTED,
    newcomer: str | None = None,
) -> Resolution:
    """Undo the last resolution, or an implied succession, given all claims it touched and the live ones of the line.

    `before` are the states as the resolution found them; `newcomer` the claim that succeeded, for a succession. What
    it took out of belief comes back Reinstated. `predicate` is the line's as it will be read afterwards.
    """
    text = checked_reason(reason)
    external_only(provenance, "reopen a contest")
    touched = [one for one in held if one.id in before]
    if not touched:
        raise Conflict("nothing was resolved on this line: there is nothing to reopen")
    changes = [_restored(one, before[one.id], text) for one in touched]
    changes += [_unsucceeded(one, text) for one in held if one.id == newcomer]
    settled = settle(after(held, changes), predicate, text)
    return Resolution("reopen", merged_changes(changes, settled), text)


def _restored(held: Held, state: ClaimState, reason: str) -> Change:
    back = state.live and (not held.state.live or held.state.disposition is Disposition.SUPERSEDED)
    disposition = Disposition.REINSTATED if back else state.disposition
    return Change(
        held.id,
        replace(state, disposition=disposition, review=held.state.review),
        Ledger.REINSTATED if back else Ledger.CONTESTED,
        reason,
        (),
        held.state,
    )


def _unsucceeded(held: Held, reason: str) -> Change:
    markers = tuple(mark for mark in held.state.markers if mark != Marker.IMPLIED_SUCCESSION.value)
    state = replace(held.state, valid=held.claim.valid, markers=markers, approximate=False)
    return Change(held.id, state, Ledger.CONTESTED, reason, (), held.state)


def _ended(held: Held, disposition: Disposition, reason: str, winner: Side | None = None) -> Change:
    state = replace(held.state, disposition=disposition, live=False, rivals=())
    because = tuple(one.id for one in winner.told) if winner else ()
    return Change(held.id, state, Ledger.RESOLVED, reason, because, held.state)


def _freed(line: Open, held: Held) -> Change:
    state = freed(held, {one.id for one in line.held})
    return Change(held.id, state, Ledger.RESOLVED, line.reason, (), held.state)


def _resolution(line: Open, outcome: str, changes: Iterable[Change], winner: str | None = None) -> Resolution:
    """The changes, and what they mean for claims of the line that were in dispute with the changed ones."""
    changed = tuple(changes)
    predicate = replace(line.predicate, cardinality=Cardinality.SET_VALUED) if outcome == "all" else line.predicate
    settled = settle(after(line.held, changed), predicate, line.reason)
    return Resolution(outcome, merged_changes(changed, settled), line.reason, winner)
