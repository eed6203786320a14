"""What goes in through one tool comes out through another, in process and over a real client."""

import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters

from hornbook.mcp_tools.server import build
from hornbook.settings import read

Ask = Callable[..., Awaitable[dict[str, Any]]]


def story(where: Path, told: Callable[[Ask, Client], Awaitable[None]], *, mode: Any = "auto") -> None:
    """Tell a story to a server on a store of its own; a tool's error ends it."""
    environ = {"HORNBOOK_CACHE_DIR": str(where / "cache"), "HORNBOOK_USER_ID": "ana"}

    async def run() -> None:
        async with Client(build(read({"db_path": str(where / "memories")}, environ=environ)), mode=mode) as client:

            async def ask(tool: str, **arguments: Any) -> dict[str, Any]:
                result = await client.call_tool(tool, arguments)
                body: dict[str, Any] | None = result.structured_content
                assert body is not None and not result.is_error, result
                return body

            await told(ask, client)

    anyio.run(run)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_stored_memory_is_read_searched_and_archived_in_both_eras(mode: str, tmp_path: Path) -> None:
    async def told(ask: Ask, client: Client) -> None:
        stored = await ask("memory_store", content="The spare key is under the blue pot.")
        node = await ask("memory_get_node", node_id=stored["node_id"])
        assert (node["content"], node["lifecycle_state"]) == ("The spare key is under the blue pot.", "tentative")
        found = await ask("memory_retrieve", query="spare key")
        assert [hit["node_id"] for hit in found["results"]] == [stored["node_id"]]
        resource = (await client.read_resource(f"memory://nodes/{stored['node_id']}")).contents[0]
        assert json.loads(getattr(resource, "text", ""))["content"] == node["content"]
        assert (await ask("memory_archive_node", node_id=stored["node_id"]))["lifecycle_state"] == "archived"
        assert (await ask("memory_retrieve", query="spare key"))["results"] == []

    story(tmp_path, told, mode=mode)


def test_a_text_that_is_json_stays_the_value_it_is(tmp_path: Path) -> None:
    async def told(ask: Ask, client: Client) -> None:
        for value in ("[1, 2]", '{"a": 1}', "null", "true"):
            claim = {"subject": "gate", "predicate": f"code {value}", "value": value, "provenance": "ModelDerived"}
            await ask("ingest_claim", **claim)
            believed = await ask("query_memory", subject="gate", predicate=claim["predicate"])
            assert believed["belief"]["primary"]["fact"]["value"] == value

    story(tmp_path, told)


def test_lists_and_objects_sent_as_text_are_read(tmp_path: Path) -> None:
    async def told(ask: Ask, client: Client) -> None:
        claim = await ask(
            "ingest_claim",
            subject="gate",
            predicate="code",
            value=7,
            provenance='{"type": "External", "kind": "UserAsserted"}',
            valid_time='{"start": "2024", "valid_time_confidence": 0.9}',
        )
        assert claim["disposition"] == "CommittedCheap"
        settled = await ask("reconcile", subject_lines='[["gate", "code"]]')
        assert [ref for ref, _ in settled["outcomes"]] in ([], [claim["claim_ref"]])

    story(tmp_path, told)


def test_every_reply_of_a_claims_life_fits_its_declared_schema(tmp_path: Path) -> None:
    """The client checks each reply against the tool's output schema, and would raise."""

    async def told(ask: Ask, client: Client) -> None:
        await client.list_tools()  # so that it knows the schemas
        line = {"subject": "gate", "predicate": "code"}
        for value in (4, 6):
            await ask("ingest_claim", **line, value=value, provenance="External:UserAsserted", source=f"doc {value}")
        (contest,) = (await ask("list_contested"))["lines"]
        winner = contest["sides"][0]["claim_ref"]
        await ask("resolve_contested", **line, outcome="winner", winner=winner, reason="looked")
        await ask("query_memory", **line, history=True)
        await ask("query_memory", subject="gate")
        assert (await ask("end_fact", **line, at="2030"))["no_op"] is False
        assert (await ask("end_fact", **line, reopen=True))["effective_at"] is None
        assert (await ask("audit", limit=2))["next_cursor"]

    story(tmp_path, told)


def test_a_process_keeps_what_another_process_was_told(tmp_path: Path) -> None:
    async def run() -> None:
        command = ["-m", "hornbook.mcp", "--db-path", str(tmp_path / "memories"), "--user-id", "ana"]
        server = StdioServerParameters(
            command=sys.executable, args=command, env={"HORNBOOK_CACHE_DIR": str(tmp_path / "cache")}
        )
        async with Client(server, read_timeout_seconds=60) as client:
            await client.call_tool("memory_store", {"content": "The ferry leaves at six."})
        async with Client(server, read_timeout_seconds=60) as client:
            found = await client.call_tool("memory_retrieve", {"query": "ferry"})
        assert found.structured_content is not None and found.structured_content["count"] == 1

    anyio.run(run)
