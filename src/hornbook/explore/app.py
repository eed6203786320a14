"""From an address to a page: which function makes it, and what is said where it cannot be made."""

import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl

import anyio
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from hornbook.display.markup import Markup, join, tag
from hornbook.explore.files import FILES, content
from hornbook.explore.guard import Guard, Session, is_local, pairs, same
from hornbook.explore.pages.claim import claim
from hornbook.explore.pages.contested import contested
from hornbook.explore.pages.entity import entity
from hornbook.explore.pages.graph import graph
from hornbook.explore.pages.keys import keys
from hornbook.explore.pages.line import line
from hornbook.explore.pages.pictures import graph_json, still
from hornbook.explore.pages.rules import ask, rules, why
from hornbook.explore.pages.search import search
from hornbook.explore.pages.settling import settle
from hornbook.explore.pages.start import start
from hornbook.explore.pages.text import text
from hornbook.explore.shell import whole
from hornbook.explore.visit import Form, Page, Visit, visit
from hornbook.explore.workers import Workers
from hornbook.graph.errors import Forbidden, HornbookError, InvalidArgument, NotFound, TooLarge
from hornbook.memory import Memory
from hornbook.reasoning.errors import Located

PAGES: Mapping[str, Callable[[Visit], Page]] = {
    "/": start,
    "/search": search,
    "/entity": entity,
    "/line": line,
    "/contested": contested,
    "/claim": claim,
    "/text": text,
    "/rules": rules,
    "/ask": ask,
    "/why": why,
    "/graph": graph,
    "/keys": keys,
}
DATA: Mapping[str, Callable[[Visit], Response]] = {"/graph.json": graph_json, "/still.svg": still}
RESOLVE = "/resolve"
LARGEST = 64 * 1024  # bytes of a form
SLOWEST = 20.0  # seconds in which it must have come
STATUS = {
    "invalid_argument": 400,
    "forbidden": 403,
    "not_found": 404,
    "ambiguous": 409,
    "incoherent": 409,
    "conflict": 409,
    "too_large": 413,
    "unavailable": 503,
}
READ_ONLY = "this session only reads"

log = logging.getLogger("hornbook.explore")


@dataclass(frozen=True, slots=True)
class Site:
    """The pages of one memory. `form` is what its forms carry; None where nothing can be written."""

    memory: Memory
    form: Form | None
    workers: Workers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request of the ASGI protocol; a page is made in a thread of its own."""
        if scope["type"] != "http":
            return
        request = Request(scope, receive)
        if request.method == "POST":
            given = await _form(request)
            response = await self.workers.run(lambda: self._posted(scope["path"], given))
        else:
            response = await self.workers.run(lambda: self._got(request.method, scope["path"], dict(pairs(scope))))
        await response(scope, receive, send)

    def _got(self, method: str, path: str, given: dict[str, str]) -> Response:
        if method not in ("GET", "HEAD"):
            return self._failed(path, {}, Forbidden(f"{method} is not served"), 405)
        if path in FILES:
            return Response(content(path), media_type=FILES[path])
        if path == RESOLVE:
            return self._failed(path, {}, InvalidArgument("this address takes forms only", hint="open the line"), 405)
        return self._answered(path, given, lambda: self._made(path, given))

    def _made(self, path: str, given: dict[str, str]) -> Response:
        here = visit(self.memory, path, given, self.form)
        if path in DATA:
            return DATA[path](here)
        if path not in PAGES:
            raise NotFound("there is no such page", hint="begin at the start")
        page = PAGES[path](here)
        return HTMLResponse(whole(here, page), page.status)

    def _posted(self, path: str, given: "dict[str, str] | HornbookError") -> Response:
        if path != RESOLVE:
            return self._failed(path, {}, Forbidden("nothing is written here"), 405)
        return self._answered(path, {}, lambda: self._settled(given))

    def _settled(self, given: "dict[str, str] | HornbookError") -> Response:
        if isinstance(given, HornbookError):
            raise given
        if self.form is None:
            raise Forbidden(READ_ONLY, hint="start hornbook explore with --write to resolve contests from it")
        if not same(given.get("secret", ""), self.form.secret):
            raise Forbidden("this form is none of this session", hint="open the line anew")
        onward = settle(visit(self.memory, RESOLVE, {}, self.form), given)
        return RedirectResponse(onward if is_local(onward) else "/", 303)

    def _answered(self, path: str, given: dict[str, str], make: Callable[[], Response]) -> Response:
        """The response, or the page that says why there is none. What nobody foresaw is told in the terminal."""
        try:
            return make()
        except HornbookError as error:
            return self._failed(path, given, error, STATUS[error.code])
        except Exception:
            log.exception("a page could not be made")
            failed = HornbookError("something went wrong here", hint="the terminal of hornbook explore says what")
            return self._failed(path, given, failed, 500)

    def _failed(self, path: str, given: dict[str, str], error: HornbookError, status: int) -> Response:
        """An error as a page: its code, its sentence, and what would mend it."""
        if path in DATA:
            return Response(json.dumps({"error": error.as_dict()}), status, media_type="application/json")
        now = self.memory.now  # nothing is read: the memory itself may be what fails
        here = Visit(self.memory, path, given, now, now, 0, self.form)
        return HTMLResponse(whole(here, Page("Not so", _told(error), status=status)), status)


def _told(error: HornbookError) -> Markup:
    if isinstance(error, Located):
        sentence = tag("pre", error.report(), class_="bad")
    else:
        sentence = tag("p", error.message, class_="bad")
    hint = tag("p", error.hint) if error.hint and not isinstance(error, Located) else Markup()
    valid = tag("p", "valid: ", ", ".join(error.valid)) if error.valid else Markup()
    code = tag("p", tag("code", error.code), f" in {error.field}" if error.field else "", class_="quiet")
    return join([tag("h1", "This cannot be shown"), sentence, hint, valid, code])


async def _form(request: Request) -> "dict[str, str] | HornbookError":
    """The fields of a form, within its bounds; the error where it goes beyond them."""
    if not request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
        return InvalidArgument("this is no form of a page", field="content-type")
    body = bytearray()
    with anyio.move_on_after(SLOWEST) as late:
        async for part in request.stream():
            body += part
            if len(body) > LARGEST:
                return TooLarge(f"a form has at most {LARGEST} bytes")
    if late.cancelled_caught:
        return HornbookError("the form did not come in time", hint="send it again")
    try:
        return dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=400))
    except ValueError:
        return TooLarge("a form has at most 400 fields")


def guarded(memory: Memory, session: Session, port: int, workers: Workers, *, write: bool) -> Guard:
    """The pages of a memory behind their guard."""
    return Guard(Site(memory, Form(session.form) if write else None, workers), session, port)
