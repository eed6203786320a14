"""What is forgotten is hidden, what rested on it alone is not believed, and the past can still be asked."""

from collections.abc import Iterator

import pytest
from tests.properties.acts import memory_in

from hornbook.graph.errors import InvalidArgument, NotFound
from hornbook.graph.events import Actor
from hornbook.graph.ids import new_id
from hornbook.memory import Memory

LETTER = "I moved to Munich."
WAYS = ({"source": "letters"}, {"session": "one"}, {"client": "pen"})


@pytest.fixture
def memory() -> Iterator[Memory]:
    """A memory with a letter from which a claim was taken, and a note that has nothing to do with it."""
    with memory_in() as memory:
        pen = Actor("pen", "", "")
        memory.ingest(LETTER, source="letters", session="one", occurred_at="2024-03-02", actor=pen)
        memory.store("The spare key is under the blue pot.", source="notes")
        yield memory


def lives_in(memory: Memory, at: str | None = None) -> object:
    """What is believed about where the owner lives."""
    belief = memory.believe("ana", "lives_in", valid_at="2024-06-01", knowledge_at=at).belief
    return belief.primary.value if belief.primary else None


def contents(memory: Memory, at: str | None = None) -> list[str]:
    """What a search for the letter finds, whatever state it is in."""
    return [hit.content for hit in memory.search("Munich", knowledge_at=at, include_inactive=True).hits]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: next(iter(way)))
def test_what_came_from_there_is_gone_and_the_rest_stays(memory: Memory, way: dict[str, str]) -> None:
    before = memory.search("Munich").as_known
    done = memory.forget(source=way.get("source"), session=way.get("session"), client=way.get("client"))

    assert (done.hidden.episodes, done.hidden.claims) == (1, 1)
    assert lives_in(memory) is None
    assert LETTER not in contents(memory)
    assert memory.search("spare key").hits
    assert lives_in(memory, before) == "Munich"
    assert LETTER in contents(memory, before)
    assert memory.audit(1).entries[0].as_dict()["reason"] == "source deleted"


def test_forgetting_again_finds_nothing(memory: Memory) -> None:
    memory.forget(source="letters")
    head = memory.stats()["events"]

    assert memory.forget(source="letters").transactions == 0
    assert memory.stats()["events"] == head


def test_a_dry_run_counts_and_changes_nothing(memory: Memory) -> None:
    head = memory.stats()["events"]
    tried = memory.forget(source="letters", dry_run=True)

    assert tried.dry_run and memory.stats()["events"] == head
    assert memory.forget(source="letters").hidden == tried.hidden


def test_what_another_text_says_too_is_still_believed(memory: Memory) -> None:
    memory.ingest(LETTER, source="diary", occurred_at="2024-03-03")
    memory.forget(source="letters")

    assert lives_in(memory) == "Munich"


def test_what_rested_on_it_is_flagged(memory: Memory) -> None:
    (told,) = memory.history("ana", "lives_in")
    follows = memory.claim("ana", "pays_rent_in", "Munich", derived_from=(told.claim_ref,))
    memory.forget(source="letters")

    assert memory.claim_at(follows.claim_ref).held.state.review is not None


def test_an_entity_that_nothing_speaks_of_any_more_is_not_offered(memory: Memory) -> None:
    memory.claim("Zoltan", "likes", "chess", source="letters")
    memory.claim("Ana", "likes", "chess", source="notes")
    memory.forget(source="letters")

    assert (list(memory.complete_name("Zol")), list(memory.complete_name("An"))) == ([], ["ana"])
    assert memory.history("Zoltan"), "history still shows that something was there"
    memory.claim("Zoltan", "likes", "go", source="notes")
    assert list(memory.complete_name("Zol")) == ["Zoltan"]


def test_one_memory_is_forgotten_by_its_id(memory: Memory) -> None:
    key = memory.search("spare key").hits[0].node_id
    assert memory.forget(episode=key).hidden.memories == 1
    with pytest.raises(NotFound):
        memory.get(key)


def test_both_clocks_aside_all_that_is_given_must_fit(memory: Memory) -> None:
    assert memory.forget(source="letters", session="two").hidden.episodes == 0


def test_nothing_is_forgotten_without_a_scope(memory: Memory) -> None:
    for call in (memory.forget, memory.erase):
        with pytest.raises(InvalidArgument, match="nothing says what to forget"):
            call()
        with pytest.raises(InvalidArgument, match="source is blank"):
            call(source=" ")
        with pytest.raises(NotFound):
            call(episode=new_id())
