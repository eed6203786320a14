"""Recording what was decided: states of claims, what rests on them, and the memories that mirror them."""

import json
from collections.abc import Collection, Sequence

from hornbook.graph.belief.codec import state_to_json
from hornbook.graph.belief.dependencies import Dependent, propagate
from hornbook.graph.belief.state import Change, ClaimState
from hornbook.graph.claims.indexed import stand_claim
from hornbook.graph.claims.lines import claim_rows
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
    states = writing.snapshot.events(kinds=("memory.moved",), descending=True)
    seen = [event.body["state"] for event in states if event.body and event.body["memory"] == memory]
    return next((state for state in seen if state in ACTIVE), Lifecycle.TENTATIVE.value)


def stand(writing: Writing, memory: str, lifecycle: Lifecycle, state: ClaimState | None = None) -> None:
    """Note for the search whether a memory is offered: one that is a claim, in the window in which that holds."""
    if state is None:
        active, window = lifecycle in ACTIVE, (ALWAYS, FOREVER)
    else:
        # an ended claim is superseded, and still what was true in its window
        active = state.live and lifecycle != Lifecycle.ARCHIVED
        window = (state.valid.since, state.valid.until if state.valid.end_trusted else FOREVER)
    writing.snapshot.stand(memory, lifecycle.value, active=active, since=window[0], until=window[1])
