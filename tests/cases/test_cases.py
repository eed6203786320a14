"""The black-box cases, file by file: in this process by default, against real server processes when slow is asked for.

`not_yet.txt` lists the cases of what is not built. The comparison is exact: a case that starts to pass must leave it.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
FILES = sorted(path.stem for path in HERE.glob("*.json"))
QUICK = ("contested", "errors")  # the rest is for the check of every change, not for every run of pytest
LISTED = (HERE / "not_yet.txt").read_text(encoding="utf-8").splitlines()
NOT_YET = {line for line in LISTED if line and not line.startswith("#")}
SERVER = f"{sys.executable} -m hornbook.mcp --db-path {{db}}"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(HERE / "run.py"), *arguments], capture_output=True, text=True, check=False, timeout=1200
    )


def ids(name: str) -> set[str]:
    return {case["id"] for case in json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))}


def failing(name: str, tmp_path: Path, *how: str) -> tuple[set[str], str]:
    results = tmp_path / "results.json"
    done = run(str(HERE / f"{name}.json"), "--json", str(results), *how)
    found = json.loads(results.read_text(encoding="utf-8"))
    return {result["id"] for result in found if not result["passed"]}, done.stdout + done.stderr


def test_the_case_files_are_well_formed() -> None:
    done = run("--check", *(str(HERE / f"{name}.json") for name in FILES))

    assert done.returncode == 0, done.stdout


def test_every_case_that_is_not_yet_expected_exists() -> None:
    assert set().union(*map(ids, FILES)) >= NOT_YET


def as_expected(name: str, tmp_path: Path, *how: str) -> None:
    failed, told = failing(name, tmp_path, *how)
    expected = NOT_YET & ids(name)

    assert failed <= expected, told
    assert failed == expected, f"these hold now, take them out of not_yet.txt: {sorted(expected - failed)}"


@pytest.mark.parametrize("name", QUICK)
def test_the_cases_hold_in_process(name: str, tmp_path: Path) -> None:
    as_expected(name, tmp_path, "--in-process", "--jobs", "4")


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({*FILES} - {*QUICK}))
def test_the_other_cases_hold_in_process(name: str, tmp_path: Path) -> None:
    as_expected(name, tmp_path, "--in-process", "--jobs", "4")


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_the_cases_hold_over_stdio(name: str, tmp_path: Path) -> None:
    as_expected(name, tmp_path, "--server", SERVER, "--jobs", "2")
