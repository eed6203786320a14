"""A file of an older layout is brought up to date step by step, or not at all."""

import sqlite3
from collections.abc import Iterator

import pytest

from hornbook.graph.errors import StoreError, StoreNewer
from hornbook.graph.journal.database import Database
from hornbook.graph.journal.journal import transaction
from hornbook.graph.journal.schema import MIGRATIONS, VERSION, create, migrate, read_version


@pytest.fixture
def old() -> Iterator[Database]:
    """A database of the first layout."""
    with Database(sqlite3.connect(":memory:", isolation_level=None)) as database:
        create(database, {"id": "x"})
        yield database


def first(database: Database) -> None:
    database.rows("CREATE TABLE extra (x)")


def second(database: Database) -> None:
    database.rows("INSERT INTO extra VALUES (1)")


def third_fails(database: Database) -> None:
    database.rows("INSERT INTO nowhere VALUES (1)")


def test_there_is_a_migration_for_every_version() -> None:
    assert VERSION == len(MIGRATIONS) + 1


def test_what_is_missing_runs_once_and_in_order(old: Database) -> None:
    migrate(old, [first])
    migrate(old, [first, second])
    migrate(old, [first, second])
    assert (3, [(1,)]) == (read_version(old), old.rows("SELECT x FROM extra"))
    assert [("3",)] == old.rows("SELECT value FROM meta WHERE key = 'schema'")


def test_a_step_that_fails_undoes_them_all(old: Database) -> None:
    with pytest.raises(StoreError), transaction(old):
        migrate(old, [first, second, third_fails])
    assert (1, []) == (read_version(old), old.rows("SELECT 1 FROM sqlite_master WHERE name = 'extra'"))


def test_a_newer_layout_is_refused(old: Database) -> None:
    migrate(old, [first, second])
    with pytest.raises(StoreNewer, match="layout 3, this hornbook reads up to 2"):
        migrate(old, [first])
