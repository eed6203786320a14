"""What starting the server costs, beside a bare MCP server in the same run.

    python benchmarks/startup.py [--starts 10] [--json FILE]

Measured from the start of the process to its answer to `initialize`, as CPU time of the process (user and system) and
as its peak memory; the two servers take turns, and the least of each is compared, so that a busy machine distorts
neither. Budget: at most 1.15 times the bare server's CPU, at most 100 MB.
"""

import json
import subprocess
import sys
import tempfile
from typing import Any

from measure import cpu_of, peak_mb, publish, reader

CPU_BUDGET, MEMORY_BUDGET = 1.15, 100.0

BARE = """
from mcp.server.mcpserver import MCPServer
server = MCPServer("bare", log_level="WARNING")
@server.tool()
def ping() -> str:
    return "pong"
server.run("stdio")
"""
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "startup", "version": "1"},
    },
}


def start(command: list[str]) -> tuple[float, float]:
    """Start a server, greet it, hang up: CPU seconds and peak MB of its process."""
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert server.stdin is not None and server.stdout is not None
    server.stdin.write(json.dumps(HELLO).encode() + b"\n")
    server.stdin.flush()
    answer = json.loads(server.stdout.readline())
    assert answer["result"]["serverInfo"]["name"], answer
    cpu, memory = cpu_of(server.pid), peak_mb(server.pid)
    server.stdin.close()
    server.wait(timeout=30)
    return cpu, memory


def measure(starts: int) -> list[dict[str, Any]]:
    """Let the two servers take turns."""
    with tempfile.TemporaryDirectory() as folder:
        ours = [sys.executable, "-m", "hornbook.mcp", "--db-path", folder]
        bare = [sys.executable, "-c", BARE]
        start(ours), start(bare)  # the first of each warms the disk cache
        pairs = [(start(ours), start(bare)) for _ in range(starts)]
    (cpu, memory), (cpu_bare, memory_bare) = (
        tuple(min(pair[side][what] for pair in pairs) for what in (0, 1)) for side in (0, 1)
    )
    return [
        row("CPU s to initialize", f"{cpu:.2f}", f"{cpu_bare:.2f}", cpu / cpu_bare, CPU_BUDGET, "x bare"),
        row("RSS MB", f"{memory:.0f}", f"{memory_bare:.0f}", memory, MEMORY_BUDGET, "MB"),
    ]


def row(what: str, ours: str, bare: str, found: float, budget: float, unit: str) -> dict[str, Any]:
    """What is published of one of them."""
    told = {"what": what, "hornbook-mcp": ours, "a bare server": bare, "against the budget": f"{found:.2f} {unit}"}
    return {**told, "budget": f"{budget:g} {unit}", "met": "yes" if found <= budget else "no"}


def main() -> int:
    """Print the figures; exit status 1 when a budget is broken."""
    parser = reader(__doc__)
    parser.add_argument("--starts", type=int, default=10)
    given = parser.parse_args()
    found = measure(given.starts)
    publish(found, given.json)
    return int(any(one["met"] == "no" for one in found))


if __name__ == "__main__":
    sys.exit(main())
