"""An interactive writer beside a bulk ingest in another process, on one store: who waits how long, and who fails.

    python benchmarks/contention.py [--writes 100] [--pause 0.05] [--json FILE]

The other process ingests texts with claims, without a pause, until the interactive one has ended. Figures are
milliseconds on the wall, p50 / p95 / longest, of storing without and with the embedding, alone and beside the bulk.
Budget: p95 of 300 ms beside the bulk, no failure.
"""

import multiprocessing
import tempfile
import time
from collections.abc import Callable
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

from measure import percentile, publish, reader

from hornbook.extraction.candidate import Candidate, Extraction, Passage
from hornbook.graph.errors import HornbookError
from hornbook.graph.retrieval.embed import CallableEmbedder, Embedder, MiniLM
from hornbook.memory import Memory
from hornbook.settings import read

BUDGET = 300.0
MODEL = MiniLM()


class Towns:
    """An extractor that finds one claim in every text, as fast as can be."""

    name = "towns 1"

    def extract(self, passage: Passage) -> Extraction:
        """Where the speaker lives."""
        town = passage.text.split()[-1].rstrip(".")
        return Extraction(candidates=(Candidate("user", "visited", town, passage.text),))

    def extract_many(self, passages: Any) -> Any:
        """The same for each."""
        return map(self.extract, passages)


def flat() -> Embedder:
    """An embedder that costs nothing, under the name of the model, so that both write to one store."""
    size = MODEL.dimension
    return CallableEmbedder(lambda texts: [[1.0] * size for _ in texts], MODEL.model, size, MODEL.digest)


def opened(folder: Path, embedder: Embedder) -> Memory:
    """The store that both write to."""
    settings = read({"db_path": str(folder / "store")}, environ={"HORNBOOK_CACHE_DIR": str(folder / "cache")})
    return Memory.open(user="ana", settings=settings, embedder=embedder, extractor=Towns())


def bulk(folder: Path, going: Event, enough: Event, done: Any) -> None:
    """Ingest until there is enough."""
    with opened(folder, flat()) as memory:
        turn = 0
        while not enough.is_set():
            memory.ingest(f"I went to town{turn % 400}.", speaker=f"Speaker {turn % 40}", session=f"s{turn // 20}")
            turn += 1
            going.set()
        done.value = turn


def interactive(memory: Memory, writes: int, pause: float) -> tuple[list[float], int]:
    """Write now and then: how long each took, and how many failed."""
    took, failed = [], 0
    for turn in range(writes):
        start = time.perf_counter()
        try:
            memory.store(f"A note in between, the {turn}th of them.", speaker="Ana", session="notes")
        except HornbookError:
            failed += 1
        took.append((time.perf_counter() - start) * 1_000)
        time.sleep(pause)  # a person, or a model that thinks
    return took, failed


def row(what: str, took: list[float], failed: int, bulk_rate: float | None) -> dict[str, Any]:
    """What is published of one run."""
    p95 = percentile(took, 0.95)
    return {
        "interactive store": what,
        "wall ms": f"{percentile(took, 0.5):.0f} / {p95:.0f} / {max(took):.0f}",
        "failures": failed,
        "bulk, texts/s": "-" if bulk_rate is None else f"{bulk_rate:.0f}",
        "budget p95": f"{BUDGET:.0f}",
        "met": "yes" if p95 <= BUDGET and not failed else "no",
    }


def beside(folder: Path, act: Callable[[], Any]) -> tuple[Any, float]:
    """Do it while another process ingests; what came of it, and how many texts that one ingested a second."""
    spawn = multiprocessing.get_context("spawn")
    going, enough, done = spawn.Event(), spawn.Event(), spawn.Value("i", 0)
    process = spawn.Process(target=bulk, args=(folder, going, enough, done))
    process.start()
    try:
        going.wait(60)
        start = time.perf_counter()
        found = act()
        seconds = time.perf_counter() - start
    finally:
        enough.set()
        process.join(60)
    return found, done.value / seconds


def main() -> None:
    """Alone, then beside the bulk; without the embedding, then with it."""
    parser = reader(__doc__)
    parser.add_argument("--writes", type=int, default=100)
    parser.add_argument("--pause", type=float, default=0.05)
    given = parser.parse_args()
    found: list[dict[str, Any]] = []
    for what, embedder in (("without embedding", flat()), ("with embedding", MODEL)):
        with tempfile.TemporaryDirectory() as folder, opened(Path(folder), embedder) as memory:
            memory.store("The first note.")  # loads what is loaded late
            found.append(row(f"{what}, alone", *interactive(memory, given.writes, given.pause), None))
            told, rate = beside(Path(folder), lambda: interactive(memory, given.writes, given.pause))
            found.append(row(f"{what}, beside the bulk", *told, rate))
    publish(found, given.json)


if __name__ == "__main__":
    main()
