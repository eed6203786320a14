"""A new claim beside its line: all that the rows of the gate look at, found once."""

from dataclasses import dataclass, replace

from hornbook.graph.belief.authority import allowed
from hornbook.graph.belief.line import Context, Line
from hornbook.graph.belief.registry import Predicate
from hornbook.graph.belief.rivalry import (
    Clash,
    Side,
    clashes_between,
    exclusive,
    rivals_in,
    side_of,
    sides_of,
    states_no_cardinality,
)
from hornbook.graph.belief.state import ClaimState, Held, Marker
from hornbook.graph.belief.windows import Window, window_of
from hornbook.graph.claim import Cardinality, Channel, Claim, Disposition
from hornbook.graph.interval import ALWAYS

COMPARED = 32  # claims that the ledger names as those a decision looked at
LATEST = 2**62  # the seq of a claim that is not written yet


@dataclass(frozen=True, slots=True)
class Case:
    """A claim, its line as it will be read with it, and whom it meets there.

    `same` are the live claims of its side that it touches, `waiting` those that are pending; `clashes` are its
    conflicts with External sides, `contested_with` the claims in them; `guesses` are its inferred rivals.
    """

    claim: Claim
    new: Held
    line: Line
    context: Context
    predicate: Predicate
    same: tuple[Held, ...]
    waiting: tuple[Held, ...]
    clashes: tuple[Clash, ...]
    contested_with: tuple[str, ...]
    guesses: tuple[Side, ...]
    bounded: str | None = None  # said where the claim's own end does not count

    @property
    def line_now(self) -> tuple[Held, ...]:
        """Every claim of the line that was looked at, each once."""
        return _once(self.line)

    @property
    def compared_with(self) -> tuple[str, ...]:
        """The claims that were looked at for the decision; the first of them where there are many."""
        met = [*self.contested_with[:COMPARED], *(one.id for one in self.same[-COMPARED:])]
        return tuple(dict.fromkeys([*met, *(one.id for side in self.guesses for one in side.held)]))[:COMPARED]

    @property
    def unsure(self) -> bool:
        """Whether it was extracted with too little confidence to close or contest anything."""
        extracted = self.claim.channel is Channel.EXTRACTED
        return extracted and self.claim.confidence < self.context.settings.extracted_confidence


def case_of(claim: Claim, line: Line, context: Context) -> Case:
    """The case of a claim on one line."""
    predicate = effective(line.predicate, claim)
    new = held_of(claim, line, context)
    own = [one for one in _once(line) if one.counts and one.side == new.side]
    same = tuple(one for one in own if _touches(window_of(new, predicate.event), window_of(one, predicate.event)))
    valid = allowed(claim, same, context.owner)
    note = None
    if valid != claim.valid:
        new = replace(new, state=replace(new.state, valid=valid))
        note = f"valid_time.end: {claim.valid.end} was kept as said, and does not end what somebody else asserted"
    waiting = tuple(one for one in line.same if _waiting(one))
    if not (new.external and claim.asserted):
        return Case(claim, new, line, context, predicate, same, waiting, (), (), (), note)
    mine = side_of(new.side, [*(one for one in own if one.external), new], predicate)
    facing = (one for one in line.live if not predicate.set_valued or one.value_key == new.value_key)
    others = [side for side in sides_of(facing, predicate) if side.key != new.side]
    opposed = [side for side in others if exclusive(mine, side, predicate)]
    met = tuple(clash for side in opposed if side.external for clash in clashes_between(mine, side) if _in(new, clash))
    guesses = tuple(side for side in opposed if not side.external and clashes_between(mine, side))
    return Case(claim, new, line, context, predicate, same, waiting, met, rivals_in(met, new.id), guesses, note)


def held_of(claim: Claim, line: Line, context: Context) -> Held:
    """The new claim as the line would see it, were it simply accepted."""
    state = ClaimState(Disposition.COMMITTED_CHEAP, True, claim.valid)
    key = claim.value_key if line.value_key is None else line.value_key
    return Held(claim, LATEST, context.known_at, state, key, claim.polarity, line.mirrored)


def effective(predicate: Predicate, claim: Claim) -> Predicate:
    """The predicate as this claim finds it: SetValued from a person on an undeclared one declares it."""
    declares = not predicate.declared and claim.cardinality is Cardinality.SET_VALUED and claim.provenance.external
    return replace(predicate, cardinality=Cardinality.SET_VALUED) if declares else predicate


def markers_of(case: Case) -> tuple[str, ...]:
    """What a reader should know about the new claim from its birth."""
    claim, found = case.claim, []
    if not claim.asserted:
        found.append(Marker.NOT_ASSERTED.value)
    if claim.derived_from and not claim.provenance.external and not case.context.anchored:
        found.append(Marker.LOW_DERIVATION_ANCHOR.value)
    if _second_of_unknown(case):
        found.append(Marker.CARDINALITY_UNKNOWN.value)
    return tuple(found)


def _second_of_unknown(case: Case) -> bool:
    """Whether it joins values that nobody said could stand side by side."""
    if case.predicate.declared or not states_no_cardinality(case.new):
        return False
    beside = (one for one in case.line.live if one.counts and one.side != case.new.side and states_no_cardinality(one))
    window = window_of(case.new)
    return any(_touches(window, window_of(one)) for one in beside)


def _once(line: Line) -> tuple[Held, ...]:
    return tuple({one.id: one for one in (*line.live, *line.same)}.values())


def _waiting(held: Held) -> bool:
    return held.state.disposition is Disposition.PENDING_LOW_CONFIDENCE and held.claim.asserted


def _touches(new: Window, known: Window) -> bool:
    """Whether a restatement speaks of a period that the known claim speaks of, or goes on from it."""
    since = new.since if new.since > ALWAYS else min(new.begin, LATEST)
    return since <= known.until and known.since <= new.until


def _in(new: Held, clash: Clash) -> bool:
    return any(one.id == new.id for one in clash.windows[0].held)


def joins(case: Case, waiting: Held) -> bool:
    """Whether a pending claim of the side could be believed, beside the new one, without a conflict."""
    woken = replace(waiting, state=replace(waiting.state, live=True))
    mine = side_of(case.new.side, [*(one for one in case.same if one.external), case.new, woken], case.predicate)
    return not any(
        clashes_between(mine, side)
        for side in sides_of(case.line.live, case.predicate)
        if side.external and side.key != mine.key and exclusive(mine, side, case.predicate)
    )
