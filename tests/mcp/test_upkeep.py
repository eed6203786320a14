"""What a server tells beside its replies: update notices, signs of life, prompts, completions, what changed."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.client.subscriptions import ResourceUpdated
from mcp_types import PromptReference, ResourceTemplateReference

from hornbook.mcp_tools import progress as signs
from hornbook.mcp_tools.server import build
from hornbook.settings import Settings

BOUND = 20  # seconds that any of this may take


def story(told: Callable[[Client], Awaitable[None]], **client: Any) -> None:
    async def run() -> None:
        settings = Settings(db_path=":memory:", user_id="ana", toolsets=("memory", "claims", "records"))
        async with Client(build(settings), **client) as connected:
            with anyio.fail_after(BOUND):
                await told(connected)

    anyio.run(run)


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    assert result.structured_content is not None and not result.is_error, result
    body: dict[str, Any] = result.structured_content
    return body


async def read(client: Client, uri: str) -> dict[str, Any]:
    body: dict[str, Any] = json.loads((await client.read_resource(uri)).contents[0].text)  # type: ignore[union-attr]
    return body


async def prompt(client: Client, name: str, **arguments: str) -> str:
    (message,) = (await client.get_prompt(name, arguments)).messages
    return str(getattr(message.content, "text", ""))


async def disputed(client: Client) -> None:
    for value in (4, 6):
        claim = {"subject": "gate", "predicate": "code", "value": value, "provenance": "External:UserAsserted"}
        await call(client, "ingest_claim", **claim, source=f"doc {value}", evidence=f"The code is {value}.")


def test_who_listens_is_told_of_a_write_and_not_of_a_read_or_of_another_user() -> None:
    async def told(client: Client) -> None:
        async with client.listen(resource_subscriptions=["memory://changes"]) as heard:
            await call(client, "memory_retrieve", query="ferry")
            await call(client, "memory_store", content="Not ana's.", user_id="ben")
            await client.call_tool("memory_get_node", {"node_id": "x"})
            await call(client, "memory_store", content="The ferry leaves at six.")
            async for event in heard:
                assert ResourceUpdated(uri="memory://changes") == event
                break
        kinds = [change["kind"] for change in (await read(client, "memory://changes"))["changes"]]
        assert ["episode.recorded", "memory.recorded"] == kinds

    story(told)


def test_changes_go_on_where_they_were_left_and_hold_no_text() -> None:
    async def told(client: Client) -> None:
        await call(client, "memory_store", content="The ferry leaves at six.")
        first = await read(client, "memory://changes")
        await disputed(client)
        rest = await read(client, f"memory://changes?cursor={first['next_cursor']}")
        since = await read(client, f"memory://changes?since={first['as_known']}")

        assert "ferry" not in json.dumps(first)
        assert rest["changes"] == since["changes"] and rest["changes"][0]["tool"] == "ingest_claim"
        assert [] == (await read(client, f"memory://changes?cursor={rest['next_cursor']}"))["changes"]

    story(told)


@pytest.mark.parametrize("wrong", ["since=soon", "cursor=x", "cursor=-1"])
def test_a_place_that_is_none_is_refused(wrong: str) -> None:
    async def told(client: Client) -> None:
        with pytest.raises(Exception, match=r"is not a date|cursor is none"):
            await client.read_resource(f"memory://changes?{wrong}")

    story(told)


def test_a_long_call_shows_signs_of_life(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signs, "EVERY", 0.002)
    seen: list[tuple[float, str | None]] = []

    async def noted(progress: float, total: float | None, message: str | None) -> None:
        seen.append((progress, message))

    async def told(client: Client) -> None:
        for _ in range(30):
            await call(client, "memory_store", content="The same.")
        await client.call_tool("memory_organize", {}, progress_callback=noted)

    story(told)
    assert seen and [done for done, _ in seen] == sorted({done for done, _ in seen})
    assert any(message and "job" in message for _, message in seen)


def test_maintenance_reports_and_names_its_jobs() -> None:
    async def told(client: Client) -> None:
        await client.list_tools()
        organized = await call(client, "memory_organize", jobs="decay, deduplicate", budget_ms=2_000)
        assert ["decay", "deduplicate"] == organized["jobs_run"]
        refused = (await client.call_tool("memory_organize", {"jobs": "polish"})).structured_content
        assert refused is not None and "decay" in refused["error"]["valid"]

    story(told)


def test_the_prompts_are_listed_and_tell_of_the_memory() -> None:
    async def told(client: Client) -> None:
        listed = {one.name: one for one in (await client.list_prompts()).prompts}
        assert {"remember_conversation", "review_contested", "explain_belief"} == set(listed)
        assert "Nothing in the memory is in dispute" in await prompt(client, "review_contested")
        await disputed(client)

        assert "about sailing" in await prompt(client, "remember_conversation", topic="sailing")
        assert "The code is 6." in await prompt(client, "review_contested")
        explained = await prompt(client, "explain_belief", subject="gate", predicate="code")
        assert "gate, code" in explained and "Contested" in explained
        assert "NoBelief" in await prompt(client, "explain_belief", subject="nobody", predicate="age")

    story(told)


def test_what_is_begun_is_completed_from_the_memory() -> None:
    async def told(client: Client) -> None:
        await disputed(client)
        await call(client, "ingest_claim", subject="Garden", predicate="size", value=3, provenance="ModelDerived")
        explain, entity = (
            PromptReference(name="explain_belief"),
            ResourceTemplateReference(uri="memory://entities/{entity_id}"),
        )

        async def completed(ref: Any, name: str, value: str, about: dict[str, str] | None = None) -> list[str]:
            return (await client.complete(ref, {"name": name, "value": value}, about)).completion.values

        assert ["gate", "Garden"] == await completed(explain, "subject", "ga")
        assert ["Garden"] == await completed(entity, "entity_id", "GARD")
        assert ["code"] == await completed(explain, "predicate", "c", {"subject": "gate"})
        assert "lives_in" in await completed(explain, "predicate", "lives")
        assert [] == await completed(PromptReference(name="remember_conversation"), "topic", "s")

    story(told)
