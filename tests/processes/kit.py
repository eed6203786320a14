"""What the process tests share: a memory whose view is a file however small it is, and whether it is right."""

import os
import subprocess
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path

from tests.graph.view.dump import Dump, dump, dump_rows

import hornbook
from hornbook.extraction.candidate import Candidate, Extraction
from hornbook.extraction.scripted import ScriptedExtractor
from hornbook.graph.clock import Clock, system_clock
from hornbook.graph.events import Actor
from hornbook.graph.journal import Journal, verify
from hornbook.graph.retrieval.embed import CallableEmbedder, Embedder
from hornbook.graph.store import Reading, Store
from hornbook.graph.view import open_view
from hornbook.graph.view.fold import folded
from hornbook.memory import Memory
from hornbook.opening import journal_path
from hornbook.settings import read

HERE = Path(__file__).parent
PACKAGE = str(Path(hornbook.__file__).parents[1])  # so that a server process runs what is tested here
DIMENSION = 16
MOVED = "I moved to Munich."
SCRIPT = {MOVED: Extraction(candidates=(Candidate("user", "lives_in", "Munich", MOVED),))}


def by_words(texts: Sequence[str]) -> list[list[float]]:
    """A vector of each text: how often words of a kind stand in it."""
    vectors = [[0.0] * DIMENSION for _ in texts]
    for vector, text in zip(vectors, texts, strict=True):
        for word in text.lower().split():
            vector[zlib.crc32(word.encode()) % DIMENSION] += 1.0
    return vectors


EMBEDDER = CallableEmbedder(by_words, "words", DIMENSION)


def memory_of(
    where: Path,
    user: str = "ana",
    *,
    clock: Clock = system_clock,
    on_disk: bool = True,
    embedder: Embedder = EMBEDDER,
) -> Memory:
    """A user's memory in `where/store`, its view in `where/cache`: on disk from the first event on, or in memory."""
    settings = read({"db_path": str(where / "store")}, environ={})
    path, _ = journal_path(where / "store", user)
    journal = Journal.open(path, clock=clock, owner=user)
    below = 0 if on_disk else sys.maxsize
    store = Store(journal, lambda of: open_view(where / "cache", of, in_memory_below=below), clock, owner=user)
    actor = Actor("tests", "", str(os.getpid()))
    return Memory(store, user, settings, embedder, ScriptedExtractor(SCRIPT), actor)


def journal_file(where: Path, user: str = "ana") -> Path:
    """Where the journal of such a memory is."""
    path, _ = journal_path(where / "store", user)
    assert path is not None
    return path


def views(memory: Memory) -> tuple[Dump, Dump]:
    """The memory's view as it has come about, and as it is built anew from the journal."""
    with memory._store.reading() as reading:
        return reading.ask(dump), rebuilt(reading)


def rebuilt(reading: Reading) -> Dump:
    """The view that the whole journal amounts to."""
    return dump_rows(folded(reading.snapshot.events()))


def is_sound(memory: Memory) -> bool:
    """Whether the whole chain holds, and the view equals a rebuilt one."""
    had, wanted = views(memory)
    return verify(memory._store.journal) is None and had == wanted


def start(where: Path, name: str, *arguments: object) -> "subprocess.Popen[str]":
    """A writer in a process of its own."""
    command = [sys.executable, str(HERE / "writer.py"), str(where), name, *map(str, arguments)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ended(process: "subprocess.Popen[str]") -> tuple[list[str], str]:
    """Let a writer come to its end: what it wrote, and what it says of its view."""
    said, _ = process.communicate("\n", timeout=120)
    *told, verdict = said.removeprefix("ready\n").split()
    return told, verdict
