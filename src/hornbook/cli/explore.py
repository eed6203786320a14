"""`hornbook explore`."""

from typing import Annotated

import typer

from hornbook.cli.common import Config, User, Where, opened


def explore(
    port: Annotated[int, typer.Option(min=0, max=65_535, help="Port on 127.0.0.1; 0 for any that is free.")] = 0,
    write: Annotated[bool, typer.Option("--write", help="Contests can be resolved from the pages.")] = False,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only print the link.")] = False,
    db_path: Where = None,
    user: User = None,
    config: Config = None,
) -> None:
    """Look at a memory in a browser: search, entities, contests, proofs, both clocks. On this machine only."""
    with opened(db_path, user, config) as memory:
        from hornbook.explore.server import serve

        serve(memory, port=port, write=write, browser=not no_browser)
