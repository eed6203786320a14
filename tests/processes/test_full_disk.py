"""A server on a full disk: one clear error, what was acknowledged stays, and it goes on once there is room."""

import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from tests.processes.kit import PACKAGE, is_sound, memory_of

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="limits on the size of a file are POSIX")

LIMIT = "ulimit -f 800; exec"  # no file may grow past 400 or 800 kB, by the shell


async def fill(where: Path) -> tuple[list[str], dict[str, Any]]:
    """Store until it is refused: the ids of what was stored, and what was said then."""
    command = f'{LIMIT} "{sys.executable}" -m hornbook.mcp --db-path "{where / "store"}" --user-id ana'
    environment = {"HORNBOOK_CACHE_DIR": str(where / "cache"), "PYTHONPATH": PACKAGE}
    server = StdioServerParameters(command="/bin/sh", args=["-c", command], env=environment)
    ids: list[str] = []
    async with Client(server, read_timeout_seconds=120) as client:
        while True:
            text = f"note {len(ids)}: " + "a tale of tea " * 500
            result = await client.call_tool("memory_store", {"content": text})
            body = result.structured_content
            assert body is not None
            if result.is_error:
                break
            ids.append(body["node_id"])
        for id_ in ids:
            assert not (await client.call_tool("memory_get_node", {"node_id": id_})).is_error
        found = await client.call_tool("memory_retrieve", {"query": "tale of tea"})
        assert found.structured_content is not None and len(ids) == found.structured_content["count"]
        return ids, body["error"]


@pytest.mark.slow
def test_a_full_disk_is_one_clear_error_and_loses_nothing(tmp_path: Path) -> None:
    ids, error = anyio.run(fill, tmp_path)
    assert ids and "unavailable" == error["code"] and "disk" in error["message"] and error["hint"]
    assert str(tmp_path) not in str(error)
    with memory_of(tmp_path) as memory:
        assert ["note 0", f"note {len(ids) - 1}"] == [memory.get(ids[at]).content[:6] for at in (0, -1)]
        assert len(ids) == memory.stats()["memories"]
        assert is_sound(memory)
