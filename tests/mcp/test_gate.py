"""Keys and the gate in process: which keys are taken, how many requests, and what a listener hears."""

import logging
import socket
import threading
from typing import Any

import anyio
import anyio.lowlevel
import pytest
import uvicorn
from mcp.server.subscriptions import ResourceUpdated, ServerEvent

from hornbook.graph.errors import Forbidden, InvalidArgument
from hornbook.loopback import listen
from hornbook.mcp import main
from hornbook.mcp_tools import http
from hornbook.mcp_tools.caller import CALLER, Caller, OwnersBus
from hornbook.mcp_tools.gate import MOST, MOST_OF_ONE, Gate
from hornbook.mcp_tools.keys import keys_for, keys_of
from hornbook.mcp_tools.services import Services
from hornbook.settings import Settings, read

PING = b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}'
ANA, BEN = "ana-key-0123456789", "ben-key-0123456789"


@pytest.mark.parametrize(
    "text", [f'{{"ana": "{ANA}", "ben": "{BEN}"}}', f"ana:{ANA},ben:{BEN}", f" ana:{ANA} , ben:{BEN}"]
)
def test_keys_are_an_object_or_a_list(text: str) -> None:
    keys = keys_of(text)

    assert ["ana", "ben", None] == [keys.owner_of(f"Bearer {key}") for key in (ANA, BEN, ANA + "x")]
    assert ANA not in repr(keys)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{}", "names no user"),
        ("", "names no user"),
        ("{", "cannot be read"),
        ("[1]", "cannot be read"),
        ('{"ana": 1}', "cannot be read"),
        ("ana", "cannot be read"),
        ("ana:short", "the key of ana must be"),
        (f'{{"ana": "{ANA} {ANA}"}}', "the key of ana must be"),
        (f'{{"ana": "{ANA}", "ben": "{ANA}"}}', "ben and ana have the same key"),
        (f'{{"ana": "{ANA}", "ana": "{BEN}"}}', "ana has two keys"),
        (f'{{" ": "{ANA}"}}', "user_id is blank"),
    ],
)
def test_bad_keys_are_refused_without_being_shown(text: str, told: str) -> None:
    with pytest.raises(InvalidArgument, match=told) as refused:
        keys_of(text)

    assert ANA not in str(refused.value.as_dict())


def test_http_does_not_start_without_keys_or_bound_to_one_user() -> None:
    with pytest.raises(InvalidArgument, match="HORNBOOK_MCP_USER_KEYS"):
        keys_for(Settings())
    with pytest.raises(InvalidArgument, match="whose memory"):
        keys_for(read(environ={"HORNBOOK_MCP_USER_KEYS": f"ana:{ANA}", "HORNBOOK_BOUND_USER_ID": "ana"}))


@pytest.mark.parametrize(
    ("flags", "told"), [(["--host", "0.0.0.0"], "only this machine"), (["--port", "99999"], "there is no port")]
)
def test_another_address_is_one_line_on_stderr(
    flags: list[str], told: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HORNBOOK_MCP_USER_KEYS", f"ana:{ANA}")
    status = main(["--transport", "streamable-http", *flags])

    out, err = capsys.readouterr()
    assert (2, "", 1) == (status, out, err.count("\n"))
    assert told in err


def test_a_port_that_is_taken_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("HORNBOOK_MCP_USER_KEYS", f"ana:{ANA}")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert 2 == main(["--transport", "streamable-http", "--port", str(taken.getsockname()[1])])

    assert "cannot be listened on" in capsys.readouterr().err


def test_a_call_whose_owner_is_not_known_is_refused_where_keys_are_used() -> None:
    services = Services(Settings(user_id="ana"))
    services.keyed = True

    with pytest.raises(Forbidden):
        services.user_for(None)


@pytest.mark.parametrize(("users", "status"), [(1, 429), (MOST // MOST_OF_ONE, 503)])
def test_too_many_calls_at_once_are_sent_away_until_there_is_room(users: int, status: int) -> None:
    names = [f"user{number}" for number in range(users)]
    keys = keys_of(",".join(f"{name}:{name}-key-0123456789" for name in [*names, "late"]))

    async def run() -> None:
        release = anyio.Event()

        async def app(scope: Any, receive: Any, send: Any) -> None:
            await release.wait()
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b""})

        gate = Gate(app, keys)
        async with anyio.create_task_group() as tasks:
            for name in names * MOST_OF_ONE:
                tasks.start_soon(asked, gate, name)
            await anyio.wait_all_tasks_blocked()
            late = names[0] if users == 1 else "late"
            assert status == await asked(gate, late)
            release.set()
        assert 200 == await asked(gate, late)
        assert not gate.calls.total()

    anyio.run(run)


async def asked(gate: Gate, user: str) -> int:
    """The status of one call through a gate."""
    seen: list[int] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": PING, "more_body": False}

    async def send(message: Any) -> None:
        seen.extend([message["status"]] if "status" in message else [])

    headers = [(b"host", b"localhost"), (b"authorization", f"Bearer {user}-key-0123456789".encode())]
    await gate({"type": "http", "method": "POST", "path": "/mcp", "headers": headers}, receive, send)
    return seen[0]


def test_a_notice_reaches_the_listeners_of_its_owner_only() -> None:
    bus, heard = OwnersBus(), []

    def listening(owner: str) -> None:
        CALLER.set(Caller(owner, ""))
        bus.subscribe(lambda event: heard.append((owner, event)))

    async def run() -> None:
        event: ServerEvent = ResourceUpdated(uri="memory://stats")
        listening("ana")
        listening("ben")
        CALLER.set(Caller("ana", ""))
        await bus.publish(event)
        assert [("ana", event)] == heard

    anyio.run(run)


def test_whoever_never_ends_a_head_is_hung_up_on_and_the_others_are_served() -> None:
    gate = Gate(lambda *_: anyio.lowlevel.checkpoint(), keys_of(f"ana:{ANA}"))
    server = http.Stopping(uvicorn.Config(gate, log_config=None, lifespan="off"), gate, patience=0.2)
    listening = listen("127.0.0.1", 0)
    running = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    running.start()
    try:
        with socket.create_connection(listening.getsockname(), 20) as slow:
            slow.sendall(b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
            with socket.create_connection(listening.getsockname(), 20) as other:
                other.sendall(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
                assert b" 200 " in other.recv(65_536)
            assert b"" == slow.recv(65_536)
    finally:
        server.should_exit = True
        running.join(20)


def test_a_second_answer_to_one_request_is_dropped() -> None:
    seen: list[str] = []

    async def twice(scope: Any, receive: Any, send: Any) -> None:
        for status in (202, 500):
            await send({"type": "http.response.start", "status": status, "headers": []})
            await send({"type": "http.response.body", "body": b""})

    async def send(message: Any) -> None:
        seen.append(f"{message['type']} {message.get('status', '')}".strip())

    async def receive() -> Any:
        return {"type": "http.request", "body": PING}

    headers = [(b"host", b"localhost"), (b"authorization", f"Bearer {ANA}".encode())]
    gate = Gate(twice, keys_of(f"ana:{ANA}"))
    anyio.run(gate, {"type": "http", "method": "POST", "path": "/mcp", "headers": headers}, receive, send)

    assert ["http.response.start 202", "http.response.body"] == seen


GONE, WRONG = anyio.ClosedResourceError(), ValueError("x")


@pytest.mark.parametrize(
    ("error", "logged"),
    [(GONE, False), (WRONG, True), (ExceptionGroup("", [GONE]), False), (ExceptionGroup("", [GONE, WRONG]), True)],
)
def test_that_a_client_hung_up_is_no_fault_of_the_server(error: Exception, logged: bool) -> None:
    record = logging.LogRecord("mcp", logging.ERROR, "", 1, "it failed", (), (type(error), error, None))
    assert logged == http.is_fault(record)


def test_what_a_client_did_not_end_goes_no_further() -> None:
    said = [{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}]

    async def never(*_: Any) -> None:
        raise AssertionError("half of a message came through")

    async def receive() -> Any:
        return said.pop(0)

    async def send(message: Any) -> None:
        assert message.get("status") != 200

    headers = [(b"host", b"localhost"), (b"authorization", f"Bearer {ANA}".encode())]
    scope = {"type": "http", "method": "POST", "path": "/mcp", "headers": headers}
    anyio.run(Gate(never, keys_of(f"ana:{ANA}")), scope, receive, send)
    assert not said
