"""A server over HTTP as a process of its own, and clients of it: for tests and for benchmarks."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from typing import Any

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

KEYS = {"ana": "ana-key-0123456789abcdef", "ben": "ben-key-0123456789abcdef"}


def environment(where: Path, **more: str) -> dict[str, str]:
    """What a server process sees: nothing of the machine's own settings."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("HORNBOOK_", "LLM_", "EMBEDDING_"))}
    own = {"HORNBOOK_CACHE_DIR": str(where / "cache"), "XDG_CONFIG_HOME": str(where / "config")}
    return {**kept, **own, **more}


@dataclass(slots=True)
class Served:
    """A running server: where it listens, its process, and the log lines so far."""

    url: str
    process: "subprocess.Popen[str]"
    lines: list[str] = field(default_factory=list)

    def log(self) -> list[dict[str, Any]]:
        """The log as it is read by a program."""
        return [json.loads(line) for line in list(self.lines)]

    def stop(self) -> int:
        """Tell it to stop, and wait for its end."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=60)


@contextmanager
def serving(where: Path, *flags: str, keys: Mapping[str, str] = KEYS, **more: str) -> Iterator[Served]:
    """Start a server on a free port and wait until it says where it listens."""
    command = [sys.executable, "-m", "hornbook.mcp", "--db-path", str(where / "memories")]
    command += ["--transport", "streamable-http", "--port", "0", *flags]
    environ = environment(where, HORNBOOK_MCP_USER_KEYS=json.dumps(keys), **more)
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environ, cwd=where) as process:
        assert process.stderr is not None
        first = process.stderr.readline()
        served = Served(json.loads(first)["url"], process, [first])
        reading = Thread(target=lambda: served.lines.extend(process.stderr or ()), daemon=True)
        reading.start()
        try:
            yield served
        finally:
            if process.poll() is None:
                process.kill()
            process.wait(timeout=60)
            reading.join(timeout=60)


@asynccontextmanager
async def client(
    url: str, user: str, mode: Any = "auto", keys: Mapping[str, str] = KEYS, **more: Any
) -> AsyncIterator[Client]:
    """A real client with a user's key, in a protocol of either era."""
    headers = {"Authorization": f"Bearer {keys[user]}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        Client(streamable_http_client(url, http_client=http), mode=mode, **more) as connected,
    ):
        yield connected


async def ask(connected: Client, tool: str, /, **arguments: Any) -> dict[str, Any]:
    """Call a tool; the body of its reply, an error or not."""
    body: dict[str, Any] | None = (await connected.call_tool(tool, arguments)).structured_content
    assert body is not None
    return body
