"""Update notices for clients of both eras, of what the server wrote and of what another process wrote."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import ResourceUpdatedNotification
from tests.mcp.serving import client as over_http
from tests.mcp.serving import serving

from hornbook.mcp_tools import notices
from hornbook.mcp_tools.server import build
from hornbook.memory import Memory
from hornbook.settings import Settings

BOUND = 20  # seconds that any of this may take
CLAIM = {"subject": "gate", "predicate": "code", "provenance": "External:UserAsserted"}

# the client says of these that newer protocols have something else
pytestmark = pytest.mark.filterwarnings("ignore:resources/(un)?subscribe is removed")


class Heard:
    """A client of an older protocol, and the addresses that it was told of."""

    def __init__(self, settings: Settings) -> None:
        self.send, self.receive = anyio.create_memory_object_stream[str](1_000)
        self.client = Client(build(settings), mode="legacy", message_handler=self.note)

    async def note(self, message: Any) -> None:
        if isinstance(message, ResourceUpdatedNotification):
            self.send.send_nowait(str(message.params.uri))

    async def all(self) -> list[str]:
        """What was told by now: it comes in order, so that what is sent last is the end of it."""
        await self.client.subscribe_resource("memory://health")
        await self.client.call_tool("memory_store", {"content": "the end"})
        found: list[str] = []
        async for uri in self.receive:
            if uri == "memory://health":
                return found
            found.append(uri)
        return found


@asynccontextmanager
async def hearing(where: str) -> AsyncIterator[Heard]:
    """A server on a store, and its client."""
    heard = Heard(Settings(db_path=where, user_id="ana", cache_dir=f"{where}-cache", toolsets=("all",)))
    async with heard.client:
        with anyio.fail_after(BOUND), heard.send, heard.receive:
            yield heard


async def call(heard: Heard, tool: str, **arguments: Any) -> dict[str, Any]:
    """What a tool replies."""
    body: dict[str, Any] | None = (await heard.client.call_tool(tool, arguments)).structured_content
    assert body is not None
    return body


def told(where: str, act: Callable[[Heard], Awaitable[None]]) -> None:
    async def run() -> None:
        async with hearing(where) as heard:
            await act(heard)

    anyio.run(run)


def test_a_client_of_an_older_protocol_is_told_of_what_it_subscribed_to() -> None:
    async def act(heard: Heard) -> None:
        capabilities = heard.client.server_capabilities
        assert capabilities.resources is not None and capabilities.resources.subscribe
        await heard.client.subscribe_resource("memory://contested")
        await heard.client.call_tool("memory_store", {"content": "The ferry leaves at six."})
        for value in (4, 6):
            await heard.client.call_tool("ingest_claim", {**CLAIM, "value": value})
        await heard.client.unsubscribe_resource("memory://contested")
        await heard.client.call_tool("ingest_claim", {**CLAIM, "value": 8})

        assert {"memory://contested"} == set(await heard.all())

    told(":memory:", act)


def test_one_memory_and_one_claim_can_be_followed() -> None:
    async def act(heard: Heard) -> None:
        stored = (
            await heard.client.call_tool("memory_store", {"content": "The ferry leaves at six."})
        ).structured_content
        other = (await heard.client.call_tool("memory_store", {"content": "Another."})).structured_content
        claimed = (await heard.client.call_tool("ingest_claim", {**CLAIM, "value": 4})).structured_content
        assert stored and other and claimed
        followed = [f"memory://nodes/{stored['node_id']}", f"memory://claims/{claimed['claim_ref']}"]
        for uri in followed:
            await heard.client.subscribe_resource(uri)
        for tool, node in (("memory_archive_node", other), ("memory_promote_node", stored)):
            await heard.client.call_tool(tool, {"node_id": node["node_id"]})
        await heard.client.call_tool("end_fact", {"subject": "gate", "predicate": "code", "at": "2025"})

        assert set(followed) == set(await heard.all())

    told(":memory:", act)


def test_what_another_process_writes_is_told_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notices, "EVERY", 0.02)

    async def act(heard: Heard) -> None:
        await heard.client.subscribe_resource("memory://changes")
        settings = Settings(db_path=str(tmp_path), user_id="ana", cache_dir=f"{tmp_path}-other")
        with Memory.open(settings=settings) as elsewhere:
            elsewhere.claim("Ana", "likes", "tea")
        assert "memory://changes" == await heard.receive.receive()

    told(str(tmp_path), act)


def test_too_many_addresses_or_too_long_ones_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notices, "MOST", 2)

    async def act(heard: Heard) -> None:
        with pytest.raises(MCPError, match="can be subscribed to"):
            await heard.client.subscribe_resource("memory://nodes/" + "x" * 3_000)
        for number in range(2):
            await heard.client.subscribe_resource(f"memory://nodes/{number}")
        with pytest.raises(MCPError, match="can be subscribed to"):
            await heard.client.subscribe_resource("memory://nodes/2")

    told(":memory:", act)


@pytest.mark.slow
def test_over_http_each_user_is_told_of_their_own_memory_only(tmp_path: Path) -> None:
    heard: dict[str, list[str]] = {"ana": [], "ben": []}
    came = anyio.Event()

    async def run(url: str) -> None:
        def noting(user: str) -> Any:
            async def note(message: Any) -> None:
                if isinstance(message, ResourceUpdatedNotification):
                    heard[user].append(str(message.params.uri))
                    came.set()

            return note

        async with (
            over_http(url, "ana", "legacy", message_handler=noting("ana")) as ana,
            over_http(url, "ben", "legacy", message_handler=noting("ben")) as ben,
        ):
            with anyio.fail_after(60):
                for user in (ana, ben):
                    await user.subscribe_resource("memory://stats")
                await ben.call_tool("memory_retrieve", {"query": "ferry"})
                await ana.call_tool("memory_store", {"content": "The ferry leaves at six."})
                await came.wait()

    with serving(tmp_path) as served:
        anyio.run(run, served.url)
    assert (["memory://stats"], []) == (heard["ana"], heard["ben"])
