"""What is read off columns is what is weighed one by one: of single lines, and of whole memories at every time."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.graph.belief.line_model import Model
from tests.graph.belief.test_properties import SUBJECT, act, deeds, predicates
from tests.reasoning.test_memory_changes import Timed

from hornbook.graph.belief.codec import claim_to_json, state_to_json
from hornbook.graph.belief.registry import built_in
from hornbook.graph.belief.state import Held
from hornbook.graph.claim import Channel
from hornbook.graph.events import Actor, Event
from hornbook.graph.interval import ALWAYS, FOREVER
from hornbook.graph.names import name_key
from hornbook.graph.store import Reading
from hornbook.graph.view import queries
from hornbook.graph.view.facts import SAID
from hornbook.graph.view.ops import Put
from hornbook.graph.view.project import project
from hornbook.memory import Memory
from hornbook.reasoning.columns import plain
from hornbook.reasoning.facts import OF_CLAIMS, of_line, pull, relations, weighed
from hornbook.reasoning.relation import SPECIAL, Fact, facts_of

KINDS = {"mirrored": pa.bool_(), "confidence": pa.float64(), "changed": pa.int64()}
KINDS |= dict.fromkeys(("external", "asserted", "disputed", "free", "firm"), pa.bool_())
KINDS |= dict.fromkeys(("start_at", "end_at", "stop_at", "attested_at"), pa.int64())
Rows = Counter[tuple[Any, ...]]


# one line


def table(held: Sequence[Held], line: str, predicate: str) -> pa.Table:
    """The live claims of a line as the view gives them."""
    rows = []
    for one in held:
        said: dict[str, Any] = {
            "claim": claim_to_json(one.claim),
            "state": state_to_json(one.state),
            "lines": [],
            "memory": None,
        }
        event = Event(
            one.seq, 1, 1, "", "", "claim.recorded", 1, Actor(), said | {"value_entity": None, "repeats": None}
        )
        (columns,) = (op.columns for op in project(event) if isinstance(op, Put))
        place = {"line": line, "entity": "e", "predicate": predicate, "id": one.id, "mirrored": one.mirrored}
        rows.append({**columns, **place, "value_key": one.value_key})
    return pa.table({name: pa.array([row[name] for row in rows], KINDS.get(name, pa.string())) for name in SAID})


def both_ways(held: Sequence[Held], predicate: str) -> tuple[Rows, Rows] | None:
    """The facts of a line as columns, and as they are weighed; None where the line is not plain."""
    known = built_in().named(predicate)
    wanted = frozenset({known.key, f"-{known.key}"})
    names = pa.table({"id": ["e"], "name": ['E "1"'], "key": [name_key('E "1"')]})
    found = plain(table(held, "e|x", predicate), names, built_in().named, wanted, 1_000_000)
    slow = Counter(row for row in weighed(tuple(held), known, 'E "1"', wanted))
    if found.weighed:
        assert found.weighed == {"e|x"} and not any(each.num_rows for each in found.tables.values())
        return None
    return Counter((name, fact) for name, each in found.tables.items() for fact in facts_of(each)), slow


@settings(max_examples=60, deadline=None)
@given(predicates, st.lists(deeds, min_size=1, max_size=8))
def test_a_plain_line_says_what_it_would_when_weighed(predicate: str, history: list[Any]) -> None:
    model = Model()
    for deed in history:
        act(model, predicate, deed)
    live = [one for one in model.held(SUBJECT, predicate) if one.state.live]
    if live and model.predicate(predicate) == built_in().named(predicate):
        columns, slow = both_ways(live, predicate) or (None, None)
        assert columns == slow


def told(predicate: str, *claims: dict[str, Any]) -> Sequence[Held]:
    model = Model()
    for number, claim in enumerate(claims):
        model.claim(SUBJECT, predicate, claim.pop("value", f"v{number}"), **claim)
    return [one for one in model.held(SUBJECT, predicate) if one.state.live]


def window(start: str | None, end: str | None = None, sure: float = 0.9) -> dict[str, Any]:
    return {"valid_time": {"start": start, "end": end, "valid_time_confidence": sure}}


@pytest.mark.parametrize(
    ("predicate", "claims"),
    [
        ("lives_in", [window("2020")]),
        ("lives_in", [window("2020", "2021"), window("2021", "2022"), window("2024")]),
        ("likes", [window("2020"), window("2020", "2023")]),
        ("visited", [window("2020"), window("2020-05", "2020-06")]),
        (
            "gate_code",
            [{"channel": Channel.EXTRACTED, **window("2020")}, {"channel": Channel.EXTRACTED, **window("2021")}],
        ),
        ("lives_in", [{"provenance": "ModelDerived", **window("2020")}]),
        ("lives_in", [window("2020"), {"provenance": "ModelDerived", **window("2021")}]),
        ("likes", [{}, {"occurred_at": "2022"}, {"occurred_at": "2022", "present": False}, window(None, "2023")]),
        ("lives_in", [{}, {"provenance": "ModelDerived"}]),
        ("likes", [{"polarity": "not", **window("2020")}, window("2021")]),
    ],
    ids=lambda each: each if isinstance(each, str) else str(len(each)),
)
def test_what_most_lines_are_like_is_plain(predicate: str, claims: list[dict[str, Any]]) -> None:
    found = both_ways(told(predicate, *claims), predicate)

    assert found is not None and found[0] == found[1]
    assert found[0]


@pytest.mark.parametrize(
    ("predicate", "claims"),
    [
        ("lives_in", [window("2021"), {"provenance": "ModelDerived", **window("2020")}]),
        ("lives_in", [window("2020", "2022", 0.5)]),
        ("lives_in", [window("2020", "2022"), window("2021")]),
        ("gate_code", [{"channel": Channel.EXTRACTED, **window("2020")}, window("2021")]),
        ("lives_in", [{}, {"speaker": "bo"}]),
        ("likes", [{"value": "tea", **window("2020", "2021")}, {"value": "tea", **window("2023")}]),
    ],
    ids=lambda each: each if isinstance(each, str) else str(len(each)),
)
def test_what_has_to_be_weighed_is_not_plain(predicate: str, claims: list[dict[str, Any]]) -> None:
    assert both_ways(told(predicate, *claims), predicate) is None


# whole memories

PEOPLE = ("Ada", "Bo", "Cyn", 'D "ee"')
people = st.sampled_from(PEOPLE)
dates = st.sampled_from(("2021", "2022-03", "2024", "2025-01-01T00:00:00Z"))
told_of = st.sampled_from(("lives_in", "likes", "visited", "married_to", "parent_of", "pin"))
claims = st.tuples(
    st.just("claim"),
    people,
    told_of,
    people,
    st.fixed_dictionaries(
        {},
        optional={
            "valid_from": dates,
            "valid_to": st.sampled_from(("2023", "2026")),
            "valid_time_confidence": st.just(0.5),
            "polarity": st.just("not"),
            "provenance": st.just("ModelDerived"),
            "speaker": st.sampled_from(("ana", "bo")),
            "intent": st.just("update"),
            "confidence": st.sampled_from((0.3, 1)),
            "occurred_at": dates,
        },
    ),
)
doings = st.one_of(
    claims,
    claims,
    claims,
    claims,
    st.tuples(st.just("end"), people, told_of, dates),
    st.tuples(st.just("resolve"), people, told_of, st.sampled_from(("none", "all"))),
    st.tuples(st.just("merge"), people, people),
)
EVERYTHING = frozenset(
    {
        name
        for one in ("lives_in", "likes", "visited", "married_to", "parent_of", "child_of", "pin")
        for name in (one, f"-{one}")
    }
    | SPECIAL.keys()
)


def row_by_row(reading: Reading, wanted: frozenset[str]) -> Rows:
    """The oracle: every line weighed by itself."""
    every = reading.ask(queries.predicates_said, upto=reading.upto)
    lines = reading.ask(queries.lines_about, every, upto=reading.upto)
    return Counter(shown(*named) for line in lines for named in of_line(reading, line, wanted))


def as_columns(reading: Reading, wanted: frozenset[str]) -> Rows:
    facts = relations(pull(reading, wanted), wanted, {})
    own = (name for name in facts if name not in SPECIAL or name in OF_CLAIMS)
    return Counter(shown(name, fact) for name in own for fact in facts_of(facts[name]))


def shown(name: str, fact: Fact) -> tuple[Any, ...]:
    """A fact with its keys, however they came."""
    valid = (fact.valid_from, fact.valid_to) if name not in OF_CLAIMS else (ALWAYS, FOREVER)
    return (name, fact.terms, fact.key, fact.id, *valid, fact.confidence, fact.uncertain, fact.external)


def alike_at_every_time(deeds: list[Any]) -> None:
    timed = Timed()
    times: list[int | None] = [None]
    with timed.memory as memory:
        for deed in deeds:
            timed.act(deed)
            times.append(timed.now)
        for known in times:
            with memory._store.reading(known) as reading:
                for wanted in (EVERYTHING, EVERYTHING - OF_CLAIMS, frozenset({"likes", "-married_to"})):
                    assert row_by_row(reading, wanted) == as_columns(reading, wanted), known


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(doings, min_size=1, max_size=10))
def test_columns_are_what_is_weighed_row_by_row_at_every_known_time(deeds: list[Any]) -> None:
    alike_at_every_time(deeds)


@pytest.mark.slow
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(doings, min_size=1, max_size=14))
def test_columns_are_what_is_weighed_over_many_histories(deeds: list[Any]) -> None:
    alike_at_every_time(deeds)


def test_a_program_pulls_the_predicates_that_it_names() -> None:
    with Memory.open(":memory:", user="ana") as memory:
        memory.claim("Ana", "likes", "tea", valid_from="2020")
        memory.claim("Ana", "lives_in", "Oslo", valid_from="2020")
        with memory._store.reading() as reading:
            found = pull(reading, {"likes"})

    assert ["likes"] == [name for name, each in found.tables.items() if each.num_rows] and not found.groups


def test_many_lines_that_have_to_be_weighed_are_looked_at_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with Memory.open(":memory:", user="ana") as memory:
        names = [f"n{number}" for number in range(6)]
        for name in names:
            memory.claim(name, "likes", "tea")
        with memory._store.reading() as reading:
            every = reading.ask(queries.lines_about, {"likes"}, upto=reading.upto)
            some = [line.id for line in every][:3]
            with monkeypatch.context() as few:
                few.setattr("hornbook.graph.view.facts.FEW", 1)
                at_once = reading.ask(queries.lines_about, {"likes"}, upto=reading.upto, only=some)
            one_by_one = reading.ask(queries.lines_about, {"likes"}, upto=reading.upto, only=some)

    assert 3 == len(at_once)
    assert one_by_one == at_once


def test_a_large_memory_is_read_in_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    with Memory.open(":memory:", user="ana") as memory:
        for number in range(6):
            memory.claim(f"n{number}", "likes", "tea")
        with memory._store.reading() as reading:
            whole = pull(reading, {"likes"}).tables["likes"]
            monkeypatch.setattr("hornbook.graph.view.facts.PAGE", 4)
            paged = pull(reading, {"likes"}).tables["likes"]

    assert 6 == whole.num_rows
    assert whole.sort_by("id") == paged.sort_by("id")
