"""One SQLite connection whose errors are ours: a code and a sentence, never a path or SQLite's own words."""

import sqlite3
import threading
from collections.abc import Iterable, Sequence
from typing import Any

from hornbook.graph.errors import HornbookError, InvalidArgument, StoreBusy, StoreDamaged, StoreError

Row = tuple[Any, ...]

BUSY_SECONDS = 10.0  # for a pack's readers and writer, which meet at each commit; the write lock has its own deadline
LOWEST_SQLITE = (3, 35, 0)  # RETURNING


class Database:
    """A connection that any thread may use, one statement at a time.

    >>> with Database(sqlite3.connect(":memory:")) as database:
    ...     database.rows("SELECT ? + 1", (1,))
    [(2,)]
    """

    def __init__(self, raw: sqlite3.Connection) -> None:
        self._raw = raw
        self._mutex = threading.RLock()

    def __enter__(self) -> "Database":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[Row]:
        """Run one statement; every row that it gives."""
        try:
            with self._mutex:
                return self._raw.execute(sql, parameters).fetchall()
        except (sqlite3.Error, OverflowError, UnicodeError) as error:
            raise coded(error) from error

    def one(self, sql: str, parameters: Sequence[Any] = ()) -> Row | None:
        """The first row, or None."""
        found = self.rows(sql, parameters)
        return found[0] if found else None

    def many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run one statement for each row of parameters."""
        try:
            with self._mutex:
                self._raw.executemany(sql, rows)
        except (sqlite3.Error, OverflowError, UnicodeError) as error:
            raise coded(error) from error

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open: SQLite ends one by itself when the disk is full."""
        return self._raw.in_transaction

    def close(self) -> None:
        """Close the connection; harmless when it is closed already."""
        with self._mutex:
            self._raw.close()


def connect(uri: str) -> Database:
    """Open a connection by its URI."""
    try:
        raw = sqlite3.connect(
            uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False, cached_statements=256
        )
    except sqlite3.Error as error:
        raise coded(error) from error
    return Database(raw)


def coded(error: Exception) -> HornbookError:
    """What the reader is told about an error of SQLite, by SQLite's code."""
    if not isinstance(error, sqlite3.Error):
        return InvalidArgument("a number is out of range or a text is not valid Unicode")
    name = str(getattr(error, "sqlite_errorname", "") or "")
    if not name and isinstance(error, sqlite3.OperationalError):  # Python's own: a text that is not UTF-8
        name = "SQLITE_CORRUPT"
    for prefix, kind, message, hint in MEANINGS:
        if name.startswith(prefix):
            return kind(message, hint=hint)
    return StoreError(f"the journal could not do that ({name or type(error).__name__})")


MEANINGS: tuple[tuple[str, type[StoreError], str, str], ...] = (
    ("SQLITE_FULL", StoreError, "the disk is full; nothing of this transaction was kept", "free some space, try again"),
    (
        "SQLITE_CORRUPT",
        StoreDamaged,
        "the journal's file is damaged",
        "restore a backup, or open it read-only and export what can be read",
    ),
    ("SQLITE_NOTADB", StoreDamaged, "the file is not a hornbook journal, or its head is damaged", "restore a backup"),
    ("SQLITE_BUSY", StoreBusy, "another connection held the journal for too long", "try again"),
    ("SQLITE_LOCKED", StoreBusy, "another connection held the journal for too long", "try again"),
    ("SQLITE_READONLY", StoreError, "the journal cannot be written", "check the permissions, or open it read-only"),
    ("SQLITE_CANTOPEN", StoreError, "the journal cannot be opened", "check that its directory exists and is writable"),
    ("SQLITE_PERM", StoreError, "the journal cannot be opened", "check the permissions of its directory"),
    (
        "SQLITE_IOERR",
        StoreError,
        "the disk failed on reading or writing; nothing of this transaction was kept",
        "see that there is room on the disk, and that it is sound",
    ),
    ("SQLITE_NOMEM", StoreError, "there is not enough memory for this", "ask for less at a time"),
    ("SQLITE_TOOBIG", StoreError, "a text is larger than the journal can hold", "split it"),
)


def check_library(version: Sequence[int], options: Iterable[str]) -> None:
    """Refuse an SQLite that lacks what the journal needs.

    >>> check_library((3, 40, 1), ["ENABLE_FTS5"])
    >>> check_library((3, 34, 1), ["ENABLE_FTS5"])
    Traceback (most recent call last):
    hornbook.graph.errors.StoreError: this Python has SQLite 3.34.1; hornbook needs 3.35.0 or newer
    """
    hint = "use a Python from python.org, conda or uv"
    if tuple(version) < LOWEST_SQLITE:
        have, need = (".".join(map(str, parts)) for parts in (version, LOWEST_SQLITE))
        raise StoreError(f"this Python has SQLite {have}; hornbook needs {need} or newer", hint=hint)
    if "ENABLE_FTS5" not in options:
        raise StoreError("this Python's SQLite was built without FTS5, the lexical index", hint=hint)
