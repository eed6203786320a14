"""`hornbook organize` on a store of its own."""

import json
from pathlib import Path

import pytest

from hornbook.cli import main


@pytest.fixture(autouse=True)
def _own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("HORNBOOK_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("HORNBOOK_DB_PATH", str(tmp_path / "memories"))


def test_the_jobs_named_run_and_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == main(["organize", "decay", "archive", "--json"])
    assert ["decay", "archive"] == json.loads(capsys.readouterr().out)["jobs_run"]
    assert 0 == main(["organize", "decay"])
    assert "decay is worked out on read" in " ".join(capsys.readouterr().out.split())


def test_a_budget_that_did_not_reach_all_is_status_3(capsys: pytest.CaptureFixture[str]) -> None:
    assert 3 == main(["organize", "--budget-ms", "0", "--json"])
    assert "promote" in json.loads(capsys.readouterr().out)["left"]


def test_an_unknown_job_is_a_usage_error_that_lists_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert 2 == main(["organize", "polish"])
    assert "deduplicate" in capsys.readouterr().err
