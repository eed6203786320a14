"""Damage is found and named, the good part is readable, and what is not ours or not yet ours is left alone."""

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from hornbook.graph.clock import ticking
from hornbook.graph.errors import (
    Conflict,
    Forbidden,
    HornbookError,
    InvalidArgument,
    NotFound,
    StoreDamaged,
    StoreError,
    StoreNewer,
)
from hornbook.graph.events import Actor, Vocabulary
from hornbook.graph.journal import Damage, Journal, verify
from hornbook.graph.journal.place import check_place

WORDS = Vocabulary({"said": 1}, {})


def reopen(path: Path, read_only: bool = False, pack: bool = False) -> Journal:
    return Journal.open(path, clock=ticking(), vocabulary=WORDS, read_only=read_only, pack=pack)


def written(path: Path, count: int = 20) -> bytes:
    """A closed journal of so many events; its bytes."""
    with reopen(path) as journal:
        for turn in range(count):
            with journal.writing(Actor()) as tx:
                tx.append("said", {"text": f"turn-{turn:04}", "filler": "x" * 600})
    return path.read_bytes()


def flip(path: Path, at: int) -> None:
    """Flip one bit of a file."""
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)


def test_a_flipped_bit_in_a_body_is_named_and_what_is_before_it_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    flip(path, written(path).index(b"turn-0011"))
    with reopen(path) as journal:
        assert Damage(12, "its body was changed") == journal.damage == verify(journal)
        assert journal.read_only
        with journal.reading() as snap:
            assert (11, 11) == (snap.head, len(list(snap.events())))
            assert snap.event(12) is None and 11 == snap.seq_at(2**62)
        with pytest.raises(StoreDamaged, match="at event 12") as told, journal.writing(Actor()):
            raise AssertionError("not reached")
        assert "backup" in str(told.value.hint)
        with pytest.raises(Conflict):
            journal.vacuum()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("UPDATE event SET known_at = known_at + 1 WHERE seq = 5", "its envelope was changed"),
        ("UPDATE event SET process = 'someone else' WHERE seq = 5", "its envelope was changed"),
        ("UPDATE event SET kind = CAST(x'ff' AS TEXT) WHERE seq = 5", "its page of the file cannot be read"),
        ("UPDATE event SET hash = x'00' WHERE seq = 5", "its envelope was changed"),
        ("DELETE FROM event WHERE seq = 5", "it is missing"),
        ("DELETE FROM body WHERE id = 5", "its body is missing"),
        ("UPDATE body SET salt = NULL WHERE id = 5", "its body is missing"),
    ],
)
def test_what_was_changed_behind_our_back_is_named(tmp_path: Path, change: str, reason: str) -> None:
    path = tmp_path / "journal.db"
    written(path)
    raw = sqlite3.connect(path)
    raw.execute(change)
    raw.commit()
    raw.close()
    with reopen(path) as journal, journal.reading() as snap:
        assert Damage(5, reason) == journal.damage
        assert [1, 2, 3, 4] == [event.seq for event in snap.events()]


def test_old_damage_is_found_by_the_whole_check_alone(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with reopen(path) as journal, journal.writing(Actor()) as tx:
        for turn in range(1_100):
            tx.append("said", {"text": f"turn-{turn:04}"})
    flip(path, path.read_bytes().index(b'{"text":"turn-0011"'))
    with reopen(path) as journal:
        with journal.reading() as snap, pytest.raises(StoreDamaged, match="event 12"):
            snap.event(12)
        assert (None, None) == (journal.damage, verify(journal, whole=False))
        assert Damage(12, "its body was changed") == verify(journal)


@pytest.mark.parametrize("share", [0.5, 0.7, 0.9, 0.97])
def test_a_torn_tail_leaves_a_good_prefix_to_read(tmp_path: Path, share: float) -> None:
    path = tmp_path / "journal.db"
    data = written(path, 200)
    path.write_bytes(data[: int(len(data) * share)])
    with reopen(path) as journal:
        assert journal.damage is not None and journal.read_only
        with journal.reading() as snap:
            found = list(snap.events())
            assert list(range(1, snap.head + 1)) == [event.seq for event in found]
            assert all(event.body is not None for event in found)
            assert snap.head == journal.damage.seq - 1 > 50 * share
        with pytest.raises(StoreDamaged), journal.writing(Actor()):
            raise AssertionError("not reached")
    assert data[: int(len(data) * share)] == path.read_bytes()


def test_garbage_anywhere_in_the_file_is_an_answer_or_a_coded_error(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    data = written(path)
    for at in range(0, len(data) - 4096, 4096):
        path.write_bytes(data[:at] + os.urandom(4096) + data[at + 4096 :])
        try:
            with reopen(path) as journal, journal.reading() as snap:
                assert snap.head == len(list(snap.events()))
                snap.lexical("turn", 3)
        except HornbookError as error:
            assert "malformed" not in error.message and str(tmp_path) not in error.message


@pytest.mark.parametrize("content", [b"not a database at all, but long enough to look at" * 40, b"SQLite format 3\0"])
def test_a_file_that_is_no_journal_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "journal.db"
    path.write_bytes(content)
    with pytest.raises(StoreError):
        reopen(path)
    assert content == path.read_bytes()


def test_an_empty_file_becomes_a_journal(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    path.touch()
    with reopen(path) as journal:
        assert 0 == journal.head()


def raw_file(path: Path, *statements: str) -> bytes:
    """A database made by others."""
    raw = sqlite3.connect(path)
    for statement in statements:
        raw.execute(statement)
    raw.commit()
    raw.close()
    return path.read_bytes()


def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    data = raw_file(path, "CREATE TABLE theirs (x)")
    with pytest.raises(StoreError, match="another program"):
        reopen(path)
    assert data == path.read_bytes()


def test_a_newer_journal_is_refused_with_both_versions_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    written(path)
    data = raw_file(path, "PRAGMA journal_mode = DELETE", "PRAGMA user_version = 99")
    for read_only in (False, True):
        with pytest.raises(StoreNewer, match="layout 99, this hornbook reads up to 1"):
            reopen(path, read_only=read_only)
    assert data == path.read_bytes()


def no_parent(path: Path) -> Path:
    (path / "file").touch()
    return path / "file" / "journal.db"


def in_the_kernel(_: Path) -> Path:
    return Path("/proc/hornbook/journal.db")


@pytest.mark.parametrize("place", [lambda path: path, no_parent, in_the_kernel])
def test_a_place_that_does_not_do_is_one_clear_error(tmp_path: Path, place: Callable[[Path], Path]) -> None:
    path = place(tmp_path)
    with pytest.raises(StoreError) as told:
        reopen(path)
    assert told.value.hint and str(path) not in told.value.message


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_directory_that_cannot_be_written_is_one_clear_error(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    written(path)
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(StoreError):
            reopen(path)
        with reopen(path, read_only=True) as journal:
            assert 20 == journal.head()
    finally:
        tmp_path.chmod(0o700)


def test_a_directory_store_on_a_network_is_refused_and_a_pack_is_not(tmp_path: Path) -> None:
    mounts = f"/dev/sda1 / ext4 rw 0 0\nhost:/export {tmp_path} nfs4 rw 0 0\n"
    with pytest.raises(StoreError, match="network") as told:
        check_place(tmp_path / "journal.db", pack=False, mounts=mounts)
    assert "pack" in str(told.value.hint) and "backup" in str(told.value.hint)
    check_place(tmp_path / "name.hornbook", pack=True, mounts=mounts)


def test_reading_only_sees_what_others_write_and_refuses_to(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with pytest.raises(NotFound):
        reopen(path, read_only=True)
    with pytest.raises(InvalidArgument):
        Journal.open(None, clock=ticking(), read_only=True)
    with reopen(path) as journal, reopen(path, read_only=True) as reader:
        with journal.writing(Actor()) as tx:
            tx.append("said", {})
        assert 1 == reader.head()
        with pytest.raises(Conflict), reader.writing(Actor()):
            raise AssertionError("not reached")


def test_a_pack_is_one_file_between_transactions(tmp_path: Path) -> None:
    path = tmp_path / "ana.hornbook"
    with reopen(path, pack=True) as journal:
        for turn in range(3):
            with journal.writing(Actor()) as tx:
                tx.append("said", {"turn": turn})
            held = {file.name for file in tmp_path.iterdir() if file.stat().st_size}
            assert {"ana.hornbook"} == held  # besides the lock's files, which are empty
    assert [path] == list(tmp_path.iterdir())


def test_a_pack_is_bound_to_its_first_owner(tmp_path: Path) -> None:
    path = tmp_path / "ana.hornbook"
    Journal.open(path, clock=ticking(), pack=True, owner="ana").close()
    with pytest.raises(Forbidden):
        Journal.open(path, clock=ticking(), pack=True, owner="ben")
    with Journal.open(path, clock=ticking(), pack=True, owner="ana") as journal:
        assert "ana" == journal.owner


def test_a_pack_becomes_a_directory_store_and_back(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    written(path, 3)
    for pack in (True, False, True):
        with reopen(path, pack=pack) as journal:
            assert 3 == journal.head() and verify(journal) is None


def test_a_journal_that_is_closed_says_so(journal: Journal) -> None:
    journal.close()
    journal.close()
    with pytest.raises(StoreError, match="closed"):
        journal.head()
    with pytest.raises(StoreError, match="closed"), journal.writing(Actor()):
        raise AssertionError("not reached")


def test_a_long_log_is_moved_into_the_file_while_it_is_open(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with reopen(path) as journal:
        for _ in range(12):
            with journal.writing(Actor()) as tx:
                tx.append("said", {"text": "x" * 1_000_000})
        assert path.stat().st_size > 4_000_000
        assert path.with_name("journal.db-wal").stat().st_size < 6_000_000
