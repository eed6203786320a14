"""The programs and commands of the how-to on ingesting run as they stand, and it names every setting."""

import re
import shlex
from pathlib import Path

import pytest

from hornbook.cli import main
from hornbook.settings import Extraction

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "ingest.md").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("config", "cache", "data"):
        monkeypatch.setenv(f"XDG_{name.upper()}_HOME", str(tmp_path / name))
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.txt").write_text("Ana lives in Oslo.")
    (tmp_path / "diary.md").write_text("# Monday\nBob works for Acme.\n")
    (tmp_path / "export").mkdir()
    (tmp_path / "export" / "conversations.json").write_text('[{"role": "user", "content": "Hi"}]')


def test_the_programs_print_what_they_promise(capsys: pytest.CaptureFixture[str]) -> None:
    for program in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        exec(compile(program, "ingest.md", "exec"), {"__name__": "__main__"})

    assert [
        "extracted 1",
        "extracted 1",
        "refused 0",
        "2 stored, 1 failed: ['content is blank']",
        "Lena lives in Bergen",
        "2 known, 0 new",
        "0 read now",
        "Tally(1 text, 1 stored, 1 extracted, 1 claim, 2 entities)",
        "notes/a.txt 0 Ana lives in Oslo.",
    ] == capsys.readouterr().out.splitlines()


def test_the_first_command_runs(capsys: pytest.CaptureFixture[str]) -> None:
    command = re.findall(r"^\$ hornbook (.*)$", PAGE, re.MULTILINE)[0]

    assert 0 == main([*shlex.split(command), "--json"])
    assert '"stored": 3' in capsys.readouterr().out


def test_every_setting_of_the_extraction_is_named() -> None:
    assert [] == [name for name in Extraction.model_fields if f"`{name.upper()}`" not in PAGE]
