"""The guide to the pages: its commands start, its keys are those of the pages, its pictures are there and small."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest
from tests.mcp.serving import environment

from hornbook.explore.shell import KEYS
from hornbook.memory import Memory
from hornbook.settings import Settings

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "how-to" / "explore.md").read_text(encoding="utf-8")
COMMANDS = [line for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()]
LARGEST = 150_000  # bytes of a picture


@pytest.mark.parametrize("command", COMMANDS, ids=lambda one: one.rpartition(" ")[2])
def test_a_command_shows_what_the_page_says(command: str, tmp_path: Path) -> None:
    settings = Settings(cache_dir=str(tmp_path / "cache"))
    with Memory.open(tmp_path / "memories", user="ana", settings=settings) as memory:
        memory.claim("Nora", "lives_in", "Bergen", speaker="Ana")
        memory.claim("Nora", "lives_in", "Oslo", speaker="Ben")
    name, *rest = shlex.split(command)
    assert "hornbook" == name
    arguments = [sys.executable, "-m", name, *rest, "--no-browser"]
    with subprocess.Popen(
        arguments, stdout=subprocess.PIPE, text=True, env=environment(tmp_path), cwd=tmp_path
    ) as process:
        assert process.stdout is not None
        try:
            link = re.search(r"http://\S+", process.stdout.readline())
            assert link is not None
            with httpx2.Client(follow_redirects=True, timeout=60) as browser:
                assert "The memory of ana" in browser.get(link[0]).text
                line = browser.get(f"{link[0].partition('?')[0]}line?subject=Nora&predicate=lives_in").text
        finally:
            process.terminate()
            process.wait(timeout=60)

    assert ("--write" in command) == ("What holds?" in line)


def test_every_key_is_named() -> None:
    keys = {key for shown, _ in KEYS for key in re.split(r", | or | and ", shown)} - {"arrows"}

    assert [] == [key for key in keys if f"`{key}`" not in PAGE]


def test_every_picture_is_there_and_small() -> None:
    named = {DOCS / "how-to" / one for one in re.findall(r'(?:src|srcset)="([^"]+)"', PAGE)}

    assert {one.resolve() for one in named} == {one.resolve() for one in (DOCS / "pictures").glob("explore-*.png")}
    assert [] == [one.name for one in named if one.stat().st_size >= LARGEST]
