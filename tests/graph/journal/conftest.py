"""A vocabulary of one kind, and journals of every shape."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hornbook.graph.clock import ticking
from hornbook.graph.events import Actor, Vocabulary
from hornbook.graph.journal import Journal

WORDS = Vocabulary({"said": 1}, {})
ANA = Actor("a client", "a tool", "a process")

Open = Callable[..., Journal]


@pytest.fixture
def actor() -> Actor:
    """Who writes in these tests."""
    return ANA


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    """Open a journal in the test's directory, with the test's clock and vocabulary unless others are given."""
    journals: list[Journal] = []

    def open_one(path: Path | str | None = tmp_path / "journal.db", **options: object) -> Journal:
        settings = {"clock": ticking(), "vocabulary": WORDS} | options
        journals.append(Journal.open(path, **settings))  # type: ignore[arg-type]  # the tests' options are Journal.open's
        return journals[-1]

    yield open_one
    for journal in journals:
        journal.close()


@pytest.fixture(params=["directory", "pack", "memory"])
def journal(request: pytest.FixtureRequest, opened: Open, tmp_path: Path) -> Journal:
    """A fresh journal, once in each of its three shapes."""
    if request.param == "memory":
        return opened(":memory:")
    return opened(tmp_path / "journal.db", pack=request.param == "pack")
