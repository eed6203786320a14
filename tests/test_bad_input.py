"""What is wrong is refused by a code that names the field, nothing is written, and no path stands in the text.

Every case is tried through `Memory` and through the tool of a server.
"""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcp import Client
from tests.processes.kit import EMBEDDER

from hornbook.extraction.scripted import ScriptedExtractor
from hornbook.graph.clock import ticking
from hornbook.graph.errors import HornbookError
from hornbook.graph.ids import new_id
from hornbook.graph.journal import place
from hornbook.mcp_tools.server import build
from hornbook.memory import Memory
from hornbook.settings import read

Body = dict[str, Any]
MB = 1_000_000
UNKNOWN = new_id()
TOOLS = {"store": "memory_store", "search": "memory_retrieve", "get": "memory_get_node", "claim": "ingest_claim"}
CLAIM = {"subject": "ana", "predicate": "lives_in", "value": "Berlin", "provenance": "External:UserAsserted"}


@dataclass(frozen=True, slots=True)
class Wrong:
    """A call that is refused: by which code, and which field it names."""

    method: str
    given: Body
    code: str
    field: str


WRONG = (
    Wrong("store", {"content": "tea", "node_type": "gossip"}, "invalid_argument", "node_type"),
    Wrong("store", {"content": "tea", "scope": "galaxy"}, "invalid_argument", "scope"),
    Wrong("store", {"content": "tea", "role": "narrator"}, "invalid_argument", "role"),
    Wrong("store", {"content": " \n\t "}, "invalid_argument", "content"),
    Wrong("store", {"content": ""}, "invalid_argument", "content"),
    Wrong("store", {"content": "é" * (2 * MB + 1)}, "too_large", "content"),
    Wrong("store", {"content": "tea", "speaker": "x" * 2_001}, "too_large", "speaker"),
    Wrong("store", {"content": "tea", "idempotency_key": "x" * 2_001}, "too_large", "idempotency_key"),
    Wrong("store", {"content": "tea", "occurred_at": "the day after never"}, "invalid_argument", "occurred_at"),
    Wrong("store", {"content": "tea", "occurred_at": "2023-02-30"}, "invalid_argument", "occurred_at"),
    Wrong("store", {"content": "tea", "occurred_at": "0001-01-01T00:00:00+14:00"}, "invalid_argument", "occurred_at"),
    Wrong("store", {"content": "tea", "occurred_at": "9999-12-31T23:59:59-12:00"}, "invalid_argument", "occurred_at"),
    Wrong("store", {"content": "tea", "node_type": "fact", "subject": "ana"}, "invalid_argument", "predicate"),
    Wrong("search", {"query": "  "}, "invalid_argument", "query"),
    Wrong("search", {"query": "tea", "limit": 0}, "invalid_argument", "limit"),
    Wrong("search", {"query": "tea", "limit": 201}, "invalid_argument", "limit"),
    Wrong("search", {"query": "tea", "limit": 1.5}, "invalid_argument", "limit"),
    Wrong("search", {"query": "tea", "limit": "many"}, "invalid_argument", "limit"),
    Wrong("search", {"query": "tea", "knowledge_at": "soonish"}, "invalid_argument", "knowledge_at"),
    Wrong("search", {"query": "tea", "node_types": ["gossip"]}, "invalid_argument", "node_types"),
    Wrong("get", {"node_id": "no such thing"}, "invalid_argument", "node_id"),
    Wrong("get", {"node_id": UNKNOWN}, "not_found", "node_id"),
    Wrong("get", {"node_id": "77"}, "not_found", "node_id"),
    Wrong("claim", {**CLAIM, "derived_from": [UNKNOWN]}, "not_found", "derived_from"),
    Wrong("claim", {**CLAIM, "subject": " "}, "invalid_argument", "subject"),
    Wrong("claim", {**CLAIM, "provenance": "External:Gossip"}, "invalid_argument", "provenance"),
)


@contextmanager
def memory_in(where: Path | str, user: str = "ana") -> Iterator[Memory]:
    """A memory that costs little."""
    extractor = ScriptedExtractor({})
    with Memory.open(where, user, clock=ticking(), embedder=EMBEDDER, extractor=extractor) as memory:
        yield memory


def refused(act: Callable[[], Any]) -> Body:
    """The error that a call ends in."""
    with pytest.raises(HornbookError) as told:
        act()
    return told.value.as_dict()


def told_by_server(where: Path, tool: str, given: Body, user: str = "ana") -> Body:
    """What a server's tool replies."""
    environment = {"HORNBOOK_CACHE_DIR": str(where / "cache"), "HORNBOOK_USER_ID": user}

    async def run() -> Body:
        async with Client(build(read({"db_path": str(where)}, environ=environment))) as client:
            result = await client.call_tool(tool, given)
            body: Body | None = result.structured_content
            assert body is not None and result.is_error == ("error" in body), result
            return body

    return anyio.run(run)


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: f"{wrong.method} {wrong.field}")
def test_a_wrong_call_is_refused_and_writes_nothing(wrong: Wrong) -> None:
    with memory_in(":memory:") as memory:
        error = refused(lambda: getattr(memory, wrong.method)(**wrong.given))
        assert (wrong.code, wrong.field) == (error["code"], error["field"].partition("[")[0])
        assert 0 == memory.stats()["events"]


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: f"{wrong.method} {wrong.field}")
def test_a_wrong_call_of_a_tool_is_refused_alike(wrong: Wrong, tmp_path: Path) -> None:
    error = told_by_server(tmp_path, TOOLS[wrong.method], wrong.given)["error"]
    assert (wrong.code, wrong.field) == (error["code"], error["field"].split(".")[0].partition("[")[0])
    assert str(tmp_path) not in str(error) and "Traceback" not in str(error)
    with memory_in(tmp_path) as memory:
        assert 0 == memory.stats()["events"]


def test_the_limit_of_a_text_is_stated_and_a_megabyte_is_well_below_it() -> None:
    text = "A long tale of tea. " * (MB // 20)
    with memory_in(":memory:") as memory:
        assert "4,000,000" in refused(lambda: memory.store("x" * (4 * MB + 1)))["message"]
        stored = memory.store(text)
        assert text == memory.get(stored.node_id).content
        assert [stored.node_id] == [hit.node_id for hit in memory.search("tale of tea").hits]


def test_another_owners_id_is_not_found(tmp_path: Path) -> None:
    with memory_in(tmp_path, "ben") as memory:
        stored = memory.store("Ben's secret", node_type="fact", subject="ben", predicate="likes", value="tea")
        assert stored.claim is not None
    for id_ in (stored.node_id, stored.event_id):
        with memory_in(tmp_path, "ana") as memory:
            assert "not_found" == refused(lambda id_=id_: memory.get(id_))["code"]  # type: ignore[misc]
            assert "not_found" == refused(lambda id_=id_: memory.archive(id_))["code"]  # type: ignore[misc]
        assert "not_found" == told_by_server(tmp_path, "memory_get_node", {"node_id": id_})["error"]["code"]
    with memory_in(tmp_path, "ana") as memory:
        ref = stored.claim.claim_ref
        assert "not_found" == refused(lambda: memory.claim_at(ref))["code"]
        assert "not_found" == refused(lambda: memory.claim("ana", "likes", "tea", derived_from=(ref,)))["code"]


def journal_of(where: Path) -> Path:
    """The journal of a store that has something in it."""
    with memory_in(where) as memory:
        memory.store("a note")
    return where / "ana" / "journal.db"


def is_a_file(where: Path) -> None:
    """The store's directory is a file."""
    where.write_text("not a directory")


def owner_is_a_file(where: Path) -> None:
    """The owner's directory is a file."""
    where.mkdir()
    (where / "ana").write_text("not a directory")


def journal_is_a_directory(where: Path) -> None:
    """A directory stands where the journal should be."""
    (where / "ana" / "journal.db").mkdir(parents=True)


def is_newer(where: Path) -> None:
    """The journal was written by a later version."""
    run(journal_of(where), "PRAGMA user_version = 999")


def is_of_another_program(where: Path) -> None:
    """The journal is a database, but none of ours."""
    (where / "ana").mkdir(parents=True)
    run(where / "ana" / "journal.db", "CREATE TABLE theirs (x)")


def is_no_database(where: Path) -> None:
    """The journal's head is gone."""
    file = journal_of(where)
    file.write_bytes(b"nothing of ours" * 400)


def is_damaged(where: Path) -> None:
    """A body was changed."""
    run(journal_of(where), "UPDATE body SET bytes = CAST('{}' AS BLOB) WHERE id = 1")


def run(file: Path, sql: str) -> None:
    """Change a journal behind our back."""
    raw = sqlite3.connect(file)
    raw.execute(sql)
    raw.commit()
    raw.close()


SPOILT = (
    is_a_file,
    owner_is_a_file,
    journal_is_a_directory,
    is_newer,
    is_of_another_program,
    is_no_database,
    is_damaged,
)


def files(where: Path) -> dict[str, bytes]:
    """All that is there, byte for byte, but for what a reader leaves beside a database."""
    if where.is_file():
        return {"": where.read_bytes()}
    found = (path for path in where.rglob("*") if path.is_file() and "cache" not in path.parts)
    return {str(path): path.read_bytes() for path in found if path.suffix not in (".lock", ".db-wal", ".db-shm")}


@pytest.mark.parametrize("spoil", SPOILT, ids=lambda spoil: spoil.__name__)
def test_a_store_that_will_not_do_is_one_clear_error_and_is_left_alone(
    spoil: Callable[[Path], None], tmp_path: Path
) -> None:
    where = tmp_path / "store"
    spoil(where)
    before = files(where)

    def write() -> None:
        with memory_in(where) as memory:
            memory.store("another note")

    error = refused(write)
    assert "unavailable" == error["code"] and error["hint"]
    told = told_by_server(where, "memory_store", {"content": "another note"})["error"]
    assert (error["code"], error["message"]) == (told["code"], told["message"])
    assert str(tmp_path) not in str(error) + str(told)
    assert before == files(where)


def test_a_store_on_a_network_is_refused_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(f"server:/x {tmp_path / 'store'} nfs4 rw 0 0\n")
    monkeypatch.setattr(place, "MOUNTS", mounts)
    error = told_by_server(tmp_path / "store", "memory_store", {"content": "a note"})["error"]
    assert "unavailable" == error["code"] and "network" in error["message"] and "pack" in error["hint"]
    assert not (tmp_path / "store" / "ana" / "journal.db").exists()


@contextmanager
def unwritable(where: Path) -> Iterator[None]:
    """A folder that this process may read and not write, as whoever it runs."""
    before = os.geteuid()
    for path in (where, *where.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    for path in where.parents[:3]:
        path.chmod(path.stat().st_mode | 0o555)
    if before == 0:
        os.seteuid(65_534)  # root may write everywhere
    try:
        yield
    finally:
        os.seteuid(before)
        for path in (where, *where.rglob("*")):
            path.chmod(0o755)


@pytest.mark.skipif(not hasattr(os, "seteuid"), reason="permissions are POSIX")
@pytest.mark.parametrize("there", [True, False])
def test_a_folder_that_cannot_be_written_is_one_clear_error(tmp_path: Path, there: bool) -> None:
    where = tmp_path / "store"
    where.mkdir()
    if there:
        journal_of(where)
    with memory_in(":memory:") as warm:  # imports what is imported late, while this process may
        warm.store("a note")
    with unwritable(where):

        def write() -> None:
            with memory_in(where) as memory:
                memory.store("another note")

        error = refused(write)
    assert "unavailable" == error["code"] and str(tmp_path) not in str(error)


TEXT = st.text(st.characters(), max_size=40)  # any code point, halves of surrogate pairs and zeros too


@settings(max_examples=40, deadline=None)
@given(
    st.fixed_dictionaries(
        {"content": TEXT},
        optional=dict.fromkeys(("speaker", "session", "source", "position", "agent", "run", "idempotency_key"), TEXT)
        | {"occurred_at": TEXT, "metadata": st.dictionaries(TEXT, TEXT | st.none() | st.floats(), max_size=2)},
    )
)
def test_any_text_is_taken_as_it_is_or_refused(given: Body) -> None:
    with memory_in(":memory:") as memory:
        try:
            stored = memory.store(**given)
        except HornbookError as error:
            assert "invalid_argument" == error.code
            assert 0 == memory.stats()["events"]
            return
        assert given["content"] == memory.get(stored.node_id).content
        memory.search(given["content"])


@settings(max_examples=40, deadline=None)
@given(TEXT, TEXT, TEXT | st.integers() | st.floats() | st.booleans() | st.lists(TEXT | st.none(), max_size=2))
def test_any_claim_is_taken_or_refused(subject: str, predicate: str, value: Any) -> None:
    with memory_in(":memory:") as memory:
        try:
            memory.claim(subject, predicate, value)
        except HornbookError as error:
            assert error.code in ("invalid_argument", "too_large")
            return
        believed = memory.believe(subject, predicate)
        assert not isinstance(believed, tuple) and believed.status in ("Resolved", "TimingUncertain")


def test_a_folder_that_is_removed_while_it_is_open_is_named(tmp_path: Path) -> None:
    with memory_in(tmp_path / "store") as memory:
        memory.store("a note")
        shutil.rmtree(tmp_path / "store")
        error = refused(lambda: memory.store("another note"))
        assert "unavailable" == error["code"] and str(tmp_path) not in str(error)
