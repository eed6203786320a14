"""What comes in: provenance, claims, declarations. Every refusal names its field."""

import math
from typing import Any

import pytest

from hornbook.graph.belief.provenance import external_only, parse_provenance, to_wire
from hornbook.graph.belief.registry import built_in, from_toml
from hornbook.graph.belief.validate import LARGEST_VALUE, LONGEST_NAME, checked_claim, claim_of
from hornbook.graph.claim import Cardinality, Claim, Provenance
from hornbook.graph.errors import Forbidden, HornbookError, InvalidArgument

GOOD: dict[str, Any] = {"subject": "jig", "predicate": "bore", "value": 12, "provenance": "External:UserAsserted"}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("External:UserAsserted", Provenance.USER_ASSERTED),
        ("EXTERNAL_USER_ASSERTED", Provenance.USER_ASSERTED),
        ("external/user asserted", Provenance.USER_ASSERTED),
        ("external_external_first_hand", Provenance.FIRST_HAND),
        ("MODEL-derived", Provenance.MODEL_DERIVED),
        ("recall-reentry", Provenance.RECALL),
        ({"type": "External", "kind": "ExternalFirstHand"}, Provenance.FIRST_HAND),
        ({"type": "RecallReEntry"}, Provenance.RECALL),
        (Provenance.RECALL, Provenance.RECALL),
    ],
)
def test_provenance_is_taken_in_any_spelling(given: object, expected: Provenance) -> None:
    assert expected is parse_provenance(given)
    assert expected is parse_provenance(to_wire(expected))


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ("Rumour", "provenance"),
        (None, "provenance"),
        (4, "provenance"),
        ({"type": "External"}, "provenance.kind"),
        ({"type": "External", "kind": "Hearsay"}, "provenance.kind"),
        ({"type": "ModelDerived", "kind": "UserAsserted"}, "provenance"),
        ({"type": "ModelDerived", "by": "me"}, "provenance"),
    ],
)
def test_another_provenance_is_refused_with_the_valid_ones(given: object, field: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        parse_provenance(given)
    assert field == caught.value.field and caught.value.valid


def test_only_external_may_do_some_things() -> None:
    external_only(Provenance.FIRST_HAND, "end a fact")
    with pytest.raises(Forbidden):
        external_only(Provenance.MODEL_DERIVED, "end a fact")


def deep(levels: int) -> Any:
    return [deep(levels - 1)] if levels else 1


REFUSED: dict[str, tuple[str, dict[str, Any]]] = {
    "blank subject": ("subject", {"subject": "  "}),
    "no subject": ("subject", {"subject": None}),
    "a number as subject": ("subject", {"subject": 3}),
    "a long subject": ("subject", {"subject": "x" * (LONGEST_NAME + 1)}),
    "half a character": ("subject", {"subject": "a\ud800"}),
    "blank predicate": ("predicate", {"predicate": " \t"}),
    "a predicate of separators": ("predicate", {"predicate": "-_-"}),
    "null": ("value", {"value": None}),
    "NaN inside": ("value", {"value": [math.nan]}),
    "no JSON": ("value", {"value": object()}),
    "a key that is no text": ("value", {"value": {1: 2}}),
    "half a character inside": ("value", {"value": ["\udc00"]}),
    "too large": ("value", {"value": "x" * LARGEST_VALUE}),
    "too deep": ("value", {"value": deep(40)}),
    "confidence above": ("confidence_value", {"confidence_value": 1.01}),
    "confidence NaN": ("confidence_value", {"confidence_value": math.nan}),
    "confidence true": ("confidence_value", {"confidence_value": True}),
    "confidence as text": ("confidence_value", {"confidence_value": "high"}),
    "criticality": ("criticality", {"criticality": "Extreme"}),
    "cardinality": ("cardinality", {"cardinality": "Several"}),
    "intent": ("intent", {"intent": "guess"}),
    "polarity": ("polarity", {"polarity": "maybe"}),
    "mood": ("mood", {"mood": "angry"}),
    "no window": ("valid_time", {"valid_time": "2020"}),
    "an unknown key": ("valid_time.from", {"valid_time": {"from": "2020"}}),
    "no confidence on the wire": ("valid_time.valid_time_confidence", {"valid_time": {"start": "2020"}}),
    "window confidence": ("valid_time.valid_time_confidence", {"valid_time": {"valid_time_confidence": 7}}),
    "month 13": ("valid_time.start", {"valid_time": {"start": "2020-13", "valid_time_confidence": 1}}),
    "a broken end": ("valid_time.end", {"valid_time": {"end": "2020-00-10", "valid_time_confidence": 1}}),
    "granularity": (
        "valid_time.start_granularity",
        {"valid_time": {"start": "2020", "valid_time_confidence": 1, "start_granularity": "decade"}},
    ),
    "granularity of nothing": (
        "valid_time.end_granularity",
        {"valid_time": {"valid_time_confidence": 1, "end_granularity": "decade"}},
    ),
    "when said": ("occurred_at", {"occurred_at": "lately"}),
    "no list of premises": ("derived_from", {"derived_from": "abc"}),
    "no id": ("derived_from.0", {"derived_from": ["abc"]}),
    "evidence": ("evidence", {"evidence": 5}),
    "blank speaker": ("speaker", {"speaker": " "}),
}


@pytest.mark.parametrize("what", REFUSED)
def test_malformed_input_names_its_field(what: str) -> None:
    field, given = REFUSED[what]
    with pytest.raises(HornbookError) as caught:
        checked_claim(**{**GOOD, **given}, wire=True)
    assert (field, True) == (caught.value.field, caught.value.code in ("invalid_argument", "too_large"))


def test_python_callers_need_not_say_how_sure_the_times_are() -> None:
    stated = checked_claim(**GOOD, valid_time={"start": "2020-03-01T00:00:00Z", "start_granularity": "Month"})
    assert (0.9, "2020-03") == (stated.valid.confidence, str(stated.valid.start))


def test_what_is_left_out_takes_its_default() -> None:
    stated = checked_claim(**GOOD)
    assert (0.9, None, 0.0) == (stated.confidence, stated.cardinality, stated.valid.confidence)


# predicates


def claim(predicate: str, value: Any = "ann") -> Claim:
    stated = checked_claim(subject="Bo", predicate=predicate, value=value, provenance="ModelDerived")
    return claim_of(stated, built_in(), "1")[0]


def test_a_claim_is_brought_to_the_form_of_the_registry() -> None:
    assert ("Bo", "works_for", "ann") == (
        claim("Works at").subject,
        claim("employer").predicate,
        claim("works_at").value,
    )
    turned = claim("son of")
    assert ("ann", "parent_of", "Bo", "ann", '"bo"') == (
        turned.subject, turned.predicate, turned.value, turned.subject_key, turned.value_key,
    )  # fmt: skip


def test_what_cannot_be_a_subject_is_not_turned_round() -> None:
    assert ("Bo", "child_of", 3) == (
        claim("child_of", 3).subject,
        claim("child_of", 3).predicate,
        claim("child_of", 3).value,
    )


def test_the_built_in_vocabulary_is_consistent() -> None:
    registry = built_in()
    assert len(registry.predicates) >= 60
    for key, predicate in registry.predicates.items():
        assert predicate.declared and key == predicate.key
        if predicate.inverse:
            other = registry.named(predicate.inverse)
            assert (key, predicate.event) == (other.inverse, other.event)
            assert (predicate.stored is None) != (other.stored is None)
    assert not registry.names.keys() & registry.predicates.keys()


@pytest.mark.parametrize("text", ["favourite colour", "Favorite-Colour", "favorite_colour"])
def test_favourites_are_one_predicate_each(text: str) -> None:
    assert ("favourite_colour", Cardinality.FUNCTIONAL) == (
        built_in().named(text).key,
        built_in().named(text).cardinality,
    )


def test_a_declaration_adds_to_what_is_known_and_leaves_the_registry_as_it_was() -> None:
    registry = built_in().declare({"predicate": "lives in", "cardinality": "setvalued", "synonyms": ["haunts"]})
    assert (True, True) == (registry.named("haunts").set_valued, registry.named("resides in").set_valued)
    assert not built_in().named("lives_in").set_valued


def test_a_declared_inverse_reads_from_both_ends() -> None:
    registry = from_toml('[feeds]\ncardinality = "SetValued"\ninverse = "fed by"\ntransitive = true')
    predicate, turned = registry.resolve("fed-by")
    assert ("feeds", True, "fed_by") == (predicate.key, turned, predicate.mirror)


def test_an_event_takes_several_values_and_unknown_takes_the_word_back() -> None:
    registry = built_in().declare({"predicate": "moulted", "kind": "event", "cardinality": "Functional"})
    assert registry.named("moulted").set_valued
    assert not registry.declare({"predicate": "moulted", "kind": "state", "cardinality": "Unknown"}).declared("moulted")


@pytest.mark.parametrize(
    ("declaration", "field"),
    [
        ({}, "predicate"),
        ({"predicate": "-"}, "predicate"),
        ({"predicate": "a", "cardinality": "Two"}, "cardinality"),
        ({"predicate": "a", "kind": "thing"}, "kind"),
        ({"predicate": "a", "fixed": 1}, "fixed"),
        ({"predicate": "a", "inverse": ""}, "inverse"),
        ({"predicate": "a", "synonyms": "b"}, "synonyms"),
        ({"predicate": "a", "colour": "red"}, "colour"),
    ],
)
def test_what_is_no_declaration_is_refused(declaration: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        built_in().declare(declaration)
    assert field == caught.value.field


@pytest.mark.parametrize("text", ["[a", 'a = "b"'])
def test_broken_toml_is_refused(text: str) -> None:
    with pytest.raises(InvalidArgument):
        from_toml(text)
