"""The pages on clients are programs: each configuration is started as it stands, and stores and finds a memory."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from tests.mcp.serving import environment, serving

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "clients.md").read_text(encoding="utf-8")
KEY = "The spare key is under the blue pot."
CONFIGS = {name: json.loads(text) for name, text in re.findall(r"```json ([\w-]+)\n(.*?)```", PAGE, re.DOTALL)}
PROGRAMS = dict(re.findall(r"```python (\w+)\n(.*?)```", PAGE, re.DOTALL))
STARTED = [name for name in CONFIGS if name != "http"]


def entry(name: str) -> dict[str, Any]:
    """The one server of a configuration."""
    (servers,) = CONFIGS[name].values()
    (server,) = servers.values()
    return dict(server)


def path_with_commands() -> str:
    return f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"


async def remembers(client: Client) -> None:
    """Store and find."""
    assert not (await client.call_tool("memory_store", {"content": KEY})).is_error
    found = (await client.call_tool("memory_retrieve", {"query": "where is the spare key?"})).structured_content
    assert found is not None and KEY == found["results"][0]["content"]


def test_the_page_has_a_configuration_of_every_client() -> None:
    assert {"claude-desktop", "claude-code", "cursor", "vscode", "with-a-model", "records", "claims", "http"} == set(
        CONFIGS
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", STARTED)
def test_a_configuration_starts_a_memory_in_a_clean_folder(name: str, tmp_path: Path) -> None:
    server = entry(name)
    home = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "data"), "PATH": path_with_commands()}
    told = {**environment(tmp_path), **home, **server.get("env", {})}
    arguments = [word.replace("/path/to/my", str(tmp_path)) for word in server["args"]]

    async def run() -> None:
        parameters = StdioServerParameters(command=server["command"], args=arguments, env=told, cwd=tmp_path)
        async with Client(parameters, read_timeout_seconds=60) as client:
            await remembers(client)

    anyio.run(run)
    assert list(tmp_path.rglob("journal.db"))


@pytest.mark.slow
def test_the_python_program_prints_what_it_stored(tmp_path: Path) -> None:
    told = {**environment(tmp_path), "PATH": path_with_commands()}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAMS["stdio"]],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env=told,
        timeout=120,
    )

    assert (KEY, 0) == (done.stdout.strip(), done.returncode), done.stderr


@pytest.mark.slow
def test_the_configuration_and_the_program_for_http_reach_a_server(tmp_path: Path) -> None:
    server, keys = entry("http"), {"ana": "ana-key-0123456789abcdef"}
    with serving(tmp_path, keys=keys) as served:
        program = PROGRAMS["http"].replace(server["url"], served.url)
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=tmp_path, timeout=120
        )
        assert (KEY, 0) == (done.stdout.strip(), done.returncode), done.stderr

        async def run() -> None:
            async with (
                httpx2.AsyncClient(headers=server["headers"], timeout=60) as http,
                Client(streamable_http_client(served.url, http_client=http)) as client,
            ):
                await remembers(client)

        anyio.run(run)


def test_the_command_for_claude_code_is_the_one_of_its_configuration() -> None:
    (line,) = re.findall(r"`claude mcp add hornbook -- (.*?)`", PAGE)
    server = entry("claude-code")

    assert [server["command"], *server["args"]] == shlex.split(line)
