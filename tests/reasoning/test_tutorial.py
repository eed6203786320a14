"""The tutorial on rules does what it says."""

import doctest
from pathlib import Path

TUTORIAL = Path(__file__).parents[2] / "docs" / "tutorial" / "rules.md"


def test_the_tutorial_runs_as_it_is_printed() -> None:
    done = doctest.testfile(str(TUTORIAL), module_relative=False, encoding="utf-8")

    assert done.attempted > 15 and done.failed == 0
