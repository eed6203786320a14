"""The commands of the pages on keeping, moving, forgetting and erasing run as they stand, in their order."""

import json
import re
import shlex
from pathlib import Path

import pytest

from hornbook.cli import main
from hornbook.memory import Memory

PAGES = Path(__file__).parents[2] / "docs" / "how-to"
RELATION = {"type": "relation", "from": "Ana", "to": "Acme", "relationType": "works for"}
PARTLY = 3


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A memory with something from a source, and a file of another system."""
    monkeypatch.chdir(tmp_path)
    for name in ("config", "cache", "data"):
        monkeypatch.setenv(f"XDG_{name.upper()}_HOME", str(tmp_path / name))
    monkeypatch.setenv("HORNBOOK_EMBEDDING__PROVIDER", "static")
    monkeypatch.setenv("HORNBOOK_DB_PATH", str(tmp_path / "memories"))
    (tmp_path / "memory.jsonl").write_text(json.dumps(RELATION), encoding="utf-8")
    with Memory.open() as memory:
        memory.store("The spare key is under the blue pot.", source="letters")
        memory.claim("Ana", "lives_in", "Berlin", source="letters")
        memory.claim("Ben", "likes", "tea")


@pytest.mark.parametrize("name", ["keep-and-move.md", "forget.md"])
def test_every_command_of_the_page_does_what_it_says(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    commands = re.findall(r"^\$ hornbook (.*)$", (PAGES / name).read_text(encoding="utf-8"), re.MULTILINE)
    assert len(commands) > 4
    for command in commands:
        wanted = PARTLY if "--from" in command else 0  # the reference server's file says neither when nor who
        assert main([*shlex.split(command), "--json"]) == wanted, capsys.readouterr().err
        assert json.loads(capsys.readouterr().out)


def test_the_page_names_every_scope_and_every_system() -> None:
    from hornbook.extraction.importers.bring import SYSTEMS

    forget = (PAGES / "forget.md").read_text(encoding="utf-8")
    move = (PAGES / "keep-and-move.md").read_text(encoding="utf-8")
    assert [] == [name for name in ("source", "session", "client", "episode") if f"`--{name} " not in forget]
    assert [] == [name for name in SYSTEMS if f"`{name}`" not in move]
