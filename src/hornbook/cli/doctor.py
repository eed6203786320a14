"""`hornbook doctor`."""

import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any

import typer

from hornbook.cli.common import AsJson, Config, User, Where, put, table
from hornbook.settings import read

PARTS = ("hornbook", "kuzu", "duckdb", "spacy", "onnxruntime", "mcp", "pydantic", "numpy", "pyarrow")


def doctor(db_path: Where = None, user: User = None, config: Config = None, as_json: AsJson = False) -> None:
    """Check the whole chain of a memory, and name the versions at work. Nothing is changed."""
    settings = read({"db_path": db_path, "user_id": user}, config=config)
    found = checked(settings.store, settings.user_for(None))
    body = {**found, "python": platform.python_version(), **{part: version(part) for part in PARTS}}
    if as_json:
        put(body)
    else:
        table("doctor", ("what", "how it is"), body.items())
    if found["status"] != "ok":
        raise typer.Exit(1)


def checked(store: str, user: str) -> dict[str, Any]:
    """Walk every link of the journal, from the first event to the last."""
    from hornbook.graph.clock import system_clock
    from hornbook.graph.journal import Journal, verify
    from hornbook.opening import journal_path

    place, pack = journal_path(Path(store), user)
    if place is not None and not place.exists():
        return {"status": "ok", "user_id": user, "events": 0}
    with Journal.open(place, clock=system_clock, read_only=True, pack=pack, owner=user) as journal:
        damage = verify(journal)
        found = {"status": "ok", "user_id": user, "events": journal.head()}
    return found if damage is None else {**found, "status": "damaged", "damage": f"event {damage.seq}: {damage.reason}"}
