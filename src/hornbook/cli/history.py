"""`hornbook history`."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from hornbook.cli.common import AsJson, Config, User, Where, opened, put, table


def history(
    subject: Annotated[str, typer.Argument(help="Whom or what it is about.")],
    predicate: Annotated[str | None, typer.Argument(help="All of its lines if left out.")] = None,
    db_path: Where = None,
    user: User = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Show every claim of a line: what was said, when it held, what became of it."""
    with opened(db_path, user, config) as memory:
        told = [entry.as_dict() for entry in memory.history(subject, predicate)]
    if as_json:
        put(told)
        return
    rows = (
        (
            entry["fact"]["predicate"],
            _said(entry),
            entry.get("valid_from_display") or "?",
            entry.get("valid_until_display") or "",
            entry["disposition"],
        )
        for entry in told
    )
    table(f"history of {subject}", ("predicate", "value", "from", "until", "disposition"), rows)


def _said(entry: Mapping[str, Any]) -> Any:
    """The value, with what must not be missed beside it: that it does not hold, or was only planned or possible."""
    value, mood = entry["fact"]["value"], entry["mood"]
    denied = f"not {value}" if entry["polarity"] == "not" else value
    return denied if mood == "asserted" else f"{denied} ({mood})"
