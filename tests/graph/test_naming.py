"""Names remembered at the head: the same answers as asking the view each time."""

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.graph.claims.conftest import small

from hornbook.graph import entities
from hornbook.graph.events import Actor
from hornbook.graph.store import Writing
from hornbook.graph.view import queries
from hornbook.memory import Memory

NAMES = ("Ana", "Annie", "Ben", "Benno")
ACTS = st.tuples(
    st.sampled_from(("record", "alias", "merge", "undone")), st.sampled_from(NAMES), st.sampled_from(NAMES)
)


@settings(max_examples=25, deadline=None)
@given(st.lists(ACTS, max_size=8))
def test_what_is_remembered_is_what_the_view_answers(acts: list[tuple[str, str, str]]) -> None:
    with small() as memory:
        for act, one, other in acts:
            if act == "record":
                memory.claim(one, "knows", other)
            elif act == "alias" and known(memory, one):
                memory.alias(one, other)
            elif (
                act == "merge"
                and known(memory, one)
                and known(memory, other)
                and known(memory, one) != known(memory, other)
            ):
                memory.merge(one, other, reason="the same")
            elif act == "undone":
                rolled_back(memory, one)
            with memory._store.reading() as reading:
                for name in NAMES:
                    plain = reading.ask(queries.entity_by_name, name.casefold(), upto=reading.upto)
                    assert plain == reading.bearers(name.casefold())


def known(memory: Memory, name: str) -> str | None:
    """The id of the entity of a name."""
    with memory._store.reading() as reading:
        found = entities.find(reading, name)
        return found.id if found else None


class Undone(Exception):
    """Leaves a transaction by the back door."""


def rolled_back(memory: Memory, name: str) -> None:
    """Name somebody in a transaction that is rolled back: nothing of it may be remembered."""

    def act(writing: Writing) -> None:
        entities.ensure(writing, name)
        entities.find(writing, name)
        raise Undone

    try:
        memory._store.write(Actor(), act)
    except Undone:
        return
