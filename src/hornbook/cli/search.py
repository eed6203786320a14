"""`hornbook search`."""

from typing import Annotated

import typer

from hornbook.cli.common import AsJson, Config, KnownAt, User, ValidAt, Where, opened, put, table


def search(
    query: Annotated[str, typer.Argument(help="What to look for, in any words.")],
    limit: Annotated[int, typer.Option(min=1, max=200, help="Most results.")] = 10,
    scope: Annotated[str | None, typer.Option(help="personal, project or organisation.")] = None,
    valid_at: ValidAt = None,
    knowledge_at: KnownAt = None,
    include_inactive: Annotated[bool, typer.Option("--include-inactive", help="Archived and ended ones too.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Each signal's rank and score (with --json).")] = False,
    db_path: Where = None,
    user: User = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Search the memory."""
    with opened(db_path, user, config) as memory:
        found = memory.search(
            query,
            limit=limit,
            scope=scope,
            valid_at=valid_at,
            knowledge_at=knowledge_at,
            include_inactive=include_inactive,
            explain=explain,
        ).as_dict()
    if as_json:
        put(found)
        return
    rows = (
        (f"{hit['score']:.3f}", hit["content"], hit["node_type"], hit["lifecycle_state"]) for hit in found["results"]
    )
    table(f"results for {query}", ("score", "content", "type", "state"), rows)
