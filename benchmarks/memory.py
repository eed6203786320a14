"""What memory_store and memory_retrieve cost, in process and over MCP, in stores of several sizes.

    python benchmarks/memory.py [--items 1000 10000] [--calls 100] [--no-mcp] [--json FILE]

The stores are filled straight into the journal, with vectors that mean nothing; what is measured uses the model that
is shipped. Figures are milliseconds a call, p50 / p95: CPU of the whole process (of the server, over MCP), and wall.
"First" is what the first search pays for, once a process: it reads the store and loads the model. Budgets: a store
25 ms CPU at any size; a search 25 ms up to 10,000 items and 60 ms at 100,000.
"""

import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np
from mcp import Client, StdioServerParameters
from measure import Spent, children, cpu_of, disk_mb, peak_mb, publish, reader, shown

from hornbook.graph.clock import system_clock
from hornbook.graph.episode import Episode, NodeType, Role, Scope, StoredMemory
from hornbook.graph.events import Actor
from hornbook.graph.ids import new_id
from hornbook.graph.journal import Journal, Model
from hornbook.graph.record import Indexed, record_episode, record_memory
from hornbook.graph.retrieval.embed import MiniLM, unit
from hornbook.graph.store import Writing
from hornbook.memory import Memory
from hornbook.opening import journal_path
from hornbook.settings import read

STORE, SMALL, LARGE = 25.0, 25.0, 60.0  # budgets
AT_ONCE = 500  # items in one transaction while filling


def words(text: str, between: str | None = None) -> list[str]:
    """The words of a text."""
    return text.split(between)


PEOPLE = words("Ana Ben Caroline Melanie Joanna Nate Tim John Maria Deborah Oskar Mara")
DID = words("bought repaired lost painted borrowed sold found cleaned planned missed enjoyed described")
THINGS = words(
    "bicycle violin telescope kettle passport canoe lantern typewriter ladder globe garden concert recipe necklace"
    " marathon sculpture puppy tent appointment notebook camera recital bakery sweater puzzle greenhouse"
)
PLACES = words("harbour library orchard station bakery theatre clinic market lighthouse quarry school museum")
WHEN = words("yesterday,last week,in the morning,after work,on Sunday,before the storm,in March,at noon", ",")


def sentence(chance: random.Random) -> str:
    """What somebody might have said."""
    one, other = chance.sample(PEOPLE, 2)
    thing, second = chance.sample(THINGS, 2)
    return (
        f"{one} {chance.choice(DID)} a {thing} at the {chance.choice(PLACES)} {chance.choice(WHEN)}, and told {other}"
        f" about the {second} number {chance.randrange(10_000)}."
    )


def question(chance: random.Random) -> str:
    """What somebody might ask."""
    return f"What did {chance.choice(PEOPLE)} say about the {chance.choice(THINGS)} at the {chance.choice(PLACES)}?"


class Filling:
    """A store that is being filled: events go into the journal alone, and the view is built from it later."""

    def __init__(self, transaction: Any) -> None:
        self.snapshot = transaction
        self.upto = 0

    def append(self, kind: str, body: dict[str, Any], *, event_id: str | None = None) -> int:
        """Record an event."""
        return int(self.snapshot.append(kind, body, event_id=event_id))


def fill(folder: Path, items: int) -> None:
    """A store of so many memories."""
    path, _ = journal_path(folder, "ana")
    model, chance, noise = MiniLM(), random.Random(0), np.random.default_rng(0)
    with Journal.open(path, clock=system_clock, owner="ana") as journal:
        for start in range(0, items, AT_ONCE):
            vectors = unit(noise.standard_normal((AT_ONCE, model.dimension)))
            with journal.writing(Actor("benchmark")) as transaction:
                transaction.use_model(Model(model.model, model.digest, model.dimension))
                writing = cast(Writing, Filling(transaction))
                for vector in vectors[: items - start]:
                    add(writing, sentence(chance), vector[None])


def add(writing: Writing, text: str, vector: Any) -> None:
    """One memory."""
    episode = Episode(new_id(), text, Role.USER, "Ana", Scope.PERSONAL)
    record_episode(writing, episode, None, channel="store")
    id_ = new_id()
    memory = StoredMemory(id_, writing.snapshot.number(id_), episode.id, NodeType.NOTE, Scope.PERSONAL)
    record_memory(writing, memory, episode, Indexed(((0, len(text)),), (f"Ana: {text}",), vector))


def settings_of(folder: Path) -> dict[str, str]:
    """The environment that keeps the view beside the store."""
    return {"HORNBOOK_CACHE_DIR": str(folder / "cache"), "HORNBOOK_USER_ID": "ana"}


def in_process(folder: Path, items: int, calls: int) -> list[dict[str, Any]]:
    """Search and store in this process."""
    chance = random.Random(1)
    settings = read({"db_path": str(folder / "store")}, environ=settings_of(folder))
    with Memory.open(user="ana", settings=settings) as memory:
        first, store, search = Spent(), Spent(), Spent()
        first.of(lambda: (memory.search(question(chance)), memory.store(sentence(chance))))
        for _ in range(calls):
            search.of(lambda: memory.search(question(chance)))
        for _ in range(calls):
            store.of(lambda: memory.store(sentence(chance), speaker="Ana", session="today"))
    return rows("in process", items, first, store, search, peak_mb(), disk_mb(folder))


def rows(
    how: str, items: int, first: Spent, store: Spent, search: Spent, memory: float, disk: float
) -> list[dict[str, Any]]:
    """What is published of one run."""
    least = LARGE if items > 10_000 else SMALL
    return [
        {
            "call": f"{call}, {how}",
            "items": f"{items:,}",
            "CPU ms": shown(spent.cpu),
            "wall ms": shown(spent.wall),
            "budget": f"{budget:.0f}",
            "met": "yes" if sorted(spent.cpu)[len(spent.cpu) // 2] <= budget else "no",
            "first, CPU ms": f"{sum(first.cpu):.0f}",
            "RSS MB": f"{memory:.0f}",
            "disk MB": f"{disk:.1f}",
        }
        for call, spent, budget in (("memory_store", store, STORE), ("memory_retrieve", search, least))
    ]


async def over_mcp(folder: Path, items: int, calls: int) -> list[dict[str, Any]]:
    """The same through a server; the CPU is the server's."""
    chance, before = random.Random(2), children()
    flags = ["-m", "hornbook.mcp", "--db-path", str(folder / "store")]
    server = StdioServerParameters(command=sys.executable, args=flags, env=settings_of(folder))
    async with Client(server, read_timeout_seconds=120) as client:
        (pid,) = children() - before
        first, store, search = Spent(), Spent(), Spent()

        async def call(spent: Spent, tool: str, **arguments: Any) -> None:
            cpu, wall = cpu_of(pid), time.perf_counter()
            result = await client.call_tool(tool, arguments)
            assert not result.is_error, result
            spent.note(cpu_of(pid) - cpu, time.perf_counter() - wall)

        await call(first, "memory_retrieve", query=question(chance))
        await call(first, "memory_store", content=sentence(chance))
        for _ in range(calls):
            await call(search, "memory_retrieve", query=question(chance))
        for _ in range(calls):
            await call(store, "memory_store", content=sentence(chance), speaker="Ana", session_id="today")
        memory = peak_mb(pid)
    return rows("over MCP", items, first, store, search, memory, disk_mb(folder))


def apart(act: Callable[..., Any], *arguments: Any) -> Any:
    """Run it in a process of its own, so that its memory is its own."""
    import multiprocessing

    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(act, arguments)


def main() -> None:
    """Fill, measure, print."""
    parser = reader(__doc__)
    parser.add_argument("--items", type=int, nargs="*", default=[1_000, 10_000])
    parser.add_argument("--calls", type=int, default=100)
    parser.add_argument("--no-mcp", action="store_true")
    given = parser.parse_args()
    found: list[dict[str, Any]] = []
    for items in given.items:
        with tempfile.TemporaryDirectory() as folder:
            fill(Path(folder) / "store", items)
            found += apart(in_process, Path(folder), items, given.calls)
            if not given.no_mcp:
                found += asyncio.run(over_mcp(Path(folder), items, given.calls))
    publish(found, given.json)


if __name__ == "__main__":
    main()
