"""Questions, and what is said of bad ones."""

import pytest

from hornbook.graph.dates import parse_moment
from hornbook.reasoning.ask import Answer, ask
from hornbook.reasoning.compiled import compile
from hornbook.reasoning.errors import ArityMismatch, BareEntity, Located, UnboundVariable, UnknownPredicate
from hornbook.reasoning.evaluate import Backend, Result, evaluate
from hornbook.reasoning.parse import parse_program, parse_query
from hornbook.reasoning.relation import Fact

FACTS = {
    "lives_in": [
        Fact(("Ana", "Berlin"), "1", parse_moment("2020").at, parse_moment("2024").at),
        Fact(("Ana", "Munich"), "2", parse_moment("2024").at),
        Fact(("Ben", "Munich"), "3"),
    ],
    "born_on": [Fact(("Ana", "1990-05-17"), "4"), Fact(("Ben", "1985"), "5")],
}


@pytest.fixture(params=["naive", "duckdb"])
def result(request: pytest.FixtureRequest) -> Result:
    """Who lives where, by both back ends."""
    backend: Backend = request.param
    program = compile(parse_program("neighbour(x, y) :- lives_in(x, z), lives_in(y, z), x != y."))
    return evaluate(program, FACTS, backend=backend, now=parse_moment("2026-05-16").at)


def asked(result: Result, text: str, limit: int = 100, at: str | None = None) -> Answer:
    """A question asked."""
    return ask(result, parse_query(text), limit, at=parse_moment(at).at if at else None)


def test_bare_and_marked_questions_are_the_same(result: Result) -> None:
    assert (
        (("Ana",), ("Ben",))
        == asked(result, '?- lives_in(x, "munich").').rows
        == asked(result, 'lives_in(x, "Munich")').rows
    )


def test_an_answer_says_when_it_holds(result: Result) -> None:
    answer = asked(result, 'neighbour("Ana", y)')

    assert (("y",), (("Ben",),)) == (answer.columns, answer.rows)
    assert parse_moment("2024").at == answer.pieces[0][0][0]


def test_at_an_instant_only_what_holds_then_counts(result: Result) -> None:
    assert (("Berlin",),) == asked(result, 'lives_in("Ana", y)', at="2021").rows
    assert not asked(result, 'neighbour("Ana", "Ben")', at="2021")
    assert (("Berlin",),) == asked(result, 'lives_in("Ana", y)@2021').rows


def test_the_clock_may_be_asked(result: Result) -> None:
    answer = asked(result, 'born_on("Ana", d), age = years(d, now)')

    assert {"d": "1990-05-17", "age": 35} == next(iter(answer))


def test_a_question_without_variables_holds_or_not(result: Result) -> None:
    assert ((),) == asked(result, 'lives_in("Ben", "Munich")').rows
    assert not asked(result, 'lives_in("Ben", "Berlin")')
    assert (("Ben",),) == asked(result, 'born_on(x, _), not lives_in(x, "Berlin")', at="2021").rows


def test_a_negative_claim_may_be_asked_for_though_nobody_made_one(result: Result) -> None:
    assert not asked(result, '-lives_in("Ben", y)')
    assert asked(result, 'lives_in("Ben", y), not -lives_in("Ben", y)')


def test_a_cut_answer_says_so(result: Result) -> None:
    assert asked(result, "lives_in(x, y)", limit=2).truncated
    assert not asked(result, "lives_in(x, y)", limit=3).truncated
    assert 2 == len(asked(result, "lives_in(x, y)", limit=2).rows)


@pytest.mark.parametrize(
    ("text", "fault", "said"),
    [
        ("livesin(x, y)", UnknownPredicate, "did you mean lives_in?"),
        ("lives_in(x)", ArityMismatch, "lives_in has 2 arguments, not 1"),
        ("lives_in(x, y), z > 3", UnboundVariable, "variable z"),
        ("lives_in(x, munich)", BareEntity, 'write "munich"'),
        ("lives_in(x", Located, "the text ends"),
    ],
)
def test_a_bad_question_is_refused_with_its_mend(result: Result, text: str, fault: type[Located], said: str) -> None:
    with pytest.raises(fault) as refused:
        ask(result, parse_query(text), entity=lambda word: word == "munich")
    assert said in refused.value.report()


def test_what_nothing_names_is_not_found_on_the_wire(result: Result) -> None:
    with pytest.raises(UnknownPredicate) as refused:
        asked(result, "livesin(x, y)")
    assert ("not_found", ["lives_in"]) == (refused.value.as_dict()["code"], refused.value.as_dict()["valid"])
