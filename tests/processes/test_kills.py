"""kill -9 at any instant: what was acknowledged is there, and every view equals a rebuilt one."""

import random
import subprocess
import threading
from pathlib import Path
from typing import TypeAlias

import pytest
from tests.processes.kit import ended, is_sound, memory_of, start

Process: TypeAlias = "subprocess.Popen[str]"


def acknowledged(process: Process, least: int, moment: float) -> list[str]:
    """Let a writer acknowledge so many things, kill it a moment later; the ids of all that it acknowledged."""
    assert process.stdout is not None
    said = [process.stdout.readline() for _ in range(least + 1)]  # the first says that it is ready
    threading.Event().wait(moment)
    process.kill()
    said += process.stdout.readlines()
    process.communicate(timeout=60)
    return [line.strip() for line in said[1:] if line.endswith("\n")]


def is_there(where: Path, ids: list[str]) -> bool:
    """Whether all of it is there, in a memory that is sound."""
    with memory_of(where) as memory:
        for told in ids:
            kind, _, id_ = told.partition(":")
            (memory.claim_at if kind == "claim" else memory.get)(id_)
        return is_sound(memory)


def survives(where: Path, chance: random.Random, kills: int) -> None:
    """Kill one writer after the other; nothing that any of them acknowledged is ever missing."""
    kept: list[str] = []
    for turn in range(kills):
        writer = start(where, f"w{turn}", 10_000)
        kept += acknowledged(writer, chance.randrange(6), chance.random() / 20)
        assert is_there(where, kept[-100:])


def survives_beside_another(where: Path, chance: random.Random, kills: int) -> None:
    """Kill one of two writers, again and again; the other goes on, and its own view is right at the end."""
    other = start(where, "other", 15 * kills)
    killed: list[str] = []
    for turn in range(kills):
        killed += acknowledged(start(where, f"w{turn}", 10_000), chance.randrange(6), chance.random() / 20)
    ids, verdict = ended(other)
    assert (15 * kills, "sound") == (len(ids), verdict)
    assert is_there(where, killed + ids)


def test_what_a_killed_process_acknowledged_is_there(tmp_path: Path) -> None:
    survives(tmp_path, random.Random(2), 2)


def test_a_process_goes_on_beside_one_that_is_killed(tmp_path: Path) -> None:
    survives_beside_another(tmp_path, random.Random(3), 1)


@pytest.mark.slow
def test_what_fifty_killed_processes_acknowledged_is_there(tmp_path: Path) -> None:
    survives(tmp_path, random.Random(5), 50)


@pytest.mark.slow
def test_a_process_goes_on_beside_fifty_that_are_killed(tmp_path: Path) -> None:
    survives_beside_another(tmp_path, random.Random(7), 50)
