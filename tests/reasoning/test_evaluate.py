"""What an evaluation takes, gives and refuses."""

import subprocess
import sys

import pyarrow as pa
import pytest

from hornbook.graph.errors import InvalidArgument, NotFound
from hornbook.graph.interval import ALWAYS, FOREVER
from hornbook.graph.names import value_key
from hornbook.reasoning import packs
from hornbook.reasoning.ask import ask
from hornbook.reasoning.compiled import compile, rule_id
from hornbook.reasoning.errors import ArityMismatch, Divergent, LimitExceeded, RuleSyntaxError
from hornbook.reasoning.evaluate import Backend, Result, evaluate, unknown
from hornbook.reasoning.limits import Limits
from hornbook.reasoning.parse import parse_program, parse_query
from hornbook.reasoning.relation import Fact, Facts

BOTH = pytest.mark.parametrize("backend", ["naive", "duckdb"])


def result(text: str, facts: Facts, backend: Backend = "duckdb", limits: Limits | None = None) -> Result:
    """A program evaluated."""
    return evaluate(compile(parse_program(text)), facts, backend=backend, limits=limits)


@BOTH
def test_a_relation_may_come_as_an_arrow_table(backend: Backend) -> None:
    table = pa.table(
        {"k0": ['"ana"', '"ana"'], "k1": ['"oslo"', '"rome"'], "v1": ['"Oslo"', '"Rome"'], "id": ["1", "2"]}
    )
    table = table.append_column("valid_to", pa.array([5, FOREVER], pa.int64()))
    found = result("been(y) :- lives_in(_, y).", {"lives_in": table}, backend).relation("been")

    assert [("Oslo", ALWAYS, 5), ("Rome", ALWAYS, FOREVER)] == [(row.terms[0], row.start, row.end) for row in found]


@BOTH
def test_keys_decide_equality_and_what_was_written_is_shown(backend: Backend) -> None:
    facts = {"lives_in": [Fact(("Ana", "  MUNICH "), "1")], "located_in": [Fact(("Munich", "Bayern"), "2")]}
    facts["alias"] = [Fact(("Bayern", "Bavaria"), "3", keys=('"e7"', '"e7"'))]
    text = "in(x, z) :- lives_in(x, y), located_in(y, z). same(x) :- alias(x, x)."

    assert [("Ana", "Bayern")] == [row.terms for row in result(text, facts, backend).relation("in")]
    assert [('"e7"',)] == [row.keys for row in result(text, facts, backend).relation("same")]


@BOTH
def test_constants_get_the_keys_that_facts_have(backend: Backend) -> None:
    def key(value: object) -> str:
        return '"entity:1"' if value in ("Bob", "Robert") else value_key(value)

    facts = {"likes": [Fact(("Bob", "tea"), "1", keys=('"entity:1"', '"tea"'))]}
    program = compile(parse_program('drinks(x) :- likes("Robert", x).'))

    assert [("tea",)] == [row.terms for row in evaluate(program, facts, backend=backend, key=key).relation("drinks")]


@BOTH
def test_an_uncertain_claim_marks_what_rests_on_it_alone(backend: Backend) -> None:
    facts = {"p": [Fact(("a",), "1", 0, 10, uncertain=True), Fact(("a",), "2", 4, 6)]}
    found = result("q(x) :- p(x).", facts, backend).relation("q")

    assert [(0, 4, True), (4, 6, False), (6, 10, True)] == [(row.start, row.end, row.uncertain) for row in found]


@BOTH
def test_a_broken_denial_is_listed_with_its_bindings(backend: Backend) -> None:
    facts = {"born_on": [Fact(("Ana", "1990"), "1"), Fact(("Ana", "1991"), "2"), Fact(("Ben", "1990"), "3")]}
    (found,) = result(":- born_on(x, d), born_on(x, e), d < e.", facts, backend).violations()

    assert {"x": "Ana", "d": "1990", "e": "1991"} == found.bindings
    assert found.rule_id == rule_id(found.rule)


@BOTH
def test_a_functional_head_gives_way_to_external_claims_only(backend: Backend) -> None:
    facts = {
        "q": [Fact(("a", 1), "1"), Fact(("b", 1), "2")],
        "p": [Fact(("a", 2), "3"), Fact(("b", 2), "4", external=False)],
    }
    found = result("functional(p). p(x, y) :- q(x, y).", facts, backend).relation("p")

    assert [("a", 2), ("b", 1), ("b", 2)] == [row.terms for row in found]


@BOTH
def test_a_recursion_that_makes_values_for_ever_is_stopped_and_named(backend: Backend) -> None:
    with pytest.raises(Divergent, match="nat makes a new value") as stopped:
        result("nat(0). nat(n + 1) :- nat(n).", {}, backend, Limits(making=15))
    assert "bound it" in str(stopped.value.mend)

    bounded = result("nat(0). nat(n + 1) :- nat(n), n < 10.", {}, backend, Limits(making=15))
    assert 11 == len(bounded.relation("nat"))


@BOTH
def test_more_than_the_stated_limit_is_refused(backend: Backend) -> None:
    facts = {"p": [Fact((n,), str(n)) for n in range(30)]}
    with pytest.raises(LimitExceeded, match="more than 500 tuples") as refused:
        result("q(x, y) :- p(x), p(y).", facts, backend, Limits(derived=500))
    assert "too_large" == refused.value.as_dict()["code"]


def test_a_relation_of_another_arity_is_refused() -> None:
    with pytest.raises(ArityMismatch, match="p has 1 arguments here and 2 in the memory"):
        result("q(x) :- p(x).", {"p": [Fact(("a", "b"), "1")]})
    with pytest.raises(ArityMismatch, match="facts of 1 and of 2"):
        result("q(x) :- p(x).", {"p": [Fact(("a",), "1"), Fact(("a", "b"), "2")]})


def test_a_predicate_that_nothing_names_is_told_with_the_nearest() -> None:
    program = compile(parse_program("colleague(x, y) :- worksat(x, z), works_at(y, z)."))
    ((name, where, close),) = unknown(program, ["works_at", "lives_in"])

    assert ("worksat", 1, ("works_at",)) == (name, where.line, close)


def test_an_unknown_back_end_and_an_unknown_pack_name_the_valid_ones() -> None:
    with pytest.raises(InvalidArgument) as refused:
        evaluate(compile(parse_program("")), {}, backend="prolog")  # type: ignore[arg-type] # what is tested
    assert ("duckdb", "naive") == refused.value.valid
    with pytest.raises(NotFound) as missing:
        packs.pack("kin")
    assert "kinship" in (missing.value.valid or ())


def test_a_very_deep_expression_is_refused_and_not_a_crash() -> None:
    with pytest.raises(RuleSyntaxError, match="nested too deep"):
        parse_program("p(n) :- q(m), n = " + " + ".join(["m"] * 5000) + ".")
    with pytest.raises(RuleSyntaxError, match="too long"):
        parse_program("%" * 1_000_001)


def test_the_same_conclusion_has_the_same_id() -> None:
    facts = {"p": [Fact(("Ana",), "1", 0, 10)]}
    (plain,), (fast,) = (result("q(x) :- p(x).", facts, backend).relation("q") for backend in ("naive", "duckdb"))

    assert plain.id == fast.id
    assert plain.id != result("q(x) :- p(x).", {"p": [Fact(("Ana",), "1", 0, 11)]}).relation("q")[0].id


def test_a_deep_recursion_is_finished_without_proofs_and_loses_nothing() -> None:
    facts = {"edge": [Fact((n, n + 1), str(n)) for n in range(90)]}
    found = result("path(x, y) :- edge(x, y). path(x, z) :- path(x, y), edge(y, z).", facts, limits=Limits(deep=10))

    assert 91 * 90 // 2 == len(found.relation("path"))


def test_nothing_heavy_is_imported_before_it_is_used() -> None:
    code = (
        "import sys, hornbook.reasoning.ask, hornbook.reasoning.prove, hornbook.reasoning.why_not, "
        "hornbook.reasoning.maintain, hornbook.reasoning.packs\n"
        "sys.exit(bool({'duckdb', 'lark', 'pyarrow', 'numpy'} & set(sys.modules)))"
    )
    assert 0 == subprocess.run([sys.executable, "-c", code], check=False).returncode


def test_a_join_that_does_not_fit_is_refused_and_not_a_crash() -> None:
    facts = {"p": [Fact((n,), str(n)) for n in range(3000)]}
    with pytest.raises(LimitExceeded, match=r"q\(x, y\) :- p\(x\), p\(y\)\. need more memory than 100MB"):
        result("r(x) :- p(x). q(x, y) :- p(x), p(y).", facts, limits=Limits(memory="100MB"))


def test_a_join_that_takes_for_ever_is_stopped_and_named() -> None:
    facts = {"p": [Fact((n,), str(n)) for n in range(20_000)]}
    endless = "q(x) :- p(x), p(y), p(z), p(w), y + z + w = -1."
    with pytest.raises(LimitExceeded, match=r"the joins of q\(x\) .* take longer than 0.2 s") as stopped:
        result(f"r(x) :- p(x).\n{endless}", facts, limits=Limits(seconds=0.2))
    assert (2, "too_large") == (stopped.value.where.line, stopped.value.as_dict()["code"])


def test_a_question_that_takes_for_ever_is_stopped_and_what_holds_stays() -> None:
    facts = {"p": [Fact((n,), str(n)) for n in range(20_000)]}
    found = result("r(x) :- p(x), x < 3.", facts, limits=Limits(seconds=0.2))
    with pytest.raises(LimitExceeded, match="the joins of the question take longer"):
        ask(found, parse_query("p(x), p(y), p(z), x < y, y < z, z < x"))
    assert 3 == len(ask(found, parse_query("r(x)")).rows)


@BOTH
def test_what_is_absent_at_some_time_leaves_no_empty_piece(backend: Backend) -> None:
    facts = {"who": [Fact(("a",), "1")], "knows": [Fact(("a", "b"), "2", valid_from=5)]}
    found = result("lonely(x) :- who(x), not knows(x, _).", facts, backend)

    assert [(ALWAYS, 5)] == [(row.start, row.end) for row in found.base.all("lonely")]
