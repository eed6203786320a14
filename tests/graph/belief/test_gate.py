"""The gate, row by row, and its guards."""

from collections.abc import Mapping
from typing import Any

import pytest
from tests.graph.belief.line_model import Model, shown

from hornbook.graph.belief.gate import ROWS
from hornbook.graph.claim import Cardinality, Channel

SINCE_2020 = {"start": "2020-01-01", "valid_time_confidence": 0.9}
SINCE_2024 = {"start": "2024-05-01", "valid_time_confidence": 0.9}
BACKWARDS = {"start": "2022-01-01", "end": "2020-01-01", "valid_time_confidence": 0.9}
USER, TOOL, MODEL, RECALL = "user asserted", "external first hand", "model derived", "recall re-entry"

Said = tuple[Any, str, Mapping[str, Any]]


def say(*told: Said) -> Model:
    """A memory that was told this, one thing after the other, on one line."""
    model = Model()
    for value, provenance, more in told:
        model.claim("dora", "desk number", value, provenance, **more)
    return model


def last(model: Model) -> tuple[int, str]:
    assert model.last is not None
    return model.last.row, model.last.disposition.value


ONE = ("D-1", USER, {"valid_time": SINCE_2020, "source": "hr"})
TABLE: Mapping[str, tuple[tuple[Said, ...], tuple[int, str]]] = {
    "backwards and trusted": ((("D-1", USER, {"valid_time": BACKWARDS}),), (1, "Quarantined")),
    "backwards, said by a model": ((("D-1", MODEL, {"valid_time": BACKWARDS}),), (1, "Quarantined")),
    "backwards, not relied on": (
        (("D-1", USER, {"valid_time": {**BACKWARDS, "valid_time_confidence": 0.5}}),),
        (7, "CommittedCheap"),
    ),
    "a model repeats a person": ((ONE, ("d-1 ", MODEL, {})), (2, "CommittedCheap")),
    "a recall repeats a side in dispute": ((ONE, ("D-2", USER, {}), ("D-2", RECALL, {})), (2, "Contested")),
    "a model repeats what waits": (
        (("D-1", USER, {"confidence_value": 0.1}), ("D-1", MODEL, {})),
        (2, "PendingLowConfidence"),
    ),
    "a recall of nothing": ((ONE, ("D-9", RECALL, {})), (3, "CommittedInferred")),
    "said again": ((ONE, ("D-1", USER, {})), (4, "CommittedCheap")),
    "a person confirms a guess": ((("D-1", MODEL, {}), ("D-1", USER, {})), (4, "CommittedCheap")),
    "hardly sure": ((ONE, ("D-2", USER, {"confidence_value": 0.19})), (5, "PendingLowConfidence")),
    "a guess": ((ONE, ("D-2", MODEL, {})), (6, "CommittedInferred")),
    "the first": ((ONE,), (7, "CommittedCheap")),
    "a person against a guess": ((("D-1", MODEL, {}), ("D-2", USER, {})), (8, "CommittedCheap")),
    "an update": ((ONE, ("D-2", USER, {"valid_time": SINCE_2024, "intent": "update"})), (9, "CommittedCheap")),
    "an update without an instant": ((ONE, ("D-2", USER, {"intent": "update"})), (11, "Contested")),
    "an update by a tool": (
        (ONE, ("D-2", TOOL, {"valid_time": SINCE_2024, "intent": "update", "source": "hr"})),
        (11, "Contested"),
    ),
    "an update by somebody else": (
        (ONE, ("D-2", USER, {"valid_time": SINCE_2024, "intent": "update", "speaker": "Bo"})),
        (11, "Contested"),
    ),
    "an update by somebody else, of the same source": (
        (ONE, ("D-2", USER, {"valid_time": SINCE_2024, "intent": "update", "speaker": "Bo", "source": "HR"})),
        (9, "CommittedCheap"),
    ),
    "an update of what is dear": (
        (("D-1", USER, {"criticality": "High"}), ("D-2", USER, {"valid_time": SINCE_2024, "intent": "update"})),
        (11, "Contested"),
    ),
    "the same speaker on another day": (
        (("D-1", USER, {"occurred_at": "2024-01-01"}), ("D-2", USER, {"occurred_at": "2024-01-02"})),
        (10, "CommittedCheap"),
    ),
    "the same speaker on the same day": (
        (
            ("D-1", USER, {"occurred_at": "2024-01-01T08:00:00Z"}),
            ("D-2", USER, {"occurred_at": "2024-01-01T20:00:00Z"}),
        ),
        (11, "Contested"),
    ),
    "another speaker on another day": (
        (("D-1", USER, {"occurred_at": "2024-01-01"}), ("D-2", USER, {"occurred_at": "2024-01-02", "speaker": "Bo"})),
        (11, "Contested"),
    ),
    "a person against a person": ((ONE, ("D-2", USER, {})), (11, "Contested")),
    "one side of a dispute again": ((ONE, ("D-2", USER, {}), ("D-1", USER, {"source": "b"})), (11, "Contested")),
    "extracted, and unsure": (
        (ONE, ("D-2", USER, {"channel": Channel.EXTRACTED, "confidence_value": 0.6})),
        (11, "PendingLowConfidence"),
    ),
    "extracted, unsure, and of one mind": (
        (ONE, ("D-1", USER, {"channel": Channel.EXTRACTED, "confidence_value": 0.6})),
        (4, "CommittedCheap"),
    ),
    "only planned": ((ONE, ("D-2", USER, {"mood": "planned"})), (7, "CommittedCheap")),
    "a model's conjecture": ((ONE, ("D-2", MODEL, {"mood": "possible"})), (6, "CommittedInferred")),
    "a denial of another value": ((ONE, ("D-2", USER, {"polarity": "not"})), (7, "CommittedCheap")),
    "a denial of the value": ((ONE, ("D-1", USER, {"polarity": "not"})), (11, "Contested")),
    "a denial as news": (
        (ONE, ("D-1", USER, {"polarity": "not", "intent": "update", "valid_time": SINCE_2024})),
        (9, "CommittedCheap"),
    ),
}


@pytest.mark.parametrize("told", TABLE)
def test_the_first_row_that_fits_decides(told: str) -> None:
    history, expected = TABLE[told]
    assert expected == last(say(*history))


def test_every_row_says_its_rule() -> None:
    rules = [row.__doc__ or "" for row in ROWS]
    numbers = [int(rule.split(":")[0].removeprefix("Row ")) for rule in rules if rule.startswith("Row ")]
    assert [*range(1, 12)] == numbers


def test_a_repetition_names_what_it_repeats_and_stores_nothing() -> None:
    model = say(ONE)
    (first,) = model.held("dora", "desk number")
    assert first.id == model.claim("dora", "Desk-Number", "D-1", RECALL)
    assert model.last and model.last.state is None and "RecallReEntryDetected" == model.last.ledger.value
    assert 1 == len(model.held("dora", "desk number"))


def test_a_superseded_guess_does_not_come_back_by_being_repeated() -> None:
    model = say(("D-1", MODEL, {}), ("D-2", USER, {}), ("D-1", MODEL, {}))
    assert (2, "Superseded") == last(model)
    assert ("TimingUncertain", "D-2", []) == shown(model.believe("dora", "desk number"))


def test_all_rivals_are_named_not_only_the_first() -> None:
    model = say(ONE, ("D-2", USER, {}), ("D-3", USER, {}))
    refs = tuple(one.id for one in model.held("dora", "desk number"))
    assert model.last and refs[:2] == model.last.contested_with
    assert [refs[1:], (refs[0], refs[2]), refs[:2]] == [one.state.rivals for one in model.held("dora", "desk number")]


def test_an_update_ends_what_was_and_a_late_one_ends_where_the_other_begins() -> None:
    newer = ("D-2", USER, {"valid_time": SINCE_2024, "intent": "update"})
    older = ("D-1", USER, {"valid_time": SINCE_2020, "intent": "update"})
    for model in (say(ONE, newer), say(newer, older)):
        assert ("Resolved", "D-1", []) == shown(model.believe("dora", "desk number", "2022"))
        assert ("Resolved", "D-2", []) == shown(model.believe("dora", "desk number"))
        assert () == model.believe("dora", "desk number").markers


def test_what_begins_later_than_an_update_told_late_is_not_touched() -> None:
    model = say(
        ("D-2", USER, {"valid_time": SINCE_2024}), ("D-1", USER, {"valid_time": SINCE_2020, "intent": "update"})
    )
    later = model.held("dora", "desk number")[0].state
    assert ("CommittedCheap", (), None) == (later.disposition.value, later.rivals, later.valid.end)


def test_an_update_told_late_fits_between_two_others() -> None:
    model = say(
        ("D-1", USER, {"valid_time": {**SINCE_2020, "end": "2024-05-01"}}),
        ("D-3", USER, {"valid_time": SINCE_2024}),
        ("D-2", USER, {"valid_time": {"start": "2022-01-01", "valid_time_confidence": 0.9}, "intent": "update"}),
    )
    assert ["D-1", "D-2", "D-3"] == [model.believe("dora", "desk number", at).value for at in ("2021", "2023", "2025")]


def test_an_update_without_a_start_begins_when_it_was_said_and_says_that_this_is_approximate() -> None:
    model = say(ONE, ("D-2", USER, {"occurred_at": "2024-06-10", "intent": "update"}))
    new = model.held("dora", "desk number")[-1]
    assert ("2024-06-10", True) == (str(new.state.valid.start), new.state.approximate)
    assert new.claim.valid.start is None


def test_an_implied_succession_is_marked_and_approximate() -> None:
    model = say(("D-1", USER, {"occurred_at": "2024-01-01"}), ("D-2", USER, {"occurred_at": "2024-03-01"}))
    belief = model.believe("dora", "desk number")
    assert ("Resolved", "D-2", []) == shown(belief)
    assert ("ImpliedSuccession",) == belief.markers
    assert all(one.state.approximate for one in model.held("dora", "desk number"))


def test_what_does_not_change_is_not_succeeded() -> None:
    model = Model()
    for value, date in (("1980-02-01", "2024-01-01"), ("1981-02-01", "2024-03-01")):
        model.claim("dora", "born on", value, occurred_at=date)
    assert (11, "Contested") == last(model)


def test_another_source_commits_what_was_pending_and_the_same_one_does_not() -> None:
    doubtful = ("D-1", USER, {"confidence_value": 0.1, "source": "a"})
    model = say(doubtful, ("D-1", USER, {"confidence_value": 0.1, "source": "a"}))
    assert ("NoBelief", None, ["D-1"]) == shown(model.believe("dora", "desk number"))
    model.claim("dora", "desk number", "D-1", source="b")
    belief = model.believe("dora", "desk number")
    assert belief.primary and (3, 1) == (belief.primary.evidence_count, belief.primary.corroboration_count)


def test_an_end_that_a_tool_reads_does_not_end_what_a_person_said() -> None:
    model = say(ONE, ("D-1", TOOL, {"valid_time": {**SINCE_2020, "end": "2022"}}))
    assert ("Resolved", "D-1", []) == shown(model.believe("dora", "desk number"))
    assert model.last and model.last.notes[0].startswith("valid_time.end")


def test_an_end_that_the_same_person_gives_counts() -> None:
    model = say(ONE, ("D-1", USER, {"valid_time": {**SINCE_2020, "end": "2022"}}))
    assert ("NoBelief", None, []) == shown(model.believe("dora", "desk number"))


def test_an_unsure_extraction_stands_beside_a_guess_and_comes_first() -> None:
    model = say(("D-1", MODEL, {}), ("D-2", USER, {"channel": Channel.EXTRACTED, "confidence_value": 0.6}))
    assert ("TimingUncertain", "D-2", ["D-1"]) == shown(model.believe("dora", "desk number"))


def test_an_oracle_is_asked_where_one_is_set() -> None:
    model = Model(oracle=True)
    model.claim("dora", "desk number", "D-1")
    model.claim("dora", "desk number", "D-2")
    assert (11, "QueuedForAdjudication") == last(model)
    assert {"Contested", "PendingConflict"} == set(model.believe("dora", "desk number").markers)


@pytest.mark.parametrize("proposed", ["Functional", "Unknown", None])
def test_on_an_undeclared_predicate_one_value_holds_unless_set_valued_is_said(proposed: str | None) -> None:
    model = say(ONE, ("D-2", USER, {"cardinality": proposed}))
    assert (11, "Contested") == last(model)
    assert not model.registry().declared("desk number")


def test_set_valued_declares_the_predicate_for_every_subject() -> None:
    model = say(ONE, ("D-2", USER, {"cardinality": "SetValued"}))
    assert (7, "CommittedCheap") == last(model)
    assert model.last and Cardinality.SET_VALUED is model.last.declares
    assert ("Resolved", "D-2", ["D-1"]) == shown(model.believe("dora", "desk number"))
    model.claim("eli", "desk number", 1)
    model.claim("eli", "desk number", 2)
    assert (7, "CommittedCheap") == last(model)


def test_a_model_declares_nothing() -> None:
    model = say(ONE, ("D-2", USER, {}), ("D-3", MODEL, {"cardinality": "SetValued"}))
    assert model.last and model.last.declares is None and "cardinality" in model.last.notes[0]
    assert "Contested" == shown(model.believe("dora", "desk number"))[0]


def test_a_cardinality_that_is_not_obeyed_is_reported() -> None:
    model = Model()
    model.claim("dora", "likes", "tea", cardinality="Functional")
    assert model.last and model.last.notes[0].startswith("cardinality: likes is SetValued")


def test_extracted_values_gather_until_somebody_says_what_the_line_is() -> None:
    model = say(("D-1", USER, {"channel": Channel.EXTRACTED}), ("D-2", USER, {"channel": Channel.EXTRACTED}))
    assert (7, "CommittedCheap") == last(model)
    assert ("CardinalityUnknown",) == model.believe("dora", "desk number").markers
    model.claim("dora", "desk number", "D-3")
    assert (11, "Contested") == last(model)


def test_a_symmetric_claim_is_gated_at_both_ends() -> None:
    model = Model()
    model.claim("ann", "married_to", "bo")
    model.claim("cy", "married_to", "Ann")
    assert (11, "Contested") == last(model)
    assert ("Contested", None, ["bo", "cy"]) == shown(model.believe("ann", "spouse"))
    assert "TimingUncertain" == shown(model.believe("bo", "married_to"))[0]


def test_an_inverse_is_one_claim_read_from_both_ends() -> None:
    model = Model()
    model.claim("bo", "daughter of", "ann")
    assert ("TimingUncertain", "ann", []) == shown(model.believe("bo", "child_of"))
    assert ("TimingUncertain", "bo", []) == shown(model.believe("ann", "parent_of"))
    model.claim("ann", "mother of", "Bo", source="b")
    assert (4, "CommittedCheap") == last(model)


def test_events_stand_side_by_side_and_are_never_succeeded() -> None:
    model = Model()
    for value, date in (("Oslo", "2024-01-01"), ("Bergen", "2024-03-01")):
        model.claim("ana", "visited", value, occurred_at=date, intent="update")
    assert (7, "CommittedCheap") == last(model)


def test_what_was_said_of_the_past_without_dates_is_no_rival() -> None:
    model = say(ONE, ("D-0", USER, {"occurred_at": "2024-01-01", "present": False}))
    assert (7, "CommittedCheap") == last(model)
    assert ("Resolved", "D-1", []) == shown(model.believe("dora", "desk number"))


def test_several_rivals_that_follow_one_another_are_closed_one_by_one() -> None:
    said = [("D-1", "2024-01-01"), ("D-3", "2024-05-01"), ("D-2", "2024-03-01"), ("D-1", "2024-04-01")]
    model = say(*[(value, USER, {"occurred_at": date}) for value, date in said])
    months = ("2024-02", "2024-03-15", "2024-04-15", "2024-06")
    assert ["D-1", "D-2", "D-1", "D-3"] == [model.believe("dora", "desk number", at).value for at in months]
    assert () == tuple(one for one in model.held("dora", "desk number") if one.state.rivals)


def test_what_the_same_person_contradicts_about_the_past_is_contested() -> None:
    model = say(
        ("D-1", USER, {"valid_time": SINCE_2020, "occurred_at": "2021-01-01"}),
        ("D-2", USER, {"valid_time": {**SINCE_2020, "start": "2019-01-01"}, "occurred_at": "2022-01-01"}),
    )
    assert (11, "Contested") == last(model)


def test_an_undated_rival_is_contested_by_the_same_person_without_dates() -> None:
    assert (11, "Contested") == last(say(("D-1", USER, {}), ("D-2", USER, {"occurred_at": "2024-01-01"})))


def test_an_update_said_before_its_rival_was_ends_when_that_was_said() -> None:
    model = say(
        ("D-2", USER, {"occurred_at": "2024-06-01"}),
        ("D-1", USER, {"valid_time": SINCE_2020, "occurred_at": "2023-01-01", "intent": "update"}),
    )
    assert (9, "CommittedCheap") == last(model)
    answers = [shown(model.believe("dora", "desk number", at)) for at in ("2022", "2025")]
    assert [("Resolved", "D-1", []), ("Resolved", "D-2", [])] == answers


def test_an_update_of_a_line_in_dispute_stays_in_dispute() -> None:
    model = say(ONE, ("D-2", USER, {}), ("D-3", USER, {"valid_time": SINCE_2024, "intent": "update"}))
    assert (11, "Contested") == last(model)


def test_a_successor_in_the_same_coarse_period_leaves_nothing_of_the_first() -> None:
    year = {"start": "2022", "valid_time_confidence": 0.9}
    model = say(("D-1", USER, {"valid_time": year}), ("D-2", USER, {"valid_time": year, "intent": "update"}))
    assert [("Resolved", "D-2", [])] * 2 == [
        shown(model.believe("dora", "desk number", at)) for at in ("2022-05", "2024")
    ]


def test_a_contest_at_one_end_of_a_claim_is_kept_when_the_other_end_is_settled() -> None:
    model = Model()
    model.claim("ann", "married_to", "bo")
    model.claim("cy", "married_to", "bo")
    model.claim("ann", "married_to", "dee")
    model.resolve("ann", "married_to", "winner", winner="bo")
    assert "Contested" == shown(model.believe("bo", "married_to"))[0]
    assert ("TimingUncertain", "bo", []) == shown(model.believe("ann", "married_to"))
    (kept,) = (one for one in model.held("ann", "married_to") if one.state.live)
    assert ("Contested", 1) == (kept.state.disposition.value, len(kept.state.rivals))
