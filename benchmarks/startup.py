"""What starting the server costs, beside a bare MCP server in the same run.

    python benchmarks/startup.py [--starts 10] [--json]

Measured from the start of the process to its answer to `initialize`, as CPU time of the process (user and system) and
as its peak memory; the two servers take turns, and the least of each is compared, so that a busy machine distorts
neither. Budget: at most 1.15 times the bare server's CPU, at most 100 MB.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

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
    cpu, memory = so_far(server.pid)
    server.stdin.close()
    server.wait(timeout=30)
    return cpu, memory


def so_far(pid: int) -> tuple[float, float]:
    """CPU seconds and peak MB of a running process, as Linux counts them."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    ticks = int(fields[11]) + int(fields[12])
    status = Path(f"/proc/{pid}/status").read_text()
    peak = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))
    return ticks / os.sysconf("SC_CLK_TCK"), peak / 1024


def measure(starts: int) -> dict[str, float]:
    """Let the two servers take turns."""
    with tempfile.TemporaryDirectory() as folder:
        ours = [sys.executable, "-m", "hornbook.mcp", "--db-path", folder]
        bare = [sys.executable, "-c", BARE]
        start(ours), start(bare)  # the first of each warms the disk cache
        pairs = [(start(ours), start(bare)) for _ in range(starts)]
    cpu, cpu_bare = (min(pair[side][0] for pair in pairs) for side in (0, 1))
    memory, memory_bare = (min(pair[side][1] for pair in pairs) for side in (0, 1))
    return {
        "cpu_s": cpu,
        "bare_cpu_s": cpu_bare,
        "ratio": round(cpu / cpu_bare, 3),
        "rss_mb": round(memory, 1),
        "bare_rss_mb": round(memory_bare, 1),
    }


def main() -> int:
    """Print the figures; exit status 1 when a budget is broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--starts", type=int, default=10)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = measure(options.starts)
    if options.json:
        print(json.dumps(found))
    else:
        print(
            f"CPU to initialize: {found['cpu_s']:.2f} s, a bare server {found['bare_cpu_s']:.2f} s: {found['ratio']}x"
        )
        print(f"memory: {found['rss_mb']} MB, a bare server {found['bare_rss_mb']} MB")
    return int(found["ratio"] > CPU_BUDGET or found["rss_mb"] > MEMORY_BUDGET)


if __name__ == "__main__":
    sys.exit(main())
