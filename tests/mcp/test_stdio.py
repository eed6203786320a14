"""The server as a process: what it says on stdout, what it loads, how it refuses."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hornbook.mcp import main

HEAVY = ("numpy", "kuzu", "pyarrow", "onnxruntime", "spacy", "litellm", "duckdb", "networkx", "tokenizers", "typer")


def greeting(version: str) -> dict[str, Any]:
    client = {"name": "test", "version": "1.0"}
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": client}
    return {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}


def talk(where: Path, *messages: dict[str, Any]) -> list[dict[str, Any]]:
    """Write lines to a server, hang up, and read every line of its stdout as JSON."""
    lines = "".join(json.dumps(message) + "\n" for message in messages)
    done = subprocess.run(
        [sys.executable, "-m", "hornbook.mcp", "--db-path", str(where)],
        input=lines,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        cwd=where,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("version", ["2024-11-05", "2025-11-25"])
def test_one_echoed_line_is_answered_in_the_callers_protocol(version: str, tmp_path: Path) -> None:
    (answer,) = talk(tmp_path, greeting(version))

    assert answer["result"]["serverInfo"]["name"] == "hornbook"
    assert answer["result"]["protocolVersion"] == version


def test_a_line_that_is_no_message_is_answered_and_the_next_one_is_too(tmp_path: Path) -> None:
    half = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "x", "arguments": {"y": "\ud800"}}}
    wrong: dict[str, Any] = {"jsonrpc": "2.0", "id": 8, "method": "ping", "params": []}
    answers = talk(tmp_path, greeting("2025-11-25"), half, wrong, {"jsonrpc": "2.0", "id": 9, "method": "ping"})

    assert {1: None, 7: -32700, None: -32600, 9: None} == {
        answer["id"]: answer.get("error", {}).get("code") for answer in answers
    }


def test_starting_opens_nothing_and_loads_nothing_heavy(tmp_path: Path) -> None:
    probe = (
        "import sys; from hornbook.mcp_tools.server import build; from hornbook.settings import read;"
        f"build(read({{'db_path': {str(tmp_path / 'store')!r}}}, environ={{}}));"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True, timeout=60)

    assert done.stdout.strip() == "[]"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (["--transport", "sse"], "deprecated"),
        (["--transport", "carrier-pigeon"], "one of: stdio, streamable-http"),
        (["--toolset", "magic"], "one of: memory"),
        (["--config", "no-such-file.json"], "--config is not there"),
    ],
)
def test_a_wrong_flag_is_one_line_on_stderr(
    flags: list[str], told: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    status = main(flags)

    out, err = capsys.readouterr()
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert told in err
