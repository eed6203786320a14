"""What may befall a store between two openings, or under an open one: it is healed, or it is named."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.processes.kit import is_sound, journal_file, memory_of, start

from hornbook.graph.clock import DAY, system_clock
from hornbook.graph.errors import StoreDamaged, StoreMoved
from hornbook.memory import Memory
from hornbook.tenants import Tenants


def told(where: Path, *notes: str) -> None:
    """A memory that was told these notes, and closed."""
    with memory_of(where) as memory:
        for note in notes:
            memory.store(note, speaker="Ana")
            memory.claim("ana", "notes", note, source=note)


def contents(memory: Memory, query: str = "note") -> set[str]:
    """The memories that a search finds."""
    return {hit.content for hit in memory.search(query, limit=200).hits if hit.kind == "memory"}


def view_files(where: Path) -> list[Path]:
    """The files of the views in the cache, the largest first."""
    files = [path for path in (where / "cache").rglob("*") if path.is_file()]
    return sorted(files, key=lambda path: -path.stat().st_size)


SPOILT: dict[str, Callable[[bytes], bytes]] = {
    "its head overwritten": lambda data: b"\xff" * 4096 + data[4096:],
    "its middle overwritten": lambda data: data[: len(data) // 2] + os.urandom(8192) + data[len(data) // 2 + 8192 :],
    "torn": lambda data: data[: len(data) // 3],
    "empty": lambda _: b"",
}


@pytest.mark.parametrize("how", SPOILT)
def test_a_view_that_was_spoilt_while_the_store_was_closed_is_rebuilt(tmp_path: Path, how: str) -> None:
    told(tmp_path, "note one", "note two")
    file = view_files(tmp_path)[0]
    file.write_bytes(SPOILT[how](file.read_bytes()))
    with memory_of(tmp_path) as memory:
        memory.store("note three")
        assert is_sound(memory)
        assert {"note one", "note two", "note three"} == contents(memory)


def test_a_view_that_was_left_behind_by_an_older_copy_of_the_journal_is_rebuilt(tmp_path: Path) -> None:
    told(tmp_path, "note one")
    older = shutil.copy(journal_file(tmp_path), tmp_path / "older.db")
    told(tmp_path, "note two", "note three")
    os.replace(older, journal_file(tmp_path))
    with memory_of(tmp_path) as memory:
        assert {"note one"} == contents(memory)
        memory.store("note four")
        assert {"note one", "note four"} == contents(memory)
        assert is_sound(memory)


@pytest.mark.parametrize("on_disk", [True, False])
def test_a_journal_that_goes_backwards_under_an_open_memory_is_noticed(tmp_path: Path, on_disk: bool) -> None:
    """SQLite's own restore writes an older copy into the open file."""
    told(tmp_path, "note one")
    older = shutil.copy(journal_file(tmp_path), tmp_path / "older.db")
    with memory_of(tmp_path, on_disk=on_disk) as memory:
        memory.store("note two")
        memory.claim("ana", "moods", "glad", cardinality="SetValued")
        assert {"note one", "note two"} == contents(memory)
        restore(older, journal_file(tmp_path))
        assert {"note one"} == contents(memory)
        assert "NoBelief" == memory.believe("ana", "moods").status
        for turn in range(4):  # past where it has been before
            memory.store(f"note {turn + 5}")
        assert {"note one", *(f"note {turn + 5}" for turn in range(4))} == contents(memory)
        assert is_sound(memory)


def restore(copy: str | Path, into: Path) -> None:
    """Write a copy into a database that others have open."""
    source, target = sqlite3.connect(copy), sqlite3.connect(into)
    try:
        source.backup(target)
    finally:
        source.close()
        target.close()


def test_a_journal_that_was_replaced_under_an_open_memory_takes_no_write_that_would_be_lost(tmp_path: Path) -> None:
    told(tmp_path, "note one")
    older = shutil.copy(journal_file(tmp_path), tmp_path / "older.db")
    with memory_of(tmp_path) as memory:
        memory.store("note two")
        os.replace(older, journal_file(tmp_path))
        with pytest.raises(StoreMoved) as refused:
            memory.store("note three")
        assert str(tmp_path) not in f"{refused.value.message} {refused.value.hint}"
        with pytest.raises(StoreMoved):
            memory.search("note")
    with memory_of(tmp_path) as memory:
        assert {"note one"} == contents(memory)


def test_a_cache_that_was_deleted_under_an_open_memory_is_no_loss(tmp_path: Path) -> None:
    told(tmp_path, "note one")
    with memory_of(tmp_path) as memory:
        memory.store("note two")
        assert 2 == len(contents(memory))
        shutil.rmtree(tmp_path / "cache")
        memory.store("note three")
    with memory_of(tmp_path) as memory:
        assert {"note one", "note two", "note three"} == contents(memory)


def test_a_store_that_was_moved_away_leaves_nothing_at_its_old_place(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    told(old, "note one")
    with memory_of(old) as memory:
        memory.store("note two")
        os.rename(old, new)
        with pytest.raises(StoreMoved):
            memory.store("note three")
    assert not old.exists()
    with memory_of(new) as memory:
        assert {"note one", "note two"} == contents(memory)


def test_a_damaged_tail_is_named_and_what_is_before_it_is_read_and_not_written(tmp_path: Path) -> None:
    told(tmp_path, "note one", "note two", "note three")
    damage(journal_file(tmp_path), b'"content":"note three"')
    with memory_of(tmp_path) as memory:
        health = memory.health()
        assert ("damaged", True) == (health["status"], health["read_only"]) and "its body" in health["damage"]
        assert {"note one", "note two"} == contents(memory)
        found = next(hit for hit in memory.search("note one").hits if hit.kind == "memory")
        assert "note one" == memory.get(found.node_id).content
        assert "note two" in {slot.value for slot in memory.believe("ana", "notes").belief.alternatives}
        for write in (lambda: memory.store("note four"), lambda: memory.claim("ana", "notes", "note four")):
            with pytest.raises(StoreDamaged, match="at event"):
                write()
        assert {"note one", "note two"} == contents(memory)


@pytest.mark.parametrize("share", [0.8, 0.95])
def test_a_torn_file_is_named_and_its_good_part_is_read(tmp_path: Path, share: float) -> None:
    with memory_of(tmp_path) as memory:
        stored = [memory.store(f"note {turn} {'x' * 900}") for turn in range(40)]
        memory.claim("ana", "lives_in", "Berlin")
    file = journal_file(tmp_path)
    file.write_bytes(file.read_bytes()[: int(file.stat().st_size * share)])
    with memory_of(tmp_path) as memory:
        assert "damaged" == memory.health()["status"]
        kept = memory.stats()["memories"]
        assert 0 < kept < 41
        for turn in range(kept):
            assert memory.get(stored[turn].node_id).content.startswith(f"note {turn} ")
        memory.search("note 3")
        memory.believe("ana", "lives_in")
        with pytest.raises(StoreDamaged, match="at event"):
            memory.store("note 41")
        assert kept == memory.stats()["memories"]


def damage(file: Path, words: bytes) -> None:
    """Flip a bit in the last place where these words stand in a file."""
    data = bytearray(file.read_bytes())
    data[data.rindex(words) + len(words) - 2] ^= 1
    file.write_bytes(data)


def test_known_time_goes_on_when_the_clock_was_set_back_a_year(tmp_path: Path) -> None:
    with memory_of(tmp_path) as memory:
        memory.claim("ana", "lives_in", "Berlin")
        before = memory.search("Berlin").as_known
    with memory_of(tmp_path, clock=lambda: system_clock() - 365 * DAY) as memory:
        memory.claim("ana", "lives_in", "Munich", intent="update")
        memory.store("note one")
        with memory._store.reading() as reading:
            times = [event.known_at for event in reading.snapshot.events()]
        assert times == sorted(times)
        lives = memory.believe("ana", "lives_in", knowledge_at=before).belief
        assert ["Berlin"] == [slot.value for slot in lives.slots]
        assert not memory.search("note one", knowledge_at=before).hits
        assert is_sound(memory)


def test_a_server_opens_the_store_that_was_put_in_the_place_of_another(tmp_path: Path) -> None:
    told(tmp_path, "note one")
    older = shutil.copy(journal_file(tmp_path), tmp_path / "older.db")
    tenants = Tenants(lambda user: memory_of(tmp_path, user))
    with tenants.lease("ana") as memory:
        memory.store("note two")
    os.replace(older, journal_file(tmp_path))
    with pytest.raises(StoreMoved), tenants.lease("ana") as memory:
        memory.store("note three")
    with tenants.lease("ana") as memory:
        assert {"note one"} == contents(memory)
        memory.store("note four")
        assert is_sound(memory)
    tenants.close()


@pytest.mark.slow
def test_an_older_copy_beside_a_log_that_was_not_its_own_is_named(tmp_path: Path) -> None:
    """A killed process leaves a log beside the journal; whoever puts a copy in its place has to take that away too."""
    told(tmp_path, "note one")
    older = shutil.copy(journal_file(tmp_path), tmp_path / "older.db")
    told(tmp_path, *(f"note {turn} {'x' * 500}" for turn in range(2, 20)))
    writer = start(tmp_path, "bulk", 1_000)
    assert writer.stdout is not None
    for _ in range(20):
        writer.stdout.readline()
    writer.kill()
    writer.communicate(timeout=60)
    os.replace(older, journal_file(tmp_path))
    with memory_of(tmp_path) as memory:
        if memory.health()["status"] == "ok":  # all pages that had changed were in the log
            assert is_sound(memory)
            return
        contents(memory)  # an answer, however little is left
        with pytest.raises(StoreDamaged, match="at event"):
            memory.store("note two")
