"""Copies of a memory as files: backups, packs, and bringing either back into place."""

import os
from pathlib import Path

from hornbook.graph.clock import Clock
from hornbook.graph.errors import Conflict, NotFound, StoreDamaged, StoreError
from hornbook.graph.ids import new_id
from hornbook.graph.journal import Journal, copy, forked, verify
from hornbook.graph.lock import WriteLock

BESIDE = ("-wal", "-shm", "-journal")
DEADLINE = 30.0


def restore(source: Path, to: Path, *, clock: Clock, owner: str, overwrite: bool = False, pack: bool = False) -> int:
    """Put a copy of a memory in its place; how many events it has.

    The copy is checked whole before anything is touched. A store that is there is left alone unless `overwrite` is
    said; one that has gone on apart from the copy (forked), or knows more than it, says so in the refusal.
    """
    if not source.exists():
        raise NotFound("there is no copy of that name", field="source", hint="name a file of `backup` or `pack`")
    with Journal.open(source, clock=clock, read_only=True, pack=True, owner=owner) as given:
        if (damage := verify(given)) is not None:
            raise StoreDamaged(f"the copy is damaged at event {damage.seq}: {damage.reason}", hint="take another copy")
        if to.exists():
            _refuse(given, to, clock=clock, owner=owner, pack=pack, overwrite=overwrite)
        _put(given, to)
        return given.head()


def _put(given: Journal, to: Path) -> None:
    """Copy beside the place, then take the place, under its write lock: whoever has the old one open is told so."""
    part = to.with_name(f"{to.name}.{new_id()}.part")
    try:
        to.parent.mkdir(parents=True, exist_ok=True)
        copy(given, part)
        with WriteLock(to).held(DEADLINE):
            _replace(part, to)
    except OSError as error:
        raise StoreError(
            "the copy cannot be put there", hint="check that you may write, and that there is room"
        ) from error
    finally:
        part.unlink(missing_ok=True)


def _refuse(given: Journal, to: Path, *, clock: Clock, owner: str, pack: bool, overwrite: bool) -> None:
    """Refuse to overwrite what is there, and say how it stands to the copy."""
    if overwrite:
        return
    try:
        with Journal.open(to, clock=clock, read_only=True, pack=pack, owner=owner) as there:
            if not there.head():
                return
            standing = _standing(given, there)
    except StoreDamaged:
        standing = "the store there is damaged"
    raise Conflict(f"a store is already there: {standing}", hint="say overwrite to replace it, or restore it elsewhere")


def _standing(given: Journal, there: Journal) -> str:
    if given.id != there.id:
        return "it is another memory than the copy"
    if forked(given, there):
        return "it and the copy have since been written apart (forked)"
    more = there.head() - given.head()
    return f"it has {more} events more than the copy" if more > 0 else "it is the same, or older than the copy"


def _replace(part: Path, to: Path) -> None:
    """Give the copy its name. What SQLite keeps beside the old file is not the new one's and goes."""
    try:
        for suffix in BESIDE:
            to.with_name(to.name + suffix).unlink(missing_ok=True)
        os.replace(part, to)
    except OSError as error:
        raise StoreError("the store cannot be replaced", hint="close whatever has it open, and try again") from error
