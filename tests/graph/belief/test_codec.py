"""Claims and states survive being written as JSON."""

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from hornbook.graph.belief.codec import claim_from_json, claim_to_json, state_from_json, state_to_json
from hornbook.graph.belief.state import ClaimState, Review
from hornbook.graph.claim import (
    Cardinality,
    Channel,
    Claim,
    Criticality,
    Disposition,
    Intent,
    Mood,
    Polarity,
    Provenance,
)
from hornbook.graph.dates import Granularity, Moment
from hornbook.graph.interval import Interval

texts = st.text(st.characters(codec="utf-8"), max_size=8)
maybe = st.none() | texts
moments = st.builds(Moment, st.integers(-(2**50), 2**50), st.sampled_from(Granularity))
fractions = st.floats(0, 1)
intervals = st.builds(Interval, st.none() | moments, st.none() | moments, fractions, st.none() | fractions)
json_values = st.recursive(
    st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=5,
)
refs = st.lists(texts, max_size=3).map(tuple)
claims = st.builds(
    Claim, texts, texts, texts, json_values, texts, texts, st.sampled_from(Provenance), st.sampled_from(Polarity),
    st.sampled_from(Mood), intervals, fractions, st.sampled_from(Criticality), st.sampled_from(Intent),
    st.none() | st.sampled_from(Cardinality), maybe, maybe, maybe, maybe, st.none() | moments, st.booleans(),
    st.sampled_from(Channel), maybe, maybe, maybe, maybe, refs, texts, maybe, maybe,
    st.dictionaries(texts, json_values, max_size=2),
)  # fmt: skip
reviews = st.builds(Review, refs, st.none() | st.integers(-(2**60), 2**60))
states = st.builds(
    ClaimState, st.sampled_from(Disposition), st.booleans(), intervals, refs, refs, st.none() | reviews, st.booleans()
)


@given(claims)
def test_a_claim_comes_back_as_it_was(claim: Claim) -> None:
    assert claim == claim_from_json(json.loads(json.dumps(claim_to_json(claim))))


@given(states)
def test_a_state_comes_back_as_it_was(state: ClaimState) -> None:
    assert state == state_from_json(json.loads(json.dumps(state_to_json(state))))


@given(states)
def test_a_state_has_the_keys_of_the_journal(state: ClaimState) -> None:
    keys = {"disposition", "live", "valid", "markers", "rivals", "review", "approximate"}
    assert keys == state_to_json(state).keys()


def test_a_claim_of_an_older_version_takes_the_defaults() -> None:
    old = {"id": "1", "subject": "a", "predicate": "b", "value": 1, "subject_key": "a", "value_key": "1"}
    claim = claim_from_json({**old, "provenance": "ModelDerived"})
    assert claim == replace(claim, polarity=Polarity.HOLDS, mood=Mood.ASSERTED, valid=Interval(), cardinality=None)
