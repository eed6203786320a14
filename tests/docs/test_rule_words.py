"""The page of the rule language names no function, test, aggregate, relation or pack that there is not."""

import re

from tests.docs.pages import DOCS

from hornbook.reasoning import packs
from hornbook.reasoning.builtins import FUNCTIONS, TESTS
from hornbook.reasoning.intervals import ALLEN
from hornbook.reasoning.relation import SPECIAL
from hornbook.reasoning.syntax import AGGREGATES

PAGE = (DOCS / "reference" / "rules.md").read_text(encoding="utf-8")


def between(begin: str, end: str) -> str:
    return PAGE.partition(begin)[2].partition(end)[0]


def test_the_functions_are_those_that_there_are() -> None:
    told = set(re.findall(r"\b([a-z_]+)\(", between("| functions | |", "\n\n")))

    assert set(FUNCTIONS) - {"+", "-", "*", "/"} == told


def test_the_tests_and_aggregates_are_those_that_there_are() -> None:
    assert set(TESTS) == set(re.findall(r"`([a-z_]+)\(", between("* **Tests**:", "\n\n")))
    assert set(AGGREGATES) == set(re.findall(r"`([a-z]+)\(", between("| aggregate | |", "\n\n")))


def test_the_relations_of_intervals_are_those_that_there_are() -> None:
    told = set(re.findall(r"`([a-z_]+)`", between("Named intervals stand in\nrelations,", "Each may stand under")))

    assert set(ALLEN) == told


def test_the_relations_that_tell_of_the_memory_are_those_that_there_are_with_their_arguments() -> None:
    rows = re.findall(r"`([a-z]+)\(([^)]*)\)`", between("| relation | holds |", "\n\n"))

    assert {(name, len(given.split(","))) for name, given in rows} == set(SPECIAL.items())


def test_the_packs_are_those_that_are_shipped() -> None:
    assert set(packs.names()) == set(re.findall(r"`([a-z]+)`", between("## Packs", "Each begins")))
