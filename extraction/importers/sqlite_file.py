"""Another system's SQLite file, opened for reading alone."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

from hornbook.graph.dates import Moment, parse_moment
from hornbook.graph.errors import HornbookError, InvalidArgument

PAGE = 500


def rows(path: Path, sql: str, system: str) -> Iterator[Mapping[str, Any]]:
    """The rows of a question as mappings. InvalidArgument where the file is none of the system's."""
    try:
        with closing(sqlite3.connect(f"file:{quote(path.absolute().as_posix())}?mode=ro", uri=True)) as database:
            database.row_factory = sqlite3.Row
            found = database.execute(sql)
            while page := found.fetchmany(PAGE):
                yield from (dict(row) for row in page)
    except sqlite3.Error as error:
        raise InvalidArgument(
            f"the file is not a database of {system}, or of a version that is not known here",
            field="path",
            hint="name the file that it writes; stop it first",
        ) from error


def tables(path: Path, system: str) -> frozenset[str]:
    """The names of the tables."""
    return frozenset(row["name"] for row in rows(path, "SELECT name FROM sqlite_master WHERE type = 'table'", system))


def moment(given: object) -> Moment | None:
    """A time as it was written; None where it is none."""
    if given in (None, ""):
        return None
    try:
        return parse_moment(str(given), "time")
    except HornbookError:
        return None
