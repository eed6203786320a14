"""Several processes claim different things on one line at once: nothing is lost, and all come to the same belief."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.processes.claimer import LINE, VALUES, believed
from tests.processes.kit import HERE, memory_of


def start(where: Path, name: str, count: int) -> "subprocess.Popen[str]":
    """A process that claims."""
    command = [sys.executable, str(HERE / "claimer.py"), str(where), name, str(count)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def refs_of(process: "subprocess.Popen[str]", count: int) -> list[str]:
    """What a process says until it has made all its claims."""
    assert process.stdout is not None
    said = [process.stdout.readline().strip() for _ in range(count + 1)]
    assert "ready" == said[0]
    return said[1:]


def told_of(process: "subprocess.Popen[str]") -> dict[str, Any]:
    """What it believes in the end."""
    said, _ = process.communicate("\n", timeout=120)
    found: dict[str, Any] = json.loads(said)
    return found


def all_claim(where: Path, names: str, count: int) -> None:
    """So many processes make so many claims each; then each is asked, and a newcomer."""
    processes = [start(where, name, count) for name in names]
    refs = [ref for process in processes for ref in refs_of(process, count)]
    beliefs = [told_of(process) for process in processes]
    with memory_of(where) as memory:
        last = json.loads(json.dumps(believed(memory)))
    assert [{**last, "sound": True}] * len(names) == beliefs
    assert len(names) * count == len(set(refs)) == len(last["claims"])
    assert set(refs) == set(last["claims"])
    assert "Contested" == last["status"]
    assert len(names) * count == sum(evidence for _, evidence in last["sides"])
    assert len(names) * min(VALUES, count) == len(last["sides"])
    assert all(rivals for _, rivals in last["claims"].values())


def test_two_processes_on_one_line_come_to_the_same_belief(tmp_path: Path) -> None:
    all_claim(tmp_path, "ab", 6)


@pytest.mark.slow
def test_four_processes_on_one_line_lose_nothing(tmp_path: Path) -> None:
    all_claim(tmp_path, "abcd", 60)


def test_a_contest_that_one_process_ends_is_over_in_the_other(tmp_path: Path) -> None:
    with memory_of(tmp_path) as memory:
        memory.claim(*LINE, "a-0", source="a letter")
        process = start(tmp_path, "b", 1)
        refs_of(process, 1)
        assert "Contested" == memory.believe(*LINE).status
        memory.resolve(*LINE, "winner", winner="a-0", reason="asked her")
        said = told_of(process)
        assert [] == said["sides"] and "Contested" not in said["markers"] and said["sound"]
