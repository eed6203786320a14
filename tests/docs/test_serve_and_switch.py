"""The pages serve.md and switch.md: what they say to start is started, and what they name is served."""

import json
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import anyio
import httpx2
import pytest
from tests.docs.pages import DOCS, blocks
from tests.docs.test_names import SERVER
from tests.docs.walk import run
from tests.mcp.serving import Served, ask, client, environment

from hornbook.mcp_tools.gate import LARGEST, MOST, MOST_OF_ONE, MOST_STREAMS, SLOWEST
from hornbook.mcp_tools.http import LAST_CALLS
from hornbook.mcp_tools.keys import SHORTEST
from hornbook.mcp_tools.server import build
from hornbook.settings import Settings, read

SERVE, SWITCH = DOCS / "how-to" / "serve.md", DOCS / "how-to" / "switch.md"
FILES = {block.words: block.text for block in blocks(SERVE) if block.words.endswith((".env", ".service"))}
START = re.findall(r"^\$ hornbook-mcp (.*)$", SERVE.read_text(encoding="utf-8"), re.MULTILINE)[0]
COPY = shlex.split(re.findall(r"^\$ hornbook (backup .*)$", SERVE.read_text(encoding="utf-8"), re.MULTILINE)[0])


@pytest.mark.slow
def test_the_server_of_the_page_starts_answers_and_stops(tmp_path: Path) -> None:
    (tmp_path / "hornbook.env").write_text(FILES["hornbook.env"])
    keys = json.loads(re.findall(r"KEYS=(.*)", FILES["hornbook.env"])[0])
    command = [sys.executable, "-m", "hornbook.mcp", *shlex.split(START.replace("--port 8000", "--port 0"))]
    backup = [sys.executable, "-m", "hornbook"]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, cwd=tmp_path, env=environment(tmp_path)
    ) as process:
        assert process.stderr is not None
        served = Served(json.loads(process.stderr.readline())["url"], process)
        assert 200 == httpx2.get(served.url.replace("/mcp", "/health")).status_code
        assert 401 == httpx2.post(served.url, json={}).status_code

        async def remembers() -> None:
            async with client(served.url, "ana", keys=keys) as connected:
                stored = await ask(connected, "memory_store", content="The spare key is under the blue pot.")
                assert "node_id" in stored

        anyio.run(remembers)
        assert 0 == subprocess.run([*backup, *COPY], cwd=tmp_path, env=environment(tmp_path), check=False).returncode
        process.send_signal(signal.SIGTERM)
        assert 0 == process.wait(timeout=60)
    assert (tmp_path / "memories").is_dir() and (tmp_path / COPY[1]).is_file()


def test_the_unit_starts_the_server_with_flags_that_there_are() -> None:
    (line,) = re.findall(r"^ExecStart=(.*)$", FILES["hornbook.service"], re.MULTILINE)

    assert line.partition("hornbook-mcp ")[2].split()[2:] == shlex.split(START)[2:]
    assert [] == [word for word in line.split() if word.startswith("--") and word not in SERVER]


def test_the_bounds_are_those_of_the_server() -> None:
    told = SERVE.read_text(encoding="utf-8")

    assert f"{LARGEST // 1024 // 1024} MiB, within {SLOWEST:.0f} seconds" in told
    assert f"{MOST}, and {MOST_OF_ONE} of one user" in told
    assert f"| {MOST_STREAMS} |" in told
    assert f"up to {LAST_CALLS:.0f} seconds" in told
    assert f"fewer than {SHORTEST} characters" in told
    assert f"`HORNBOOK_MAX_OPEN_TENANTS`, {Settings.model_fields['max_open_tenants'].default}" in told


def test_every_tool_that_a_client_of_another_server_knows_is_served() -> None:
    rows = re.findall(
        r"^\| (?:PRME|powermem|mempill) \|.*\| ([^|]+) \|$", SWITCH.read_text(encoding="utf-8"), re.MULTILINE
    )
    served = {tool.name for tool in anyio.run(build(Settings(db_path=":memory:", toolsets=("all",))).list_tools)}

    assert [7, 7, 5] == [len(re.findall(r"`(\w+)`", row)) for row in rows]
    assert {name for row in rows for name in re.findall(r"`(\w+)`", row)} <= served


def test_the_variables_of_the_other_servers_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("LLM_PROVIDER", "ollama"), ("LLM_MODEL", "m"), ("HORNBOOK_AGENT_ID", "my-agent")):
        monkeypatch.setenv(name, value)
    settings = read()

    assert ("ollama", "m", "my-agent") == (settings.extraction.provider, settings.extraction.model, settings.agent_id)


def test_the_commands_for_the_reference_servers_file_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("config", "cache", "data"):
        monkeypatch.setenv(f"XDG_{name.upper()}_HOME", str(tmp_path / name))
    monkeypatch.setenv("HORNBOOK_EMBEDDING__PROVIDER", "static")
    entity = {"type": "entity", "name": "Ana", "entityType": "person", "observations": ["likes tea"]}
    Path("memory.jsonl").write_text(json.dumps(entity))
    page = SWITCH.read_text(encoding="utf-8").partition("## From the reference server")[2]
    for command in re.findall(r"^\$ hornbook (.*)$", page, re.MULTILINE):
        assert run([*shlex.split(command), "--json"], ends=(0, 3))  # 3: the file says neither when nor by whom
