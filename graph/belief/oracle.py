"""An oracle's verdict: it proposes which of two sides is right; what follows is decided here."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from hornbook.graph.belief.dispute import after, freed, merged_changes, settle
from hornbook.graph.belief.registry import Predicate
from hornbook.graph.belief.rivals import Seats
from hornbook.graph.belief.state import Change, Held, Ledger
from hornbook.graph.claim import Disposition
from hornbook.graph.errors import Conflict, NotFound


class Verdict(StrEnum):
    """What an oracle can say about the challenger; a timeout is no answer."""

    AFFIRM = "affirm"
    DENY = "deny"
    UNKNOWN = "unknown"
    TIMEOUT = "timeout"


@dataclass(frozen=True, slots=True)
class Question:
    """What an oracle is asked: whether the challenger is right, against these."""

    challenger: Held
    incumbents: tuple[Held, ...]


def question(held: Sequence[Held], predicate: Predicate, challenger: str) -> Question:
    """The question about a queued claim, from the live claims of its line: it stands against all its rivals there."""
    found = {one.id: one for one in held}
    if challenger not in found:
        raise NotFound("the challenger is not on this line", field="challenger")
    asked = found[challenger]
    return Question(asked, tuple(found[ref] for ref in Seats(held, predicate).all_against(challenger)))


WAITING = (Disposition.QUEUED,)  # for an oracle that was set; a person may be asked about any contest
Lines = Sequence[tuple[Sequence[Held], Predicate]]  # of each line that a claim stands on, the live claims


def judged_on(
    lines: Lines, challenger: str, verdict: Verdict, waiting: Collection[Disposition] = WAITING
) -> tuple[Change, ...]:
    """What a verdict changes where the challenger stands on two lines: it is right, or wrong, on both."""
    changes = merged_changes(*(judged(held, predicate, challenger, verdict, waiting) for held, predicate in lines))
    if verdict is not Verdict.AFFIRM:
        return changes
    return tuple(_freed(one) if one.claim_id == challenger else one for one in changes)


def _freed(change: Change) -> Change:
    return replace(change, state=replace(change.state, disposition=Disposition.COMMITTED_CHEAP, rivals=()))


def judged(
    held: Sequence[Held],
    predicate: Predicate,
    challenger: str,
    verdict: Verdict,
    waiting: Collection[Disposition] = WAITING,
) -> tuple[Change, ...]:
    """What a verdict changes, given the live claims of the line and how a claim stands that may be judged.

    Affirm: the challenger is believed, the incumbents are superseded. Deny: the challenger is invalidated. Unknown, or
    no answer in time: the line is contested. A question that was settled meanwhile is a Conflict.
    """
    asked = question(held, predicate, challenger)
    if asked.challenger.state.disposition not in waiting:
        raise Conflict("this question is no longer open", field="challenger")
    if verdict is Verdict.AFFIRM:
        side = [one for one in held if one.counts and one.side == asked.challenger.side and one.external]
        changes = [
            _lost(one, Disposition.SUPERSEDED, "the oracle affirmed its rival", challenger) for one in _against(asked)
        ]
        changes += [_stands(one, held, "the oracle affirmed it") for one in side]
    elif verdict is Verdict.DENY:
        changes = [_lost(asked.challenger, Disposition.INVALIDATED, "the oracle denied it", challenger)]
    else:
        reason = "the oracle did not know" if verdict is Verdict.UNKNOWN else "the oracle did not answer in time"
        ledger = Ledger.ANSWERED if verdict is Verdict.UNKNOWN else Ledger.EXPIRED
        state = replace(asked.challenger.state, disposition=Disposition.CONTESTED)
        changes = [Change(challenger, state, ledger, reason, asked.challenger.state.rivals, asked.challenger.state)]
    settled = settle(after(held, changes), predicate, "an oracle was asked", (challenger,))
    return merged_changes(changes, settled)


def _against(asked: Question) -> list[Held]:
    return [one for one in asked.incumbents if one.counts]


def _lost(held: Held, disposition: Disposition, reason: str, because: str) -> Change:
    state = replace(held.state, disposition=disposition, live=False, rivals=())
    return Change(held.id, state, Ledger.ANSWERED, reason, (because,), held.state)


def _stands(held: Held, line: Sequence[Held], reason: str) -> Change:
    state = freed(held, {one.id for one in line})
    return Change(held.id, state, Ledger.ANSWERED, reason, held.state.rivals, held.state)
