"""Copying: a journal as one file, as it stands at one instant, while others read and write."""

import os
from pathlib import Path

from hornbook.graph.errors import Conflict, StoreError
from hornbook.graph.ids import new_id
from hornbook.graph.journal.connections import uri
from hornbook.graph.journal.database import Database, connect
from hornbook.graph.journal.journal import Journal


def copy(journal: Journal, to: Path) -> None:
    """Write a journal to a new file, without what was erased: a backup, and a pack as it stands.

    The file appears whole or not at all. It has the id of the original: whoever writes to both forks them.
    """
    if to.exists():
        raise Conflict("a file of that name is already there", hint="name another, or remove it")
    beside = to.with_name(f"{to.name}.{new_id()}.part")
    try:
        if journal.path is None:
            with journal.checking() as database:
                write_out(database, beside)
        else:
            with connect(uri(journal.path, "ro")) as database:
                write_out(database, beside)
        settle(beside, to)
    finally:
        beside.unlink(missing_ok=True)


def write_out(database: Database, to: Path) -> None:
    """The database, compacted, into a file that is not there yet."""
    database.rows("VACUUM INTO ?", (str(to),))


def settle(part: Path, to: Path) -> None:
    """Bring the bytes to the disk, then give the file its name."""
    try:
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        os.replace(part, to)
    except OSError as error:
        raise StoreError(
            "the copy cannot be written", hint="check that there is room and that you may write"
        ) from error
