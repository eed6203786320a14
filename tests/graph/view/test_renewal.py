"""A view in memory that has taken in much is built anew in its place, and nobody notices."""

import threading

import pytest
from tests.properties.acts import memory_in

from hornbook.memory import Memory


def told(memory: Memory) -> list[object]:
    return [memory.stats(), memory.believe("Ana", "likes").as_dict(), memory.audit(100).as_dict()["entries"]]


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hornbook.graph.view.view.RENEW_AFTER", 10)
    monkeypatch.setattr("hornbook.graph.view.view.RENEW_SHARE", 1_000)


def test_a_view_in_memory_is_renewed_and_answers_as_before() -> None:
    with memory_in() as memory:
        memory.claim("Ana", "likes", "tea")
        view = memory._store._view
        assert view is not None
        engines = {id(view._engine): view._engine}
        for number in range(12):
            memory.store(f"Note {number}")
            engines[id(view._engine)] = view._engine

        assert memory._store._view is view and 1 < len(engines) < 6
        before = told(memory)
        memory.rebuild()
        assert [*before[1:]] == told(memory)[1:] and before[0] == told(memory)[0]


def test_readers_and_writers_go_on_while_views_are_renewed() -> None:
    failures: list[BaseException] = []

    def work(memory: Memory, number: int) -> None:
        try:
            for step in range(15):
                memory.claim(f"person {number}", "visited", f"town {step}", cardinality="SetValued")
                assert memory.believe(f"person {number}", "visited").belief.primary is not None
        except BaseException as error:
            failures.append(error)

    with memory_in() as memory:
        threads = [threading.Thread(target=work, args=(memory, number)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert [] == failures
        assert 60 == memory.stats()["claims"]
