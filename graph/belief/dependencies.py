"""What rests on a claim: flagged for review when the claim falls, cleared when it stands again."""

from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from hornbook.graph.belief.state import Change, ClaimState, Ledger, Review
from hornbook.graph.claim import Claim, Disposition
from hornbook.graph.interval import FOREVER

DISPUTED = (Disposition.CONTESTED, Disposition.QUEUED, Disposition.PENDING_CONFLICT)


@dataclass(frozen=True, slots=True)
class Dependent:
    """A claim that rests on others: its state, and the premises it names."""

    claim_id: str
    state: ClaimState
    premises: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fall:
    """That a claim no longer stands, and from which valid instant on; None is at any instant."""

    since: int | None = None


# every claim that rests on the given ones, directly or through others, each once; cycles are fine
Dependents = Callable[[Collection[str]], Sequence[Dependent]]


def fallen(state: ClaimState) -> Fall | None:
    """How a claim has fallen as a premise: it is not live, it is in dispute, or an end was set on it."""
    if not state.live or state.disposition in DISPUTED:
        return Fall()
    if state.rivals and state.disposition in (Disposition.SUPERSEDED, Disposition.REINSTATED):
        return Fall()
    if state.disposition is Disposition.SUPERSEDED and state.valid.end is not None:
        return Fall(state.valid.until)
    return None


def born_flagged(claim: Claim, premises: Iterable[tuple[str, ClaimState]]) -> Review | None:
    """The review that a new claim starts with, since a premise has fallen already or waits for a review itself."""
    found = [
        Review((*(state.review.chain if fall is None and state.review else (ref,)), claim.id), _since(state, fall))
        for ref, state in premises
        if (fall := fallen(state)) is not None or state.review is not None
    ]
    return min(found, key=_urgency, default=None)


def propagate(
    changes: Sequence[Change], dependents: Dependents, states: Mapping[str, ClaimState]
) -> tuple[Change, ...]:
    """What the changes mean for the claims that rest on the changed ones.

    `states` are the present states of premises beside the changed ones, as far as the caller has them: they decide
    whether a claim whose premise stands again still has another that does not.
    """
    fell, rose = _moved(changes)
    if not (fell or rose):
        return ()
    known = {one.claim_id: one for one in dependents((*fell, *rose)) if one.claim_id not in rose}
    now = {**states, **{ref: one.state for ref, one in known.items()}, **{one.claim_id: one.state for one in changes}}
    reviews = {ref: now[ref].review for ref in known}
    kept = _cleared(reviews, rose)
    for root, fall in fell.items():
        _flag(root, fall, known, kept)
    for root, fall in _standing_falls(known, now, reviews, kept).items():
        _flag(root, fall, known, kept, only={ref for ref in known if reviews[ref] is not None})
    return tuple(_change(known[ref], now[ref], kept.get(ref)) for ref in known if kept.get(ref) != reviews[ref])


def _moved(changes: Sequence[Change]) -> tuple[dict[str, Fall], set[str]]:
    """The claims that fell, or fall at another instant than before, and those that stand again."""
    fell: dict[str, Fall] = {}
    rose: set[str] = set()
    for change in changes:
        before = fallen(change.before) if change.before else None
        after = fallen(change.state)
        reviewed = change.before is not None and change.before.review is not None and change.state.review is None
        if after is not None and after != before:
            fell[change.claim_id] = after
            if before is not None:
                rose.add(change.claim_id)
        elif (after is None and before is not None) or reviewed:
            rose.add(change.claim_id)
    return fell, rose


def _cleared(reviews: Mapping[str, Review | None], rose: set[str]) -> dict[str, Review | None]:
    """The reviews that do not come from a claim that stands again."""
    return {
        ref: None if review and not rose.isdisjoint(review.chain[:-1]) else review for ref, review in reviews.items()
    }


def _flag(
    root: str,
    fall: Fall,
    known: Mapping[str, Dependent],
    kept: dict[str, Review | None],
    only: Collection[str] | None = None,
) -> None:
    """Flag everything that rests on a fallen claim, by the shortest chain; a flag that counts earlier stays."""
    resting = _resting(known)
    reached = {root}
    queue: deque[tuple[str, ...]] = deque([(root,)])
    while queue:
        chain = queue.popleft()
        for ref in resting.get(chain[-1], ()):
            if ref in reached or (only is not None and ref not in only):
                continue
            reached.add(ref)
            review = Review((*chain, ref), fall.since)
            held = kept.get(ref)
            if held is None or _urgency(review) < _urgency(held):
                kept[ref] = review
            queue.append((*chain, ref))


def _resting(known: Mapping[str, Dependent]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one in known.values():
        for premise in one.premises:
            found.setdefault(premise, []).append(one.claim_id)
    return found


def _standing_falls(
    known: Mapping[str, Dependent],
    now: Mapping[str, ClaimState],
    reviews: Mapping[str, Review | None],
    kept: Mapping[str, Review | None],
) -> dict[str, Fall]:
    """Other premises, of claims just cleared, that have fallen and still lie."""
    lost = [ref for ref in known if reviews[ref] is not None and kept.get(ref) is None]
    premises = {premise for ref in lost for premise in known[ref].premises if premise in now}
    return {ref: fall for ref in premises if (fall := fallen(now[ref])) is not None}


def _change(dependent: Dependent, now: ClaimState, review: Review | None) -> Change:
    before = now
    if review is None:
        state, ledger, reason = replace(now, review=None), Ledger.REVIEWED, "what it rests on stands again"
        because = before.review.chain[:-1] if before.review else ()
    else:
        state, ledger, because = replace(now, review=review), Ledger.FLAGGED, review.chain[:-1]
        reason = f"PendingReview: it rests on {review.chain[0]}, which no longer stands"
    return Change(dependent.claim_id, state, ledger, reason, because, before)


def _since(state: ClaimState, fall: Fall | None) -> int | None:
    if fall is not None:
        return fall.since
    return state.review.since if state.review else None


def _urgency(review: Review) -> int:
    """Reviews in the order in which they begin to count."""
    return -FOREVER if review.since is None else review.since
