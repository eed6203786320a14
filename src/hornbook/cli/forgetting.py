"""`hornbook forget`, `erase` and `undo`."""

from typing import Annotated, Any

import typer

from hornbook.cli.common import PARTLY, AsJson, Config, User, Where, opened
from hornbook.cli.moving import show

Source = Annotated[str | None, typer.Option(help="All that came from this source.")]
Session = Annotated[str | None, typer.Option(help="All that was said in this session.")]
Client = Annotated[str | None, typer.Option(help="All that came through this client.")]
Episode = Annotated[str | None, typer.Option(help="One text or memory, by its id.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only count; change nothing.")]


def forget(
    source: Source = None,
    session: Session = None,
    client: Client = None,
    episode: Episode = None,
    dry_run: DryRun = False,
    db_path: Where = None,
    user: User = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Hide what came from somewhere; what rested on it alone is not believed any more. History stays."""
    with opened(db_path, user, config) as memory:
        done = memory.forget(source=source, session=session, client=client, episode=episode, dry_run=dry_run)
    _show(done.as_dict(), "forgotten", as_json=as_json)


def erase(
    source: Source = None,
    session: Session = None,
    client: Client = None,
    episode: Episode = None,
    dry_run: DryRun = False,
    finish: Annotated[bool, typer.Option("--finish", help="Go on with an erasure that was pending.")] = False,
    db_path: Where = None,
    user: User = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Remove the bytes of what came from somewhere, for good. Exit status 3 while a copy is still held."""
    with opened(db_path, user, config) as memory:
        if finish:
            done = memory.finish_erasing()
        else:
            done = memory.erase(source=source, session=session, client=client, episode=episode, dry_run=dry_run)
    _show(done.as_dict(), "erased", as_json=as_json)
    if done.pending:
        raise typer.Exit(PARTLY)


def undo(
    reason: Annotated[str, typer.Option(help="Why; it stays in the ledger.")] = "undone",
    db_path: Where = None,
    user: User = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Take back the last transaction; once more, the one before it."""
    with opened(db_path, user, config) as memory:
        done = memory.undo(reason=reason)
    _show(done.as_dict(), "undone", as_json=as_json)


def _show(body: dict[str, Any], title: str, *, as_json: bool) -> None:
    if not as_json:
        body = {name: ", ".join(map(str, value)) if isinstance(value, list) else value for name, value in body.items()}
    show(body, title, as_json=as_json)
