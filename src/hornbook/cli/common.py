"""What commands share: the options that say which memory, and how a reply is shown."""

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hornbook.settings import read

if TYPE_CHECKING:
    from hornbook.memory import Memory

PARTLY = 3

Where = Annotated[
    str | None, typer.Option("--db-path", help="Directory of the memories, or one file ending in .hornbook.")
]
User = Annotated[str | None, typer.Option("--user", help="Whose memory; the default user if left out.")]
Config = Annotated[Path | None, typer.Option("--config", help="JSON or TOML file of settings.")]
AsJson = Annotated[bool, typer.Option("--json", help="JSON for programs instead of a table.")]
ValidAt = Annotated[str | None, typer.Option("--valid-at", help="When it is true in the world; default now.")]
KnownAt = Annotated[str | None, typer.Option("--knowledge-at", help="As known at this instant; default now.")]


@contextmanager
def opened(where: str | None, user: str | None, config: Path | None = None) -> "Iterator[Memory]":
    """Open the memory that the options name, and close it afterwards."""
    settings = read({"db_path": where, "user_id": user}, config=config)
    from hornbook.memory import Memory

    memory = Memory.open(settings.store, user=settings.user_for(None), settings=settings)
    try:
        yield memory
    finally:
        memory.close()


def put(body: Any) -> None:
    """Print a body as JSON: one line for a program, indented for a reader."""
    print(json.dumps(body, ensure_ascii=False, indent=2 if sys.stdout.isatty() else None))


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print rows as a table, or say that there are none."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console, listed = Console(), [tuple("" if cell is None else str(cell) for cell in row) for row in rows]
    if not listed:
        console.print(Text(f"{title}: none"))
        return
    drawn = Table(title=Text(title), title_justify="left")
    for column in columns:
        drawn.add_column(column, overflow="fold")  # an id that is cut cannot be used
    for row in listed:
        drawn.add_row(*(Text(cell) for cell in row))  # Text: what people wrote is not markup
    console.print(drawn)
