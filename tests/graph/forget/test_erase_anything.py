"""Whatever was done to a memory: after an erasure no file holds the words, and all of it can still be asked."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.processes.kit import views
from tests.properties.acts import ACTS, PEOPLE, Act, do, memory_in
from tests.properties.test_stores import known

from hornbook.graph.clock import rfc3339
from hornbook.graph.journal import verify
from hornbook.memory import Memory

SOURCED = ("store", "ingest", "claim")
WORDS = ("content", "subject", "speaker", "value")
MARK = "quokka"
STEPS = st.lists(st.tuples(st.booleans(), ACTS), min_size=3, max_size=14)


def told(secret: bool, act: Act) -> Act:
    """The act, with a secret in each of its words if it comes from the letters; people are named by both."""
    if act.name not in SOURCED:
        return act
    given = {**act.given, "source": "letters" if secret else "notes"}
    if secret:
        marked = {name: f"{given[name]} {MARK}" for name in WORDS if isinstance(given.get(name), str)}
        given |= {name: word for name, word in marked.items() if name != "subject" or act.name == "claim"}
    return Act(act.name, given, act.at)


def holding(folder: Path) -> list[str]:
    """The files that hold the secret."""
    return [path.name for path in folder.rglob("*") if path.is_file() and MARK.encode() in path.read_bytes()]


def instants(memory: Memory) -> list[str]:
    """Every instant at which something became known."""
    with memory._store.journal.reading() as snapshot:
        return list(dict.fromkeys(rfc3339(event.known_at) for event in snapshot.events()))


def done(memory: Memory, steps: list[tuple[bool, Act]]) -> list[str]:
    """Do all of it; the memories that were stored."""
    stored: list[str] = []
    for secret, act in steps:
        do(memory, told(secret, act), stored)
    return stored


@settings(max_examples=20, deadline=None)
@given(STEPS, st.booleans())
def test_no_word_is_left_and_every_instant_can_be_asked(steps: list[tuple[bool, Act]], forgotten: bool) -> None:
    with TemporaryDirectory() as folder, memory_in(folder) as memory:
        done(memory, steps)
        if forgotten:
            memory.forget(source="letters")
        erased = memory.erase(source="letters")

        assert erased.pending == ()
        assert holding(Path(folder)) == []
        assert verify(memory._store.journal) is None
        had, wanted = views(memory)
        assert had == wanted
        for at in (None, *instants(memory)):
            assert MARK not in repr(known(memory, at, []))
        memory.search("tea", include_inactive=True)
        for person in PEOPLE:
            memory.claim(person, "lives_in", "Berlin")
        assert memory.erase(source="letters").events == 0


@settings(max_examples=10, deadline=None)
@given(STEPS)
def test_what_others_said_is_believed_as_if_the_erased_had_been_forgotten(steps: list[tuple[bool, Act]]) -> None:
    with memory_in() as one, memory_in() as other:
        for memory in (one, other):
            done(memory, steps)
        one.forget(source="letters")
        other.erase(source="letters")
        for person in PEOPLE:
            assert beliefs(one, person) == beliefs(other, person)


def beliefs(memory: Memory, person: str) -> dict[str, Any]:
    """What is believed about somebody, by predicate."""
    answers = memory.believe(person, valid_at="2024-06-01")
    return {
        answer.predicate: (answer.belief.status, answer.belief.primary and answer.belief.primary.value)
        for answer in answers
        if answer.belief.primary is not None or answer.belief.alternatives
    }
