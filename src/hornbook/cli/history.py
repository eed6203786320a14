"""`hornbook history`."""

from typing import Annotated

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
            entry["fact"]["value"],
            entry.get("valid_from_display") or "?",
            entry.get("valid_until_display") or "",
            entry["disposition"],
        )
        for entry in told
    )
    table(f"history of {subject}", ("predicate", "value", "from", "until", "disposition"), rows)
