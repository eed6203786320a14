"""Storing and searching beside what people use today, over MCP in one run: powermem, PRME, and a plain FTS5 table.

    python benchmarks/retrieval.py [--items 1000] [--calls 50] [--peers powermem prme] [--json FILE]

Each peer is installed from PyPI into an environment of its own, started over stdio, given the same texts one by one,
and asked the same questions; one that cannot be installed or does not answer is named with the reason. CPU is that of
the server's processes, in milliseconds a call, p50 / p95. The FTS5 table runs in this process: it is the floor.
powermem has a mock embedder here (one constant vector, so no model is paid for), since its own asks a provider.
How we do at 10,000 and 100,000 items is measured by `memory.py`.
"""

import asyncio
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from measure import Spent, children, cpu_of, disk_mb, peak_mb, publish, reader, shown
from memory import question, sentence

from hornbook.graph.journal.lexical import expression, indexed

OWNER = "ana"
SECONDS = 120.0  # that one call may take


@dataclass(frozen=True, slots=True)
class Peer:
    """A memory server: what to install, how to start it, and how it is told and asked."""

    name: str
    packages: tuple[str, ...]  # none: the environment that this runs in
    command: Callable[[Path, Path], list[str]]  # of the environment's folder of programs, and the store
    environment: Callable[[Path], dict[str, str]]
    store: Callable[[str], tuple[str, dict[str, Any]]]
    search: Callable[[str], tuple[str, dict[str, Any]]]
    note: str = ""


def plain_store(text: str) -> tuple[str, dict[str, Any]]:
    """The call that stores a text with the memory tools."""
    return "memory_store", {"content": text, "user_id": OWNER}


def plain_search(asked: str) -> tuple[str, dict[str, Any]]:
    """The call that searches with the memory tools."""
    return "memory_retrieve", {"query": asked, "user_id": OWNER}


PEERS = (
    Peer(
        "hornbook",
        (),
        lambda programs, folder: [sys.executable, "-m", "hornbook.mcp", "--db-path", str(folder / "store")],
        lambda folder: {"HORNBOOK_CACHE_DIR": str(folder / "cache")},
        plain_store,
        plain_search,
    ),
    Peer(
        "powermem",
        ("powermem[server]",),
        lambda programs, folder: [str(programs / "python"), "-m", "powermem.mcp", "stdio"],
        lambda folder: {
            "HOME": str(folder),
            "DATABASE_PROVIDER": "sqlite",
            "SQLITE_PATH": str(folder / "memory.db"),
            "LLM_PROVIDER": "noop",
            "EMBEDDING_PROVIDER": "mock",
            "EMBEDDING_DIMS": "384",
        },
        lambda text: ("add_memory", {"messages": text, "user_id": OWNER, "infer": False}),
        lambda asked: ("search_memories", {"query": asked, "user_id": OWNER, "limit": 10}),
        "mock embedder",
    ),
    Peer(
        "prme",
        ("prme[mcp]", "mcp<2"),
        lambda programs, folder: [str(programs / "prme-mcp"), "--db-path", str(folder / "store")],
        lambda folder: {"HOME": str(folder)},
        plain_store,
        plain_search,
    ),
)


@dataclass(slots=True)
class Run:
    """What one contender did."""

    name: str
    items: int
    note: str = ""
    store: Spent = field(default_factory=Spent)
    search: Spent = field(default_factory=Spent)
    memory: float = 0.0
    disk: float = 0.0

    def row(self) -> dict[str, Any]:
        """Its row of the table."""
        silent = not self.search.cpu
        return {
            "": self.name,
            "items": f"{self.items:,}",
            "store, CPU ms": "-" if silent else shown(self.store.cpu),
            "search, CPU ms": "-" if silent else shown(self.search.cpu),
            "search, wall ms": "-" if silent else shown(self.search.wall),
            "RSS MB": "-" if silent else f"{self.memory:.0f}",
            "disk MB": "-" if silent else f"{self.disk:.1f}",
            "note": self.note,
        }


def programs_of(peer: Peer, folder: Path) -> Path:
    """The programs of the peer's environment, made and filled from PyPI where there is something to install."""
    if not peer.packages:
        return Path(sys.executable).parent
    venv.create(folder / "env", with_pip=True)
    programs = folder / "env" / "bin"
    subprocess.run([programs / "pip", "install", "-q", *peer.packages], check=True, capture_output=True, timeout=900)
    return programs


async def over_mcp(peer: Peer, programs: Path, folder: Path, items: int, calls: int) -> Run:
    """Start the server, store, search; what it cost its processes."""
    chance, before, run = random.Random(2), children(), Run(peer.name, items, peer.note)
    command, *flags = peer.command(programs, folder)
    server = StdioServerParameters(command=command, args=flags, env=peer.environment(folder))
    async with Client(server, read_timeout_seconds=SECONDS) as client:
        (pid,) = children() - before

        async def call(spent: Spent | None, tool: str, arguments: dict[str, Any]) -> None:
            cpu, wall = cpu_of(pid), time.perf_counter()
            result = await client.call_tool(tool, arguments)
            if result.is_error or '"error"' in str(result.content)[:200]:
                raise RuntimeError(f"{tool}: {str(result.content)[:200]}")
            if spent is not None:
                spent.note(cpu_of(pid) - cpu, time.perf_counter() - wall)

        for number in range(items):
            await call(run.store if number else None, *peer.store(sentence(chance)))
        for number in range(calls + 1):
            await call(run.search if number else None, *peer.search(question(chance)))
        run.memory = peak_mb(pid)
    run.disk = disk_mb(folder / "store") if (folder / "store").exists() else disk_mb(folder)
    return run


def tried(peer: Peer, items: int, calls: int) -> Run:
    """A peer's run; the reason where it cannot be had."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "data").mkdir()
        try:
            return asyncio.run(over_mcp(peer, programs_of(peer, folder), folder / "data", items, calls))
        except subprocess.CalledProcessError as error:
            return Run(peer.name, items, f"cannot be installed here: {error.stderr.decode()[-120:].strip()}")
        except BaseExceptionGroup as errors:
            return Run(peer.name, items, f"does not run here: {_first(errors)}")
        except Exception as error:  # whatever a stranger's server does is a finding, not a fault of this script
            return Run(peer.name, items, f"does not run here: {str(error)[:160]}")


def _first(errors: BaseException) -> str:
    while isinstance(errors, BaseExceptionGroup):
        errors = errors.exceptions[0]
    return str(errors)[:160] or type(errors).__name__


def floor(items: int, calls: int) -> Run:
    """One FTS5 table on disk, and nothing else."""
    chance, run = random.Random(2), Run("FTS5 table", items, "in process, words only")
    with tempfile.TemporaryDirectory() as folder:
        database = sqlite3.connect(Path(folder) / "words.db")
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("CREATE VIRTUAL TABLE lexicon USING fts5 (text, grams, tokenize='porter unicode61')")

        def store(text: str) -> None:
            with database:
                database.execute("INSERT INTO lexicon VALUES (?, ?)", indexed(text))

        for _ in range(items):
            run.store.of(lambda: store(sentence(chance)))
        query = "SELECT text FROM lexicon WHERE lexicon MATCH ? ORDER BY rank LIMIT 10"
        for _ in range(calls):
            run.search.of(lambda: database.execute(query, (expression(question(chance)),)).fetchall())
        database.close()
        run.disk = disk_mb(Path(folder))
    run.memory = peak_mb()
    return run


def main() -> None:
    """Run them one after the other, and print."""
    parser = reader(__doc__)
    parser.add_argument("--items", type=int, default=1_000)
    parser.add_argument("--calls", type=int, default=50)
    parser.add_argument("--peers", nargs="*", default=[peer.name for peer in PEERS])
    given = parser.parse_args()
    runs = [tried(peer, given.items, given.calls) for peer in PEERS if peer.name in given.peers]
    publish([run.row() for run in [*runs, floor(given.items, given.calls)]], given.json)


if __name__ == "__main__":
    main()
