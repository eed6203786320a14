"""Two users over HTTP for a while, writing and reading at once: errors, memory at the start and the end, and times.

    python benchmarks/soak.py [--seconds 600] [--json FILE]

Each user has two clients that store, search, claim, ask and read contexts, one call after another. Memory is the
server's resident set after a warm-up and at the end. Exit status 1 where a call failed, or memory grew by more than a
quarter and 50 MB.
"""

import random
import re
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
from mcp import Client
from measure import percentile, publish, reader

sys.path.append(str(Path(__file__).parents[1]))
from tests.mcp.serving import client, serving

WARM = 0.2  # of the time, until memory is first looked at
GROWTH, SLACK = 1.25, 50.0  # of memory that is still flat: a share, and MB
CLIENTS = 2  # of each user
TOWNS = ("Oslo", "Rome", "Lima", "Cairo", "Quito", "Kyoto", "Porto", "Perth")

CALLS: tuple[tuple[str, Callable[[random.Random, int], dict[str, Any]]], ...] = (
    ("memory_store", lambda dice, n: {"content": f"Note {n}: we met in {dice.choice(TOWNS)} about desk {n}."}),
    ("memory_retrieve", lambda dice, n: {"query": f"where did we meet about desk {dice.randint(1, n + 1)}?"}),
    ("memory_retrieve", lambda dice, n: {"query": f"who went to {dice.choice(TOWNS)}?"}),
    (
        "ingest_claim",
        lambda dice, n: {
            "subject": f"person {n % 40}",
            "predicate": "visited",
            "value": dice.choice(TOWNS),
            "cardinality": "SetValued",
            "provenance": "External:UserAsserted",
        },
    ),
    ("query_memory", lambda dice, n: {"subject": f"person {dice.randint(0, 39)}", "predicate": "visited"}),
    ("memory_context", lambda dice, n: {"query": f"what about {dice.choice(TOWNS)}?"}),
    ("audit", lambda dice, n: {"limit": 20}),
)


def rss_mb(pid: int) -> float:
    """The memory that a process has now (Linux)."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


async def used(connected: Client, seed: str, until: float, times: list[tuple[str, float]], failed: list[str]) -> None:
    """One client, call after call until the time is over."""
    dice, number = random.Random(seed), 0
    while time.monotonic() < until:
        number += 1
        tool, arguments = dice.choice(CALLS)
        began = time.perf_counter()
        result = await connected.call_tool(tool, arguments(dice, number))
        times.append((tool, (time.perf_counter() - began) * 1000))
        if result.is_error:
            failed.append(f"{tool}: {str(result.structured_content)[:300]}")


async def soak(url: str, seconds: float, times: list[tuple[str, float]], failed: list[str]) -> None:
    """All clients at once."""
    until = time.monotonic() + seconds
    async with anyio.create_task_group() as tasks:
        for user in ("ana", "ben"):
            for number in range(CLIENTS):
                tasks.start_soon(_one, url, user, f"{user} {number}", until, times, failed)


async def _one(url: str, user: str, seed: str, until: float, times: list[tuple[str, float]], failed: list[str]) -> None:
    async with client(url, user) as connected:
        await used(connected, seed, until, times, failed)


def main() -> int:
    """Soak, and print what it came to."""
    parser = reader(__doc__)
    parser.add_argument("--seconds", type=float, default=600)
    flags = parser.parse_args()
    times: list[tuple[str, float]] = []
    failed: list[str] = []
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as served:
        anyio.run(soak, served.url, flags.seconds * WARM, times, failed)
        warm = rss_mb(served.process.pid)
        times.clear()
        anyio.run(soak, served.url, flags.seconds * (1 - WARM), times, failed)
        end = rss_mb(served.process.pid)
        status = served.stop()
    rows = [row("all", [one for _, one in times])]
    rows += [row(tool, [one for name, one in times if name == tool]) for tool in sorted({name for name, _ in times})]
    publish(rows, flags.json)
    print(f"\n{len(failed)} errors; exit status {status}; memory {warm:.0f} MB warm, {end:.0f} MB at the end")
    print(*failed[:20], sep="\n", file=sys.stderr)
    return int(bool(failed) or status != 0 or end > max(warm * GROWTH, warm + SLACK))


def row(what: str, times: list[float]) -> dict[str, Any]:
    """A line of the table, in milliseconds."""
    told = {f"p{share:.0%}".rstrip("%"): round(percentile(times, share), 1) for share in (0.5, 0.95, 0.99)}
    return {"what": what, "calls": len(times), **told, "longest": round(max(times), 1)}


if __name__ == "__main__":
    sys.exit(main())
