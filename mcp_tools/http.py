"""Serving over streamable HTTP, on this machine only: keys, the gate, logs as JSON lines, and an orderly end."""

import json
import logging
import signal
import socket
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import anyio
import uvicorn
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.transport_security import TransportSecuritySettings
from sse_starlette.sse import AppStatus

from hornbook.loopback import listen
from hornbook.mcp_tools.caller import CALLER, Caller
from hornbook.mcp_tools.gate import LARGEST, SLOWEST, Gate
from hornbook.mcp_tools.keys import keys_for
from hornbook.mcp_tools.server import Server, build
from hornbook.serving import Impatient
from hornbook.settings import Settings

PATH = "/mcp"
MOST_SESSIONS, IDLE = 1_000, 1_800.0  # of clients of older protocols; seconds until an unused one is forgotten
LAST_CALLS = 20.0  # seconds that open calls have when the server is told to stop

HUNG_UP = (anyio.ClosedResourceError, anyio.BrokenResourceError)

log = logging.getLogger("hornbook.http")


class Lines(logging.Formatter):
    """A log line as one JSON object, with the number of the request that it is about."""

    def format(self, record: logging.LogRecord) -> str:
        """Write one line."""
        caller = CALLER.get()
        when = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {"at": when, "level": record.levelname.lower(), "event": record.getMessage()}
        if caller is not None:
            line["request_id"] = caller.request_id
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps({**line, **getattr(record, "about", {})}, ensure_ascii=False)


def serve(settings: Settings, host: str = "127.0.0.1", port: int = 8000) -> int:
    """Serve until SIGTERM or SIGINT; open calls are finished, and the memories closed, before it returns."""
    keys = keys_for(settings)
    listening = listen(host, port)
    _log_lines()
    gate = Gate(_app(build(settings)), keys)
    config = uvicorn.Config(gate, log_config=None, access_log=False, timeout_graceful_shutdown=5, lifespan="on")
    # the SDK's streams would be cut off as soon as the signal comes: here calls are finished first
    AppStatus.enable_automatic_graceful_drain = False
    # uvicorn raises the signal anew once it has ended: an orderly end is a success
    signal.signal(signal.SIGTERM, lambda *_: None)
    name = f"[{host}]" if ":" in host else host
    log.info("listening", extra={"about": {"url": f"http://{name}:{listening.getsockname()[1]}{PATH}"}})
    Stopping(config, gate).run(sockets=[listening])
    return 0


class Stopping(Impatient):
    """A server that finishes the open calls before it hangs up."""

    def __init__(self, config: uvicorn.Config, gate: Gate, patience: float = SLOWEST) -> None:
        super().__init__(config, patience)
        self.gate = gate

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Finish, then stop as uvicorn does."""
        await self.gate.drained(LAST_CALLS)
        await super().shutdown(sockets)


def _app(server: Server) -> Any:
    server.services.keyed = True
    server.middleware.insert(0, called)
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=LARGEST,
        session_idle_timeout=IDLE,
        max_sessions=MOST_SESSIONS,
        # the gate has looked at host and origin by then
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    return app


async def called(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Let a message be handled as its own sender's: a session's task was started in the first request's context."""
    caller = getattr(ctx.request, "scope", {}).get("hornbook.caller")
    if not isinstance(caller, Caller):
        return await call_next(ctx)
    token = CALLER.set(caller)
    try:
        return await call_next(ctx)
    finally:
        CALLER.reset(token)


def is_fault(record: logging.LogRecord) -> bool:
    """Whether a log line is more than that a client hung up, of which the SDK logs a traceback where it is writing."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, BaseExceptionGroup):
        return error.split(HUNG_UP)[1] is not None
    return not isinstance(error, HUNG_UP)


def _log_lines(quiet: Sequence[str] = ("mcp", "uvicorn", "sse_starlette")) -> None:
    shown = logging.StreamHandler(sys.stderr)
    shown.setFormatter(Lines())
    shown.addFilter(is_fault)
    logging.basicConfig(handlers=[shown], level=logging.WARNING)
    log.setLevel(logging.INFO)
    for name in quiet:  # they quote what clients sent
        logging.getLogger(name).setLevel(logging.ERROR)
