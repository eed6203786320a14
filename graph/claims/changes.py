"""Recording what was decided: states of claims, what rests on them, and the memories that mirror them."""

import json
from collections import Counter
from collections.abc import Collection, Sequence

from hornbook.graph.belief.codec import state_to_json
from hornbook.graph.belief.dependencies import Dependent, propagate
from hornbook.graph.belief.dispute import settle
from hornbook.graph.belief.registry import Predicate
from hornbook.graph.belief.state import Change, ClaimState, Held
from hornbook.graph.claims.indexed import stand_claim
from hornbook.graph.claims.lines import claim_rows, live_on
from hornbook.graph.interval import ALWAYS, FOREVER
from hornbook.graph.lifecycle import ACTIVE, Lifecycle, mirrored
from hornbook.graph.store import Writing
from hornbook.graph.view import queries


def record(writing: Writing, changes: Sequence[Change]) -> tuple[Change, ...]:
    """Append the changes and all that follows from them; everything that was appended."""
    every = (*changes, *_followed(writing, changes))
    for change in every:
        writing.append(
            "claim.changed",
            {
                "claim": change.claim_id,
                "state": state_to_json(change.state),
                "ledger": change.ledger.value,
                "reason": change.reason,
                "because": list(change.because),
            },
        )
    for id_, state in {change.claim_id: change.state for change in every}.items():
        stand_claim(writing, id_, state)
        _mirror(writing, id_, state)
    return every


def record_on(writing: Writing, line: str, changes: Sequence[Change]) -> None:
    """Append what was decided about the claims of one line, and settle the other lines that they stand on.

    A claim of a symmetric predicate, or of one with an inverse, is seen from both its ends: whom it contradicts at
    the one may have changed with what happened at the other.
    """
    record(writing, changes)
    waiting = _elsewhere(writing, line, changes)
    if waiting:
        waiting.append(line)  # what was decided for each line by itself may be too little for the two together
    seen = Counter({line: 1})
    while waiting:
        other = waiting.pop(0)
        seen[other] += 1
        if seen[other] > MOST_LOOKS:
            continue
        told = _settled(writing, other, "a claim of it changed on its other line")
        record(writing, told)
        waiting += _elsewhere(writing, other, told)


MOST_LOOKS = 3  # what settling one line changes about another is settled by looking at it once more


def _elsewhere(writing: Writing, line: str, changes: Sequence[Change]) -> list[str]:
    if not changes or _predicate_of(writing, line).mirror is None:
        return []
    moved = [
        change.claim_id
        for change in changes
        if change.before is None or _rivalry(change.state) != _rivalry(change.before)
    ]
    return [one for one in writing.ask(queries.lines_of_claims, moved, upto=writing.upto) if one != line]


def _rivalry(state: ClaimState) -> tuple[object, ...]:
    """What of a state decides whom the claim contradicts, and what says so."""
    return state.live, state.valid, state.rivals, state.disposition


def _predicate_of(writing: Writing, line: str) -> Predicate:
    return writing.registry.named(line.partition("|")[2])


def settle_line(writing: Writing, line: str, reason: str) -> None:
    """Tell the claims of a line which rivals they have now."""
    record_on(writing, line, _settled(writing, line, reason))


def _settled(writing: Writing, line: str, reason: str) -> tuple[Change, ...]:
    claims, predicate = live_on(writing, line), _predicate_of(writing, line)
    known = {one.id for one in claims}
    seen_twice = predicate.mirror is not None
    beyond = {ref for one in claims for ref in one.state.rivals if seen_twice and ref not in known}
    return settle(claims, predicate, reason, gone=_gone(writing, claims, beyond))


def _gone(writing: Writing, claims: Sequence[Held], beyond: set[str]) -> set[str]:
    """Rivals that are not on the line, and that no claim of it can meet on its other line any more."""
    if not beyond:
        return set()
    live = {one.id for one in claim_rows(writing, beyond) if one.counts}
    about = [one.id for one in claims if not beyond.isdisjoint(one.state.rivals)]
    reached = set(writing.ask(queries.lines_of_claims, about, upto=writing.upto))
    met = {
        ref for ref in live if not reached.isdisjoint(writing.ask(queries.lines_of_claims, (ref,), upto=writing.upto))
    }
    return beyond - met


def settle_lines_of(writing: Writing, predicate: str, reason: str) -> None:
    """Tell the claims of every line of a predicate, which was declared anew, which rivals they have now."""
    for line in writing.ask(queries.lines_of_predicate, predicate, upto=writing.upto):
        settle_line(writing, line, reason)


def _followed(writing: Writing, changes: Sequence[Change]) -> tuple[Change, ...]:
    """The flags that the dependents of changed claims get or lose."""
    if not changes:
        return ()

    def dependents(ids: Collection[str]) -> list[Dependent]:
        found = writing.ask(queries.dependents, ids, upto=writing.upto)
        rows = claim_rows(writing, (one.id for one in found))
        return [Dependent(one.id, one.state, one.claim.derived_from) for one in rows]

    known = dependents([change.claim_id for change in changes])
    if not known:
        return ()
    premises = {ref for one in known for ref in one.premises}
    states = {one.id: one.state for one in claim_rows(writing, premises)}
    return propagate(changes, dependents, states)


def _mirror(writing: Writing, claim: str, state: ClaimState) -> None:
    """Let the memories that are this claim stand as it stands."""
    for item in writing.ask(queries.items_of_claim, claim, upto=writing.upto):
        if item.kind != "memory" or item.claim != claim:
            continue
        now = json.loads(item.state)["lifecycle"]
        wanted = mirrored(state.disposition, now, _before(writing, item.id, now))
        if wanted != now:
            writing.append(
                "memory.moved",
                {"memory": item.id, "state": wanted.value, "reason": "as the claim that it is", "because": claim},
            )
        stand(writing, item.id, wanted, state)


def _before(writing: Writing, memory: str, now: str) -> str | None:
    """What a memory was before it fell: the last lifecycle in which it was active."""
    if now in ACTIVE:
        return None
    stood = writing.snapshot.lifecycles_of(memory)
    return next((state for state in stood if state in ACTIVE), Lifecycle.TENTATIVE.value)


def stand(writing: Writing, memory: str, lifecycle: Lifecycle, state: ClaimState | None = None) -> None:
    """Note for the search whether a memory is offered: one that is a claim, in the window in which that holds."""
    if state is None:
        active, window = lifecycle in ACTIVE, (ALWAYS, FOREVER)
    else:
        # an ended claim is superseded, and still what was true in its window
        active = state.live and lifecycle != Lifecycle.ARCHIVED
        window = (state.valid.since, state.valid.until if state.valid.end_trusted else FOREVER)
    writing.snapshot.stand(memory, lifecycle.value, active=active, since=window[0], until=window[1])
