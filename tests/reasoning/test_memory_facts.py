"""The facts that rules see are what the fold believes: at every instant, over random histories."""

from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.graph.belief.line_model import Model, instant
from tests.graph.belief.test_properties import DATES, SUBJECT, act, deeds, predicates

from hornbook.graph.belief.belief import Belief, Slot, Status
from hornbook.graph.belief.believed import believed
from hornbook.graph.claim import Polarity
from hornbook.graph.clock import DAY
from hornbook.graph.interval import ALWAYS, FOREVER

Seen = set[tuple[str, str, str, bool]]


def by_the_fold(belief: Belief, set_valued: bool) -> Seen:
    """What a belief shows as believed: its primary, with it the other members, and what is denied undisputed."""
    free = [slot for slot in belief.alternatives if not (slot.contested or aside(slot))]
    if belief.status is Status.CONTESTED:
        free_sides = [one for one in free if one.external and (set_valued or one.polarity is Polarity.NOT)]
        return seen(free_sides)
    if belief.primary is None:
        positive = [one for one in free if one.polarity is Polarity.HOLDS]
        stated = {one.held.value_key for one in positive if one.external}
        thought = {one.held.value_key for one in positive}
        negative = [one for one in free if one.polarity is Polarity.NOT]
        against_it = [one for one in negative if one.external and one.held.value_key not in stated]
        closed = thought | {one.held.value_key for one in against_it}
        return seen(
            [*against_it, *(one for one in negative if not (one.external or stated or one.held.value_key in closed))]
        )
    alike = [one for one in free if one.external == belief.primary.external and one.polarity is Polarity.HOLDS]
    if not belief.primary.external:  # somebody's denial goes before a guess
        against = {one.held.value_key for one in free if one.external and one.polarity is Polarity.NOT}
        alike = [one for one in alike if one.held.value_key not in against]
    held = {one.held.value_key for one in (belief.primary, *free) if one.polarity is Polarity.HOLDS}
    values = {belief.primary.held.value_key, *(one.held.value_key for one in alike)}
    negative = [one for one in free if one.polarity is Polarity.NOT]
    said_not = [one for one in negative if one.external and one.held.value_key not in values]
    denied = {one.held.value_key for one in said_not}
    guessed = [
        one
        for one in negative
        if not (one.external or belief.primary.external) and one.held.value_key not in held | denied
    ]
    return seen([belief.primary, *alike, *said_not, *guessed])


def aside(slot: Slot) -> bool:
    """Whether a slot is only shown: pending, or not said as a fact."""
    return not slot.held.counts


def seen(slots: list[Slot]) -> Seen:
    return {(slot.claim_ref, slot.held.value_key, slot.polarity.value, slot.timing_uncertain) for slot in slots}


def instants(model: Model, predicate: str) -> list[int]:
    """Every instant at which something could change, and those just before."""
    found = {instant(text) for text in DATES} | {model.now, model.now - 7 * DAY}
    for one in model.held(SUBJECT, predicate):
        ends = (one.state.valid.since, one.state.valid.until, one.known_at, one.stated_at)
        found |= {at for at in ends if ALWAYS < at < FOREVER}
    return sorted({at - shift for at in found for shift in (0, 1)})


@settings(max_examples=60, deadline=None)
@given(predicates, st.lists(deeds, min_size=1, max_size=8))
def test_what_rules_see_is_what_is_believed_at_every_instant(predicate: str, history: list[Any]) -> None:
    model = Model()
    for deed in history:
        act(model, predicate, deed)
    known = model.predicate(predicate)
    live = [one for one in model.held(SUBJECT, predicate) if one.state.live]
    pieces = believed(live, known)

    for at in instants(model, predicate):
        belief = model.believe(SUBJECT, predicate, at)
        facts = {
            (one.held.id, one.held.value_key, one.held.polarity.value, one.uncertain)
            for one in pieces
            if one.start <= at < one.end
        }
        apart = known.set_valued or (not known.declared and all(side_free(one) for one in live if one.counts))
        assert by_the_fold(belief, apart) == facts, (at, belief)


def side_free(one: Any) -> bool:
    from hornbook.graph.belief.rivalry import states_no_cardinality

    return not one.external or states_no_cardinality(one)


@settings(max_examples=40, deadline=None)
@given(predicates, st.lists(deeds, min_size=1, max_size=8))
def test_pieces_of_one_value_do_not_overlap(predicate: str, history: list[Any]) -> None:
    model = Model()
    for deed in history:
        act(model, predicate, deed)
    live = [one for one in model.held(SUBJECT, predicate) if one.state.live]
    pieces = sorted(believed(live, model.predicate(predicate)), key=lambda one: (one.held.side, one.start))

    for one, other in pairwise(pieces):
        assert one.held.side != other.held.side or one.end <= other.start
