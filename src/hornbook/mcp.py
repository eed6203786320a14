"""`hornbook-mcp` and `python -m hornbook.mcp`: the memory as an MCP server.

Stdout carries the protocol and nothing else; whatever there is to say goes to stderr.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import hornbook
from hornbook.graph.errors import HornbookError, InvalidArgument
from hornbook.settings import Settings, read

USAGE = 2
TRANSPORTS = ("stdio",)
LATER = {
    "sse": "sse is deprecated in the protocol and not served; use stdio",
    "streamable-http": "streamable-http is not served by this version; use stdio",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until the client hangs up; a wrong flag or setting is one line on stderr and exit status 2."""
    try:
        settings = _settings(_parser().parse_args(arguments))
        from hornbook.mcp_tools.server import build

        server = build(settings)
    except HornbookError as error:
        print(f"hornbook-mcp: {said(error)}", file=sys.stderr)
        return USAGE
    try:
        server.run("stdio")
    except KeyboardInterrupt:
        return 130
    return 0


def said(error: HornbookError) -> str:
    """An error as one line: what, the mend, the choices."""
    valid = f"one of: {', '.join(error.valid)}" if error.valid else ""
    return "; ".join(part for part in (error.message, error.hint, valid) if part)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="hornbook-mcp", description="Serve a memory over MCP.")
    parser.add_argument("--db-path", help="directory of the memories, one file ending in .hornbook, or :memory:")
    parser.add_argument("--user-id", help="the user whose memory it is where a call names none")
    parser.add_argument("--toolset", action="append", default=[], help="tools to serve (repeatable, or a comma list)")
    parser.add_argument("--transport", default="stdio", help="stdio")
    parser.add_argument("--config", type=Path, help="JSON or TOML file of settings")
    parser.add_argument("--env", type=Path, help="file of environment settings")
    parser.add_argument("--version", action="version", version=f"hornbook {hornbook.__version__}")
    return parser


def _settings(flags: argparse.Namespace) -> Settings:
    if flags.transport not in TRANSPORTS:
        raise InvalidArgument(
            LATER.get(flags.transport, f"there is no transport {flags.transport}"), field="transport", valid=TRANSPORTS
        )
    given = {"db_path": flags.db_path, "user_id": flags.user_id, "toolsets": ",".join(flags.toolset)}
    return read(given, config=flags.config, env_file=flags.env)


if __name__ == "__main__":
    sys.exit(main())
