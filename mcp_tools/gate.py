"""The gate before the protocol over HTTP: host, origin, key, size and number of requests, and one log line for each.

What it refuses it answers in the one shape of error. Nothing of a request's body is logged.
"""

import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import anyio
from mcp.server.auth.middleware.auth_context import auth_context_var
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import hornbook
from hornbook.graph.ids import new_id
from hornbook.loopback import LOOPBACK
from hornbook.mcp_tools.caller import CALLER, Caller
from hornbook.mcp_tools.keys import Keys
from hornbook.mcp_tools.unread import refused

LARGEST = 4 * 1024 * 1024  # bytes of a body
SLOWEST = 30.0  # seconds in which a body must have come
MOST, MOST_OF_ONE = 64, 16  # calls at once: of all users, of one
MOST_STREAMS = 32  # open streams of one user

log = logging.getLogger("hornbook.http")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request goes no further."""

    status: int
    code: str
    message: str
    headers: tuple[tuple[str, str], ...] = ()

    def response(self) -> JSONResponse:
        """As it is sent."""
        body = {"error": {"code": self.code, "message": self.message}}
        return JSONResponse(body, self.status, headers=dict(self.headers))


@dataclass(frozen=True, slots=True)
class Unread:
    """A body that is no message of the protocol, with the protocol's own answer to it."""

    answer: str

    def response(self) -> Response:
        """As it is sent."""
        return Response(self.answer, 400, media_type="application/json")


CHALLENGE = (("WWW-Authenticate", 'Bearer realm="hornbook", error="invalid_token"'),)
SOON = (("Retry-After", "1"),)
HOST = Refusal(421, "forbidden", "this server answers to loopback hosts only")
ORIGIN = Refusal(403, "forbidden", "this server does not answer to pages of other origins")
KEY = Refusal(401, "forbidden", "a bearer key of this server is required", CHALLENGE)
LARGE = Refusal(413, "too_large", f"a request may have {LARGEST} bytes")
SLOW = Refusal(408, "unavailable", "the request did not come in time")
BUSY = Refusal(503, "unavailable", "too many requests at once", SOON)
GREEDY = Refusal(429, "unavailable", "too many requests of this user at once", SOON)
STOPPING = Refusal(503, "unavailable", "the server is stopping", SOON)


def is_here(host: str | None) -> bool:
    """Whether a `Host` header names this machine by a loopback name.

    >>> is_here("127.0.0.1:8000"), is_here("[::1]:8000"), is_here("localhost.example.org"), is_here(None)
    (True, True, False, False)
    """
    return bool(host) and _name(f"//{host}") in LOOPBACK


def is_ours(origin: str | None) -> bool:
    """Whether a request comes from no page at all, or from a page of this machine.

    >>> is_ours(None), is_ours("http://localhost:6274"), is_ours("https://example.org"), is_ours("null")
    (True, True, False, False)
    """
    return origin is None or (origin.startswith(("http://", "https://")) and _name(origin) in LOOPBACK)


def _name(url: str) -> str | None:
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises where it is no number
    except ValueError:
        return None
    return None if parts.username or parts.path or parts.query else parts.hostname


@dataclass(slots=True)
class Gate:
    """Lets through what has a key, and knows which requests are open, so that a server can stop between them."""

    app: ASGIApp
    keys: Keys
    stopping: bool = False
    calls: Counter[str] = field(default_factory=Counter)
    streams: Counter[str] = field(default_factory=Counter)
    scopes: set[anyio.CancelScope] = field(default_factory=set)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request of the ASGI protocol."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        sent = Sent(send, new_id())
        started = time.perf_counter()
        owner = self.keys.owner_of(Headers(scope=scope).get("authorization"))
        try:
            await self._answer(scope, receive, sent, owner)
        finally:
            ms = round((time.perf_counter() - started) * 1000, 1)
            about = {"request_id": sent.request_id, "user": owner, "method": scope["method"], "status": sent.status}
            log.info("request", extra={"about": {**about, "ms": ms}})

    async def _answer(self, scope: Scope, receive: Receive, sent: "Sent", owner: str | None) -> None:
        headers = Headers(scope=scope)
        if not is_here(headers.get("host")):
            await HOST.response()(scope, receive, sent)
        elif not is_ours(headers.get("origin")):
            await ORIGIN.response()(scope, receive, sent)
        elif scope["path"] == "/health":
            await self.health()(scope, receive, sent)
        elif owner is None:
            await KEY.response()(scope, receive, sent)
        elif (refusal := self._room(scope, headers, owner)) is not None:
            await refusal.response()(scope, receive, sent)
        else:
            await self._let_through(scope, receive, sent, owner)

    def health(self) -> JSONResponse:
        """Whether the server takes calls, and its version: all that is told without a key."""
        body = {"status": "stopping" if self.stopping else "ok", "version": hornbook.__version__}
        return JSONResponse(body, 503 if self.stopping else 200)

    def _room(self, scope: Scope, headers: Headers, owner: str) -> Refusal | None:
        length = headers.get("content-length", "0")
        if length.isdecimal() and int(length) > LARGEST:
            return LARGE
        if self.stopping:
            return STOPPING
        if is_stream(scope, headers):
            return GREEDY if self.streams[owner] >= MOST_STREAMS else None
        if self.calls.total() >= MOST:
            return BUSY
        return GREEDY if self.calls[owner] >= MOST_OF_ONE else None

    async def _let_through(self, scope: Scope, receive: Receive, sent: "Sent", owner: str) -> None:
        count = self.streams if is_stream(scope, Headers(scope=scope)) else self.calls
        count[owner] += 1
        try:
            with anyio.CancelScope() as cancelled:
                self.scopes.add(cancelled)
                whole = await _whole(receive) if scope["method"] == "POST" else receive
                if isinstance(whole, Refusal | Unread):
                    await whole.response()(scope, receive, sent)
                elif whole is not None:
                    await self._pass_on(scope, whole, sent, owner)
            await sent.ended()
        finally:
            self.scopes.discard(cancelled)
            count[owner] -= 1

    async def _pass_on(self, scope: Scope, receive: Receive, sent: "Sent", owner: str) -> None:
        # the SDK ties a session to the user who opened it, by what is found here
        user = AuthenticatedUser(AccessToken(token="", client_id=owner, scopes=[], subject=owner))
        caller = Caller(owner, sent.request_id)
        signed, called = auth_context_var.set(user), CALLER.set(caller)
        try:
            await self.app({**scope, "user": user, "hornbook.caller": caller}, receive, sent)
        finally:
            CALLER.reset(called)
            auth_context_var.reset(signed)

    async def drained(self, seconds: float) -> None:
        """Take no more; wait for the open calls, so many seconds at most, then end what is left, streams among it."""
        self.stopping = True
        with anyio.move_on_after(seconds):
            while self.calls.total():
                await anyio.sleep(0.05)
        for scope in list(self.scopes):
            scope.cancel()


def is_stream(scope: Scope, headers: Headers) -> bool:
    """Whether a request stays open for what the server has to tell, rather than for an answer."""
    return scope["method"] == "GET" or headers.get("mcp-method") == "subscriptions/listen"


@dataclass(slots=True)
class Sent:
    """What goes back: the request's number in a header, the status for the log, and an end where it was cut off."""

    send: Send
    request_id: str
    status: int = 0
    finished: bool = False

    async def __call__(self, message: Message) -> None:
        """Pass a message on."""
        if self.finished:  # the SDK answers a second time where a session ends under a message that it has taken
            return
        if message["type"] == "http.response.start":
            self.status = message["status"]
            named = [*message.get("headers", []), (b"x-request-id", self.request_id.encode())]
            message = {**message, "headers": named}
        elif message["type"] == "http.response.body" and not message.get("more_body", False):
            self.finished = True
        await self.send(message)

    async def ended(self) -> None:
        """End a response that was cancelled, so that the client sees an end and not a broken line."""
        if not self.finished and not self.status:
            await self({"type": "http.response.start", "status": 503, "headers": []})
        if not self.finished:
            await self({"type": "http.response.body", "body": b"", "more_body": False})


async def _whole(receive: Receive) -> "Callable[[], Awaitable[Message]] | Refusal | Unread | None":
    """Read a body whole within its bounds, and give it back as it is received; None where the client hung up in it."""
    body = bytearray()
    with anyio.move_on_after(SLOWEST) as late:
        while True:
            message = await receive()
            body += message.get("body", b"")
            if len(body) > LARGEST:
                return LARGE
            if message["type"] != "http.request" or not message.get("more_body", False):
                break
    if late.cancelled_caught:
        return SLOW
    if message["type"] != "http.request":
        return None
    if (answer := refused(bytes(body))) is not None:
        return Unread(answer.model_dump_json(exclude_unset=True))
    waiting: list[dict[str, Any]] = [{"type": "http.request", "body": bytes(body), "more_body": False}]

    async def replayed() -> Message:
        return waiting.pop() if waiting else await receive()

    return replayed
