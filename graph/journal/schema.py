"""The tables of a journal, and how a file is brought from an older layout to today's."""

from collections.abc import Callable, Sequence

from hornbook.graph.errors import StoreError, StoreNewer
from hornbook.graph.journal.database import Database

APPLICATION = 0x484F524E  # "HORN", in the file's header
VERSION = 1

TABLES = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID",
    # the truth: envelopes, chained, and the bodies they refer to
    """CREATE TABLE event (
        seq INTEGER PRIMARY KEY, txn INTEGER NOT NULL, known_at INTEGER NOT NULL, event_id TEXT NOT NULL UNIQUE,
        origin TEXT NOT NULL, kind TEXT NOT NULL, version INTEGER NOT NULL,
        client TEXT NOT NULL, tool TEXT NOT NULL, process TEXT NOT NULL,
        body INTEGER NOT NULL, digest BLOB NOT NULL, hash BLOB NOT NULL)""",
    "CREATE INDEX event_known_at ON event (known_at)",
    "CREATE TABLE body (id INTEGER PRIMARY KEY, salt BLOB, bytes BLOB)",
    # derived, in the same transaction: what is looked up by words, by meaning, by key and by number
    """CREATE TABLE document (
        id INTEGER PRIMARY KEY AUTOINCREMENT, ref TEXT NOT NULL, kind TEXT NOT NULL, seq INTEGER NOT NULL,
        scope TEXT, session TEXT, agent TEXT, run TEXT, speaker TEXT, more TEXT)""",
    "CREATE INDEX document_ref ON document (ref)",
    "CREATE INDEX document_seq ON document (seq)",
    # whether a ref is offered in a search: from an event on, while it is true; the latest row up to an event counts
    """CREATE TABLE standing (
        id INTEGER PRIMARY KEY, ref TEXT NOT NULL, seq INTEGER NOT NULL, lifecycle TEXT NOT NULL,
        active INTEGER NOT NULL, since INTEGER NOT NULL, until INTEGER NOT NULL)""",
    "CREATE INDEX standing_ref ON standing (ref)",
    "CREATE VIRTUAL TABLE lexicon USING fts5 (text, grams, content='', tokenize='porter unicode61')",
    "CREATE TABLE model (id INTEGER PRIMARY KEY, name TEXT NOT NULL, digest TEXT NOT NULL, dimension INTEGER NOT NULL)",
    """CREATE TABLE vector (
        id INTEGER PRIMARY KEY AUTOINCREMENT, document INTEGER NOT NULL UNIQUE, model INTEGER NOT NULL,
        bytes BLOB NOT NULL)""",
    "CREATE TABLE idempotency (key TEXT PRIMARY KEY, ref TEXT NOT NULL, seq INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TABLE number (number INTEGER PRIMARY KEY AUTOINCREMENT, ref TEXT NOT NULL UNIQUE, seq INTEGER NOT NULL)",
)

Migration = Callable[[Database], None]
MIGRATIONS: tuple[Migration, ...] = ()  # MIGRATIONS[n] brings version n + 1 to n + 2; run under the write lock


def read_version(database: Database) -> int:
    """The layout's version: 0 for an empty file. A foreign file is refused."""
    ((application,),) = database.rows("PRAGMA application_id")
    ((version,),) = database.rows("PRAGMA user_version")
    ((tables,),) = database.rows("SELECT count(*) FROM sqlite_master")
    if application != APPLICATION and (application or version or tables):
        raise StoreError("the file is a database of another program", hint="name another file")
    return int(version)


def check_version(version: int, current: int = VERSION) -> None:
    """Refuse a file that a newer hornbook wrote."""
    if version > current:
        raise StoreNewer(
            f"the journal has layout {version}, this hornbook reads up to {current}; nothing was changed",
            hint="upgrade hornbook to open this store",
        )


def migrate(database: Database, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Run what is missing, in order, each with its version number, inside the transaction that is open.

    >>> import sqlite3
    >>> with Database(sqlite3.connect(":memory:", isolation_level=None)) as database:
    ...     create(database, {"id": "x"})
    ...     migrate(database, [lambda database: database.many("CREATE TABLE extra (x)", [()])])
    ...     read_version(database)
    2
    """
    current = len(migrations) + 1
    version = read_version(database)
    check_version(version, current)
    for step in range(version, current):
        migrations[step - 1](database)
        set_version(database, step + 1)


def create(database: Database, meta: dict[str, str]) -> None:
    """Make the tables of an empty file, inside the transaction that is open."""
    for statement in TABLES:
        database.rows(statement)
    database.rows(f"PRAGMA application_id = {APPLICATION:d}")
    database.many("INSERT INTO meta (key, value) VALUES (?, ?)", meta.items())
    set_version(database, VERSION)


def set_version(database: Database, version: int) -> None:
    """Write the layout's version, in the header for us and in a table for other readers."""
    database.rows(f"PRAGMA user_version = {version:d}")
    database.rows("INSERT OR REPLACE INTO meta (key, value) VALUES ('schema', ?)", (str(version),))
