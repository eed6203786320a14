"""The server in process: what it lists, how it refuses, how small it is."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest
from mcp import Client

from hornbook.graph.errors import InvalidArgument
from hornbook.mcp_tools.server import build, chosen
from hornbook.settings import Settings

TOOL_LIST_BUDGET = 20_000  # bytes of names, descriptions and input schemas of the default tools


@asynccontextmanager
async def client(**given: Any) -> AsyncIterator[Client]:
    """A client of a fresh server whose memories are in memory."""
    settings = Settings(**{"db_path": ":memory:", "user_id": "ana", **given})
    async with Client(build(settings)) as connected:
        yield connected


def call(tool: str, /, settings: dict[str, Any] | None = None, **arguments: Any) -> tuple[dict[str, Any], bool]:
    """One call on a fresh server: the reply, and whether it is an error."""

    async def run() -> tuple[dict[str, Any], bool]:
        async with client(**settings or {}) as connected:
            result = await connected.call_tool(tool, arguments)
            assert result.structured_content is not None
            assert json.loads(result.content[0].text) == result.structured_content  # type: ignore[union-attr]  # text
            return result.structured_content, bool(result.is_error)

    return anyio.run(run)


def refused(tool: str, /, settings: dict[str, Any] | None = None, **arguments: Any) -> dict[str, Any]:
    """The error of a call that must fail."""
    body, failed = call(tool, settings, **arguments)
    assert failed and set(body) == {"error"}, body
    error: dict[str, Any] = body["error"]
    return error


def listed(**given: Any) -> list[dict[str, Any]]:
    async def run() -> list[dict[str, Any]]:
        async with client(**given) as connected:
            tools = (await connected.list_tools()).tools
            return [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools]

    return anyio.run(run)


def test_the_default_tools_are_small_enough_to_be_read() -> None:
    cards = [{key: tool[key] for key in ("name", "description", "inputSchema")} for tool in listed()]

    assert len(json.dumps(cards, ensure_ascii=False).encode()) <= TOOL_LIST_BUDGET


def test_every_tool_says_what_it_does_to_the_memory_and_what_it_returns() -> None:
    for tool in listed():
        assert {"readOnlyHint", "destructiveHint", "idempotentHint"} <= set(tool["annotations"]), tool["name"]
        assert tool["outputSchema"]["type"] == "object", tool["name"]
        assert tool["inputSchema"]["additionalProperties"] is False


def test_every_tool_that_acts_on_a_memory_takes_a_user_and_none_requires_it() -> None:
    for tool in listed():
        assert "user_id" in tool["inputSchema"]["properties"], tool["name"]
        assert "user_id" not in tool["inputSchema"].get("required", []), tool["name"]


def test_a_toolset_can_be_chosen() -> None:
    assert {"ingest_claim", "query_memory"} <= {tool["name"] for tool in listed(toolsets="claims")}
    assert not [tool for tool in listed(toolsets="claims") if tool["name"].startswith("memory_")]


def test_an_unknown_toolset_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InvalidArgument) as error:
        chosen(["memory", "magic"])

    assert error.value.valid is not None and "claims" in error.value.valid


def test_an_unknown_tool_is_an_error_of_the_one_shape() -> None:
    assert refused("memory_stoer")["code"] == "not_found"


def test_a_missing_argument_is_named() -> None:
    assert refused("memory_store") == {
        "code": "invalid_argument",
        "message": "content is required",
        "field": "content",
    }


def test_an_unknown_argument_is_named_with_the_nearest() -> None:
    error = refused("memory_store", content="x", node_typ="fact")

    assert (error["code"], error["field"], error["hint"]) == ("invalid_argument", "node_typ", "did you mean node_type?")


def test_an_unknown_word_is_refused_with_the_valid_ones() -> None:
    error = refused("memory_store", content="x", scope="galaxy")

    assert (error["field"], error["valid"]) == ("scope", ["personal", "project", "organisation"])


@pytest.mark.parametrize(
    ("tool", "arguments", "field"),
    [
        ("memory_store", {"content": " \n "}, "content"),
        ("memory_retrieve", {"query": "x", "limit": 0}, "limit"),
        ("memory_retrieve", {"query": "x", "limit": 201}, "limit"),
        ("memory_retrieve", {"query": "x", "limit": "many"}, "limit"),
        ("memory_retrieve", {"query": "x", "node_types": ["ghost"]}, "node_types.0"),
        ("ingest_claim", {"subject": " ", "predicate": "p", "value": 1, "provenance": "ModelDerived"}, "subject"),
        (
            "ingest_claim",
            {"subject": "s", "predicate": "p", "value": 1, "provenance": "ModelDerived", "confidence_value": 1.01},
            "confidence_value",
        ),
        ("ingest_claim", {"subject": "s", "predicate": "p", "value": 1, "provenance": 7}, "provenance"),
        ("reconcile", {"subject_lines": [["only one"]]}, "subject_lines.0"),
        ("end_fact", {"subject": "s", "predicate": "p"}, "at"),
        ("audit", {"limit": -1}, "limit"),
    ],
)
def test_a_bad_argument_is_named_without_the_inside_showing(tool: str, arguments: dict[str, Any], field: str) -> None:
    error = refused(tool, **arguments)

    assert (error["code"], error["field"]) == ("invalid_argument", field)
    assert not [word for word in ("pydantic", "Traceback", "validation", ".py") if word in json.dumps(error)]


def test_another_user_is_forbidden_on_a_bound_server() -> None:
    assert refused("memory_store", {"bound_user_id": "ana"}, content="x", user_id="ben")["code"] == "forbidden"


def test_a_resource_that_is_not_there_is_a_protocol_error() -> None:
    async def run() -> None:
        async with client() as connected:
            with pytest.raises(Exception, match="Unknown resource"):
                await connected.read_resource("memory://nothing")

    anyio.run(run)


def test_the_documented_resources_are_listed() -> None:
    async def run() -> set[str]:
        async with client() as connected:
            whole = (await connected.list_resources()).resources
            parts = (await connected.list_resource_templates()).resource_templates
            return {str(found.uri) for found in whole} | {found.uri_template for found in parts}

    assert anyio.run(run) == {
        "memory://health",
        "memory://stats",
        "memory://contested",
        "memory://changes{?since,cursor}",
        "memory://nodes/{node_id}",
        "memory://claims/{claim_ref}",
        "memory://entities/{entity_id}",
    }


@pytest.mark.parametrize("history", [False, True])
def test_of_a_subject_that_nobody_spoke_of_nothing_is_believed(history: bool) -> None:
    body, failed = call("query_memory", subject="nobody", history=history)
    assert not failed and [] == body["beliefs"] and ([] if history else None) == body.get("history")
