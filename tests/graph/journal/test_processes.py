"""Several processes on one journal: nothing is lost, nothing is out of order, whoever is killed."""

import random
import subprocess
import sys
import threading
from itertools import pairwise
from pathlib import Path

import pytest

from hornbook.graph.clock import DAY, system_clock
from hornbook.graph.errors import StoreBusy
from hornbook.graph.events import Actor, Vocabulary
from hornbook.graph.journal import Journal, verify
from hornbook.graph.lock import Queue

HERE = Path(__file__).parent
WORDS = Vocabulary({"said": 1}, {})


def start(script: str, *arguments: object) -> "subprocess.Popen[str]":
    """A process of its own, with pipes."""
    command = [sys.executable, str(HERE / script), *map(str, arguments)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def acknowledged(process: "subprocess.Popen[str]") -> list[int]:
    """What a writer has said until it ended."""
    said, _ = process.communicate(timeout=100)
    return [int(line) for line in said.splitlines() if line.isdigit()]


def open_sound(path: Path, pack: bool = False) -> Journal:
    """Open a journal and see that it is sound."""
    journal = Journal.open(path, clock=system_clock, pack=pack, vocabulary=WORDS)
    assert journal.damage is None and verify(journal) is None
    return journal


@pytest.mark.parametrize("shape", ["directory", "pack"])
def test_two_processes_write_and_lose_nothing(tmp_path: Path, shape: str) -> None:
    path = tmp_path / "journal.db"
    each = 200 if shape == "directory" else 50
    writers = [start("writer.py", path, name, each, shape) for name in ("ana", "ben")]
    said = [acknowledged(writer) for writer in writers]
    assert [0, 0] == [writer.returncode for writer in writers]
    assert list(range(1, 2 * each + 1)) == sorted(said[0] + said[1])
    with open_sound(path, shape == "pack") as journal, journal.reading() as snap:
        events = list(snap.events())
        assert {f"{name}-{turn}" for name in ("ana", "ben") for turn in range(each)} == {
            event.body["text"] for event in events if event.body
        }
        times = [event.known_at for event in events]
        assert all(earlier < later for earlier, later in pairwise(times))
        assert each == len(snap.lexical("ana", 1000))
        assert 2 * each == len(snap.numbers_of([event.body["text"] for event in events if event.body]))


def test_known_time_goes_on_when_the_next_process_has_a_clock_a_year_behind(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    assert [1, 2, 3] == acknowledged(start("writer.py", path, "ana", 3))
    with Journal.open(path, clock=lambda: system_clock() - 365 * DAY, vocabulary=WORDS) as journal:
        with journal.writing(Actor()) as tx:
            tx.append("said", {})
        with journal.reading() as snap:
            assert snap.known_at(3) + 1 == snap.known_at(4)


def kill_at(path: Path, moment: int, shape: str) -> int:
    """Kill a writer once it has acknowledged so many, or while it opens; how many it had acknowledged."""
    writer = start("writer.py", path, f"w{moment}", 100_000, shape)
    assert writer.stdout is not None
    for _ in range(moment):
        writer.stdout.readline()
    writer.kill()
    rest = writer.stdout.read()
    writer.communicate(timeout=60)
    return max(0, moment - 1 + rest.count("\n"))  # less the line that says it is ready


@pytest.mark.parametrize("shape", ["directory", "pack"])
def test_a_killed_writer_loses_nothing_that_it_acknowledged(tmp_path: Path, shape: str) -> None:
    survive(tmp_path / "journal.db", [0, 1, 2, 7] if shape == "pack" else [0, 1, 3, 40], shape)


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["directory", "pack"])
def test_fifty_killed_writers_lose_nothing_that_they_acknowledged(tmp_path: Path, shape: str) -> None:
    chance = random.Random(7)
    survive(tmp_path / "journal.db", [chance.randrange(150) for _ in range(50)], shape)


def survive(path: Path, moments: list[int], shape: str) -> None:
    """Kill a writer at each of these moments; all that was acknowledged is there, and at most one event more."""
    for moment in moments:
        if moment == 0:
            Journal.open(path, clock=system_clock, pack=shape == "pack", vocabulary=WORDS).close()
        before = count(path, shape)
        acknowledged_now = kill_at(path, moment, shape)
        assert acknowledged_now <= count(path, shape) - before <= acknowledged_now + 1


def count(path: Path, shape: str) -> int:
    """How many events there are; every one of them with its document, its key and its number."""
    if not path.exists():
        return 0
    with open_sound(path, shape == "pack") as journal, journal.reading() as snap:
        for event in snap.events():
            assert event.body is not None
            ref = event.body["text"]
            assert snap.document_of(ref) is not None and ref == snap.recalled(ref) and snap.numbers_of([ref])
        return snap.head


def test_a_writer_is_told_when_another_holds_the_store_past_its_deadline(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    holder = start("holder.py", path)
    assert holder.stdout is not None and "held\n" == holder.stdout.readline()
    with Journal.open(path, clock=system_clock, vocabulary=WORDS) as journal:
        with pytest.raises(StoreBusy, match=r"more than 0\.05 s"), journal.writing(Actor(), 0.05):
            raise AssertionError("not reached")
        assert 0 == journal.head()
        holder.communicate(timeout=60)
        with journal.writing(Actor(), 20) as tx:
            assert 1 == tx.append("said", {})


def test_a_thread_is_told_when_another_holds_the_store_past_its_deadline() -> None:
    told: list[BaseException] = []
    with Journal.open(":memory:", clock=system_clock, vocabulary=WORDS) as journal:

        def write() -> None:
            try:
                with journal.writing(Actor(), 0.01):
                    raise AssertionError("not reached")
            except StoreBusy as error:
                told.append(error)

        with journal.writing(Actor()):
            thread = threading.Thread(target=write)
            thread.start()
            thread.join(20)
    assert 1 == len(told)


def test_threads_get_the_lock_in_the_order_in_which_they_asked() -> None:
    queue, order = Queue(), []
    assert queue.acquire(0)

    def ask(name: int) -> None:
        assert queue.acquire(20)
        order.append(name)
        queue.release()

    threads = [threading.Thread(target=ask, args=(name,)) for name in range(5)]
    for waiting, thread in enumerate(threads, 1):
        thread.start()
        while queue.waiting < waiting:  # until it stands in the queue
            threading.Event().wait(0.001)
    queue.release()
    for thread in threads:
        thread.join(20)
    assert [0, 1, 2, 3, 4] == order


def test_threads_that_write_and_read_at_once_lose_nothing(journal: Journal) -> None:
    def work(name: str) -> None:
        for turn in range(25):
            with journal.writing(Actor(process=name)) as tx:
                seq = tx.append("said", {"text": f"{name}{turn}"})
            with journal.reading() as snap:
                assert snap.event(seq) is not None and snap.head >= seq

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert 100 == journal.head() and verify(journal) is None


@pytest.mark.skipif(sys.platform == "win32", reason="file size limits are POSIX")
def test_a_full_disk_is_one_clear_error_and_keeps_what_was_there(tmp_path: Path) -> None:
    said, _ = start("full.py", tmp_path / "journal.db").communicate(timeout=60)
    first, second = said.splitlines()
    assert first.startswith("StoreError the disk ") and str(tmp_path) not in first
    assert "True True" == second
    open_sound(tmp_path / "journal.db").close()
