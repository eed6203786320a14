"""Proofs and their forms, and why something does not hold."""

import json

import pytest

from hornbook.graph.dates import parse_moment
from hornbook.reasoning.compiled import compile
from hornbook.reasoning.evaluate import Result, evaluate
from hornbook.reasoning.limits import Limits
from hornbook.reasoning.maintain import update, with_program
from hornbook.reasoning.parse import parse_program
from hornbook.reasoning.prove import why
from hornbook.reasoning.relation import Fact
from hornbook.reasoning.why_not import why_not

RULES = """
within(x, y) :- located_in(x, y).
within(x, z) :- within(x, y), located_in(y, z).
resident(x, c) :- lives_in(x, y), within(y, c), not -lives_in(x, c).
residents(c, count(x)) :- resident(x, c).
once(x) :- lives_in(x, _)@i, y = end(i), y < @2025.
"""
FACTS = {
    "located_in": [Fact(("Munich", "Bavaria"), "c1", confidence=0.8), Fact(("Bavaria", "Germany"), "c2")],
    "lives_in": [
        Fact(("Ana", "Munich"), "c3", parse_moment("2020").at, parse_moment("2022").at),
        Fact(("Ana", "Munich"), "c4", parse_moment("2022").at, parse_moment("2024").at, confidence=0.6),
    ],
    "-lives_in": [],
}


@pytest.fixture
def result() -> Result:
    """A small world."""
    return evaluate(compile(parse_program(RULES)), FACTS)


def test_a_proof_is_a_tree_from_claims_and_absences(result: Result) -> None:
    (first, second) = why(result, 'resident("Ana", "Germany")').proofs

    assert 'resident("Ana", "Germany")  [2020-01-01, 2022-01-01)  by' in first.text()
    assert ["claim", "rule", "absent"] == [child.kind for child in first.children]
    assert {"c1", "c2", "c3"} == {leaf.claim for leaf in first.leaves() if leaf.kind == "claim"}
    assert {"c4"} <= {leaf.claim for leaf in second.leaves()}


def test_confidence_is_that_of_the_weakest_premise_of_the_strongest_proof(result: Result) -> None:
    explanation = why(result, 'resident("Ana", "Germany")')

    assert (0.8, 2) == (explanation.confidence, explanation.proofs_considered)


def test_a_proof_has_a_form_for_programs_people_and_pictures(result: Result) -> None:
    explanation = why(result, 'resident("Ana", "Bavaria")', at=parse_moment("2021").at)
    as_json = json.loads(json.dumps(explanation.as_dict()))

    assert 'resident("Ana", "Bavaria")' == as_json["proofs"][0]["statement"]
    assert "2020-01-01" == as_json["proofs"][0]["valid_from"]
    assert explanation.mermaid().startswith("graph TD\n  n0[")
    assert "([" in explanation.mermaid()


def test_a_count_rests_on_everything_counted(result: Result) -> None:
    (proof, *_) = why(result, 'residents("Germany", 1)').proofs

    assert "aggregate" == proof.kind
    assert ["resident"] == [child.predicate for child in proof.children]


def test_a_whole_interval_rests_on_its_pieces(result: Result) -> None:
    (proof,) = why(result, 'once("Ana")').proofs

    assert ["interval"] == [child.kind for child in proof.children]
    assert ["c3", "c4"] == [leaf.claim for leaf in proof.leaves()]


def test_a_question_of_several_parts_is_explained_part_by_part(result: Result) -> None:
    (proof,) = why(result, 'lives_in(x, y), within(y, "Germany")').proofs

    assert ("query", ["lives_in", "within"]) == (proof.kind, [child.predicate for child in proof.children])


def test_several_proofs_are_given_on_request() -> None:
    rules = compile(parse_program("near(x, y) :- road(x, y). near(x, y) :- rail(x, y)."))
    both = evaluate(rules, {"road": [Fact(("a", "b"), "1")], "rail": [Fact(("a", "b"), "2", confidence=0.5)]})

    assert 1 == len(why(both, 'near("a", "b")').proofs)
    assert {"1", "2"} == {
        leaf.claim for proof in why(both, 'near("a", "b")', proofs=5).proofs for leaf in proof.leaves()
    }
    assert 1.0 == why(both, 'near("a", "b")').confidence


def test_what_does_not_hold_has_no_proof(result: Result) -> None:
    explanation = why(result, 'resident("Ben", "Germany")')

    assert (False, (), None) == (explanation.holds, explanation.proofs, explanation.confidence)


def test_a_proof_that_was_not_recorded_is_looked_for() -> None:
    rules = compile(parse_program("path(x, y) :- edge(x, y). path(x, z) :- path(x, y), edge(y, z)."))
    edges = {"edge": [Fact((n, (n + 1) % 40), f"e{n}") for n in range(40)]}
    deep = evaluate(rules, edges, limits=Limits(deep=5))
    (proof,) = why(deep, "path(0, 30)", 100).proofs

    assert not any(node.partial for node in proof.nodes())
    assert {f"e{n}" for n in range(30)} == {leaf.claim for leaf in proof.leaves()}


def test_a_proof_cut_by_its_depth_says_so(result: Result) -> None:
    (proof, *_) = why(result, 'residents("Germany", 1)', 1).proofs

    assert proof.children[0].partial
    assert "…" in proof.text()


@pytest.mark.parametrize(
    ("asked", "failed", "reason"),
    [
        ('resident("Ben", "Germany")', 'lives_in("Ben", y)', "nothing says so"),
        ('resident("Ana", "France")', 'within("Munich", "France")', "nothing says so"),
        ('within("Germany", "Munich")', 'located_in("Germany", "Munich")', "nothing says so"),
        ('residents("Germany", 7)', "nothing", "every part matches, for another value of an aggregate"),
        ('lives_in("Ana", y), y < "m"', 'y < "m"', "it is not so for any match"),
    ],
)
def test_why_not_names_the_first_part_that_failed(result: Result, asked: str, failed: str, reason: str) -> None:
    absence = why_not(result, asked)

    assert not absence.holds
    assert (failed, reason) in [(each.failed, each.reason) for each in absence.attempts]
    assert json.dumps(absence.as_dict())


def test_why_not_sees_what_stands_in_the_way(result: Result) -> None:
    against = update(result, added={"-lives_in": [Fact(("Ana", "Bavaria"), "c9")]})
    (attempt,) = why_not(against, 'resident("Ana", "Bavaria")').attempts

    assert ('not -lives_in("Ana", "Bavaria")', "it is there") == (attempt.failed, attempt.reason)


def test_why_not_of_what_holds_says_that_it_does(result: Result) -> None:
    assert why_not(result, 'within("Munich", "Germany")').text() == 'within("Munich", "Germany") holds'
    assert "nothing asserts it" in why_not(result, 'lives_in("Eva", "Rome")').text()


def test_a_retracted_premise_withdraws_the_conclusion_and_another_proof_keeps_it() -> None:
    rules = compile(parse_program("near(x, y) :- road(x, y). near(x, y) :- rail(x, y)."))
    both = evaluate(rules, {"road": [Fact(("a", "b"), "1")], "rail": [Fact(("a", "b"), "2")]})
    one = update(both, removed={"1"})

    assert ["2"] == [leaf.claim for leaf in why(one, 'near("a", "b")').proofs[0].leaves()]
    assert not update(one, removed={"2"}).relation("near")


def test_other_rules_over_the_same_facts(result: Result) -> None:
    other = with_program(result, compile(parse_program("place(x) :- located_in(x, _).")))

    assert [("Bavaria",), ("Munich",)] == [row.terms for row in other.relation("place")]
    assert not other.relation("within")
