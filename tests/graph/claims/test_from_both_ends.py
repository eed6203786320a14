"""A claim that is read from both its ends says at each what is true there: its subject, predicate and value turn."""

import pytest

from hornbook.memory import Memory


def stated(memory: Memory) -> Memory:
    """Siblings, and a parent."""
    memory.claim("Nora", "sibling_of", "ana")
    memory.claim("ana", "parent_of", "Leo")
    return memory


@pytest.mark.parametrize(
    ("subject", "expected"),
    [
        ("ana", [("ana", "sibling_of", "Nora"), ("ana", "parent_of", "Leo")]),
        ("Nora", [("Nora", "sibling_of", "ana")]),
        ("Leo", [("Leo", "child_of", "ana")]),
    ],
)
def test_a_history_is_told_from_the_end_that_is_asked(
    memory: Memory, subject: str, expected: list[tuple[str, ...]]
) -> None:
    told = stated(memory).history(subject)

    assert expected == [tuple(one.as_dict()["fact"].values()) for one in told]
    assert all(f"'{s}' {p} '{v}'" in repr(one) for one, (s, p, v) in zip(told, expected, strict=True))
    assert all(predicate in repr(told) for _, predicate, _ in expected)


def test_a_belief_is_told_from_the_end_that_is_asked(memory: Memory) -> None:
    primary = stated(memory).believe("Leo", "child_of").as_dict()["primary"]

    assert {"subject": "Leo", "predicate": "child_of", "value": "ana"} == primary["fact"]


def test_a_claim_by_its_ref_is_told_as_it_was_said(memory: Memory) -> None:
    (seen,) = stated(memory).history("Leo")

    said = {"subject": "ana", "predicate": "parent_of", "value": "Leo"}
    assert said == memory.claim_at(seen.claim_ref).as_dict()["fact"]
