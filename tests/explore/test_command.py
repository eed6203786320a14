"""The command as a process: what it prints, how it ends, and what it does not load."""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest
from tests.mcp.serving import environment

from hornbook.memory import Memory
from hornbook.settings import Settings


@contextmanager
def exploring(where: Path, *flags: str) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """The command, and the link that it printed."""
    command = [sys.executable, "-m", "hornbook", "explore", "--db-path", str(where / "memories"), "--user", "ana"]
    with subprocess.Popen(
        [*command, "--no-browser", *flags], stdout=subprocess.PIPE, text=True, env=environment(where), cwd=where
    ) as process:
        assert process.stdout is not None
        try:
            link = re.search(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{32}", process.stdout.readline())
            assert link is not None
            yield process, link[0]
        finally:
            if process.poll() is None:
                process.kill()


def remember(where: Path, value: str) -> None:
    settings = Settings(cache_dir=str(where / "cache"))
    with Memory.open(where / "memories", user="ana", settings=settings) as memory:
        memory.claim("Ana", "lives_in", value, valid_from="2020")


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_it_follows_other_writers_and_ends_in_order(tmp_path: Path, stop: signal.Signals) -> None:
    remember(tmp_path, "Berlin")
    with exploring(tmp_path) as (process, link), httpx2.Client(follow_redirects=True, timeout=60) as browser:
        assert "The memory of ana" in browser.get(link).text
        page = link.partition("?")[0] + "line?subject=Ana&predicate=lives_in"
        assert "Berlin" in browser.get(page).text
        remember(tmp_path, "Munich")
        assert "Munich" in browser.get(page).text
        process.send_signal(stop)

        assert 0 == process.wait(timeout=60)
    remember(tmp_path, "Oslo")


def test_a_port_that_is_taken_is_said_in_one_line(tmp_path: Path) -> None:
    with exploring(tmp_path) as (_, link):
        port = link.partition("127.0.0.1:")[2].partition("/")[0]
        command = [sys.executable, "-m", "hornbook", "explore", "--db-path", ":memory:", "--no-browser", "--port", port]
        ended = subprocess.run(command, capture_output=True, text=True, env=environment(tmp_path), timeout=60)

    assert 2 == ended.returncode
    assert f"port {port} cannot be listened on" in ended.stderr and 1 == len(ended.stderr.splitlines())


def test_the_other_commands_load_nothing_of_it() -> None:
    probe = "import json, sys, hornbook.cli; print(json.dumps(sorted(sys.modules)))"
    loaded = json.loads(
        subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True).stdout
    )

    assert not [one for one in loaded if one.startswith(("starlette", "uvicorn", "hornbook.explore"))]
