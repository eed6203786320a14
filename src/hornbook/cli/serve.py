"""`hornbook serve`, which is `hornbook-mcp`."""

import typer


def serve(ctx: typer.Context) -> None:
    """Serve the memory over MCP; takes the flags of hornbook-mcp."""
    from hornbook.mcp import main

    raise typer.Exit(main(ctx.args))
