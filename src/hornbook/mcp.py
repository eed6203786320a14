"""`hornbook-mcp` and `python -m hornbook.mcp`: the memory as an MCP server.

Stdout carries the protocol and nothing else; whatever there is to say goes to stderr.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import hornbook
from hornbook.graph.errors import HornbookError, InvalidArgument
from hornbook.owner import with_owner
from hornbook.settings import Settings, read

USAGE = 2
TRANSPORTS = ("stdio", "streamable-http")
SSE = "sse is deprecated in the protocol and not served"


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until the client hangs up; a wrong flag or setting is one line on stderr and exit status 2."""
    try:
        return _served(_parser().parse_args(arguments))
    except HornbookError as error:
        print(f"hornbook-mcp: {said(error)}", file=sys.stderr)
        return USAGE
    except KeyboardInterrupt:
        return 130


def _served(flags: argparse.Namespace) -> int:
    settings = _settings(flags)
    if flags.transport == "stdio":
        import anyio

        from hornbook.mcp_tools import stdio
        from hornbook.mcp_tools.server import build

        anyio.run(stdio.serve, build(settings))
        return 0
    from hornbook.mcp_tools.http import serve  # only here: stdio starts without a web server

    return serve(settings, flags.host, flags.port)


def said(error: HornbookError) -> str:
    """An error as one line: what, the mend, the choices."""
    valid = f"one of: {', '.join(error.valid)}" if error.valid else ""
    return "; ".join(part for part in (error.message, error.hint, valid) if part)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="hornbook-mcp", description="Serve a memory over MCP.")
    parser.add_argument("--db-path", help="directory of the memories, one file ending in .hornbook, or :memory:")
    parser.add_argument("--user-id", help="the user whose memory it is where a call names none")
    parser.add_argument("--toolset", action="append", default=[], help="tools to serve (repeatable, or a comma list)")
    parser.add_argument("--transport", default="stdio", help="stdio, or streamable-http with HORNBOOK_MCP_USER_KEYS")
    parser.add_argument("--host", default="127.0.0.1", help="loopback address of streamable-http")
    parser.add_argument("--port", type=int, default=8000, help="port of streamable-http; 0 for any that is free")
    parser.add_argument("--config", type=Path, help="JSON or TOML file of settings")
    parser.add_argument("--env", type=Path, help="file of environment settings")
    parser.add_argument("--version", action="version", version=f"hornbook {hornbook.__version__}")
    return parser


def _settings(flags: argparse.Namespace) -> Settings:
    if flags.transport not in TRANSPORTS:
        told = SSE if flags.transport == "sse" else f"there is no transport {flags.transport}"
        raise InvalidArgument(told, field="transport", valid=TRANSPORTS)
    given = {"db_path": flags.db_path, "user_id": flags.user_id, "toolsets": ",".join(flags.toolset)}
    settings = with_owner(read(given, config=flags.config, env_file=flags.env))
    return _with_records(settings) if flags.config or flags.env else settings


def _with_records(settings: Settings) -> Settings:
    """Serve the record tools too: a client of a record server is started with a file of settings and no toolset."""
    from hornbook.mcp_tools.server import DEFAULT

    return settings if settings.toolsets else settings.model_copy(update={"toolsets": (*DEFAULT, "records")})


if __name__ == "__main__":
    sys.exit(main())
