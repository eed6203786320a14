"""A note of many things means a little of each; what is asked for in its very words is found in it all the same."""

import pytest
from tests.graph.retrieval.test_search import opened

NOTE = """Buy oat milk and coffee on Saturday.
The wifi password is on the router: heron.
Dentist on the 14th at nine, bring the old x-rays.
Nora wants the tent back before the summer.
Return the library books, two are overdue already.
The car needs new tyres by November.
Call the plumber about the dripping tap in the kitchen.
Passport runs out in March, make an appointment.
Ask Paul for the recipe with the roasted aubergines."""


@pytest.mark.parametrize("asked", ["wifi password", "What is the wifi password?", "tyres", "the old tyres and router"])
def test_a_note_that_holds_every_word_of_the_question_is_found(asked: str) -> None:
    with opened() as memory:
        memory.store(NOTE)
        memory.store("I like green tea.")

        assert [NOTE[:20]] == [hit.content[:20] for hit in memory.search(asked).hits]
        assert "wifi password" in memory.context(asked).text


@pytest.mark.parametrize(
    "asked", ["Which password opens the vault?", "Did the milk price rise?", "Is coffee grown in Peru?"]
)
def test_one_word_of_several_is_no_answer(asked: str) -> None:
    with opened() as memory:
        memory.store(NOTE)

        assert () == memory.search(asked).hits
