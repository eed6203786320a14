"""The guard before every page: this machine, this origin, this browser; and what every reply carries with it.

The link that is printed holds a token. It is good once: it is exchanged for a cookie, and the browser is sent on to the
same address without it, so that the token is in no history and in no `Referer`. Whoever used it up sees a new one in
the terminal.
"""

import hmac
import secrets
from base64 import b64encode
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hornbook.display.svg import STYLE
from hornbook.explore.files import FILES
from hornbook.explore.shell import bare

LONGEST_ADDRESS = 16_000  # bytes of a path and its arguments
ARGUMENTS = 40  # of one address
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        f"style-src 'self' 'sha256-{b64encode(sha256(STYLE.encode()).digest()).decode()}'",  # that of pictures
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
CARRIED = {
    "Content-Security-Policy": POLICY,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # none at all would make the origin of our own forms "null"
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


@dataclass(slots=True)
class Session:
    """The secrets of a run: the token that is good next, what its cookie holds, and what its forms carry."""

    told: Callable[[str], None]  # is given each new token, to print the link
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    cookie: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    form: str = field(default_factory=lambda: secrets.token_urlsafe(24))

    def exchange(self, given: str) -> bool:
        """Whether a token is the one that is good now; if so it is used up, and the next one is told."""
        if not same(given, self.token):
            return False
        self.token = secrets.token_urlsafe(24)
        self.told(self.token)
        return True


def same(given: str, secret: str) -> bool:
    """Whether two texts are the same, in a time that says nothing about where they differ."""
    return hmac.compare_digest(sha256(given.encode("utf-8", "replace")).digest(), sha256(secret.encode()).digest())


@dataclass(slots=True)
class Guard:
    """Lets through what comes from the browser that was given the link, and from our own pages in it."""

    app: ASGIApp
    session: Session
    port: int

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request of the ASGI protocol."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def carried(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(CARRIED)
            await send(message)

        answer = self._refused(scope) or self._exchanged(scope) or self._stranger(scope) or self.app
        await answer(scope, receive, carried)

    def _refused(self, scope: Scope) -> Response | None:
        """What no browser that shows our pages would send."""
        headers = Headers(scope=scope)
        if headers.get("host") not in self._hosts():
            return _said(421, "forbidden", "Another host", "This server answers under the address that it printed.")
        if not self._ours(scope["method"], headers):
            return _said(403, "forbidden", "Another origin", "This server does not answer to pages of other sites.")
        if len(scope["path"]) + len(scope["query_string"]) > LONGEST_ADDRESS:
            return _said(414, "too_large", "Too long", f"An address has at most {LONGEST_ADDRESS} bytes.")
        return None

    def _hosts(self) -> tuple[str, ...]:
        return f"127.0.0.1:{self.port}", f"localhost:{self.port}"

    def _ours(self, method: str, headers: Headers) -> bool:
        """Whether a request comes from one of our pages, or from a person who follows a link.

        A page of another port is of the same site, so the cookie alone does not keep it out.
        """
        origin = headers.get("origin")
        if origin is not None and origin != f"http://{headers['host']}":
            return False
        here = headers.get("sec-fetch-site") in (None, "same-origin", "none")
        return here or (method == "GET" and headers.get("sec-fetch-mode") == "navigate")

    def _exchanged(self, scope: Scope) -> Response | None:
        """The way on for who comes with the token; None where none is given."""
        given = pairs(scope)
        tokens = [value for name, value in given if name == "token"]
        if not tokens or scope["method"] != "GET":
            return None
        if not self.session.exchange(tokens[-1]):
            return stranger()
        rest = urlencode([(name, value) for name, value in given if name != "token"])
        # only the path of an address: one that begins with two slashes would name another host
        onward = RedirectResponse(f"/{scope['path'].strip('/')}{'?' + rest if rest else ''}", 303)
        onward.set_cookie(self.name, self.session.cookie, httponly=True, samesite="strict", path="/")
        return onward

    @property
    def name(self) -> str:
        """The cookie's name: cookies are shared between ports, so it has ours in it."""
        return f"hornbook-explore-{self.port}"

    def _stranger(self, scope: Scope) -> Response | None:
        if scope["path"] in FILES and scope["method"] in ("GET", "HEAD"):
            return None
        cookies = cookie_parser(Headers(scope=scope).get("cookie", ""))
        return None if same(cookies.get(self.name, ""), self.session.cookie) else stranger()


def pairs(scope: Scope) -> Iterable[tuple[str, str]]:
    """The arguments of an address; of too many the first."""
    text = scope["query_string"].decode("latin-1")
    return parse_qsl(text, keep_blank_values=True, errors="replace", separator="&")[:ARGUMENTS]


def stranger() -> Response:
    """What somebody sees who comes without the cookie."""
    mend = "Open the link that hornbook explore printed last in its terminal: each link opens one browser, once."
    return _said(401, "forbidden", "Not this browser", mend)


def _said(status: int, code: str, title: str, mend: str) -> Response:
    return HTMLResponse(bare(title, code, mend), status)


def is_local(url: str) -> bool:
    """Whether an address leads to one of our own pages.

    >>> is_local("/line?subject=Ana"), is_local("//example.org/"), is_local("https://example.org/")
    (True, False, False)
    """
    parts = urlsplit(url)
    return url.startswith("/") and not (parts.scheme or parts.netloc or url.startswith(("//", "/\\")))
