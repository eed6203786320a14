"""How many rivals a claim's state names: the first few, and in dispute exactly when a reading finds one."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.graph.belief.line_model import Model
from tests.graph.belief.test_properties import PREDICATE, SUBJECT, act, deeds, predicates

from hornbook.graph.belief import dispute, gate, rivals
from hornbook.graph.belief.dispute import Dispute, settle
from hornbook.graph.belief.rivalry import clashes_in, reaches_into, sides_of
from hornbook.graph.belief.rivals import NAMED
from hornbook.graph.belief.state import Held

histories = st.lists(deeds, min_size=2, max_size=7)


@pytest.fixture(params=(1, 2))
def named(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """States name so few rivals that short histories go beyond it."""
    for module in (dispute, gate, rivals):
        monkeypatch.setattr(module, "NAMED", request.param)
    return int(request.param)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(predicates, histories)
def test_a_state_names_some_of_the_rivals_that_a_reading_finds(named: int, predicate: str, history: list[Any]) -> None:
    model = Model()
    for deed in history:
        act(model, predicate, deed)
        known = model.predicate(predicate)
        live = model.live(SUBJECT, predicate)
        found = rivals_of(model, predicate)
        for one in (one for one in live if one.counts and one.external):
            real = found.get(one.id, set())
            assert set(one.state.rivals) <= real
            assert min(len(real), 1) <= len(one.state.rivals) <= named
        assert () == settle(live, known, "again")


def rivals_of(model: Model, predicate: str) -> dict[str, set[str]]:
    """Every rival of every claim of a line, from every pair of windows that conflict."""
    known = model.predicate(predicate)
    found: dict[str, set[str]] = {}
    for clash in clashes_in(sides_of(model.live(SUBJECT, predicate), known), known):
        span = clash.since, clash.until
        one, other = ({c.id for c in window.held if reaches_into(c, *span)} for window in clash.windows)
        for mine, theirs in ((one, other), (other, one)):
            for ref in mine:
                found.setdefault(ref, set()).update(theirs)
    return found


@settings(max_examples=50, deadline=None)
@given(predicates, histories)
def test_a_dispute_is_told_from_few_of_its_conflicts(predicate: str, history: list[Any]) -> None:
    model = Model()
    for deed in history:
        act(model, predicate, deed)
        assert slowly(model, predicate) == model.dispute(SUBJECT, predicate)


def slowly(model: Model, predicate: str) -> Dispute | None:
    """The dispute from every pair of windows that conflict."""
    known = model.predicate(predicate)
    found = list(clashes_in(sides_of(model.live(SUBJECT, predicate), known), known))
    sides = {side.key: side for clash in found for side in (clash.one, clash.other)}
    spans = dispute._merged((clash.since, clash.until) for clash in found)
    since = [max(min(one.known_at for one in window.held) for window in clash.windows) for clash in found]
    ordered = sorted(sides.values(), key=lambda side: min(one.seq for one in side.held))
    return Dispute(tuple(ordered), spans, min(since)) if found else None


def test_a_line_on_which_everybody_disagrees_changes_little_with_each_new_claim() -> None:
    model = Model()
    for number in range(3 * NAMED):
        model.claim(SUBJECT, PREDICATE, f"V-{number:02}")
    assert model.last and 3 * NAMED - 1 == len(model.last.contested_with)
    assert () == model.last.changes
    assert {NAMED} == {len(one.state.rivals) for one in model.live(SUBJECT, PREDICATE)}
    assert 3 * NAMED == len(model.believe(SUBJECT, PREDICATE).alternatives)


def test_a_winner_frees_every_claim_of_a_long_dispute_from_it() -> None:
    model = Model()
    for number in range(3 * NAMED):
        model.claim(SUBJECT, PREDICATE, f"V-{number:02}")
    model.resolve(SUBJECT, PREDICATE, "winner", winner="V-20")
    assert "V-20" == model.believe(SUBJECT, PREDICATE).value
    (left,) = model.live(SUBJECT, PREDICATE)
    assert () == left.state.rivals
    model.reopen(SUBJECT, PREDICATE)
    assert all(one.state.rivals for one in model.live(SUBJECT, PREDICATE))


def test_those_left_over_after_an_end_still_know_that_they_are_in_dispute() -> None:
    model = Model()
    for number in range(2 * NAMED):
        model.claim(SUBJECT, PREDICATE, f"V-{number:02}")
    for number in range(NAMED + 2):
        model.end(SUBJECT, PREDICATE, "2020", value=f"V-{number:02}")
    left: list[Held] = [one for one in model.live(SUBJECT, PREDICATE) if one.value >= f"V-{NAMED + 2:02}"]
    assert all(one.state.rivals for one in left if one.state.live)
    assert () == settle(model.live(SUBJECT, PREDICATE), model.predicate(PREDICATE), "again")
