"""What is brought up to date from what changed is what an evaluation from nothing gives, over random histories."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hornbook.graph.clock import DAY, system_clock
from hornbook.graph.dates import parse_moment
from hornbook.graph.errors import HornbookError
from hornbook.memory import Memory
from hornbook.reasoning.derived import Current
from hornbook.reasoning.maintain import close

RULES = """
symmetric(friend_of).
near(x, y) :- lives_in(x, z), lives_in(y, z), x != y.
knows(x, y) :- follows(x, y).
knows(x, z) :- knows(x, y), follows(y, z).
friend_of(x, y) :- follows(x, y), follows(y, x).
lonely(x) :- entity(_id, x, _type), not knows(x, _).
fans(y, count(x)) :- follows(x, y).
likes(x, y) :- follows(x, z), likes(z, y), not -likes(x, y).
:- lives_in(x, z), -likes(x, z).
doubted(x) :- contested(c, _d), claim(c, x, _p, _o, _n, _f, _t, _w).
"""
NAMES = ("Ada", "Bo", "Cyn", "Dee")
DATES = ("2021", "2022-03", "2024")
names = st.sampled_from(NAMES)
between = st.sampled_from(("follows", "follows", "lives_in", "likes"))
claims = st.tuples(
    st.just("claim"),
    names,
    between,
    names,
    st.fixed_dictionaries(
        {},
        optional={
            "valid_from": st.sampled_from(DATES),
            "valid_to": st.just("2026"),
            "polarity": st.just("not"),
            "provenance": st.just("ModelDerived"),
            "speaker": st.sampled_from(("ana", "bo")),
            "intent": st.just("update"),
        },
    ),
)
deeds = st.one_of(
    claims,
    claims,
    claims,
    st.tuples(st.just("end"), names, between, st.sampled_from(DATES)),
    st.tuples(st.just("reopen"), names, between),
    st.tuples(st.just("resolve"), names, between, st.sampled_from(("none", "all"))),
    st.tuples(st.just("merge"), names, names),
    st.tuples(st.just("alias"), names, st.sampled_from(("Addie", "B."))),
)


class Timed:
    """A memory on a clock that is set by hand."""

    def __init__(self) -> None:
        self.now = parse_moment("2026-06-01").at
        self.memory = Memory.open(":memory:", user="ana", clock=lambda: self.now)

    def act(self, deed: tuple[Any, ...]) -> None:
        """One deed; what is refused changes nothing."""
        self.now += DAY
        kind, *what = deed
        acts: dict[str, Callable[..., Any]] = {
            "claim": lambda s, p, o, more: self.memory.claim(s, p, o, **more),
            "end": lambda s, p, at: self.memory.end(s, p, at),
            "reopen": lambda s, p: self.memory.end(s, p, reopen=True),
            "resolve": lambda s, p, out: self.memory.resolve(s, p, out, reason="checked"),
            "merge": lambda one, other: self.memory.merge(one, other, reason="the same"),
            "alias": self.memory.alias,
        }
        with suppress(HornbookError):
            acts[kind](*what)


def everything(current: Current) -> dict[str, Any]:
    """All that holds, by relation, and what is denied, by line."""
    result = current.result
    names = sorted({*current.compiled.reads, *current.compiled.heads})
    found: dict[str, Any] = {
        name: {(*t.keys, t.start, t.end, t.uncertain) for t in result.relation(name)} for name in names
    }
    broken = {
        line: sorted({(one.rule_id, one.start, one.end) for one in hits}) for line, hits in current.denied.items()
    }
    return {**found, "!": broken}


def both(memory: Memory) -> tuple[dict[str, Any], dict[str, Any]]:
    """What was brought up to date, and what follows from nothing."""
    with memory._store.reading() as reading, memory._derived.at(reading) as current:
        mended = everything(current)
        fresh = memory._derived.evaluated(reading, current.rules, frozenset())
        try:
            return mended, everything(fresh)
        finally:
            close(fresh.result)


def hold_alike(first: list[Any], then: list[Any]) -> None:
    """Tell a memory a history, and compare after every deed."""
    timed = Timed()
    with timed.memory as memory:
        for deed in first:
            timed.act(deed)
        memory.rules(RULES)
        both(memory)
        for deed in then:
            timed.act(deed)
            mended, fresh = both(memory)
            assert fresh == mended, deed


beginnings, histories = st.lists(claims, min_size=1, max_size=6), st.lists(deeds, min_size=1, max_size=6)


@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(beginnings, histories)
def test_mended_is_derived_from_nothing(first: list[Any], then: list[Any]) -> None:
    hold_alike(first, then)


@pytest.mark.slow
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(beginnings, histories)
def test_mended_is_derived_from_nothing_over_many_histories(first: list[Any], then: list[Any]) -> None:
    hold_alike(first, then)


def test_a_change_is_followed_and_not_evaluated_from_nothing() -> None:
    with Memory.open(":memory:", user="ana", clock=system_clock) as memory:
        for number in range(30):
            memory.claim(f"n{number}", "follows", f"n{number + 1}")
        memory.end("n29", "follows", "2030-01-01")  # tables without any time would have to be made anew
        memory.rules("knows(x, y) :- follows(x, y). knows(x, z) :- knows(x, y), follows(y, z).")
        assert 30 == len(memory.ask('knows("n0", x)').rows)
        kept = memory._derived._current

        memory.claim("n30", "follows", "n31")
        assert 31 == len(memory.ask('knows("n0", x)').rows)
        memory.end("n20", "follows", "2020-01-01")
        assert 20 == len(memory.ask('knows("n0", x)', valid_at="2021").rows)
        assert kept is not None and kept is memory._derived._current
