"""The code of the how-to on notebooks runs as it stands, and the page names every notebook and every display."""

import re
from pathlib import Path

import pytest

from hornbook.memory import Memory

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "how-to" / "notebooks.md").read_text(encoding="utf-8")


def test_the_code_shows_what_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    code = "\n".join(re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))
    exec(compile(code, "notebooks.md", "exec"), {"__name__": "__main__"})

    printed = capsys.readouterr().out.splitlines()
    (lines,) = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
    picture, *tables = printed[len(lines.splitlines()) :]
    assert lines.splitlines() == printed[: -len(tables) - 1]
    assert picture.startswith("Picture('around Ana, as true ")
    assert ["predicate", "value", "disposition"] == tables[0].split()
    assert ["lives_in", "Munich", "Contested"] == tables[2].split()
    assert ["lives_in", "Resolved", "Berlin"] == tables[5].split()
    saved = {"ana-lives-in.svg", "ana-2020.svg", "ana-2020.png", "ana.html"}
    assert saved == {file.name for file in tmp_path.iterdir()}


def test_every_notebook_is_named() -> None:
    assert {file.name for file in (ROOT / "notebooks").glob("*.ipynb")} == set(re.findall(r"`([\w-]+\.ipynb)`", PAGE))


def test_what_is_named_is_there() -> None:
    named = set(re.findall(r"memory\.(\w+)\(", PAGE))

    assert {"timeline", "show", "plot", "claims_frame", "lines_frame", "graph"} <= named
    assert not [name for name in named if not hasattr(Memory, name)]
