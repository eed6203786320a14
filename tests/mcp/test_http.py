"""Over HTTP: whose key it is, whose memory it is, and what is refused before the protocol is reached."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from tests.mcp.serving import KEYS, Served, ask, client, serving

WORDS = {"provenance": "External:UserAsserted", "outcome": "none", "value": 1, "at": "2024"}  # that a tool may need
CANARY = "the heron stands in the green canal"
GREETING = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("http"), "--toolset", "all") as running:
        yield running


def post(served: Served, headers: dict[str, str] | None = None, **more: Any) -> httpx2.Response:
    """One plain request; with Ana's key unless the headers say otherwise."""
    usual = {"Accept": "application/json, text/event-stream", "Authorization": f"Bearer {KEYS['ana']}"}
    given = {key: value for key, value in {**usual, **(headers or {})}.items() if value}
    return httpx2.post(served.url, headers=given, **({"json": GREETING} | more), timeout=30)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_each_key_reads_and_writes_its_own_memory_only(mode: str, served: Served) -> None:
    async def told() -> None:
        async with client(served.url, "ana", mode) as ana, client(served.url, "ben", mode) as ben:
            stored = await ask(ana, "memory_store", content=f"{CANARY}, says {mode}")
            assert CANARY in json.dumps(await ask(ana, "memory_retrieve", query="heron canal", user_id="ana"))
            for tool, arguments in (
                ("memory_retrieve", {"query": "heron canal"}),
                ("memory_context", {"query": "heron canal"}),
                ("memory_get_node", {"node_id": stored["node_id"]}),
                ("list_memories", {}),
                ("audit", {}),
                ("query_memory", {"subject": "heron"}),
            ):
                assert "green canal" not in json.dumps(await ask(ben, tool, **arguments)), tool
            for uri in ("memory://stats", "memory://changes"):
                assert stored["event_id"] not in str(await ben.read_resource(uri))

    anyio.run(told)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_another_users_id_is_forbidden_by_every_tool(mode: str, served: Served) -> None:
    async def told() -> None:
        async with client(served.url, "ben", mode) as ben:
            reply = await ask(ben, "memory_retrieve", query="heron", user_id="ana")
            assert ("forbidden", "user_id") == (reply["error"]["code"], reply["error"]["field"])
            for tool in (await ben.list_tools()).tools:
                fields = tool.input_schema["properties"]
                if "user_id" not in fields:
                    continue
                needed = {name: _some(fields[name]) for name in tool.input_schema.get("required", ())}
                needed |= {name: word for name, word in WORDS.items() if name in fields}
                error = (await ask(ben, tool.name, **needed, user_id="ana"))["error"]
                assert ("forbidden", "user_id") == (error["code"], error["field"]), (tool.name, error)

    anyio.run(told)


def _some(schema: dict[str, Any]) -> Any:
    return {"array": [], "integer": 1, "object": {}}.get(schema.get("type", ""), "some")


@pytest.mark.parametrize(
    "given",
    ["", "Bearer", "Bearer wrong-key-0123456789", f"Basic {KEYS['ana']}", f"Bearer {KEYS['ana'][:-1]}", "Bearer é"],
)
def test_without_a_good_key_there_is_a_challenge_and_nothing_else(given: str, served: Served) -> None:
    headers: Any = {"Authorization": given.encode()} if given else {"Authorization": ""}
    answer = post(served, headers)

    assert 401 == answer.status_code
    assert answer.headers["www-authenticate"].startswith("Bearer ")
    assert "forbidden" == answer.json()["error"]["code"]


@pytest.mark.parametrize("host", ["example.org", "localhost.example.org:8000", "127.0.0.1@example.org", "10.0.0.1"])
def test_another_host_is_refused(host: str, served: Served) -> None:
    assert 421 == post(served, {"Host": host}).status_code


@pytest.mark.parametrize("origin", ["https://example.org", "null", "http://localhost:1.example.org", "file://"])
def test_another_origin_is_refused(origin: str, served: Served) -> None:
    assert 403 == post(served, {"Origin": origin}).status_code


def test_a_page_of_this_machine_is_answered(served: Served) -> None:
    assert 200 == post(served, {"Origin": "http://localhost:6274"}).status_code


def test_too_large_a_body_is_refused_whether_or_not_it_says_so(served: Served) -> None:
    large = b"{" + b" " * (4 * 1024 * 1024)
    kind = {"Content-Type": "application/json"}

    said = post(served, kind, json=None, content=large)
    unsaid = post(served, kind, json=None, content=iter([large[: len(large) // 2]] * 3))

    assert [413, 413] == [said.status_code, unsaid.status_code]
    assert "too_large" == unsaid.json()["error"]["code"]


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff\xfe", b"null", b'{"jsonrpc":"2.0"}', b"[" * 100_000])
def test_what_is_no_message_gets_a_status_and_no_traceback(body: bytes, served: Served) -> None:
    answer = post(served, {"Content-Type": "application/json"}, json=None, content=body)

    assert 400 <= answer.status_code < 500
    assert answer.json()["error"]["code"] in (-32700, -32600)
    assert not [word for word in ("Traceback", "pydantic", "Validation") if word in answer.text]


def test_a_session_belongs_to_the_key_that_opened_it(served: Served) -> None:
    session = post(served).headers["mcp-session-id"]
    listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    of_ben = {"Authorization": f"Bearer {KEYS['ben']}", "Mcp-Session-Id": session}

    assert 404 == post(served, of_ben, json=listing).status_code


def test_health_needs_no_key_and_tells_only_status_and_version(served: Served) -> None:
    answer = httpx2.get(served.url.removesuffix("/mcp") + "/health", timeout=30)

    assert (200, {"status", "version"}) == (answer.status_code, set(answer.json()))
    assert 421 == httpx2.get(str(answer.url), headers={"Host": "example.org"}, timeout=30).status_code


def test_the_log_has_every_request_by_its_number_and_no_word_of_it(served: Served) -> None:
    number = post(served).headers["x-request-id"]

    async def told() -> None:
        async with client(served.url, "ana") as ana:
            await ask(ana, "memory_store", content="a word of it: xylophone")
            await ask(ana, "memory_retrieve", query="xylophone")

    anyio.run(told)
    lines = served.log()
    (line,) = [line for line in lines if line.get("request_id") == number]
    assert ("ana", "POST", 200) == (line["user"], line["method"], line["status"])
    told_all = json.dumps(lines)
    assert not [word for word in ("xylophone", "heron", *KEYS.values()) if word in told_all]


def test_sigterm_finishes_an_open_call_ends_an_open_stream_and_takes_no_more(tmp_path: Path) -> None:
    with serving(tmp_path) as served, httpx2.Client(timeout=60) as watching:
        address = ("127.0.0.1", watching.build_request("GET", served.url).url.port or 0)
        session = post(served).headers["mcp-session-id"]
        mine = {"Authorization": f"Bearer {KEYS['ana']}", "Mcp-Session-Id": session}
        listening = {**mine, "Accept": "text/event-stream"}
        with watching.stream("GET", served.url, headers=listening), socket.create_connection(address, 60) as slow:
            head, body = call("memory_store", mine, content="said before the end")
            slow.sendall(head + body[:10])
            assert 200 == health(served)  # by now the call is open
            served.process.terminate()
            while health(served) != 503:
                pass
            assert 503 == post(served, mine).status_code
            slow.sendall(body[10:])
            answer = b"".join(iter(lambda: slow.recv(65536), b""))
        assert b"event_id" in answer
        assert 0 == served.process.wait(60)
    assert not [line for line in served.log() if "trace" in line]


def call(tool: str, headers: dict[str, str], **arguments: Any) -> tuple[bytes, bytes]:
    """The bytes of a call, its head and its body."""
    message = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    body = json.dumps(message).encode()
    kinds = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    named = {"Host": "127.0.0.1", **kinds, **headers, "Content-Length": str(len(body)), "Connection": "close"}
    return ("POST /mcp HTTP/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in named.items()) + "\r\n").encode(), body


def health(served: Served) -> int:
    """The status of the server's own report."""
    return httpx2.get(served.url.removesuffix("/mcp") + "/health", timeout=30).status_code
