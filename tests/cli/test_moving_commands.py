"""The commands that carry a memory elsewhere, and those that take things out of it, on stores of their own."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hornbook.cli import main
from hornbook.graph.errors import StoreMoved
from hornbook.memory import Memory

Told = Callable[..., Any]


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Told:
    """Run a command with --json on the test's own store, which has two things in it, and read what it prints."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("HORNBOOK_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("HORNBOOK_DB_PATH", str(tmp_path / "memories"))
    monkeypatch.setenv("HORNBOOK_USER_ID", "ana")
    monkeypatch.setenv("HORNBOOK_EMBEDDING__PROVIDER", "static")
    with Memory.open() as memory:
        memory.claim("Ana", "lives_in", "Berlin", source="letters")
        memory.claim("Ben", "likes", "tea", source="notes")

    def run(*arguments: str, status: int = 0) -> Any:
        assert main([*arguments, "--json"]) == status, capsys.readouterr().err
        out = capsys.readouterr().out
        return json.loads(out) if out else None

    return run


def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """From now on the commands speak of another store, which is not there yet."""
    monkeypatch.setenv("HORNBOOK_DB_PATH", str(tmp_path / "elsewhere"))


def test_an_export_is_imported_elsewhere(told: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = told("history", "Ana")
    assert told("export", "ana.jsonl")["lines"] > 2
    elsewhere(monkeypatch, tmp_path)
    assert told("import", "ana.jsonl")["events"]
    assert told("import", "ana.jsonl")["events"] == 0
    assert told("history", "Ana") == before


def test_an_export_goes_to_the_terminal_too(told: Told, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[0])["format"] == "hornbook"


def test_nothing_that_is_there_is_overwritten_unless_it_is_said(told: Told) -> None:
    told("backup", "copy.db")
    told("backup", "copy.db", status=1)
    told("restore", "copy.db", status=1)
    told("undo")
    assert told("history", "Ben")[0]["disposition"] == "Rejected"
    told("restore", "copy.db", "--overwrite")
    assert told("history", "Ben")[0]["disposition"] == "CommittedCheap"


def test_a_restore_says_how_the_two_stand_to_each_other(
    told: Told, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told("backup", "copy.db")
    told("undo")
    assert main(["restore", "copy.db"]) == 1
    assert "more than the copy" in capsys.readouterr().err
    monkeypatch.setenv("HORNBOOK_DB_PATH", str(tmp_path / "elsewhere"))
    told("restore", "copy.db")
    with Memory.open() as memory:
        memory.claim("Ben", "likes", "coffee")
    told("backup", "other.db")
    monkeypatch.setenv("HORNBOOK_DB_PATH", str(tmp_path / "memories"))
    assert main(["restore", "other.db"]) == 1
    assert "forked" in capsys.readouterr().err


def test_a_memory_that_is_open_is_told_that_its_file_was_replaced(told: Told) -> None:
    told("backup", "copy.db")
    with Memory.open() as memory:
        memory.claim("Cleo", "likes", "chess")
        told("restore", "copy.db", "--overwrite")
        with pytest.raises(StoreMoved):
            memory.claim("Cleo", "likes", "go")
    assert told("history", "Cleo") == []


def test_a_damaged_copy_is_refused(told: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told("backup", "copy.db")
    path = tmp_path / "copy.db"
    path.write_bytes(path.read_bytes().replace(b"letters", b"lEtters"))
    elsewhere(monkeypatch, tmp_path)
    told("restore", "copy.db", status=1)
    assert not (tmp_path / "elsewhere" / "ana" / "journal.db").exists()


def test_a_pack_is_opened_where_it_is_and_brought_back(
    told: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told("pack", "ana.db", status=2)
    told("pack", "ana.hornbook")
    before = told("history", "Ana")
    assert told("history", "Ana", "--db-path", "ana.hornbook") == before
    elsewhere(monkeypatch, tmp_path)
    told("restore", "ana.hornbook")
    assert told("history", "Ana") == before


def test_a_view_is_rebuilt(told: Told) -> None:
    assert told("rebuild")["events"] == told("stats")["events"]


def test_changes_are_followed_by_the_cursor(told: Told) -> None:
    page = told("changes")
    assert [one["kind"] for one in page["changes"]].count("claim.recorded") == 2
    told("undo")
    more = told("changes", "--cursor", page["next_cursor"])["changes"]
    assert more[-1]["kind"] == "transaction.undone"


def test_what_came_from_a_source_is_forgotten_and_erased(told: Told) -> None:
    assert told("forget", "--source", "letters", "--dry-run")["claims"] == 1
    assert told("forget", "--source", "letters")["claims"] == 1
    assert told("history", "Ana")[0]["disposition"] == "Invalidated"
    done = told("erase", "--source", "letters")
    assert (done["status"], done["claims"]) == ("done", 1)
    assert told("erase", "--finish")["status"] == "done"
    assert told("history", "Ana") == []
    told("forget", status=2)
    told("erase", status=2)


@pytest.mark.parametrize("command", [["changes"], ["undo"], ["erase", "--source", "letters"], ["rebuild"]])
def test_a_person_gets_a_table(told: Told, capsys: pytest.CaptureFixture[str], command: list[str]) -> None:
    assert main(command) == 0
    assert "┃" in capsys.readouterr().out


def test_anothers_export_is_taken_in_only_where_its_owner_is_named(
    told: Told, capsys: pytest.CaptureFixture[str]
) -> None:
    told("export", "ana.jsonl")
    assert main(["import", "ana.jsonl", "--user", "ben"]) == 1
    assert "--owner" in capsys.readouterr().err
    assert told("stats", "--user", "ben")["events"] == 0
    assert told("import", "ana.jsonl", "--user", "ben", "--owner", "ana")["events"] > 0


def test_a_blank_user_is_nobody(told: Told, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", "--user", " "]) == 2
    assert "the user is blank" in capsys.readouterr().err


def test_the_doctor_names_whose_memories_there_are(told: Told) -> None:
    for user in ("Åsa", "ben"):
        with Memory.open(user=user) as memory:
            memory.claim("Ana", "likes", "tea")
    (found,) = [check["found"] for check in told("doctor")["checks"] if check["check"] == "users"]
    assert sorted(["Åsa", "ana", "ben"]) == sorted(found.split(", "))
