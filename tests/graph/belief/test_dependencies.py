"""What rests on a claim hears of its fall, and of its return."""

from typing import Any

import pytest
from tests.graph.belief.line_model import Model, instant

from hornbook.graph.belief.state import Ledger
from hornbook.graph.errors import NotFound

SINCE_2020 = {"start": "2020", "valid_time_confidence": 0.9}
PREMISE = ("pump", "rated bar")


def chain(*, kind: str = "user asserted") -> tuple[Model, list[str]]:
    """A premise, a claim that rests on it, and one that rests on that."""
    model = Model()
    refs = [model.claim(*PREMISE, 6, kind, valid_time=SINCE_2020)]
    for predicate in ("hose", "clamp"):
        refs.append(model.claim("pump", predicate, 1, derived_from=[refs[-1]]))
    return model, refs


def flagged(model: Model, at: str | None = None) -> list[bool]:
    beliefs = (model.believe("pump", predicate, at) for predicate in ("hose", "clamp"))
    return ["PendingReview" in belief.markers for belief in beliefs]


def contest(model: Model) -> str:
    return model.claim(*PREMISE, 8, valid_time=SINCE_2020)


def end(model: Model) -> None:
    model.end(*PREMISE, "2024-01-01")


def lose(model: Model) -> None:
    model.resolve(*PREMISE, "winner", winner=contest(model))


def invalidate(model: Model) -> None:
    contest(model)
    model.resolve(*PREMISE, "none")


@pytest.mark.parametrize("fall", [contest, end, lose, invalidate])
def test_a_fall_is_heard_through_the_whole_chain(fall: Any) -> None:
    model, refs = chain()
    assert [False, False] == flagged(model)
    before = model.head
    fall(model)
    assert [True, True] == flagged(model)
    assert 1 == model.believe("pump", "hose").value
    assert [False, False] == [
        "PendingReview" in model.believe("pump", p, known=before).markers for p in ("hose", "clamp")
    ]
    flag = model.ledger(refs[2])[0]
    assert (Ledger.FLAGGED, (refs[0], refs[1])) == (flag.ledger, flag.because)
    assert flag.state.review and tuple(refs) == flag.state.review.chain


def test_a_guess_that_a_person_replaces_is_a_premise_that_falls() -> None:
    model, _ = chain(kind="model derived")
    model.claim(*PREMISE, 8)
    assert [True, True] == flagged(model)


def test_an_end_counts_from_its_instant_on() -> None:
    model, _ = chain()
    model.end(*PREMISE, "2030-01-01")
    assert [[False, False], [True, True]] == [flagged(model), flagged(model, "2031")]


def test_a_moved_end_moves_the_flag() -> None:
    model, refs = chain()
    model.end(*PREMISE, "2030-01-01")
    model.end(*PREMISE, "2028-01-01")
    review = model.states()[refs[1]].review
    assert review and instant("2028-01-01") == review.since
    model.end(*PREMISE, "2035-01-01")
    assert [False, False] == flagged(model, "2031")


def test_a_premise_that_wins_or_comes_back_clears_the_flag() -> None:
    model, (premise, *_) = chain()
    contest(model)
    model.resolve(*PREMISE, "winner", winner=premise)
    assert [False, False] == flagged(model)
    end(model)
    model.end(*PREMISE, reopen=True)
    assert [False, False] == flagged(model)


def test_a_person_saying_it_again_clears_the_flag_and_those_behind_it() -> None:
    model, _ = chain()
    end(model)
    model.claim("pump", "hose", 1, source="label")
    assert [False, False] == flagged(model)


def test_a_model_saying_it_again_clears_nothing() -> None:
    model, _ = chain()
    end(model)
    model.claim("pump", "hose", 1, "model derived")
    assert [True, True] == flagged(model)


def test_a_reason_clears_the_flag() -> None:
    model, _ = chain()
    end(model)
    model.reconcile("pump", "hose", reason="the hose was measured")
    assert [False, False] == flagged(model)


def test_one_premise_of_two_is_enough_and_its_return_is_not() -> None:
    model = Model()
    one, other = (model.claim("pump", p, 6, valid_time=SINCE_2020) for p in ("bar", "medium"))
    model.claim("pump", "hose", 1, derived_from=[one, other])
    model.end("pump", "bar", "2024")
    model.end("pump", "medium", "2024")
    model.end("pump", "bar", reopen=True)
    assert flagged(model)[0]
    model.end("pump", "medium", reopen=True)
    assert not flagged(model)[0]


def test_what_does_not_rest_on_it_is_left_alone() -> None:
    model, _ = chain()
    model.claim("pump", "paint", "grey")
    end(model)
    assert () == model.believe("pump", "paint").markers


def test_what_rests_on_a_fallen_premise_is_born_flagged() -> None:
    model, refs = chain()
    end(model)
    late = model.claim("pump", "seal", 1, derived_from=[refs[0]])
    later = model.claim("pump", "box", 1, derived_from=[late])
    reviews = [model.states()[ref].review for ref in (late, later)]
    assert [(refs[0], late), (refs[0], late, later)] == [review.chain for review in reviews if review]
    model.end(*PREMISE, reopen=True)
    assert "PendingReview" not in model.believe("pump", "box").markers


def test_an_unknown_premise_is_refused() -> None:
    with pytest.raises(NotFound):
        Model().claim("pump", "hose", 1, derived_from=["00000000-0000-7000-8000-00000000abcd"])


def test_a_cycle_of_premises_comes_to_an_end() -> None:
    from hornbook.graph.belief.dependencies import Dependent, propagate
    from hornbook.graph.belief.state import Change, ClaimState
    from hornbook.graph.claim import Disposition
    from hornbook.graph.interval import Interval

    stands = ClaimState(Disposition.COMMITTED_CHEAP, True, Interval())
    fell = ClaimState(Disposition.INVALIDATED, False, Interval())
    ring = [Dependent("b", stands, ("a", "c")), Dependent("c", stands, ("b",))]
    change = Change("a", fell, Ledger.INVALIDATED, "gone", (), stands)
    found = propagate([change], lambda refs: ring, {})
    assert [("b", ("a", "b")), ("c", ("a", "b", "c"))] == [
        (one.claim_id, one.state.review.chain) for one in found if one.state.review
    ]
    flagged_ring = [Dependent(one.claim_id, one.state, ring[i].premises) for i, one in enumerate(found)]
    back = Change("a", stands, Ledger.REINSTATED, "back", (), fell)
    assert [None, None] == [one.state.review for one in propagate([back], lambda refs: flagged_ring, {})]
