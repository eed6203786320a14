"""The commands that work on a memory, told as one story on a store of their own."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hornbook.cli import main

STORY = """\
{"text": "I live in Oslo.", "speaker": "Mia", "role": "participant", "occurred_at": "2024-01-01"}
{"text": "Mia lives in Rome.", "speaker": "Tom", "role": "participant", "occurred_at": "2024-02-01"}
"""

Told = Callable[..., Any]


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Told:
    """Run a command with --json on the test's own store, and read what it prints."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("HORNBOOK_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("HORNBOOK_DB_PATH", str(tmp_path / "memories"))
    (tmp_path / "story.jsonl").write_text(STORY, encoding="utf-8")

    def run(*arguments: str, status: int = 0) -> Any:
        assert main([*arguments, "--json"]) == status, capsys.readouterr().err
        return json.loads(capsys.readouterr().out)

    return run


def test_a_dispute_is_read_in_listed_settled_and_remembered(told: Told) -> None:
    read = {"texts": 2, "stored": 2, "known": 0, "extracted": 2, "failed": 0, "claims": 2, "entities": 3, "left_out": 0}
    assert told("ingest", "story.jsonl") == read
    (line,) = told("contested")["lines"]
    assert {side["value"] for side in line["sides"]} == {"Oslo", "Rome"}

    resolution = told("resolve", "Mia", "lives_in", "winner", "--winner", "Rome", "--reason", "asked her")
    assert resolution["status"] == "Resolved"

    assert told("contested")["lines"] == []
    ended = {entry["fact"]["value"]: entry["disposition"] for entry in told("history", "Mia", "lives_in")}
    assert ended["Oslo"] == "Superseded"


def test_reading_a_file_again_stores_nothing_again(told: Told) -> None:
    told("ingest", "story.jsonl")
    before = told("stats")
    again = told("ingest", "story.jsonl")

    assert (again["known"], again["stored"], again["claims"]) == (2, 0, 0)
    assert told("stats") == before


def test_what_was_read_is_found(told: Told) -> None:
    told("ingest", "story.jsonl")

    assert told("search", "where does Mia live", "--limit", "1")["count"] == 1


def test_a_part_that_fails_leaves_the_rest_done(told: Told, tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text('{"text": "Fine."}\n{"text": "Not.", "role": "alien"}\n', encoding="utf-8")
    counts = told("ingest", "bad.jsonl", status=3)

    assert (counts["texts"], counts["stored"], counts["failed"]) == (2, 1, 1)


def test_the_doctor_walks_the_chain_and_finds_what_was_changed(told: Told, tmp_path: Path) -> None:
    told("ingest", "story.jsonl")
    assert told("doctor")["events"] == told("stats")["events"]

    journal = tmp_path / "memories" / "mcp_user" / "journal.db"
    with sqlite3.connect(journal) as database:
        database.execute("UPDATE event SET kind = 'memory.deleted' WHERE seq = 2")
    database.close()
    assert told("doctor", status=1)["status"] == "damaged"


def test_the_doctor_makes_nothing(told: Told, tmp_path: Path) -> None:
    assert told("doctor")["events"] == 0
    assert not (tmp_path / "memories").exists()


def test_tables_show_whole_ids_and_who_said_what(
    told: Told, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told("ingest", "story.jsonl")
    (line,) = told("contested")["lines"]
    monkeypatch.setenv("COLUMNS", "160")
    assert main(["contested"]) == 0

    shown = capsys.readouterr().out
    assert "Tom: Mia lives in Rome." in shown
    assert all(side["claim_ref"] in shown for side in line["sides"])


def test_nothing_to_resolve_is_one_line_and_status_one(told: Told, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["resolve", "nobody", "lives_in", "none", "--reason", "x"]) == 1
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1) and err.startswith("hornbook: ")


def test_a_history_says_what_does_not_hold(told: Told, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "moved.txt").write_text("I moved from Lyon to Ghent in March 2024.", encoding="utf-8")
    told("ingest", "moved.txt", "--user", "ana")

    assert 0 == main(["history", "ana", "lives_in", "--user", "ana"])
    rows = capsys.readouterr().out
    assert "not Lyon" in rows
    assert "not Ghent" not in rows
