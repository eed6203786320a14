"""One value after another: who may close a claim, and at which instant (rows 9 and 10)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from hornbook.graph.belief.authority import may_close, speaker_of
from hornbook.graph.belief.case import Case
from hornbook.graph.belief.rivalry import Key, Side, conflict, exclusive
from hornbook.graph.belief.state import Change, ClaimState, Held, Ledger
from hornbook.graph.belief.windows import Window
from hornbook.graph.claim import Claim, Disposition, Polarity
from hornbook.graph.dates import Moment
from hornbook.graph.interval import FOREVER, Interval


@dataclass(frozen=True, slots=True)
class Succession:
    """How the new claim stands among its rivals in time: what it closes, and what it is closed by."""

    valid: Interval
    closed: tuple[Change, ...]
    approximate: bool
    words: str


def told_update(case: Case) -> Succession | None:
    """Row 9: the new claim says that something changed. None where it may not, or no instant is known."""
    claim = case.claim
    start = claim.valid.start or claim.occurred_at
    if start is None or not _closable(case):
        return None
    said = claim.occurred_at.at if claim.occurred_at else None
    earlier: list[tuple[Side, Window, None]] = []
    later: list[tuple[Side, Window, Moment]] = []
    for side, window in _met(case):
        begins = _begins_after(window, start, said)
        if begins is None:
            earlier.append((side, window, begins))
        else:
            later.append((side, window, begins))
    end = _earliest((*(begins for *_, begins in later), *_own_ends(case)))
    approximate = claim.valid.start is None
    closed = [_close(case, side, window.held, start, approximate) for side, window, _ in earlier]
    words = "follows" if earlier else "comes before"
    return Succession(_placed(claim.valid, start, end), _flat(closed), approximate, words)


def implied_succession(case: Case) -> Succession | None:
    """Row 10: one speaker, two dated statements at least a day apart: the later one holds from when it was said.

    So it does where it was told first: what it begins at is known by what came before it.
    """
    claim = case.claim
    if claim.occurred_at is None or not _closable(case) or not _one_speaker(case):
        return None
    start = claim.valid.start or claim.occurred_at
    earlier: dict[str, tuple[Side, Held]] = {}
    later: dict[Key, tuple[Moment, Held]] = {}  # of each side the first statement that comes after
    ends: list[Moment] = []
    closed: list[list[Change]] = []
    for side, window, one in _told(case):
        after = _days_apart(claim, one.claim, case.context.settings.succession_gap)
        begins = one.state.valid.start or one.claim.occurred_at
        if after is None or begins is None or (begins.at >= start.at if after else begins.at <= start.at):
            return None
        if after:
            earlier[one.id] = (side, one)
        else:
            ends.append(begins)
            later[side.key] = min(later.get(side.key, (begins, one)), (begins, one), key=_begun)
            if window.end is not None and runs_past(one, window.until):
                closed.append(_close(case, side, (one,), window.end, True))  # it ran no further than its window
    approximate = claim.valid.start is None
    closed += [_close(case, side, (one,), start, approximate) for side, one in earlier.values()]
    placed = _placed(claim.valid, start if earlier else claim.valid.start, _earliest((*ends, *_own_ends(case))))
    changes = _flat(closed)
    return Succession(placed, _starting(case, later.values(), changes), True, "follows" if earlier else "comes before")


def _begun(one: tuple[Moment, Held]) -> int:
    return one[0].at


def _starting(case: Case, later: Iterable[tuple[Moment, Held]], changes: Sequence[Change]) -> tuple[Change, ...]:
    """The changes, and those by which what comes after the new claim, without a start, begins when it was said."""
    found = {change.claim_id: change for change in changes}
    for at, one in later:
        if one.state.valid.start is not None:
            continue
        known = found.get(one.id)
        state = known.state if known else one.state
        begun = replace(state, valid=_placed(state.valid, at, None), approximate=True)
        reason = f"it followed at {at} what was said of an earlier time"
        found[one.id] = Change(one.id, begun, Ledger.VALIDITY, reason, (case.new.id,), one.state)
    return tuple(found.values())


def _days_apart(claim: Claim, other: Claim, gap: int) -> bool | None:
    """Whether a claim was said after another; None where a date is missing or they are too close to tell."""
    if claim.occurred_at is None or other.occurred_at is None:
        return None
    between = claim.occurred_at.at - other.occurred_at.at
    return None if abs(between) < gap else between > 0


def _told(case: Case) -> list[tuple[Side, Window, Held]]:
    """The External claims that make the rival windows, each with its side and its window."""
    return [(side, window, one) for side, window in _met(case) for one in window.held if one.external]


def _closable(case: Case) -> bool:
    """Whether the rivals are one value at a time, and all of them the new claim's to close."""
    if case.predicate.event or not case.clashes:
        return False
    owner = case.context.owner
    return _in_turn(case) and all(may_close(case.claim, one.claim, owner) for *_, one in _told(case))


def _in_turn(case: Case) -> bool:
    """Whether the rivals do not contradict one another."""
    by_side: dict[int, list[tuple[Side, Window]]] = {}
    for side, window in _met(case):
        by_side.setdefault(id(side), []).append((side, window))
    groups = list(by_side.values())
    return not any(
        exclusive(one, other, case.predicate) and conflict(mine, theirs)
        for index, group in enumerate(groups)
        for one, mine in group
        for rest in groups[index + 1 :]
        for other, theirs in rest
    )


def _one_speaker(case: Case) -> bool:
    owner = case.context.owner
    speaker = speaker_of(case.claim, owner)
    return speaker is not None and all(speaker_of(one.claim, owner) == speaker for *_, one in _told(case))


def _own_ends(case: Case) -> list[Moment]:
    """Where the window of its own side ends that a claim without dates runs into: it says no more than that one."""
    if case.claim.valid.trusted or not case.clashes:
        return []
    homes = [
        window
        for window in case.clashes[0].one.windows
        if window.trusted and any(one.id == case.new.id for one in window.held)
    ]
    return [window.end for window in homes if window.end is not None and window.until < FOREVER]


def _met(case: Case) -> list[tuple[Side, Window]]:
    """The rival windows, each once."""
    return list({id(clash.windows[1]): (clash.other, clash.windows[1]) for clash in case.clashes}.values())


def _begins_after(window: Window, start: Moment, said: int | None) -> Moment | None:
    """The instant at which a rival window begins, if that is later than the new start; else None.

    A rival without a start that was said to hold later than the new claim was said begins, for us, when it was said.
    """
    if window.start is not None:
        return window.start if window.start.at > start.at else None
    attested = [one.claim.occurred_at for one in window.held if one.claim.attested_at is not None]
    first = min((moment for moment in attested if moment is not None), key=_at, default=None)
    if first is None or said is None or first.at <= said or first.at <= start.at:
        return None
    return first


def _close(case: Case, side: Side, claims: Iterable[Held], at: Moment, approximate: bool) -> list[Change]:
    """The claims that would hold beyond an instant, closed at it, and the guesses beside them."""
    subject = "its successor" if case.new.polarity is Polarity.HOLDS else "the statement that it no longer holds"
    reason = f"ended at {at} by {subject}"
    return [
        Change(one.id, succeeded(one.state, at, approximate), Ledger.SUCCEEDED, reason, (case.new.id,), one.state)
        for one in (*claims, *(held for held in side.held if not held.external))
        if runs_past(one, at.at) and (one.external or one.state.valid.since <= at.at)
    ]


def runs_past(held: Held, at: int) -> bool:
    """Whether a claim would still hold at an instant, or later."""
    valid = held.state.valid
    return at < (valid.until if valid.end_trusted else FOREVER)


def succeeded(state: ClaimState, at: Moment, approximate: bool) -> ClaimState:
    """The state of a claim that a successor ends: closed there, or out of belief where nothing is left of it.

    An end in the period that it began in is taken as an instant: it does not mean that whole period.
    """
    if state.valid.since > at.at:
        return replace(state, disposition=Disposition.SUPERSEDED, live=False)
    closed = closed_at(state, at, 1.0, approximate)
    return replace(closed, valid=replace(closed.valid, end=Moment(at.at))) if closed.valid.whole_period else closed


def closed_at(state: ClaimState, at: Moment, confidence: float, approximate: bool = False) -> ClaimState:
    """A state with its window closed: superseded, and live for what is left of its window."""
    return replace(
        state,
        disposition=Disposition.SUPERSEDED,
        valid=replace(state.valid, end=at, end_confidence=confidence),
        approximate=state.approximate or approximate,
    )


def _placed(valid: Interval, start: Moment | None, end: Moment | None) -> Interval:
    """The new claim's window: from `start`, relied on, up to `end` where something else holds from there."""
    confidence = valid.confidence if valid.start is not None else max(valid.confidence, 0.7)
    known = valid.end_confidence if valid.end_confidence is not None or valid.end is None else valid.confidence
    end_confidence = None if known == confidence else known
    placed = valid if start is None else Interval(start, valid.end, confidence, end_confidence)
    if end is not None and end.at < (placed.until if placed.end_trusted else FOREVER):
        return replace(placed, end=end, end_confidence=1.0)
    return placed


def _flat(changes: Iterable[Iterable[Change]]) -> tuple[Change, ...]:
    return tuple({change.claim_id: change for group in changes for change in group}.values())


def _earliest(moments: Iterable[Moment]) -> Moment | None:
    return min(moments, key=_at, default=None)


def _at(moment: Moment) -> int:
    return moment.at
