"""`hornbook rules`, `ask` and `why`, told as one story."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from hornbook.cli import main
from hornbook.memory import Memory

Run = Callable[..., str]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command on a store where Ana lives in Munich, and give what it prints."""
    monkeypatch.chdir(tmp_path)
    where = str(tmp_path / "ana.hornbook")
    with Memory.open(where, user="ana") as memory:
        memory.claim("Ana", "lives_in", "Munich", valid_from="2020", evidence="I live in Munich", speaker="Ana")
        memory.claim("Munich", "located_in", "Germany", valid_from="1900")
    (tmp_path / "country.hb").write_text("in_country(x, c) :- lives_in(x, y), located_in(y, c).", encoding="utf-8")

    def ran(*arguments: str, status: int = 0) -> str:
        assert main([*arguments, "--db-path", where, "--user", "ana"]) == status
        told = capsys.readouterr()
        return told.err if status else told.out

    return ran


def test_rules_are_added_asked_explained_and_removed(run: Run) -> None:
    assert 1 == json.loads(run("rules", "country.hb", "--dry-run", "--json"))["derived"]
    (rule,) = json.loads(run("rules", "country.hb", "--json"))["rules"]
    assert rule["rule_id"] in run("rules")
    assert [["Ana", "Germany"]] == json.loads(run("ask", "in_country(x, c)", "--json"))["rows"]
    assert "yes\n" == run("ask", 'in_country("Ana", "Germany")')
    assert "“I live in Munich” (Ana)" in run("why", 'in_country("Ana", "Germany")')
    assert run("why", 'in_country("Ana", "Germany")', "--mermaid").startswith("graph TD")
    assert "removed" in run("rules", "--remove", rule["rule_id"])
    assert "no rules\n" == run("rules", "--list")


def test_a_fault_is_shown_with_a_caret_and_the_mend(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.hb").write_text("p(x) :- lives_in(x, y).", encoding="utf-8")
    told = run("rules", "bad.hb", status=2)

    assert "singleton at line 1, column 21" in told and "^" in told and "write _y or _" in told
    assert "did you mean lives_in?" in run("ask", "livs_in(x, y)", status=2)
