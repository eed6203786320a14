"""Saying that a fact ended, moving that, and taking it back."""

from typing import Any

import pytest
from tests.graph.belief.line_model import Model, shown

from hornbook.graph.errors import Ambiguous, Conflict, Forbidden, HornbookError, Incoherent, InvalidArgument, NotFound

LINE = ("yard", "lamp")
SINCE_2020 = {"start": "2020-06-01", "valid_time_confidence": 0.9}


def lit(value: str = "on", provenance: str = "user asserted", **more: Any) -> Model:
    model = Model()
    model.claim(*LINE, value, provenance, **{"valid_time": SINCE_2020, **more})
    return model


def ask(model: Model, at: str | None = None) -> Any:
    return shown(model.believe(*LINE, at))


def test_what_ended_is_believed_for_its_time_only() -> None:
    model = lit()
    before = model.head
    found = model.end(*LINE, "2023-05")
    assert (model.held(*LINE)[0].id, "Superseded", "2023-05", False) == (
        found.claim_id, found.disposition.value, str(found.at), found.no_op,
    )  # fmt: skip
    assert ["on", None, None] == [ask(model, at)[1] for at in ("2023-04-30", "2023-05-01", None)]
    assert "on" == model.believe(*LINE, "2024", before).value


def test_an_unknown_start_keeps_the_past() -> None:
    model = lit(valid_time=None)
    model.end(*LINE, "2023-01-01")
    assert [("Resolved", "on", []), ("NoBelief", None, [])] == [ask(model, "2022"), ask(model)]


def test_a_future_end_is_believed_until_then_can_be_said_again_and_moved() -> None:
    model = lit()
    model.end(*LINE, "2190-01-01")
    assert model.end(*LINE, "2190-01-01").no_op
    assert not model.end(*LINE, "2180-01-01").no_op
    assert ["on", "on", None] == [ask(model, at)[1] for at in (None, "2175", "2185")]


def test_a_successor_from_the_end_on_is_no_contest() -> None:
    model = lit()
    model.end(*LINE, "2024-09-23")
    model.claim(*LINE, "off", valid_time={**SINCE_2020, "start": "2024-09-23"})
    assert model.last and (7, ()) == (model.last.row, model.last.contested_with)


def test_a_side_ends_with_all_that_was_said_for_it_guesses_too() -> None:
    model = lit(provenance="model derived")
    model.claim(*LINE, "on", source="a")
    model.claim(*LINE, "on", source="b", valid_time=SINCE_2020)
    model.end(*LINE, "2023-01-01")
    assert ("NoBelief", None, []) == ask(model)


def test_a_guess_beside_the_fact_does_not_count() -> None:
    model = lit()
    model.claim(*LINE, "off", "model derived")
    assert not model.end(*LINE, "2023").no_op
    assert ("TimingUncertain", "off", []) == ask(model)


def test_a_value_picks_among_several() -> None:
    model = lit("alder")
    model.claim(*LINE, "birch", valid_time=SINCE_2020)
    with pytest.raises(Ambiguous, match="alder, birch"):
        model.end(*LINE, "2024")
    model.end(*LINE, "2024", value="Birch")
    assert [("Resolved", "alder", []), ("Contested", None, ["alder", "birch"])] == [ask(model), ask(model, "2022")]
    assert ("Contested",) == model.believe(*LINE).markers


def test_a_whole_joined_period_ends() -> None:
    model = lit(valid_time={**SINCE_2020, "end": "2022-01-01"})
    model.claim(*LINE, "on", valid_time={**SINCE_2020, "start": "2022-01-01"})
    model.end(*LINE, "2021-01-01")
    assert ["on", None, None] == [ask(model, at)[1] for at in ("2020-07", "2021-06", "2023")]


def test_an_end_that_is_not_relied_on_makes_the_belief_uncertain() -> None:
    model = lit()
    assert "CommittedCheap" == model.end(*LINE, "2023", confidence=0.5).disposition.value
    assert [("Resolved", "on", []), ("TimingUncertain", "on", [])] == [ask(model, "2022"), ask(model)]


def test_an_end_in_the_coarse_period_of_the_start_means_the_rest_of_it() -> None:
    model = lit()
    model.end(*LINE, "2020")
    assert ["on", None] == [ask(model, at)[1] for at in ("2020-11", "2021")]


def test_taking_back_takes_back_every_end_that_was_set() -> None:
    model = lit()
    model.claim(*LINE, "on", source="b")
    model.end(*LINE, "2023-01-01")
    found = model.end(*LINE, reopen=True)
    assert ("Reinstated", None) == (found.disposition.value, found.at)
    assert ("Resolved", "on", []) == ask(model)
    with pytest.raises(NotFound):
        model.end(*LINE, reopen=True)


def test_taking_back_an_end_with_a_successor_opens_a_contest() -> None:
    model = lit()
    model.end(*LINE, "2023-01-01")
    model.claim(*LINE, "off", valid_time={**SINCE_2020, "start": "2023-01-01"})
    model.end(*LINE, reopen=True, value="on")
    assert ("Contested", None, ["off", "on"]) == ask(model)


REFUSED: dict[str, tuple[type[HornbookError], str | None, dict[str, Any]]] = {
    "no instant": (InvalidArgument, "at", {"at": None}),
    "before the start": (Incoherent, "at", {"at": "2019-06-01"}),
    "a model": (Forbidden, "provenance", {"at": "2023", "provenance": "ModelDerived"}),
    "another value": (NotFound, "value", {"at": "2023", "value": "off"}),
}


@pytest.mark.parametrize("what", REFUSED)
def test_an_end_that_is_refused_changes_nothing(what: str) -> None:
    error, field, given = REFUSED[what]
    model = lit()
    with pytest.raises(error) as caught:
        model.end(*LINE, **given)
    assert (field, ("Resolved", "on", [])) == (caught.value.field, ask(model))


def test_where_nothing_holds_there_is_nothing_to_end() -> None:
    model = lit()
    model.end(*LINE, "2023-01-01")
    for at in ("2023-01-01", "2024-01-01"):
        with pytest.raises(NotFound):
            model.end(*LINE, at)
    with pytest.raises(NotFound):
        lit(provenance="model derived").end(*LINE, "2024")


def test_an_event_does_not_end() -> None:
    model = Model()
    model.claim("ana", "visited", "Oslo", valid_time=SINCE_2020)
    with pytest.raises(Conflict):
        model.end("ana", "visited", "2024")
