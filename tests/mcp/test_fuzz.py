"""A short run of the fuzz that `benchmarks/fuzz.py` runs at length."""

import subprocess
import sys
from pathlib import Path

import pytest

FUZZ = Path(__file__).parents[2] / "benchmarks" / "fuzz.py"


@pytest.mark.slow
def test_three_hundred_random_calls_break_nothing_and_nothing_crosses_over() -> None:
    done = subprocess.run(
        [sys.executable, str(FUZZ), "--calls", "300"], capture_output=True, text=True, check=False, timeout=900
    )

    assert 0 == done.returncode, done.stderr
