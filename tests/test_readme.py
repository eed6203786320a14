"""The README's program and commands run as they stand, and its figures are those of the reference."""

import json
import re
import tomllib
from pathlib import Path

import pytest
from tests.docs.pages import blocks
from tests.docs.walk import commands, masked

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"


def test_the_python_example_prints_what_stands_below_it(capsys: pytest.CaptureFixture[str]) -> None:
    ((program, wanted),) = re.findall(
        r"```python\n(.*?)```\n\n```text\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL
    )
    exec(compile(program, "README.md", "exec"), {})
    assert masked(wanted) == masked(capsys.readouterr().out)


def test_the_configuration_starts_our_server() -> None:
    (told,) = re.findall(r"```json\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]

    assert {"command": "hornbook-mcp"} == json.loads(told)["mcpServers"]["hornbook"]
    assert "hornbook-mcp" in scripts


def test_the_commands_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("config", "cache", "data"):
        monkeypatch.setenv(f"XDG_{name.upper()}_HOME", str(tmp_path / name))
    Path("notes.md").write_text("# Home\nI live in Munich.\n\n# Keys\nThe spare key is under the blue pot.\n")

    assert 6 == sum(commands(README, block) for block in blocks(README) if block.language == "console")


def test_the_figures_stand_in_the_reference() -> None:
    told = README.read_text(encoding="utf-8")
    measured = (ROOT / "docs" / "reference" / "performance.md").read_text(encoding="utf-8")

    def row(pattern: str) -> float:
        found = re.search(pattern, measured, re.MULTILINE)
        assert found is not None, pattern
        return float(found[1])

    store = row(r"^\| `memory_store`, over MCP \| 1,000 \| ([\d.]+)")
    search = row(r"^\| `memory_retrieve`, over MCP \| 10,000 \| ([\d.]+)")
    claim = row(r"^\| hornbook, over MCP \| 1,000 \| 1 \| ([\d.]+)")
    assert (
        f"some {store:.0f} ms of CPU over MCP, a claim {claim:.0f}, a search among\n  10,000 texts {search:.0f}."
        in told
    )
    evidence, packed = (row(rf"^\| {what}.*?\| .*?\| ([\d.]+) %") for what in ("evidence among", "all evidence"))
    assert f"LoCoMo {evidence:.0f} %" in told and f"{packed:.0f} % of the questions" in told
