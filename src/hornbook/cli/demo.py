"""`hornbook demo`."""

import typer


def demo() -> None:
    """Show what a memory does, in a minute: nothing of yours is touched."""
    from hornbook.demo import run

    raise typer.Exit(run())
