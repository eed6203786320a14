"""What the benchmarks share: CPU time of this process or another, percentiles, tables, and the machine's name."""

import argparse
import json
import os
import platform
import resource
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(slots=True)
class Spent:
    """Milliseconds of CPU and of the clock on the wall, one entry a call."""

    cpu: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)

    def of(self, act: Callable[[], Any], clock: Callable[[], float] = time.process_time) -> Any:
        """Do it, note what it cost by this clock, and give back what it gave."""
        cpu, wall = clock(), time.perf_counter()
        result = act()
        self.note(clock() - cpu, time.perf_counter() - wall)
        return result

    def note(self, cpu: float, wall: float) -> None:
        """Note the seconds that one call took."""
        self.cpu.append(cpu * 1_000)
        self.wall.append(wall * 1_000)


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which this share of the values lies.

    >>> percentile([3, 1, 2, 4], 0.5), percentile([1, 2], 0.95)
    (2, 2)
    """
    ordered = sorted(values)
    return ordered[max(0, -(-int(len(ordered) * share * 1_000) // 1_000) - 1)]


def shown(values: Sequence[float]) -> str:
    """p50 and p95 as they stand in a table."""
    return f"{percentile(values, 0.5):.1f} / {percentile(values, 0.95):.1f}"


def peak_mb(pid: int | None = None) -> float:
    """The most memory that a process has had, this one by default."""
    if pid is None:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    status = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) / 1024


def cpu_of(pid: int) -> float:
    """Seconds of CPU of the running threads of a process, to the nanosecond, as Linux counts them."""
    threads = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9


def children() -> set[int]:
    """The processes that this one has started and that still run."""
    tasks = Path(f"/proc/{os.getpid()}/task").glob("*/children")
    return {int(pid) for task in tasks for pid in task.read_text().split()}


def disk_mb(folder: Path) -> float:
    """What the files of a folder take."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def machine() -> str:
    """The machine, as the figures are published under it."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}, {python}"


def table(rows: Sequence[dict[str, Any]]) -> str:
    """Rows as a Markdown table.

    >>> print(table([{"what": "store", "ms": 3}]))
    | what | ms |
    |---|---|
    | store | 3 |
    """
    names = list(rows[0])
    lines = [names, ["---"] * len(names), *([str(row[name]) for name in names] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |".replace(" --- ", "---") for line in lines)


def reader(description: str | None) -> argparse.ArgumentParser:
    """The options that every benchmark has."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    return parser


def publish(rows: Sequence[dict[str, Any]], to: Path | None) -> None:
    """Print a table under the machine's name; write the rows as JSON where a file is named."""
    print(f"{machine()}, load {os.getloadavg()[0]:.1f}\n\n{table(rows)}")
    if to is not None:
        to.write_text(json.dumps({"machine": machine(), "rows": list(rows)}, indent=1) + "\n")
