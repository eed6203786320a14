"""What the interface documents promise in passing, where no other test says it."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
from mcp import Client
from tests.mcp.serving import ask

from hornbook import mcp
from hornbook.mcp_tools.server import build
from hornbook.settings import FOREIGN, Scoring, read

Story = Callable[[Client], Awaitable[None]]


def told(where: Path, story: Story, **given: Any) -> None:
    """Tell a story to a server with all tools, on a store of its own."""
    environ = {"HORNBOOK_CACHE_DIR": str(where / "cache"), "HORNBOOK_TOOLSETS": "all", "HORNBOOK_USER_ID": "ana"}

    async def run() -> None:
        flags = {"db_path": str(where / "memories"), **given}
        async with Client(build(read(flags, environ=environ))) as client:
            await story(client)

    anyio.run(run)


def test_a_context_says_who_spoke(tmp_path: Path) -> None:
    async def story(client: Client) -> None:
        await ask(client, "memory_store", content="The roof leaks.", role="participant", speaker="Zoe")
        assert "Zoe" in (await ask(client, "memory_context", query="does the roof leak?"))["text"]

    told(tmp_path, story)


def test_an_ingested_text_keeps_role_speaker_and_scope(tmp_path: Path) -> None:
    async def story(client: Client) -> None:
        said = {"content": "I moved to Munich.", "role": "participant", "speaker": "Zoe", "scope": "project"}
        stored = [await ask(client, "memory_ingest", **more) for more in (said, {"content": "The cellar is dry."})]
        told, plain = [await ask(client, "memory_get_node", node_id=one["event_id"]) for one in stored]
        assert ("participant", "Zoe", "project") == (told["role"], told["speaker"], told["scope"])
        assert ("user", "personal") == (plain["role"], plain["scope"])

    told(tmp_path, story)


def test_rank_fusion_is_the_default_and_results_carry_their_similarity(tmp_path: Path) -> None:
    async def story(client: Client) -> None:
        await ask(client, "memory_store", content="The spare key is under the blue pot.")
        (hit,) = (await ask(client, "memory_retrieve", query="where is the spare key"))["results"]
        assert 0 < hit["semantic_relevance"] <= 1

    told(tmp_path, story)
    assert "rrf" == read(environ={}).scoring.fusion


def test_the_floor_is_inclusive_and_on_the_similarity(tmp_path: Path) -> None:
    async def story(client: Client) -> None:
        await ask(client, "memory_store", content="The spare key is under the blue pot.")
        (hit,) = (await ask(client, "memory_retrieve", query="where is the spare key"))["results"]
        floor = hit["semantic_relevance"]
        for least, count in ((floor, 1), (floor + 0.01, 0)):
            found = await ask(client, "memory_retrieve", query="where is the spare key", min_score=least)
            assert count == found["count"]

    told(tmp_path, story)


def test_under_weighted_fusion_the_floor_is_on_the_score(tmp_path: Path) -> None:
    async def story(client: Client) -> None:
        await ask(client, "memory_store", content="The spare key is under the blue pot.")
        (hit,) = (await ask(client, "memory_retrieve", query="where is the spare key"))["results"]
        assert abs(hit["score"] - hit["semantic_relevance"]) > 0.001
        for least, count in ((hit["score"], 1), (hit["score"] + 0.001, 0)):
            found = await ask(client, "memory_retrieve", query="where is the spare key", min_score=least)
            assert count == found["count"] and "weighted" == found["metrics"]["fusion"]

    told(tmp_path, story, scoring=Scoring(fusion="weighted"))


def test_scope_type_and_filters_of_a_record_are_kept(tmp_path: Path) -> None:
    async def story(client: Client) -> None:
        more = {"scope": "session", "memory_type": "habit", "filters": {"topic": "drinks"}}
        await ask(client, "add_memory", messages="Ana drinks tea", **more)
        (record,) = (await ask(client, "list_memories", filters={"topic": "drinks"}))["results"]
        assert ("session", "habit") == (record["scope"], record["memory_type"])

    told(tmp_path, story)


def test_a_path_with_the_packs_ending_is_one_file(tmp_path: Path) -> None:
    async def story(client: Client) -> None:
        await ask(client, "memory_store", content="The spare key is under the blue pot.")

    told(tmp_path, story, db_path=str(tmp_path / "ana.hornbook"))
    assert (tmp_path / "ana.hornbook").is_file()
    assert not (tmp_path / "memories").exists()


def test_the_address_is_the_documented_one() -> None:
    flags = mcp._parser().parse_args([])

    assert ("stdio", "127.0.0.1", 8000) == (flags.transport, flags.host, flags.port)


def test_every_unprefixed_variable_is_read() -> None:
    settings = read(environ=dict.fromkeys(FOREIGN, "7") | {"DATABASE_PROVIDER": "sqlite"})

    for path in FOREIGN.values():
        found: Any = settings
        for step in path:
            found = getattr(found, step)
        assert found is not None, path


def test_the_resources_hold_what_they_are_documented_to_hold(tmp_path: Path) -> None:
    async def story(client: Client) -> None:
        await ask(client, "memory_store", content="The spare key is under the blue pot.")
        health, stats = [await _read(client, f"memory://{name}") for name in ("health", "stats")]
        assert "ok" == health["status"] and health["version"]
        assert stats["version"] == health["version"]
        assert 1 == stats["memories"] and "sqlite" in stats["backend"]

    told(tmp_path, story)


async def _read(client: Client, uri: str) -> dict[str, Any]:
    content: Any = (await client.read_resource(uri)).contents[0]
    body: dict[str, Any] = json.loads(content.text)
    return body


def test_the_confidence_in_the_dates_is_read_back_in_both_places(tmp_path: Path) -> None:
    async def story(client: Client) -> None:
        when = {"start": "2020", "valid_time_confidence": 0.8}
        claim = {"subject": "ana", "predicate": "lives_in", "value": "Oslo", "provenance": "ModelDerived"}
        await ask(client, "ingest_claim", **claim, valid_time=when)
        primary = (await ask(client, "query_memory", subject="ana", predicate="lives_in"))["belief"]["primary"]
        both = (primary["valid_time"]["valid_time_confidence"], primary["confidence"]["valid_time_confidence"])
        assert (0.8, 0.8) == both

    told(tmp_path, story)
