"""The ways out of a contest, and back into it."""

from typing import Any

import pytest
from tests.graph.belief.line_model import Model, instant, shown

from hornbook.graph.belief.oracle import Verdict
from hornbook.graph.belief.resolve import OUTCOMES
from hornbook.graph.claim import Disposition, Provenance
from hornbook.graph.errors import Conflict, Forbidden, HornbookError, InvalidArgument, NotFound

SINCE_2020 = {"start": "2020", "valid_time_confidence": 0.9}
LINE = ("yard", "gate code")


def contested(*values: Any, oracle: bool = False) -> tuple[Model, list[str]]:
    model = Model(oracle=oracle)
    return model, [model.claim(*LINE, value, valid_time=SINCE_2020) for value in values]


def dispositions(model: Model) -> list[str]:
    return [one.state.disposition.value for one in model.held(*LINE)]


@pytest.mark.parametrize("by", ["ref", "value"])
def test_the_winner_is_believed_and_the_others_are_superseded(by: str) -> None:
    model, (first, second, third) = contested("alder", "birch", "cedar")
    found = model.resolve(*LINE, "winner", winner=second if by == "ref" else "BIRCH")
    assert {(first, "Superseded"), (second, "CommittedCheap"), (third, "Superseded")} == set(found.outcomes)
    belief = model.believe(*LINE)
    assert (("Resolved", "birch", []), ()) == (shown(belief), belief.markers)
    assert model.dispute(*LINE) is None


def test_a_side_wins_or_loses_with_all_that_was_said_for_it() -> None:
    model, (_, second) = contested("alder", "birch")
    model.claim(*LINE, "alder", source="b")
    model.claim(*LINE, "alder", "model derived")
    model.resolve(*LINE, "winner", winner=second)
    assert ["Superseded", "CommittedCheap", "Superseded"] == dispositions(model)
    assert ("Resolved", "birch", []) == shown(model.believe(*LINE))


def test_a_resolution_leaves_other_periods_alone() -> None:
    model = Model()
    model.claim(*LINE, "oak", valid_time={**SINCE_2020, "start": "2010", "end": "2012"})
    for value in ("alder", "birch"):
        model.claim(*LINE, value, valid_time=SINCE_2020)
    model.resolve(*LINE, "winner", winner="birch")
    assert "oak" == model.believe(*LINE, "2011").value


def test_a_split_gives_each_side_its_window() -> None:
    model, (first, second) = contested("alder", "birch")
    model.resolve(*LINE, "split", windows={first: {"start": "2020", "end": "2022"}, second: {"start": "2022"}})
    assert ("Resolved", "alder", []) == shown(model.believe(*LINE, "2021"))
    assert ("Resolved", "birch", []) == shown(model.believe(*LINE))
    assert ["CommittedCheap"] * 2 == dispositions(model)


def test_all_makes_every_side_a_member_for_good() -> None:
    model, _ = contested("alder", "birch")
    model.resolve(*LINE, "all")
    assert ("Resolved", "birch", ["alder"]) == shown(model.believe(*LINE))
    model.claim("field", "gate code", 1)
    model.claim("field", "gate code", 2)
    assert model.last and 7 == model.last.row


def test_a_value_cannot_both_hold_and_not_hold() -> None:
    model = Model()
    for polarity in ("holds", "not"):
        model.claim(*LINE, "alder", polarity=polarity)
    with pytest.raises(Conflict, match="both hold and not hold"):
        model.resolve(*LINE, "all")


def test_none_invalidates_every_side_and_leaves_the_line_free() -> None:
    model, _ = contested("alder", "birch")
    model.resolve(*LINE, "none")
    assert ["Invalidated"] * 2 == dispositions(model)
    assert ("NoBelief", None, []) == shown(model.believe(*LINE))
    model.claim(*LINE, "cedar")
    assert model.last and 7 == model.last.row


@pytest.mark.parametrize("outcome", ["winner", "all", "none", "split"])
def test_reopening_undoes_a_resolution(outcome: str) -> None:
    model, (first, second) = contested("alder", "birch")
    before = model.head
    windows = {first: {"end": "2022"}, second: {"start": "2022"}} if outcome == "split" else None
    model.resolve(*LINE, outcome, winner=second if outcome == "winner" else None, windows=windows)
    assert model.dispute(*LINE) is None
    found = model.reopen(*LINE)
    assert shown(model.believe(*LINE, known=before)) == shown(model.believe(*LINE))
    if outcome in ("winner", "none"):
        assert (first, "Reinstated") in found.outcomes


def test_reopening_undoes_an_implied_succession() -> None:
    model = Model()
    for value, date in (("alder", "2024-01-01"), ("birch", "2024-03-01")):
        model.claim(*LINE, value, occurred_at=date)
    assert ("Resolved", "birch", []) == shown(model.believe(*LINE))
    model.reopen(*LINE)
    belief = model.believe(*LINE)
    assert (("Contested", None, ["alder", "birch"]), ("Contested",)) == (shown(belief), belief.markers)
    assert ["Reinstated", "Contested"] == dispositions(model)


def test_a_new_contradiction_is_a_new_contest_with_the_winner_only() -> None:
    model, (first, *_) = contested("alder", "birch", "cedar")
    model.resolve(*LINE, "winner", winner=first)
    model.claim(*LINE, "birch", valid_time=SINCE_2020)
    assert model.last and (11, (first,)) == (model.last.row, model.last.contested_with)


REFUSED: dict[str, tuple[type[HornbookError], str | None, dict[str, Any]]] = {
    "no reason": (InvalidArgument, "reason", {"outcome": "none", "reason": " "}),
    "no such outcome": (InvalidArgument, "outcome", {"outcome": "draw"}),
    "no winner named": (InvalidArgument, "winner", {"outcome": "winner"}),
    "a winner of another line": (NotFound, "winner", {"outcome": "winner", "winner": "elsewhere"}),
    "a model resolving": (Forbidden, "provenance", {"outcome": "none", "provenance": Provenance.MODEL_DERIVED}),
    "no windows": (InvalidArgument, "windows", {"outcome": "split"}),
    "windows that overlap": (
        InvalidArgument, "windows", {"outcome": "split", "windows": {0: {"end": "2023"}, 1: {"start": "2022"}}},
    ),
    "a window backwards": (
        InvalidArgument, "windows.*", {"outcome": "split", "windows": {0: {"start": "2022", "end": "2020"}, 1: {}}},
    ),
    "a window of nothing": (InvalidArgument, "windows.*", {"outcome": "split", "windows": {0: {}}}),
    "a side left out": (InvalidArgument, "windows", {"outcome": "split", "windows": {0: {"end": "2023"}}}),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_a_resolution_that_is_refused_changes_nothing(what: str) -> None:
    error, field, given = REFUSED[what]
    model, refs = contested("alder", "birch")
    if "windows" in given:
        given = {**given, "windows": {refs[index]: window for index, window in given["windows"].items()}}
    with pytest.raises(error) as caught:
        model.resolve(*LINE, **given)
    expected = field if not field or not field.endswith("*") else f"windows.{refs[0]}"
    assert expected == caught.value.field
    assert "Contested" == shown(model.believe(*LINE))[0]


def test_an_unknown_outcome_is_answered_with_the_ones_there_are() -> None:
    model, _ = contested("alder", "birch")
    with pytest.raises(InvalidArgument) as caught:
        model.resolve(*LINE, "draw")
    assert OUTCOMES == caught.value.valid


def test_where_nothing_is_contested_there_is_nothing_to_resolve_or_reopen() -> None:
    model, _ = contested("alder")
    with pytest.raises(Conflict):
        model.resolve(*LINE, "none")
    with pytest.raises(Conflict):
        model.reopen(*LINE)


@pytest.mark.parametrize(
    ("verdict", "answer", "ends"),
    [
        (Verdict.AFFIRM, ("Resolved", "birch", []), ["Superseded", "CommittedCheap"]),
        (Verdict.DENY, ("Resolved", "alder", []), ["CommittedCheap", "Invalidated"]),
        (Verdict.UNKNOWN, ("Contested", None, ["alder", "birch"]), ["Contested", "Contested"]),
        (Verdict.TIMEOUT, ("Contested", None, ["alder", "birch"]), ["Contested", "Contested"]),
    ],
)
def test_an_oracle_proposes_and_the_verdict_is_applied(verdict: Verdict, answer: Any, ends: list[str]) -> None:
    model, (_, challenger) = contested("alder", "birch", oracle=True)
    model.judge(*LINE, challenger, verdict)
    assert (answer, ends) == (shown(model.believe(*LINE)), dispositions(model))
    assert "PendingConflict" not in model.believe(*LINE).markers
    with pytest.raises(Conflict):
        model.judge(*LINE, challenger, Verdict.AFFIRM)


def test_reconciling_a_clean_line_changes_nothing() -> None:
    model, (ref,) = contested("alder")
    found = model.reconcile(*LINE)
    assert (((ref, "CommittedCheap"),), ()) == (found.outcomes, found.changes)


def test_reconciling_picks_nothing_while_both_sides_can_hold() -> None:
    model, refs = contested("alder", "birch")
    assert tuple((ref, "Contested") for ref in refs) == model.reconcile(*LINE).outcomes


def test_a_side_whose_window_is_over_leaves_the_other_one_standing() -> None:
    model = Model()
    first = model.claim(*LINE, "alder", valid_time=SINCE_2020)
    second = model.claim(*LINE, "birch", valid_time={**SINCE_2020, "end": "2026-07-01"})
    model.now = instant("2026-08-01")
    assert ((first, "CommittedCheap"), (second, "Superseded")) == model.reconcile(*LINE).outcomes
    assert ("Resolved", "alder", []) == shown(model.believe(*LINE, "2026-08-02"))
    assert "Contested" == shown(model.believe(*LINE, "2026-06-15"))[0]
    assert () == model.reconcile(*LINE).changes


def test_a_dispute_says_about_which_instants_and_since_when_it_is_known() -> None:
    model = Model()
    model.claim(*LINE, "alder", valid_time={**SINCE_2020, "start": "2019-01-01", "end": "2023-01-01"})
    model.claim(*LINE, "birch", valid_time={**SINCE_2020, "start": "2021-01-01"})
    known = model.head
    model.claim(*LINE, "birch", source="b")
    found = model.dispute(*LINE)
    assert found and ((instant("2021"), instant("2023")),) == found.spans
    assert (known, ["alder", "birch"]) == (found.since, [side.held[0].value for side in found.sides])
    assert [False, True, False] == [found.at(instant(year)) for year in ("2020", "2022", "2024")]


def test_a_declaration_settles_what_it_makes_possible() -> None:
    model, _ = contested("alder", "birch")
    model.declare(predicate="gate code", cardinality="SetValued")
    assert ("Resolved", "birch", ["alder"]) == shown(model.believe(*LINE))
    model.reconcile(*LINE)
    assert [Disposition.COMMITTED_CHEAP.value] * 2 == dispositions(model)
