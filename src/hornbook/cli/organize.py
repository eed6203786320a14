"""`hornbook organize`."""

from typing import Annotated

import typer

from hornbook.cli.common import PARTLY, AsJson, Config, User, Where, opened, put, table


def organize(
    jobs: Annotated[list[str] | None, typer.Argument(help="Names of jobs; all of them if left out.")] = None,
    budget_ms: Annotated[int, typer.Option("--budget-ms", help="Milliseconds it may take.")] = 5_000,
    db_path: Where = None,
    user: User = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Tidy the memory within a budget of time; nothing is destroyed. Status 3: call it again for the rest."""
    with opened(db_path, user, config) as memory:
        done = memory.organize(jobs, budget_ms)
    if as_json:
        put(done.as_dict())
    else:
        rows = [(one.job, one.looked_at, one.changed, "" if one.changed else one.why or "") for one in done.reports]
        table("maintenance", ("job", "looked at", "changed", "why not"), rows)
    if done.left:
        raise typer.Exit(PARTLY)
