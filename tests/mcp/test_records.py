"""The record tools over a client: their shapes, their refusals, and who is asked before all is deleted."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp_types import ElicitRequestParams, ElicitResult

from hornbook.mcp_tools.server import build
from hornbook.settings import Settings

Ask = Callable[..., Awaitable[dict[str, Any]]]
OPEN: dict[str, Any] = {"db_path": ":memory:", "user_id": "ana", "toolsets": ("records",)}


def story(told: Callable[[Ask, Client], Awaitable[None]], *, mode: Any = "auto", **client: Any) -> None:
    """Tell a story to a server that serves records; the reply is the body, an error too."""

    async def run() -> None:
        async with Client(build(Settings(**OPEN)), mode=mode, **client) as connected:

            async def ask(tool: str, **arguments: Any) -> dict[str, Any]:
                result = await connected.call_tool(tool, arguments)
                assert result.structured_content is not None
                body: dict[str, Any] = result.structured_content
                return body

            await told(ask, connected)

    anyio.run(run)


def test_a_record_is_added_found_revised_and_deleted_by_its_number() -> None:
    async def told(ask: Ask, client: Client) -> None:
        await client.list_tools()  # so that the client checks every reply against its schema
        (added,) = (await ask("add_memory", messages="Prefers tea", metadata={"tone": "calm"}, infer=False))["results"]
        number = added["memory_id"]
        assert (1, "ADD", "calm") == (number, added["event"], added["metadata"]["tone"])
        assert "Prefers tea" == (await ask("get_memory", memory_id=str(number)))["content"]
        assert 1 == (await ask("search_memories", query="prefers tea", threshold=0.9))["count"]
        revised = await ask("update_memory", memory_id=number, content="Prefers mate")
        assert ("Prefers mate", {"tone": "calm"}) == (revised["content"], revised["metadata"])
        assert 1 == (await ask("delete_memory", memory_id=added["node_id"]))["deleted"]
        assert "not_found" == (await ask("get_memory", memory_id=number))["error"]["code"]

    story(told)


@pytest.mark.parametrize(
    ("tool", "arguments", "field"),
    [
        ("add_memory", {"messages": "x", "scope": "galaxy"}, "scope"),
        ("add_memory", {"messages": "x", "metadata": [1]}, "metadata"),
        ("search_memories", {"query": "x", "threshold": 1.5}, "threshold"),
        ("search_memories", {"query": "x", "filters": {"a": {"like": "b"}}}, "filters.a"),
        ("search_memories", {"query": " "}, "query"),
        ("get_memory", {"memory_id": 1.5}, "memory_id"),
        ("get_memory", {"memory_id": True}, "memory_id"),
        ("get_memory", {"memory_id": "-1"}, "memory_id"),
        ("update_memory", {"memory_id": 1}, "content"),
        ("delete_all_memories", {}, "user_id"),
        ("delete_all_memories", {"user_id": " "}, "user_id"),
        ("list_memories", {"limit": 0}, "limit"),
        ("list_memories", {"offset": -1}, "offset"),
    ],
)
def test_a_bad_argument_is_named(tool: str, arguments: dict[str, Any], field: str) -> None:
    async def told(ask: Ask, client: Client) -> None:
        error = (await ask(tool, **arguments))["error"]
        assert ("invalid_argument", field) == (error["code"], error["field"])

    story(told)


def test_a_long_record_comes_in_pieces() -> None:
    text = "All quiet. " * 3_000

    async def told(ask: Ask, client: Client) -> None:
        await ask("add_memory", messages=text, infer=False)
        listed = await ask("list_memories")
        assert listed["results"][0]["truncated"] is True and len(json.dumps(listed)) <= 8_192 + 200
        part = await ask("get_memory", memory_id=1)
        read = part["content"]
        while "next_offset" in part:
            part = await ask("get_memory", memory_id=1, offset=part["next_offset"])
            read += part["content"]
        assert text == read

    story(told)


def test_the_store_in_sum_is_a_resource() -> None:
    async def told(ask: Ask, client: Client) -> None:
        await ask("add_memory", messages="Pump", agent_id="a-1", infer=False)
        body = json.loads((await client.read_resource("powermem://memory")).contents[0].text)  # type: ignore[union-attr]
        assert {"user_id": "ana", "total_memories": 1, "agents": 1, "runs": 0}.items() <= body.items()

    story(told)


def person(*, delete: bool | None, seen: list[str]) -> Callable[..., Awaitable[ElicitResult]]:
    """Somebody at the client who answers so; None turns the question away."""

    async def answer(context: Any, params: ElicitRequestParams) -> ElicitResult:
        seen.append(params.message)
        return (
            ElicitResult(action="decline")
            if delete is None
            else ElicitResult(action="accept", content={"delete": delete})
        )

    return answer


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize(("answer", "deleted"), [(True, 1), (False, 0), (None, 0)])
def test_a_person_at_the_client_is_asked_before_all_is_deleted(mode: str, answer: bool | None, deleted: int) -> None:
    seen: list[str] = []

    async def told(ask: Ask, client: Client) -> None:
        await ask("add_memory", messages="Owns a barometer", infer=False)
        done = await ask("delete_all_memories", user_id="ana")
        assert (deleted, not deleted) == (done["deleted"], done.get("declined", False))
        assert 1 - deleted == (await ask("list_memories"))["total"]

    story(told, mode=mode, elicitation_callback=person(delete=answer, seen=seen))
    assert seen == ["Delete all memories of user ana? Their history stays, but they are no longer found."]


@pytest.mark.parametrize("quietly", [{"confirm": True}, {"dry_run": True}])
def test_nobody_is_asked_about_a_confirmed_call_or_a_dry_run(quietly: dict[str, bool]) -> None:
    seen: list[str] = []

    async def told(ask: Ask, client: Client) -> None:
        await ask("add_memory", messages="Owns a barometer", infer=False)
        assert 1 == (await ask("delete_all_memories", user_id="ana", **quietly))["deleted"]

    story(told, elicitation_callback=person(delete=None, seen=seen))
    assert seen == []


def test_one_user_per_call_and_never_all_of_them() -> None:
    async def told(ask: Ask, client: Client) -> None:
        await ask("add_memory", messages="Secret: heron-31", user_id="ben", infer=False)
        assert 0 == (await ask("list_memories"))["total"]
        assert 0 == (await ask("search_memories", query="secret heron"))["count"]
        assert "not_found" == (await ask("get_memory", memory_id=1))["error"]["code"]
        assert 0 == (await ask("delete_all_memories", user_id="ana"))["deleted"]
        assert 1 == (await ask("list_memories", user_id="ben"))["total"]

    story(told)
