"""Saying that a fact stopped being true, and taking that back."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hornbook.graph.belief.closing import closed_at
from hornbook.graph.belief.dispute import after, committed, merged_changes, settle
from hornbook.graph.belief.provenance import external_only
from hornbook.graph.belief.registry import Predicate
from hornbook.graph.belief.resolve import _says
from hornbook.graph.belief.rivalry import Side, sides_of
from hornbook.graph.belief.state import Change, Held, Ledger
from hornbook.graph.belief.windows import Window
from hornbook.graph.claim import Disposition, Provenance
from hornbook.graph.dates import Moment
from hornbook.graph.errors import Ambiguous, Conflict, Incoherent, InvalidArgument, NotFound
from hornbook.graph.interval import FOREVER, TRUSTED, Interval


@dataclass(frozen=True, slots=True)
class End:
    """What an end changes: the claim that speaks for the ended side, its disposition, and when it ends."""

    claim_id: str
    disposition: Disposition
    at: Moment | None
    no_op: bool
    changes: tuple[Change, ...] = ()


def end_fact(
    held: Sequence[Held],
    predicate: Predicate,
    at: Moment | None,
    *,
    now: int,
    provenance: Provenance = Provenance.USER_ASSERTED,
    value: Any = None,
    confidence: float = 1.0,
) -> End:
    """End the one External side that holds now or later, given the line's live claims; `value` picks among several.

    Raises Forbidden for what is not External, NotFound where nothing holds, Ambiguous where several do, Incoherent for
    an end before the start, Conflict for an event.
    """
    external_only(provenance, "end a fact")
    if at is None:
        raise InvalidArgument("at is missing", field="at", hint="say when it ended, or reopen=true to take it back")
    side, windows = _picked(_running(held, predicate, now), value, predicate, "nothing holds here now or later")
    if predicate.event:
        raise Conflict(f"{predicate.key} is an event: it happened, and that does not end", field="predicate")
    targets = [window for window in windows if not Interval(window.start, at).backwards]
    if not targets:
        raise Incoherent(f"it would end ({at}) before it starts ({windows[0].start})", field="at")
    running = [one for one in side.held if _reached(one, targets, min(now, at.at))]
    newest = max((window.newest for window in targets), key=lambda one: one.seq)
    # a claim that speaks for the window may have ended before: then the newest of those that still run is ended
    speaker = newest if newest in running or not running else max(running, key=lambda one: (one.external, one.seq))
    if all(one.state.valid.end == at and one.state.valid.end_trusted for one in running):
        return End(speaker.id, speaker.state.disposition, at, True)
    changes = [_closed(one, at, confidence) for one in running]
    settled = settle(after(held, changes), predicate, f"one side ended at {at}", (speaker.id,))
    merged = merged_changes(changes, settled)
    disposition = next(change.state.disposition for change in merged if change.claim_id == speaker.id)
    return End(speaker.id, disposition, at, False, merged)


def reopen_fact(
    held: Sequence[Held],
    predicate: Predicate,
    *,
    provenance: Provenance = Provenance.USER_ASSERTED,
    value: Any = None,
) -> End:
    """Take back every end that was set on a side: its claims have the windows again that they were said with."""
    external_only(provenance, "reopen a fact")
    sides = [side for side in sides_of(held, predicate) if side.external and any(map(end_was_set, side.told))]
    side, _ = _picked([(side, side.windows) for side in sides], value, predicate, "no end was set here")
    ended = [one for one in side.held if end_was_set(one)]
    speaker = max((one for one in ended if one.external), key=lambda one: one.seq)
    changes = [_reopened(one) for one in ended]
    settled = settle(after(held, changes), predicate, "an end was taken back", (speaker.id,))
    return End(speaker.id, Disposition.REINSTATED, None, False, merged_changes(changes, settled))


def end_was_set(held: Held) -> bool:
    """Whether a claim's window ends where the claim itself does not say so."""
    own, now = held.claim.valid, held.state.valid
    return held.state.live and now.end is not None and (now.end, now.end_confidence) != (own.end, own.end_confidence)


def _running(held: Iterable[Held], predicate: Predicate, now: int) -> list[tuple[Side, tuple[Window, ...]]]:
    """The External sides that say something holds now or later, with the windows that say it."""
    found = []
    for side in sides_of(held, predicate):
        windows = tuple(window for window in side.windows if window.until > now)
        if side.external and side.positive and windows:
            found.append((side, windows))
    return found


def _picked(
    found: Sequence[tuple[Side, tuple[Window, ...]]], value: Any, predicate: Predicate, nothing: str
) -> tuple[Side, tuple[Window, ...]]:
    if not found:
        raise NotFound(nothing)
    shown = tuple(dict.fromkeys(_written(side.held[0].value) for side, _ in found))
    if value is None:
        if len(found) > 1:
            raise Ambiguous(
                f"several values fit: {', '.join(shown)}", field="value", hint="name one of them as value", valid=shown
            )
        return found[0]
    key = predicate.key_of(value)
    for side, windows in found:
        if side.key[0] == key or any(_says(one, key, predicate) for one in side.held):
            return side, windows
    raise NotFound(f"{_written(value)} is not among the values that fit", field="value", valid=shown)


def _written(value: Any) -> str:
    """A value as a caller writes it: a text as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _reached(held: Held, targets: Sequence[Window], at: int) -> bool:
    """Whether a claim is to be closed: it is in one of the windows, or a guess beside it, and runs on."""
    valid = held.state.valid
    runs = (valid.until if valid.end_trusted else FOREVER) > at
    return runs and (not held.external or any(one.id == held.id for window in targets for one in window.held))


def _closed(held: Held, at: Moment, confidence: float) -> Change:
    state = closed_at(held.state, at, confidence)
    if confidence < TRUSTED:
        state = replace(state, disposition=held.state.disposition)
    return Change(held.id, state, Ledger.VALIDITY, f"said to have ended at {at}", (), held.state)


def _reopened(held: Held) -> Change:
    own = held.claim.valid
    valid = replace(held.state.valid, end=own.end, end_confidence=own.end_confidence)
    if own.end is not None and own.end_confidence is None and valid.confidence != own.confidence:
        valid = replace(valid, end_confidence=own.confidence)
    disposition = Disposition.REINSTATED if held.external else committed(held)
    state = replace(held.state, disposition=disposition, valid=valid)
    return Change(held.id, state, Ledger.REINSTATED, "its end was taken back", (), held.state)
