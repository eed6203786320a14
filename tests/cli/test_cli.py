"""The command line: help without weight, errors in one line, exit status that means something."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from hornbook.cli import main

HEAVY = ("numpy", "kuzu", "pyarrow", "onnxruntime", "spacy", "litellm", "duckdb", "networkx", "pandas", "mcp.server")


@pytest.fixture(autouse=True)
def _away_from_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("HORNBOOK_DB_PATH", str(tmp_path / "memories"))


def test_help_names_every_command_and_loads_nothing_heavy() -> None:
    probe = (
        "import sys; from hornbook.cli import main; status = main(['--help']);"
        f"sys.exit(status or str([name for name in {HEAVY!r} if name in sys.modules] or ''))"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=False, timeout=60)

    assert done.stderr.strip() == ""
    for command in (
        "demo",
        "ingest",
        "extract",
        "search",
        "history",
        "contested",
        "resolve",
        "stats",
        "doctor",
        "serve",
    ):
        assert command in done.stdout


def test_an_unknown_command_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nonsense"]) == 2
    assert "nonsense" in capsys.readouterr().err


def test_a_malformed_setting_is_one_line_with_its_mend(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HORNBOOK_USERID", "ana")
    status = main(["stats"])

    assert status == 2
    assert capsys.readouterr().err == "hornbook: HORNBOOK_USERID is not a setting; did you mean HORNBOOK_USER_ID?\n"


def test_serve_takes_the_flags_of_the_server(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--transport", "sse"]) == 2
    assert "stdio" in capsys.readouterr().err


def test_extract_answers_line_by_line_and_names_what_it_could_not_read(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = '{"id": 7, "text": "Ana lives in Munich."}\nnot json\n'
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
    status = main(["extract", "--format", "jsonl"])

    out, err = capsys.readouterr()
    (answer,) = (json.loads(line) for line in out.splitlines())
    assert (status, answer["id"]) == (3, 7)
    assert {"subject": "Ana", "predicate": "lives_in", "object": "Munich"}.items() <= answer["claims"][0].items()
    assert err == "hornbook: line 2: not JSON\n"
