"""`hornbook changes`."""

from typing import Annotated

import typer

from hornbook.cli.common import AsJson, Config, User, Where, opened, put, table

ABOUT = ("claim", "memory", "entity", "episode", "id", "merged", "line", "predicate", "rule_id")


def changes(
    since: Annotated[str | None, typer.Option(help="From this instant on; default from the beginning.")] = None,
    cursor: Annotated[str | None, typer.Option(help="Go on where another answer ended.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Most changes.")] = 100,
    db_path: Where = None,
    user: User = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """List what changed in the memory, oldest first; the cursor at the end goes on from there."""
    with opened(db_path, user, config) as memory:
        page = memory.changes(since, cursor=cursor, limit=limit).as_dict()
    if as_json:
        put(page)
        return
    rows = (
        (one["seq"], one["known_at"], one["kind"], next((one[name] for name in ABOUT if name in one), ""))
        for one in page["changes"]
    )
    table(f"changes, cursor {page['next_cursor']}", ("seq", "when", "what", "about"), rows)
