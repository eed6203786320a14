"""Files in the shape of the other systems, made by hand: what is refused, and what is left out with a reason."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.properties.acts import memory_in

from hornbook.graph.errors import InvalidArgument
from hornbook.memory import Memory

TEA = {"data": "Ana drinks tea.", "user_id": "ana", "created_at": "2024-03-02T10:00:00+00:00", "metadata": {"room": 1}}


@pytest.fixture
def memory() -> Iterator[Memory]:
    """An empty memory of ana."""
    with memory_in() as memory:
        yield memory


def powermem(path: Path, *payloads: object) -> Path:
    """A file with one collection."""
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE memories (id INTEGER PRIMARY KEY, vector TEXT, payload TEXT)")
        database.execute("CREATE TABLE memories_fts (content)")
        rows = [(json.dumps(one) if isinstance(one, dict) else one,) for one in payloads]
        database.executemany("INSERT INTO memories (payload) VALUES (?)", rows)
    return path


def test_memories_come_in_and_what_cannot_is_told(memory: Memory, tmp_path: Path) -> None:
    broken = ("{", {"data": " "}, {**TEA, "user_id": "ben"})
    report = memory.bring(powermem(tmp_path / "p.db", TEA, *broken), "powermem")

    assert report.texts == 1
    assert sum(report.left.values()) == 3
    assert memory.get(1).occurred_at == "2024-03-02T10:00:00Z"


def test_a_memory_that_was_changed_there_since_is_left_and_told(memory: Memory, tmp_path: Path) -> None:
    path = powermem(tmp_path / "p.db", TEA)
    memory.bring(path, "powermem")
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE memories SET payload = ?", (json.dumps({**TEA, "data": "Ana drinks coffee."}),))
    report = memory.bring(path, "powermem")

    assert (report.texts, [why for _, why in report.left]) == (
        0,
        ["it was changed there since it was brought in: update it here, or forget it first"],
    )


@pytest.mark.parametrize("system", ["powermem", "mempill"])
def test_a_file_that_is_none_of_the_systems_is_refused(memory: Memory, tmp_path: Path, system: str) -> None:
    (tmp_path / "text.db").write_text("no database")
    with closing(sqlite3.connect(tmp_path / "empty.db")) as database:
        database.execute("CREATE TABLE other (x)")
    for name in ("text.db", "empty.db"):
        with pytest.raises(InvalidArgument, match="not a database of"):
            memory.bring(tmp_path / name, system)
    assert memory.stats()["events"] == 0
