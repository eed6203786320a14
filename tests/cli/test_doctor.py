"""`hornbook doctor` and `hornbook config`: what is found, what is to be done, and what is never shown."""

import json
import os
import socket
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from hornbook import checkup
from hornbook.cli import main
from hornbook.graph.errors import ExtractionError
from hornbook.memory import Memory
from hornbook.settings import read

Told = Callable[..., Any]
SECRET = "sk-not-to-be-shown"


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Told:
    """Run a command with --json on the test's own store, and read what it prints."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("HORNBOOK_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("HORNBOOK_DB_PATH", str(tmp_path / "memories"))
    monkeypatch.setenv("HORNBOOK_EMBEDDING__PROVIDER", "static")

    def run(*arguments: str, status: int = 0) -> Any:
        assert main([*arguments, "--json"]) == status, capsys.readouterr().out
        return json.loads(capsys.readouterr().out)

    return run


@pytest.fixture
def memory(told: Told) -> Iterator[Memory]:
    """A memory with one text in it, open."""
    with Memory.open(settings=read()) as opened:
        opened.store("The spare key is under the blue pot.")
        yield opened


def checks(found: Any) -> dict[str, Any]:
    """The checks by name."""
    return {check["check"]: check for check in found["checks"]}


def test_a_sound_memory_is_told_part_by_part(told: Told, memory: Memory) -> None:
    found = told("doctor")

    assert ("ok", "mcp_user") == (found["status"], found["user_id"])
    assert {"files", "write lock", "chain", "views", "vectors", "extraction", "embedding model", "llm"} <= set(
        checks(found)
    )
    assert {"python", "sqlite", "kuzu", "hornbook", "mcp"} <= set(found["versions"])


def test_who_holds_the_write_lock_is_named(told: Told, memory: Memory, tmp_path: Path) -> None:
    with FileLock(tmp_path / "memories" / "mcp_user" / "journal.db.lock"):
        held = checks(told("doctor"))["write lock"]["found"]

    assert held == (f"held by process {os.getpid()}" if checkup.LOCKS.exists() else "held by another process")


def test_without_a_table_of_locks_a_held_one_is_seen_all_the_same(
    told: Told, memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkup, "LOCKS", tmp_path / "no such table")
    assert "free" == checks(told("doctor"))["write lock"]["found"]
    with FileLock(tmp_path / "memories" / "mcp_user" / "journal.db.lock"):
        assert "held by another process" == checks(told("doctor"))["write lock"]["found"]


def test_damage_is_named_by_its_event_with_what_to_do(told: Told, memory: Memory, tmp_path: Path) -> None:
    memory.close()
    with sqlite3.connect(tmp_path / "memories" / "mcp_user" / "journal.db") as database:
        database.execute("UPDATE event SET kind = 'memory.deleted' WHERE seq = 2")
    database.close()
    found = told("doctor", status=1)

    assert "damaged" == found["status"]
    assert found["damage"].startswith("event 2")
    assert "backup" in checks(found)["chain"]["mend"]


def test_a_file_that_is_no_store_is_damage_and_no_traceback(told: Told, tmp_path: Path) -> None:
    folder = tmp_path / "memories" / "mcp_user"
    folder.mkdir(parents=True)
    (folder / "journal.db").write_bytes(b"no database" * 1000)

    assert "damaged" == told("doctor", status=1)["status"]


def test_vectors_of_another_model_want_attention(told: Told, memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HORNBOOK_EMBEDDING__PROVIDER", "openai")
    monkeypatch.setenv("HORNBOOK_EMBEDDING__MODEL", "another")
    vectors = checks(told("doctor", status=3))["vectors"]

    assert ("warning", True) == (vectors["status"], "another" in vectors["found"])


class Failing:
    """An extractor that reads nothing."""

    def extract(self, passage: Any) -> Any:
        raise ExtractionError("the model is out")

    def extract_many(self, passages: Any) -> Any:
        raise ExtractionError("the model is out")


def test_a_text_whose_extraction_failed_is_counted(told: Told) -> None:
    with Memory.open(settings=read(), extractor=Failing()) as opened:
        opened.ingest("Ana lives in Munich.")
    extraction = checks(told("doctor", status=3))["extraction"]

    assert extraction["found"].startswith("1 texts")
    assert "reextract" in extraction["mend"]


@pytest.mark.parametrize("there", [True, False])
def test_the_server_of_a_model_is_tried(there: bool, told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        monkeypatch.setenv("HORNBOOK_EXTRACTION__MODEL", "some-model")
        monkeypatch.setenv("HORNBOOK_EXTRACTION__BASE_URL", f"http://127.0.0.1:{server.getsockname()[1]}/v1")
        if not there:
            server.close()
        llm = checks(told("doctor", status=0 if there else 3))["llm"]

    assert ("ok" if there else "warning") == llm["status"]


def test_a_model_that_does_not_answer_is_said_when_it_is_asked(told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    monkeypatch.setenv("HORNBOOK_EXTRACTION__MODEL", "some-model")
    monkeypatch.setenv("HORNBOOK_EXTRACTION__BASE_URL", f"http://127.0.0.1:{port}/v1")
    monkeypatch.setenv("HORNBOOK_EXTRACTION__RETRIES", "0")

    assert "warning" == checks(told("doctor", "--ask-model", status=3))["llm answer"]["status"]


def test_the_doctor_reads_well_on_a_terminal(told: Told, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0

    assert "nothing is stored yet" in capsys.readouterr().out


def test_every_setting_is_shown_with_the_place_it_comes_from_and_no_secret(
    told: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "c.toml").write_text('agent_id = "of file"\nuser_id = "of file"\n[scoring.weights]\nlexical = 0.5\n')
    (tmp_path / ".env").write_text(f"LLM_API_KEY={SECRET}\nHORNBOOK_USER_ID=of-dotenv\n")
    monkeypatch.setenv("HORNBOOK_MCP_USER_KEYS", f"ana:{SECRET}")
    found = told("config", "--show", "--config", "c.toml", "--user", "ana")
    by_name = {one["setting"]: (one["value"], one["from"]) for one in found["settings"]}

    assert ("ana", "flag") == by_name["HORNBOOK_USER_ID"]
    assert ("of file", "config file") == by_name["HORNBOOK_AGENT_ID"]
    assert ("********", ".env") == by_name["HORNBOOK_EXTRACTION__API_KEY"]
    assert ("********", "environment") == by_name["HORNBOOK_MCP_USER_KEYS"]
    assert (0.5, "config file") == by_name["HORNBOOK_SCORING__WEIGHTS__LEXICAL"]
    assert ("rrf", "default") == by_name["HORNBOOK_SCORING__FUSION"]
    assert SECRET not in json.dumps(found)


def test_the_settings_are_a_table_too_and_secrets_are_not_in_it(
    told: Told, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HORNBOOK_EXTRACTION__API_KEY", SECRET)
    monkeypatch.setenv("COLUMNS", "200")
    assert main(["config"]) == 0

    out = capsys.readouterr().out
    assert "HORNBOOK_EXTRACTION__API_KEY" in out
    assert SECRET not in out
