"""The oracle: a callable that is asked about a contradiction; it proposes, the gate commits."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from tests.graph.claims.conftest import small

from hornbook.graph.claims.adjudicate import Question


def contradicted(oracle: Callable[[Question], Any], deadline: float = 30.0) -> Any:
    """A memory in which the user and a sensor disagree, and the outcome of the later claim."""
    memory = small(oracle=oracle, oracle_deadline=deadline)
    memory.claim("gate", "pin", 4, valid_from="2024")
    return memory, memory.claim("gate", "pin", 6, valid_from="2024", provenance="External:ExternalFirstHand")


@pytest.mark.parametrize(
    ("verdict", "disposition", "value"), [("affirm", "CommittedCheap", 6), ("deny", "Invalidated", 4)]
)
def test_a_verdict_decides_between_the_sides(verdict: str, disposition: str, value: int) -> None:
    memory, outcome = contradicted(lambda question: verdict)
    assert disposition == outcome.disposition.value
    assert value == memory.believe("gate", "pin").value
    assert () == memory.contested().lines


def test_an_oracle_that_does_not_know_leaves_the_line_contested() -> None:
    memory, outcome = contradicted(lambda question: "unknown")
    assert "Contested" == outcome.disposition.value
    assert "Contested" == memory.believe("gate", "pin").status


def test_an_oracle_that_never_answers_expires_and_holds_nobody_up() -> None:
    never = threading.Event()
    memory, outcome = contradicted(lambda question: never.wait() and "affirm", deadline=0.05)
    assert "Contested" == outcome.disposition.value
    assert "AdjudicationExpired" in {entry.as_dict()["event_kind"] for entry in memory.audit().entries}
    never.set()


def test_the_question_shows_both_sides() -> None:
    asked: list[Question] = []

    def oracle(question: Question) -> str:
        asked.append(question)
        return "deny"

    contradicted(oracle)
    assert 6 == asked[0].challenger["fact"]["value"]
    assert [4] == [one["fact"]["value"] for one in asked[0].incumbents]


def test_an_oracle_that_raises_did_not_know() -> None:
    def broken(question: Question) -> str:
        raise ValueError("no line to the outside")

    memory, outcome = contradicted(broken)
    assert "Contested" == outcome.disposition.value
    assert 1 == len(memory.contested().lines)

    (told,) = [entry.as_dict()["reason"] for entry in memory.audit().entries if entry.event.kind == "oracle.answered"]
    assert "the oracle raised ValueError" == told
