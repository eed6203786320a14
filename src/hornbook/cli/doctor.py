"""`hornbook doctor`."""

import platform
from importlib.metadata import version

import typer

from hornbook.cli.common import AsJson, Config, User, Where, opened, put, table

PARTS = ("kuzu", "duckdb", "spacy", "onnxruntime", "mcp", "pydantic", "numpy", "pyarrow")


def doctor(
    db_path: Where = None,
    user: User = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Say whether a memory is sound, and name the versions at work."""
    with opened(db_path, user, config) as memory:
        found = memory.health()
    body = {**found, "python": platform.python_version(), **{part: version(part) for part in PARTS}}
    if as_json:
        put(body)
    else:
        table("doctor", ("what", "how it is"), body.items())
    if found["status"] != "ok":
        raise typer.Exit(1)
