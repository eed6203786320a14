"""Belief over random histories: against a model of plain sets of days, and against laws that always hold."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.graph.belief.line_model import Model, instant
from tests.graph.belief.naive import HORIZON, Ended, Entry, Said, Won, believed

from hornbook.graph.belief.belief import Status
from hornbook.graph.belief.case import held_of
from hornbook.graph.belief.dispute import settle
from hornbook.graph.belief.fold import believe
from hornbook.graph.belief.gate import decide
from hornbook.graph.belief.line import Context, Line
from hornbook.graph.belief.state import Held
from hornbook.graph.belief.windows import window_of
from hornbook.graph.claim import Channel, Claim, Disposition
from hornbook.graph.clock import DAY, rfc3339
from hornbook.graph.errors import HornbookError
from hornbook.graph.interval import ALWAYS, FOREVER

ZERO = instant("2020-01-01")
SUBJECT, PREDICATE = "eli", "gate_code"
DATES = ("2020", "2021-06", "2022", "2022-03-05", "2023", "2024", "2025-12", "2027")

values = st.sampled_from("ABC")
days = st.integers(0, 12)


@st.composite
def dated(draw: st.DrawFn) -> Said:
    first = draw(st.integers(0, 9))
    last = draw(st.one_of(st.just(HORIZON), st.integers(first + 1, 12)))
    return Said(draw(values), first, last, draw(st.sampled_from((True, True, False))))


entries = st.one_of(dated(), dated(), dated(), st.builds(Ended, values, days), st.builds(Won, values))


def day(number: int) -> str:
    return rfc3339(ZERO + number * DAY)


def tell(model: Model, entry: Entry) -> bool:
    """Tell the product what the naive model is told; whether it took it."""
    if isinstance(entry, Said):
        window: dict[str, Any] = {"start": day(entry.first), "valid_time_confidence": 0.9}
        if entry.last < HORIZON:
            window["end"] = day(entry.last)
        provenance = "user asserted" if entry.external else "ModelDerived"
        model.claim(SUBJECT, PREDICATE, entry.value, provenance, valid_time=window)
        return True
    try:
        if isinstance(entry, Ended):
            model.end(SUBJECT, PREDICATE, day(entry.day), value=entry.value)
        else:
            disputed = model.dispute(SUBJECT, PREDICATE)
            if disputed is None or entry.value not in {side.held[0].value for side in disputed.sides}:
                return False
            model.resolve(SUBJECT, PREDICATE, "winner", winner=entry.value)
    except HornbookError:
        return False
    return True


@settings(max_examples=50, deadline=None)
@given(st.lists(entries, min_size=1, max_size=7))
def test_dated_belief_is_what_sets_of_days_say_on_both_clocks(history: list[Entry]) -> None:
    model, taken, heads = Model(), [], []
    for entry in history:
        if tell(model, entry):
            taken.append(entry)
            heads.append(model.head)
    for upto, known in enumerate(heads, 1):
        for number in (*range(13), 30):
            belief = model.believe(SUBJECT, PREDICATE, ZERO + number * DAY, known)
            contested = belief.status is Status.CONTESTED
            sides = {slot.value for slot in belief.alternatives if slot.external} if contested else set()
            assert believed(taken[:upto], number) == (belief.status.value, belief.value, sides)


# everyday talk, of all kinds


windows = st.fixed_dictionaries(
    {"valid_time_confidence": st.sampled_from((0.9, 0.9, 0.5))},
    optional={"start": st.sampled_from(DATES), "end": st.sampled_from(DATES)},
)
talk = st.fixed_dictionaries(
    {
        "value": values,
        "provenance": st.sampled_from(
            ("user asserted", "user asserted", "external first hand", "model derived", "recall re entry")
        ),
    },
    optional={
        "valid_time": windows,
        "occurred_at": st.sampled_from(DATES),
        "speaker": st.sampled_from(("ana", "bo")),
        "intent": st.just("update"),
        "polarity": st.just("not"),
        "mood": st.just("planned"),
        "confidence_value": st.sampled_from((0.1, 0.6)),
        "channel": st.just(Channel.EXTRACTED),
        "criticality": st.just("High"),
        "present": st.just(False),
    },
)
deeds = st.one_of(
    talk,
    talk,
    talk,
    st.tuples(st.just("end"), st.sampled_from(DATES), values),
    st.tuples(st.sampled_from(("winner", "none", "all", "reopen", "take back")), st.just(""), values),
)
predicates = st.sampled_from(("lives_in", "likes", "gate_code", "visited"))
Histories = Callable[[str, list[Any]], None]


def act(model: Model, predicate: str, deed: Any) -> None:
    """One deed; what is refused changes nothing."""
    model.tick(DAY)
    with suppress(HornbookError):
        if isinstance(deed, dict):
            model.claim(SUBJECT, predicate, **deed)
        elif deed[0] == "end":
            model.end(SUBJECT, predicate, deed[1], value=deed[2])
        elif deed[0] == "take back":
            model.end(SUBJECT, predicate, reopen=True, value=deed[2])
        elif deed[0] == "reopen":
            model.reopen(SUBJECT, predicate)
        else:
            model.resolve(SUBJECT, predicate, deed[0], winner=deed[2])


def said_as_an_update(value: str, at: str) -> dict[str, str]:
    return {"value": value, "provenance": "user asserted", "occurred_at": at, "intent": "update"}


@settings(max_examples=100, deadline=None)
@given(predicates, st.lists(deeds, min_size=2, max_size=7))
@example("lives_in", [said_as_an_update("A", "2021-06"), said_as_an_update("B", "2020")])
def test_every_claim_knows_the_rivals_that_a_reading_finds(predicate: str, history: list[Any]) -> None:
    model = Model()
    for deed in history:
        act(model, predicate, deed)
        assert () == settle(model.live(SUBJECT, predicate), model.predicate(predicate), "again")


@settings(max_examples=50, deadline=None)
@given(predicates, st.lists(deeds, min_size=2, max_size=7))
def test_what_was_answered_as_of_an_instant_is_answered_for_ever(predicate: str, history: list[Any]) -> None:
    model, answers = Model(), {}
    for deed in history:
        act(model, predicate, deed)
        for at in ("2021", "2022-04", "2026-09"):
            answers[model.head, at] = model.believe(SUBJECT, predicate, at, model.head)
    assert answers == {(known, at): model.believe(SUBJECT, predicate, at, known) for known, at in answers}


@settings(max_examples=50, deadline=None)
@given(predicates, st.lists(deeds, min_size=2, max_size=7), talk, st.sampled_from(DATES))
def test_a_model_displaces_nothing_that_people_said(predicate: str, history: list[Any], guess: Any, at: str) -> None:
    model = Model()
    for deed in history:
        act(model, predicate, deed)
    before = {one.id: one.state for one in model.held(SUBJECT, predicate) if one.external}
    shown = model.believe(SUBJECT, predicate, at, model.now)
    act(model, predicate, {**guess, "provenance": "model derived"})
    assert before == {one.id: one.state for one in model.held(SUBJECT, predicate) if one.external}
    if shown.primary and shown.primary.external:
        told = model.believe(SUBJECT, predicate, at)
        assert (shown.status, shown.value) == (told.status, told.value)


@settings(max_examples=50, deadline=None)
@given(st.lists(talk, min_size=2, max_size=6), st.sampled_from(("winner", "none", "all")))
def test_resolving_leaves_no_trace_of_contest(history: list[Any], outcome: str) -> None:
    model = Model()
    for deed in history:
        act(model, PREDICATE, {**deed, "polarity": "holds"})
    while disputed := model.dispute(SUBJECT, PREDICATE):
        model.resolve(SUBJECT, PREDICATE, outcome, winner=disputed.sides[0].told[0].id)
        after = model.dispute(SUBJECT, PREDICATE)
        assert after is None or set(after.claims) < set(disputed.claims)
    assert all(Status.CONTESTED is not model.believe(SUBJECT, PREDICATE, at).status for at in (*DATES, None))
    assert "Contested" not in model.believe(SUBJECT, PREDICATE).markers


@settings(max_examples=50, deadline=None)
@given(predicates, st.lists(deeds, min_size=2, max_size=8), st.sampled_from((*DATES, "2026-09")))
def test_a_reading_needs_only_the_claims_that_bear_on_the_instant(predicate: str, history: list[Any], at: str) -> None:
    model = Model()
    for deed in history:
        act(model, predicate, deed)
    held, known = model.held(SUBJECT, predicate), model.predicate(predicate)
    assert believe(held, known, instant(at)) == believe(bearing(held, instant(at)), known, instant(at))


def bearing(held: tuple[Held, ...], at: int) -> tuple[Held, ...]:
    """The claims that a store loads to answer for one instant."""

    def holds(one: Held) -> bool:
        valid = one.state.valid
        return valid.since <= at < (valid.until if valid.end_trusted else FOREVER)

    def event(one: Held) -> bool:
        return one.claim.predicate == "visited" and one.state.valid.since <= at

    pending = [one for one in held if not one.state.live and one.state.disposition.value == "PendingLowConfidence"]
    sides = {one.side for one in held if one.state.live and (holds(one) or event(one) or one.state.rivals)}
    loaded = {one.id for one in pending} | {one.id for one in held if one.state.live and one.side in sides}
    unasserted = {one.id for one in held if one.state.live and not one.claim.asserted}
    return tuple(one for one in held if one.id in loaded | unasserted)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(values, st.integers(0, 9), st.integers(1, 4)), min_size=2, max_size=6), st.randoms())
def test_beliefs_from_dated_statements_do_not_depend_on_the_order_of_telling(said: list[Any], random: Any) -> None:
    apart = {(value, first): Said(value, first, first + length) for value, first, length in said}
    told = [one for one in apart.values() if not any(_shares(one, other) for other in apart.values())]
    shuffled = random.sample(told, len(told))
    one, other = Model(), Model()
    for mine, theirs in zip(told, shuffled, strict=True):
        tell(one, mine)
        tell(other, theirs)
    for number in range(15):
        assert _answer(one, number) == _answer(other, number)


def _shares(one: Said, other: Said) -> bool:
    """Whether two statements of one value share a day: then the newer one counts, so their order does."""
    return one is not other and one.value == other.value and one.first < other.last and other.first < one.last


def _answer(model: Model, number: int) -> Any:
    belief = model.believe(SUBJECT, PREDICATE, ZERO + number * DAY)
    return belief.status, belief.value, {slot.value for slot in belief.alternatives}, belief.markers


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(values, st.integers(0, 11)), min_size=2, max_size=6, unique_by=lambda s: s[1]), st.randoms())
def test_one_speakers_dated_talk_does_not_depend_on_the_order_of_telling(said: list[Any], random: Any) -> None:
    one, other = Model(), Model()
    for mine, theirs in zip(said, random.sample(said, len(said)), strict=True):
        for model, (value, number) in ((one, mine), (other, theirs)):
            model.claim(SUBJECT, PREDICATE, value, occurred_at=day(2 * number), speaker="ana")
    for number in range(-2, 24):
        mine, theirs = (model.believe(SUBJECT, PREDICATE, ZERO + number * DAY) for model in (one, other))
        assert (mine.status, mine.value) == (theirs.status, theirs.value)
        assert {slot.value for slot in mine.slots} == {slot.value for slot in theirs.slots}
        assert Status.CONTESTED is not mine.status


@settings(max_examples=50, deadline=None)
@given(predicates, st.lists(deeds, min_size=2, max_size=8), talk)
def test_a_decision_needs_only_the_claims_that_the_new_one_can_touch(
    predicate: str, history: list[Any], new: Any
) -> None:
    model = Model()
    for deed in history:
        act(model, predicate, deed)
    with suppress(HornbookError):
        claim, line, context = model.case(SUBJECT, predicate, **new)
        assert decide(claim, line, context) == replace(
            decide(claim, touched(line, claim, context), context),
            compared_with=decide(claim, line, context).compared_with,
        )


def touched(line: Line, claim: Claim, context: Context) -> Line:
    """The line as a store loads it for a write: whole, where a claim waits that the new one may wake."""
    if any(one.state.disposition is Disposition.PENDING_LOW_CONFIDENCE for one in line.same):
        return line
    window = window_of(held_of(claim, line, context), line.predicate.event)
    since = window.since if window.since > ALWAYS else window.begin
    event = line.predicate.event
    spans = [(one, window_of(one, event)) for one in line.live]
    keys = {one.value_key for one, span in spans if span.since <= window.until and since <= span.until}
    return replace(line, live=tuple(one for one in line.live if one.value_key in keys))


def test_a_held_claim_is_a_value() -> None:
    model = Model()
    model.claim(SUBJECT, PREDICATE, "A")
    (held,) = model.held(SUBJECT, PREDICATE)
    assert held == replace(held)
