"""What a line says at an instant."""

from collections.abc import Mapping
from typing import Any

import pytest
from tests.graph.belief.line_model import Model, shown

from hornbook.graph.belief.belief import Currency
from hornbook.graph.belief.fold import currency
from hornbook.graph.clock import DAY

MODEL = "model derived"


def window(start: str | None = None, end: str | None = None, confidence: float = 0.9) -> dict[str, object]:
    return {"start": start, "end": end, "valid_time_confidence": confidence}


def told(*said: tuple[str, Mapping[str, Any]]) -> Model:
    model = Model()
    for value, more in said:
        model.claim("harbour", "pilot", value, **more)
    return model


def ask(model: Model, at: str | None = None) -> tuple[str, object, list[object]]:
    return shown(model.believe("harbour", "pilot", at))


def test_a_line_nobody_spoke_of_says_nothing() -> None:
    assert ("NoBelief", None, []) == ask(Model())


@pytest.mark.parametrize(
    ("valid_time", "at", "status"),
    [
        (None, None, "TimingUncertain"),
        (window("2020"), "2020", "Resolved"),
        (window("2020"), "2019-12-31", "NoBelief"),
        (window("2020", "2022"), "2021-12-31T23:59:59Z", "Resolved"),
        (window("2020", "2022"), "2022", "NoBelief"),
        (window("2020", "2020"), "2020-11", "Resolved"),
        (window(None, "2022"), "1999", "Resolved"),
        (window("2020", "2022", 0.6), "2021", "Resolved"),
        (window("2020", "2022", 0.6), "2024", "TimingUncertain"),
        (window("2020-06", "2020"), "2020-09", "Resolved"),
        (window("2020-06", "2020"), "2021", "NoBelief"),
    ],
)
def test_one_claim_holds_over_its_window(valid_time: object, at: str | None, status: str) -> None:
    assert status == ask(told(("Jon", {"valid_time": valid_time})), at)[0]


def test_what_was_said_in_the_present_tense_is_certain_from_then_on() -> None:
    model = told(("Jon", {"occurred_at": "2021-03-01"}))
    assert ["TimingUncertain", "Resolved", "Resolved"] == [ask(model, at)[0] for at in ("2020", "2021-03", None)]
    belief = model.believe("harbour", "pilot")
    assert belief.primary and belief.primary.valid.start is None


def test_what_was_said_again_after_an_unsure_end_is_certain_again() -> None:
    model = told(("Jon", {"valid_time": window("2020", "2022", 0.6)}), ("Jon", {"occurred_at": "2023-01-01"}))
    assert ["TimingUncertain", "Resolved"] == [ask(model, at)[0] for at in ("2022-06", "2024")]


def test_coarse_dates_that_may_just_meet_are_no_contest_and_unsure_where_they_overlap() -> None:
    model = told(("Brandt", {"valid_time": window("2019", "2024-06")}), ("Custo", {"valid_time": window("2024")}))
    assert ("Resolved", "Brandt", []) == ask(model, "2022")
    assert ("TimingUncertain", None, ["Brandt", "Custo"]) == ask(model, "2024-03-15")
    assert ("Resolved", "Custo", []) == ask(model, "2025")


def test_periods_of_one_value_stay_apart_and_touching_ones_join() -> None:
    model = told(
        ("Jon", {"valid_time": window("2010", "2012")}),
        ("Jon", {"valid_time": window("2012", "2014")}),
        ("Jon", {"valid_time": window("2020")}),
    )
    assert ["Jon", "Jon", None, "Jon"] == [ask(model, at)[1] for at in ("2011", "2013", "2016", "2021")]
    belief = model.believe("harbour", "pilot", "2011")
    assert belief.primary and ("2010", "2014") == (str(belief.primary.valid.start), str(belief.primary.valid.end))


def test_the_newest_statement_about_a_period_gives_its_ends() -> None:
    model = told(("Jon", {"valid_time": window("2020")}), ("Jon", {"valid_time": window("2019", "2023")}))
    assert ["Jon", "Jon", None] == [ask(model, at)[1] for at in ("2019", "2022", "2024")]


def test_a_restatement_without_dates_says_no_more_than_the_period_it_falls_into() -> None:
    model = told(("Jon", {"valid_time": window("2020", "2030")}), ("Kai", {"valid_time": window("2030")}), ("Jon", {}))
    assert ("Resolved", "Kai", []) == ask(model, "2031")
    assert [] == list(model.believe("harbour", "pilot").markers)


def test_a_contest_is_read_at_the_instant_asked() -> None:
    model = told(("alder", {"valid_time": window("2019", "2023")}), ("birch", {"valid_time": window("2021")}))
    assert ("Contested", None, ["alder", "birch"]) == ask(model, "2022")
    for at, value in (("2020", "alder"), ("2024", "birch")):
        belief = model.believe("harbour", "pilot", at)
        assert (("Resolved", value, []), ("Contested",)) == (shown(belief), belief.markers)


def test_two_undated_sides_are_contested_before_they_were_said_too() -> None:
    assert "Contested" == ask(told(("Mo", {}), ("Nia", {})), "1999")[0]


def test_a_guess_is_believed_only_while_no_person_spoke() -> None:
    guess = ("Kai", {"provenance": MODEL})
    assert ("TimingUncertain", "Kai", []) == ask(told(guess))
    assert ("Resolved", "Jon", ["Kai"]) == ask(
        told(("Jon", {"valid_time": window("2020")}), ("Kai", {"provenance": MODEL}))
    )


def test_guesses_that_differ_are_a_conflict_and_no_contest() -> None:
    model = told(("Jon", {"provenance": MODEL}), ("Kai", {"provenance": MODEL}))
    assert ("Conflict", None, ["Jon", "Kai"]) == ask(model)
    assert () == model.believe("harbour", "pilot").markers


def test_only_a_denial_is_resolved_without_a_value() -> None:
    belief = told(("Jon", {"polarity": "not"})).believe("harbour", "pilot")
    assert ("Resolved", None, ["Jon"]) == shown(belief)
    assert "not" == belief.alternatives[0].polarity.value


def test_a_guess_of_what_a_person_denied_is_not_believed() -> None:
    model = told(("Jon", {"polarity": "not"}), ("Jon", {"provenance": MODEL}), ("Kai", {"provenance": MODEL}))
    assert "Kai" == ask(model)[1]


def test_what_is_not_asserted_or_waits_is_shown_and_not_believed() -> None:
    model = told(("Ulm", {"mood": "planned"}), ("Hof", {"confidence_value": 0.1}))
    belief = model.believe("harbour", "pilot")
    assert ("NoBelief", None, ["Hof", "Ulm"]) == shown(belief)
    assert ("NotAsserted",) == belief.markers


def test_the_newest_member_of_a_set_comes_first() -> None:
    model = Model()
    for value, start in (("oak", "2021"), ("elm", "2023"), ("ash", "2022")):
        model.claim("ana", "likes", value, valid_time=window(start))
    belief = model.believe("ana", "likes")
    assert ("Resolved", "elm", ["ash", "oak"]) == shown(belief)
    assert ["elm", "ash", "oak"] == [slot.value for slot in belief.slots]
    assert () == belief.markers
    assert ("AgedSetMember",) == model.believe("ana", "likes", model.head + 100 * DAY).markers


def test_one_member_of_a_set_reads_like_any_other_line() -> None:
    model = Model()
    model.claim("ana", "likes", "oak")
    assert ("TimingUncertain", "oak", []) == shown(model.believe("ana", "likes"))


def test_a_member_that_is_denied_makes_the_line_contested() -> None:
    model = Model()
    for value, polarity in (("oak", "holds"), ("elm", "holds"), ("elm", "not")):
        model.claim("ana", "likes", value, polarity=polarity)
    belief = model.believe("ana", "likes")
    assert ("Contested", None) == (belief.status.value, belief.value)
    assert {"elm"} == {slot.value for slot in belief.alternatives if slot.contested}


def test_an_event_stays_believed_once_it_has_begun() -> None:
    model = Model()
    model.claim("ana", "visited", "Oslo", valid_time=window("2019-05-01", "2019-05-04"))
    model.claim("ana", "visited", "Bergen", valid_time=window("2021-06-01", "2021-06-03"))
    assert ["NoBelief", "Resolved"] == [shown(model.believe("ana", "visited", at))[0] for at in ("2018", "2020")]
    assert ("Resolved", "Bergen", ["Oslo"]) == shown(model.believe("ana", "visited"))


def test_evidence_and_independent_sources_are_counted() -> None:
    model = told(*[("Jon", {"source": source}) for source in ("a", "b", "b", "c")])
    model.claim("harbour", "pilot", "Jon", MODEL)
    primary = model.believe("harbour", "pilot").primary
    assert primary and (4, 2) == (primary.evidence_count, primary.corroboration_count)


def test_a_guess_that_a_person_confirmed_is_evidence_and_no_source() -> None:
    primary = told(("Jon", {"provenance": MODEL}), ("Jon", {})).believe("harbour", "pilot").primary
    assert primary and (2, 0, True) == (primary.evidence_count, primary.corroboration_count, primary.external)


@pytest.mark.parametrize(
    ("days", "expected"), [(0, Currency.FRESH), (30, Currency.AGING), (89, Currency.AGING), (90, Currency.DECAYED)]
)
def test_currency_is_measured_from_the_instant_asked(days: int, expected: Currency) -> None:
    assert expected is currency(days * DAY)
    model = told(("Jon", {}))
    belief = model.believe("harbour", "pilot", model.head + days * DAY)
    assert (expected, expected is Currency.DECAYED) == (belief.currency, belief.stale)


def test_an_old_statement_is_old_however_lately_it_was_recorded() -> None:
    assert Currency.DECAYED is told(("Jon", {"occurred_at": "2020"})).believe("harbour", "pilot").currency


def test_the_highest_criticality_of_the_sides_counts_where_none_is_believed() -> None:
    belief = told(("Jon", {"criticality": "High"}), ("Kai", {})).believe("harbour", "pilot")
    assert belief.criticality and "High" == belief.criticality.value


def test_a_belief_shows_what_was_written_and_who_said_it() -> None:
    belief = told(("Jon", {"source": "a"}), ("Kai", {"provenance": MODEL, "mood": "possible"})).believe(
        "HARBOUR", "pilot"
    )
    primary, other = belief.slots
    assert ("harbour", "Jon", "External:UserAsserted", True) == (
        primary.subject, primary.value, primary.provenance.value, primary.external,
    )  # fmt: skip
    assert ("possible", "ModelDerived", False) == (other.mood.value, other.provenance.value, other.external)
    assert primary.claim_ref == primary.claims[0]


def test_a_negative_member_of_a_set_is_shown_beside_the_others() -> None:
    model = Model()
    model.claim("ana", "likes", "oak")
    model.claim("ana", "likes", "elm", polarity="not")
    assert ("TimingUncertain", "oak", ["elm"]) == shown(model.believe("ana", "likes"))
