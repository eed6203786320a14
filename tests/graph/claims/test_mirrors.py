"""Claims that are read from both their ends: what happens on the one line reaches the other."""

from typing import Any

from tests.graph.claims.conftest import small

from hornbook.graph.claims.adjudicate import Question
from hornbook.memory import Memory


def told(memory: Memory, subject: str, spouse: str, **more: Any) -> str:
    return memory.claim(subject, "married_to", spouse, source=f"letter of {subject} {spouse}", **more).claim_ref


def disposition(memory: Memory, ref: str) -> str:
    return str(memory.claim_at(ref).as_dict()["disposition"])


def test_a_winner_at_one_end_frees_who_contradicted_the_loser_at_the_other(memory: Memory) -> None:
    first = told(memory, "Ada", "Bo")
    told(memory, "Ada", "Cyn")
    third = told(memory, "Dee", "Cyn")
    assert "Contested" == disposition(memory, third)
    memory.resolve("Ada", "married_to", "winner", winner="Bo", reason="the register says so")
    assert ["CommittedCheap"] * 2 == [disposition(memory, first), disposition(memory, third)]
    assert "Dee" == memory.believe("Cyn", "married_to").value
    assert () == memory.contested().lines


def test_reopening_brings_the_contest_back_at_both_ends(memory: Memory) -> None:
    told(memory, "Ada", "Bo")
    told(memory, "Ada", "Cyn")
    told(memory, "Dee", "Cyn")
    memory.resolve("Ada", "married_to", "winner", winner="Bo", reason="the register says so")
    memory.resolve("Ada", "married_to", "reopen", reason="another register")
    assert ["Contested"] * 2 == [memory.believe(name, "married_to").status for name in ("Ada", "Cyn")]
    assert 2 <= len(memory.contested().lines)


def test_a_loser_that_was_said_from_the_other_end_comes_back_into_the_contest(memory: Memory) -> None:
    told(memory, "Ada", "Bo")
    told(memory, "Dee", "Ada")
    memory.resolve("Ada", "married_to", "winner", winner="Bo", reason="the register says so")
    memory.resolve("Ada", "married_to", "reopen", reason="another register")
    assert "Contested" == memory.believe("Ada", "married_to").status


def test_an_end_at_one_end_settles_the_other(memory: Memory) -> None:
    told(memory, "Ada", "Cyn", valid_from="2010")
    other = told(memory, "Dee", "Cyn", valid_from="2020")
    assert "Contested" == disposition(memory, other)
    memory.end("Ada", "married_to", "2019")
    assert "CommittedCheap" == disposition(memory, other)
    assert "Dee" == memory.believe("Cyn", "married_to").value


def test_a_verdict_counts_at_both_ends() -> None:
    asked: list[Question] = []

    def oracle(question: Question) -> str:
        asked.append(question)
        return "affirm"

    with small(oracle=oracle) as memory:
        memory._store.asks = False
        first, second = told(memory, "Ada", "Bo"), told(memory, "Cyn", "Dee")
        memory._store.asks = True
        third = told(memory, "Ada", "Dee")
        assert {first, second} == {one["claim_ref"] for one in asked[0].incumbents}
        assert ["Superseded", "Superseded", "CommittedCheap"] == [
            disposition(memory, ref) for ref in (first, second, third)
        ]
        assert () == memory.contested().lines


def test_a_predicate_declared_with_a_claim_settles_every_line_of_it(memory: Memory) -> None:
    memory.claim("Ada", "keeps", "a goat")
    other = memory.claim("Ada", "keeps", "a mule").claim_ref
    memory.claim("Bo", "keeps", "a hen", cardinality="SetValued")
    assert "CommittedCheap" == disposition(memory, other)
    assert "Resolved" == memory.believe("Ada", "keeps").status


def test_all_of_one_line_settles_the_others_of_its_predicate_and_reopening_contests_them(memory: Memory) -> None:
    for name in ("Ada", "Bo"):
        memory.claim(name, "keeps", "a goat")
        memory.claim(name, "keeps", "a mule")
    memory.resolve("Ada", "keeps", "all", reason="a farm has many animals")
    assert () == memory.contested().lines
    memory.resolve("Ada", "keeps", "reopen", reason="a small farm")
    assert 2 == len(memory.contested().lines)


def test_what_two_lines_decide_for_themselves_is_settled_for_both() -> None:
    with small() as memory:
        for number, (one, other) in enumerate((("Ada", "Ada"), ("Cyn", "Ada"), ("Dee", "Cyn"))):
            memory.claim(one, "married_to", other, source=f"source {number}")
        memory.merge("Dee", "Cyn", reason="the same")  # who is then said to be married to herself
        memory.claim("Dee", "married_to", "Ada", speaker="ana", intent="update", occurred_at="2020")
        assert "Resolved" == memory.believe("Dee", "married_to").status
        assert ((), []) == (memory.contested().lines, disputed(memory, "Dee"))


def disputed(memory: Memory, subject: str) -> list[str]:
    return [told.claim_ref for told in memory.history(subject, "married_to") if told.held.state.rivals]
