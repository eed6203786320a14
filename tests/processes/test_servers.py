"""Several hornbook-mcp processes on one store, over the real protocol: both see all, and nobody is refused."""

import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from tests.processes.kit import PACKAGE, ended, is_sound, memory_of, start

Body = dict[str, Any]

PEOPLE = ("Mara", "Oskar")
PLACES = ("harbour", "library", "orchard", "station", "bakery", "theatre", "clinic", "market", "lighthouse", "quarry")
THINGS = ("bicycle", "violin", "telescope", "kettle", "passport", "canoe", "lantern", "typewriter", "ladder", "globe")


def client(where: Path) -> Client:
    """A client of a server process of its own, on the store in `where`."""
    flags = ["-m", "hornbook.mcp", "--db-path", str(where / "store"), "--user-id", "ana"]
    environment = {"HORNBOOK_CACHE_DIR": str(where / "cache"), "PYTHONPATH": PACKAGE}
    return Client(StdioServerParameters(command=sys.executable, args=flags, env=environment), read_timeout_seconds=120)


async def ask(of: Client, tool: str, **arguments: Any) -> Body:
    """What a tool replies; an error ends the test."""
    result = await of.call_tool(tool, arguments)
    body: Body | None = result.structured_content
    assert body is not None and not result.is_error, body
    return body


async def store_all(of: Client, texts: list[str], stored: dict[str, str]) -> None:
    """Store texts one after the other; the id of each."""
    for text in texts:
        stored[(await ask(of, "memory_store", content=text))["node_id"]] = text


async def two_servers(where: Path, each: int) -> None:
    """Two servers write at once; then each is asked for all that both have written."""
    stored: dict[str, str] = {}
    async with client(where) as one, client(where) as other:
        async with anyio.create_task_group() as both:
            for name, of in (("one", one), ("other", other)):
                both.start_soon(store_all, of, [f"{name} wrote note {turn}" for turn in range(each)], stored)
        assert 2 * each == len(stored)
        for of in (one, other):
            nodes = [await ask(of, "memory_get_node", node_id=id_) for id_ in stored]
            assert list(stored.values()) == [node["content"] for node in nodes]
            assert set(range(1, 2 * each + 1)) == {node["memory_id"] for node in nodes}
            found = await ask(of, "memory_retrieve", query=f"other wrote note {each - 1}", limit=200)
            assert found["results"][0]["content"] == f"other wrote note {each - 1}"
    with memory_of(where) as memory:
        assert is_sound(memory)


def test_two_servers_write_to_one_store_and_both_see_all(tmp_path: Path) -> None:
    anyio.run(two_servers, tmp_path, 8)


@pytest.mark.slow
def test_two_servers_write_two_hundred_items_each(tmp_path: Path) -> None:
    anyio.run(two_servers, tmp_path, 200)


async def beside_a_bulk(where: Path, bulk: int, interactive: int) -> None:
    """Store through a server while another process ingests without a pause; nobody fails."""
    stored: dict[str, str] = {}
    async with client(where) as of:
        await store_all(of, ["the first note"], stored)
        writer = start(where, "bulk", bulk, "ingest")
        assert writer.stdout is not None and "ready\n" == writer.stdout.readline()
        await store_all(of, [f"a note in between, {turn}" for turn in range(interactive)], stored)
        told, verdict = await anyio.to_thread.run_sync(ended, writer)
        assert (bulk, "sound") == (len(told), verdict)
        assert 1 + interactive == len(stored)
        for id_ in stored:
            await ask(of, "memory_get_node", node_id=id_)


def test_an_interactive_writer_is_not_refused_beside_a_bulk_ingest(tmp_path: Path) -> None:
    anyio.run(beside_a_bulk, tmp_path, 30, 6)


@pytest.mark.slow
def test_an_interactive_writer_is_not_refused_beside_a_long_bulk_ingest(tmp_path: Path) -> None:
    anyio.run(beside_a_bulk, tmp_path, 1_500, 150)


def conversation(turns: int) -> list[Body]:
    """A talk of two people over many days: every turn says something that no other turn does."""
    told = []
    for turn in range(turns):
        place, thing = PLACES[turn % len(PLACES)], THINGS[turn // len(PLACES) % len(THINGS)]
        told.append(
            {
                "content": f"On walk {turn} to the {place} I came across a {thing} with the number {1_000 + turn}.",
                "speaker": PEOPLE[turn % 2],
                "session_id": f"day {turn // 12}",
                "occurred_at": f"2025-{1 + turn // 28 % 12:02}-{1 + turn % 28:02}",
            }
        )
    return told


async def retrieves_every_turn(where: Path, turns: int) -> None:
    """Store a conversation through one server, ask another for every turn of it."""
    told = conversation(turns)
    async with client(where) as of:
        ids = [(await ask(of, "memory_store", **turn))["node_id"] for turn in told]
    async with client(where) as of:
        for id_, turn in zip(ids, told, strict=True):
            found = (await ask(of, "memory_retrieve", query=turn["content"]))["results"]
            assert id_ == found[0]["node_id"] and turn["speaker"] == found[0]["speaker"]
            assert turn["occurred_at"] == found[0]["occurred_at"][:10]


@pytest.mark.slow
def test_every_turn_of_a_long_conversation_is_retrieved(tmp_path: Path) -> None:
    anyio.run(retrieves_every_turn, tmp_path, 600)
