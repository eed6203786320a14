"""Whatever goes wrong with a view, another is built from the journal, and nobody else's view is touched."""

import os
import random
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from tests.graph.histories import ListJournal, history
from tests.graph.view.dump import dump, dump_rows

from hornbook.graph.errors import Conflict, EngineFault, InvalidArgument, StoreError
from hornbook.graph.events import Event
from hornbook.graph.view import GraphView, open_view, queries
from hornbook.graph.view.catch_up import Way, way_to
from hornbook.graph.view.engine import FRAME_GROUP, Engine
from hornbook.graph.view.fold import folded


@pytest.fixture
def events() -> list[Event]:
    return history(random.Random(11), 150)


@pytest.fixture
def journal(events: list[Event]) -> ListJournal:
    return ListJournal(events)


def on_disk(cache: Path, journal: ListJournal) -> GraphView:
    return open_view(cache, journal, in_memory_below=0)


def followed(cache: Path, journal: ListJournal) -> GraphView:
    view = on_disk(cache, journal)
    view.catch_up(journal)
    return view


def whole(journal: ListJournal, view: GraphView) -> bool:
    """Whether the view is what the journal says, and says so."""
    fits = (journal.head, journal.hash_at(journal.head)) == (view.seq, view.hash)
    return fits and dump_rows(folded(journal.items[: journal.head])) == dump(view)


def files(cache: Path) -> list[Path]:
    return sorted(cache.glob("*/*/*.view"))


def test_a_small_journal_has_its_view_in_memory_and_a_larger_one_on_disk(tmp_path: Path, journal: ListJournal) -> None:
    small = open_view(tmp_path, journal)
    large = on_disk(tmp_path, journal)

    assert (True, False) == (small.in_memory, large.in_memory)
    small.close()
    large.close()


def test_a_view_that_was_closed_cleanly_is_taken_up_where_it_was(tmp_path: Path, journal: ListJournal) -> None:
    followed(tmp_path, ListJournal(journal.items, bound=100)).close()
    before = files(tmp_path)
    view = on_disk(tmp_path, journal)

    assert 100 == view.seq
    assert before == files(tmp_path)
    view.catch_up(journal)
    assert whole(journal, view)
    view.close()


def test_a_rebuilt_view_takes_the_place_of_the_old_file(tmp_path: Path, journal: ListJournal) -> None:
    view = followed(tmp_path, ListJournal(journal.items, bound=3))
    view.catch_up(journal)

    assert whole(journal, view)
    assert 1 == len(files(tmp_path))
    view.close()


def scribbled(path: Path) -> None:
    path.write_bytes(random.Random(1).randbytes(path.stat().st_size))


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def flipped(path: Path) -> None:
    """One bit, with the time of change put back: only the checksum can tell."""
    stat = path.stat()
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))


@pytest.mark.parametrize("damage", [scribbled, cut, flipped, Path.unlink])
def test_a_damaged_file_is_never_opened_and_the_view_is_rebuilt(
    tmp_path: Path, journal: ListJournal, damage: Callable[[Path], None]
) -> None:
    followed(tmp_path, journal).close()
    damage(files(tmp_path)[0])
    view = on_disk(tmp_path, journal)

    assert 0 == view.seq
    view.catch_up(journal)
    assert whole(journal, view)
    view.close()


def test_a_view_whose_process_died_is_thrown_away(tmp_path: Path, journal: ListJournal) -> None:
    code = (
        "import sys, os, random; sys.path.append(sys.argv[1])\n"
        "from pathlib import Path\n"
        "from tests.graph.histories import ListJournal, history\n"
        "from hornbook.graph.view import open_view\n"
        "journal = ListJournal(history(random.Random(11), 150))\n"
        "view = open_view(Path(sys.argv[2]), journal, in_memory_below=0)\n"
        "view.catch_up(journal, 149); view.begin(); view.apply(journal.items[149]); os._exit(9)\n"
    )
    root = Path(__file__).resolve().parents[3]
    assert 9 == subprocess.run([sys.executable, "-W", "ignore", "-c", code, root, tmp_path], check=False).returncode
    left = files(tmp_path)
    view = on_disk(tmp_path, journal)

    assert left
    assert 0 == view.seq
    assert not set(left) & set(files(tmp_path))
    view.catch_up(journal)
    assert whole(journal, view)
    view.close()


def test_a_journal_with_another_history_gets_another_view(tmp_path: Path, journal: ListJournal) -> None:
    followed(tmp_path, journal).close()
    other = ListJournal(history(random.Random(12), 200))
    view = on_disk(tmp_path, other)

    assert 0 == view.seq
    view.catch_up(other)
    assert whole(other, view)
    view.close()


def test_a_journal_restored_from_before_the_view_gets_another_view(tmp_path: Path, journal: ListJournal) -> None:
    followed(tmp_path, journal).close()
    restored = ListJournal(journal.items[:80])
    view = on_disk(tmp_path, restored)

    assert 0 == view.seq
    view.catch_up(restored)
    assert whole(restored, view)
    view.close()


def test_a_journal_that_is_swapped_under_an_open_view_is_noticed(journal: ListJournal) -> None:
    view = open_view(None, journal)
    view.catch_up(journal, 100)
    other = ListJournal(history(random.Random(12), 200))
    view.catch_up(other)

    assert whole(other, view)
    view.close()


def test_a_journal_that_committed_without_the_view_is_caught_up_with(journal: ListJournal) -> None:
    view = open_view(None, journal)
    view.catch_up(journal, journal.head - 1)
    with view.writing():
        view.apply(journal.items[-1])  # the journal commits, then the process fails before view.commit

    assert journal.head - 1 == view.seq
    view.catch_up(journal)
    assert whole(journal, view)
    view.close()


def test_what_is_written_is_seen_by_its_writer_only_until_it_is_committed(journal: ListJournal) -> None:
    view = open_view(None, journal)
    last = next(at for at in range(journal.head, 0, -1) if journal.items[at - 1].kind == "entity.recorded")
    view.catch_up(journal, last - 1)
    event, seen = journal.items[last - 1], []
    assert event.body is not None
    id_ = event.body["id"]

    def look() -> None:
        seen.append(queries.entity(view, id_, last))

    with view.writing():
        view.apply(event)
        assert queries.entity(view, id_, last) is not None
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
        view.commit(last, journal.hash_at(last))
    look()

    assert seen[0] is None
    assert seen[1] is not None
    view.close()


def test_an_engine_fault_ends_the_view_until_it_is_built_again(tmp_path: Path, journal: ListJournal) -> None:
    for view in (open_view(None, journal), on_disk(tmp_path, journal)):
        view.catch_up(journal, 100)
        with view.writing(), pytest.raises(EngineFault):
            view.rows("RETURN no_such_function(1)")
        with pytest.raises(EngineFault):
            queries.counts(view, 100)
        with pytest.raises(EngineFault):
            view.begin()
        assert not view.usable
        view.catch_up(journal)
        assert view.usable
        assert whole(journal, view)
        view.close()


@pytest.mark.parametrize("key", ["\ud800", "a\0b", "'}) DETACH DELETE n //", "", "x" * 1_000_000])
def test_no_text_that_is_asked_for_harms_the_view(journal: ListJournal, key: str) -> None:
    view = open_view(None, journal)
    view.catch_up(journal)
    with view.writing():
        try:
            assert () == queries.entity_by_name(view, key, journal.head)
        except InvalidArgument:
            assert key == "\ud800"
    with suppress(InvalidArgument):
        queries.line(view, key, journal.head)

    assert whole(journal, view)
    view.close()


def test_a_fault_on_commit_is_reported_and_leaves_no_lock_behind(journal: ListJournal) -> None:
    view = open_view(None, journal)
    view.catch_up(journal, 100)
    view.begin()
    with pytest.raises(EngineFault):
        view.rows("RETURN no_such_function(1)")
    with pytest.raises(EngineFault):
        view.commit(101, b"")
    view.catch_up(journal)

    assert whole(journal, view)
    view.close()


def test_every_process_has_its_own_view(tmp_path: Path, journal: ListJournal) -> None:
    one, two = followed(tmp_path, journal), followed(tmp_path, journal)

    assert 2 == len(files(tmp_path))
    assert whole(journal, one)
    assert whole(journal, two)
    one.close()
    two.discard()
    assert 1 == len(files(tmp_path))


def test_the_same_file_is_not_opened_twice_in_one_process(tmp_path: Path) -> None:
    engine = Engine(tmp_path / "a.view")
    (tmp_path / "link").symlink_to(tmp_path / "a.view")
    with pytest.raises(Conflict):
        Engine(tmp_path / "link")
    engine.close()
    again = Engine(tmp_path / "link")
    assert again.close()


def test_more_checkpoints_than_the_address_space_has_room_for_do_no_harm(tmp_path: Path) -> None:
    engine = Engine(tmp_path / "a.view", space=8 * FRAME_GROUP)
    for number in range(20):
        engine.begin()
        engine.rows("CREATE (:Name {id: $id, seq: $seq})", {"id": str(number), "seq": number})
        engine.commit()
        engine.checkpoint()
    assert engine.close()
    engine = Engine(tmp_path / "a.view")

    assert [[20]] == engine.rows("MATCH (n:Name) RETURN count(n.id)")
    engine.close()


def test_a_file_that_is_no_view_is_a_fault_and_can_be_replaced(tmp_path: Path) -> None:
    (tmp_path / "a.view").write_bytes(b"no view at all" * 1000)
    for _ in range(2):  # the path is not left registered as open
        with pytest.raises(EngineFault):
            Engine(tmp_path / "a.view")


def test_a_cache_that_cannot_be_written_means_a_view_in_memory(tmp_path: Path, journal: ListJournal) -> None:
    (tmp_path / "file").write_text("in the way")
    view = on_disk(tmp_path / "file", journal)

    assert view.in_memory
    view.close()


def test_writing_belongs_to_the_thread_that_began(journal: ListJournal) -> None:
    view = open_view(None, journal)
    with pytest.raises(Conflict):
        view.apply(journal.items[0])
    with view.writing(), pytest.raises(Conflict):
        view.begin()
    view.rollback()  # nothing was begun
    view.close()
    view.close()
    with pytest.raises(StoreError):
        view.catch_up(journal)


@pytest.mark.parametrize("kept_below", [0, 5_000], ids=["on disk", "in memory"])
def test_what_was_rolled_back_can_be_written_afterwards(tmp_path: Path, journal: ListJournal, kept_below: int) -> None:
    view = open_view(tmp_path, journal, in_memory_below=kept_below)
    for seq in range(10, journal.head + 1, 10):
        began = ListJournal(journal.items, bound=seq - 10)
        view.catch_up(began)
        with view.writing():  # and nothing is committed
            for event in journal.items[seq - 10 : seq]:
                view.apply(event)
        view.catch_up(ListJournal(journal.items, bound=seq))

    assert whole(journal, view)
    view.close()


def test_a_snapshot_older_than_the_view_leaves_it_alone(journal: ListJournal) -> None:
    view = open_view(None, journal)
    view.catch_up(journal)

    assert journal.head == view.catch_up(ListJournal(journal.items, bound=50))
    view.close()


def test_a_reader_does_not_wait_for_a_writer_when_there_is_nothing_to_catch_up_with(journal: ListJournal) -> None:
    view = open_view(None, journal)
    view.catch_up(journal)
    done = threading.Event()

    def read() -> None:
        view.catch_up(journal)
        done.set()

    with view.writing():
        thread = threading.Thread(target=read)
        thread.start()
        assert done.wait(10)
        thread.join()
    view.close()


def test_a_view_that_is_far_behind_is_advanced_in_bulk(tmp_path: Path) -> None:
    journal = ListJournal(history(random.Random(13), 1_250))
    view = on_disk(tmp_path, journal)
    view.catch_up(journal, 700)
    before = files(tmp_path)
    view.catch_up(journal)

    assert Way.BULK is way_to(700, journal.head)
    assert before == files(tmp_path)  # advanced where it is, not built anew
    assert whole(journal, view)
    view.close()


def ended(template: Event, seq: int) -> Event:
    """The template's claim again, for one microsecond long ago."""
    assert template.body is not None
    start, end = ({"at": at, "granularity": "instant"} for at in (seq, seq + 1))
    state = {**template.body["state"], "live": True, "valid": {"start": start, "end": end, "confidence": 0.9}}
    claim = {**template.body["claim"], "id": f"x{seq}"}
    return replace(template, seq=seq, body={**template.body, "claim": claim, "state": state})


def test_a_thousand_ended_claims_on_a_line_are_not_among_the_live(events: list[Event]) -> None:
    template = next(event for event in events if event.kind == "claim.recorded")
    assert template.body is not None
    line = template.body["lines"][0]["line"]
    events += [ended(template, len(events) + number) for number in range(1, 1_001)]
    journal = ListJournal(events)
    view = open_view(None, journal)
    view.catch_up(journal)
    live = queries.live_on(view, line, 10**15, 10**15, journal.head)

    assert [] == [row.id for row in live if row.id.startswith("x")]
    assert 1_000 == sum(row.id.startswith("x") for row in queries.line(view, line, journal.head))
    view.close()


def test_what_is_written_beside_the_projection_does_not_make_a_view_in_memory_be_built_anew() -> None:
    journal = ListJournal(history(random.Random(3), 50))
    view = open_view(None, journal)
    view.catch_up(journal)

    assert view.beside(lambda engine: 100_000)
    assert not view.grown
    view.close()
