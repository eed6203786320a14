"""Whatever is done to a memory: its view is the journal's, its index is a fresh one's, and the past stays as it was."""

from contextlib import suppress
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.processes.kit import views
from tests.properties.acts import ACTS, NOTES, PEOPLE, TAKEN_BACK, Act, do, memory_in

from hornbook.graph.errors import NotFound
from hornbook.memory import Memory

MANY = st.lists(TAKEN_BACK, min_size=5, max_size=20)
ASKED = ("where is the spare key", "tea", "Who moved to Munich?", "48-B 2021", "咖啡")
INSTANTS = ("2020", "2024-06-01")


def known(memory: Memory, at: str | None, stored: list[str]) -> dict[str, Any]:
    """All that a memory tells as it was known at an instant, but for what only ranks."""
    told: dict[str, Any] = {"contested": memory.contested(knowledge_at=at).as_dict()}
    for subject in PEOPLE:
        for instant in INSTANTS:
            for answer in memory.believe(subject, valid_at=instant, knowledge_at=at):
                told[f"{subject} {answer.predicate} {instant}"] = answer.as_dict()
        told[f"history of {subject}"] = [one.as_dict() for one in memory.history(subject, knowledge_at=at)]
    for id_ in stored:
        with suppress(NotFound):  # what was deleted by then
            told[id_] = memory.get(id_, knowledge_at=at).as_dict()
    for instant in INSTANTS:
        told[f"offered {instant}"] = offered(memory, at, instant)
    return told


def offered(memory: Memory, known_at: str | None, valid_at: str) -> list[str]:
    """What a search may return."""
    from hornbook.claiming import instant

    with memory._read(known_at) as reading:
        index = memory._indexed(reading)
        index.extend(reading.snapshot)
        mask = index.eligible(reading.upto, instant(reading, valid_at, None))
        return [one.ref for one in index.corpus.documents.of(mask.nonzero()[0].tolist())]


@settings(max_examples=15, deadline=None)
@given(MANY)
def test_a_view_that_followed_every_act_equals_one_that_is_rebuilt(acts: list[Act]) -> None:
    with memory_in() as memory:
        stored: list[str] = []
        for act in acts:
            do(memory, act, stored)
        had, wanted = views(memory)
        assert wanted == had


@settings(max_examples=15, deadline=None)
@given(MANY, st.sampled_from(ASKED))
def test_an_index_that_grew_with_every_act_finds_what_a_fresh_one_finds(acts: list[Act], asked: str) -> None:
    with memory_in() as memory:
        stored: list[str] = []
        for act in acts:
            do(memory, act, stored)
            memory.search(asked)
        grown = [memory.search(query, limit=200, valid_at="2024").hits for query in ASKED]
        memory._index = None
        assert [memory.search(query, limit=200, valid_at="2024").hits for query in ASKED] == grown


@settings(max_examples=12, deadline=None)
@given(MANY, MANY)
def test_what_was_known_at_an_instant_stays_as_it_was_whatever_is_done_later(
    before: list[Act], after: list[Act]
) -> None:
    with memory_in() as memory:
        stored: list[str] = []
        for act in before:
            do(memory, act, stored)
        at, then = memory.search(ASKED[0]).as_known, list(stored)
        first = known(memory, at, then)
        for act in after:
            do(memory, act, stored)
        assert known(memory, at, then) == first


@settings(max_examples=10, deadline=None)
@given(st.lists(st.tuples(st.booleans(), ACTS), min_size=2, max_size=12))
def test_two_owners_never_see_each_others_words(acts: list[tuple[bool, Act]]) -> None:
    """Each owner's words carry a mark, in every place where words go; no answer to the other has it."""
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder, memory_in(folder, "ana") as ana, memory_in(folder, "ben") as ben:
        stored: dict[bool, list[str]] = {True: [], False: []}
        for ours, act in acts:
            do(ana if ours else ben, marked(act, "quokka" if ours else "wombat"), stored[ours])
        assert "wombat" not in told_by(ana, "wombat") and "quokka" not in told_by(ben, "quokka")
        for memory, others in ((ana, stored[False]), (ben, stored[True])):
            for id_ in others:
                try:
                    memory.get(id_)
                except NotFound:
                    continue
                raise AssertionError("another owner's memory was given out")


def marked(act: Act, mark: str) -> Act:
    """The act with a mark on each of its words that a user chooses."""
    words = ("content", "subject", "speaker", "session", "reason", "value")
    given = {
        key: f"{value} {mark}" if key in words and isinstance(value, str) else value for key, value in act.given.items()
    }
    return Act(act.name, given, act.at)


def told_by(memory: Memory, words: str) -> str:
    """All that a memory can be brought to say, asked with another owner's words."""
    told: list[Any] = [memory.contested(100).as_dict(), memory.audit(1_000).as_dict(), memory.stats()]
    for query in (words, *(f"{note} {words}" for note in NOTES)):
        told += [hit.as_dict() for hit in memory.search(query, limit=200, include_inactive=True).hits]
        told.append(memory.context(query).text)
    for subject in PEOPLE:
        for name in (subject, f"{subject} {words}"):
            told += [[slot.value for slot in answer.belief.slots] for answer in memory.believe(name)]
            told += [one.as_dict() for one in memory.history(name)]
    told += [sorted(map(str, data.values())) for _, data in memory.graph().nodes(data=True)]
    return repr(told)
