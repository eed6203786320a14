"""One memory used by many threads at once, as a server uses it: nobody fails, nothing is lost."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.processes.kit import MOVED, is_sound, memory_of

from hornbook.memory import Memory


def at_once(*acts: Callable[[], None]) -> list[BaseException]:
    """Run all of them in threads of their own; what went wrong."""
    wrong: list[BaseException] = []

    def run(act: Callable[[], None]) -> None:
        try:
            act()
        except BaseException as error:  # told by the test, not by the thread
            wrong.append(error)

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return wrong


def storing(memory: Memory, name: str, turns: int) -> Callable[[], None]:
    """A thread that writes."""

    def act() -> None:
        for turn in range(turns):
            stored = memory.store(f"note {turn} of {name}", speaker=name, session=name)
            memory.claim(name, "counts", turn, valid_from=str(2000 + turn), intent="update", speaker=name)
            memory.ingest(MOVED, speaker=f"{name} {turn % 3}", session=name)
            if turn % 5 == 0:
                memory.archive(stored.node_id)

    return act


def asking(memory: Memory, turns: int) -> Callable[[], None]:
    """A thread that reads."""

    def act() -> None:
        for turn in range(turns):
            found = memory.search(f"note {turn} of ana", limit=50)
            for hit in found.hits[:3]:
                if hit.kind == "memory":
                    assert memory.get(hit.node_id).content == hit.content
            memory.believe("ana", "counts")
            memory.contested()
            memory.search("note", limit=200, knowledge_at=found.as_known)

    return act


@pytest.mark.parametrize("on_disk", [True, False])
def test_threads_that_write_and_read_at_once_lose_nothing(tmp_path: Path, on_disk: bool) -> None:
    with memory_of(tmp_path, on_disk=on_disk) as memory:
        memory.store("the first note")
        acts = [storing(memory, "ana", 12), storing(memory, "ben", 12), asking(memory, 12), asking(memory, 12)]
        assert [] == at_once(*acts)
        assert (25, 11) == (memory.stats()["memories"], memory.believe("ana", "counts").value)
        hits = memory.search("note of ana ben", limit=200).hits
        assert 25 - 6 == sum(hit.kind == "memory" for hit in hits)
        assert is_sound(memory)
