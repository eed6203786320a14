"""The reference page: its examples are programs, and it names everything there is."""

import re
from pathlib import Path

import pytest

from hornbook.reasoning import errors, packs
from hornbook.reasoning.builtins import FUNCTIONS, TESTS
from hornbook.reasoning.compiled import compile
from hornbook.reasoning.intervals import ALLEN
from hornbook.reasoning.limits import Limits
from hornbook.reasoning.parse import parse_program
from hornbook.reasoning.syntax import AGGREGATES

PAGE = (Path(__file__).parents[2] / "docs/reference/rules.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```prolog\n(.*?)```", PAGE, re.S)


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_of_the_page_compiles(example: str) -> None:
    assert compile(parse_program(example)).plans


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 2


@pytest.mark.parametrize("name", [*FUNCTIONS, *TESTS, *ALLEN, *AGGREGATES, *packs.names()])
def test_the_page_names(name: str) -> None:
    assert re.search(rf"`[^`]*{re.escape(name)}[^`]*`", PAGE)


def test_the_page_names_every_fault() -> None:
    leaves = {leaf.kind for leaf in errors.Located.__subclasses__()}

    assert leaves == set(re.findall(r"^\| `(\w+)` \| .*$", PAGE.partition("## What is refused")[2], re.M))


def test_the_page_states_the_limits() -> None:
    limits = Limits()

    assert f"{limits.derived:,} conclusions" in PAGE
    assert f"stopped after {limits.making:,}" in PAGE
    assert f"deeper than {limits.deep} rounds" in PAGE
    assert f"longer than {limits.seconds:g} s" in PAGE
