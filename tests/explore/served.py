"""The pages of a memory on a real port of this machine, and a browser of a few lines."""

import html
import re
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from html.parser import HTMLParser
from threading import Thread
from typing import Any

import httpx2
import uvicorn

from hornbook.explore.app import guarded
from hornbook.explore.guard import Session
from hornbook.explore.server import config_of
from hornbook.explore.workers import Workers
from hornbook.loopback import listen
from hornbook.memory import Memory

VOID = {"meta", "link", "input", "img", "br"}
INLINE = {
    "a",
    "b",
    "cite",
    "code",
    "i",
    "kbd",
    "mark",
    "q",
    "span",
    "time",
}  # all else stands apart from its neighbours


@dataclass(slots=True)
class Served:
    """Where the pages are, and the secrets of the session."""

    port: int
    session: Session
    tokens: list[str]

    @property
    def url(self) -> str:
        """Where they begin."""
        return f"http://127.0.0.1:{self.port}"

    def client(self, **more: Any) -> httpx2.Client:
        """A client without a cookie."""
        return httpx2.Client(base_url=self.url, timeout=60, **more)

    @contextmanager
    def browser(self) -> Iterator["Browser"]:
        """A client that has come with the link."""
        with self.client() as client:
            entered = client.get(f"/?token={self.session.token}")
            assert (303, "/") == (entered.status_code, entered.headers["location"])
            yield Browser(client)


@dataclass(slots=True)
class Read(HTMLParser):
    """A page as a reader of texts has it, and what it is made of."""

    page: str
    open: list[str] = field(default_factory=list)
    words: str = ""  # a text of its own for each element that is no part of a sentence
    seen: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        HTMLParser.__init__(self)
        self.feed(self.page)
        self.close()
        assert [] == self.open, "an element is not closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        self.words += "" if tag in INLINE else " "
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert tag == self.open.pop(), tag
        self.words += "" if tag in INLINE else " "

    def handle_data(self, data: str) -> None:
        if not {"style", "title", "dialog"} & set(self.open):
            self.words += data


@dataclass(slots=True)
class Browser:
    """Reads pages, and sends their forms as they stand."""

    client: httpx2.Client

    def get(self, path: str, asked: Mapping[str, str] | None = None, *, status: int = 200) -> Read:
        """A page by its path and arguments."""
        reply = self.client.get(path, params=asked)
        assert status == reply.status_code, reply.text[-900:]
        assert reply.headers["content-type"].startswith("text/html")
        return Read(reply.text)

    def form(self, page: Read, action: str) -> dict[str, str]:
        """The hidden fields of the form of a page."""
        found = re.search(rf'<form[^>]*action="{re.escape(action)}".*?</form>', page.page, re.DOTALL)
        assert found is not None, "there is no such form"
        fields = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', found[0])
        return {name: html.unescape(value) for name, value in fields}

    def resolve(self, page: Read, said: Mapping[str, str], *, status: int = 303) -> httpx2.Response:
        """Send the form of a line's page with what was chosen."""
        reply = self.client.post("/resolve", data={**self.form(page, "/resolve"), **said})
        assert status == reply.status_code, reply.text[-900:]
        return reply


@contextmanager
def served(memory: Memory, *, write: bool = False) -> Iterator[Served]:
    """Serve the pages of a memory while a test runs."""
    listening = listen("127.0.0.1", 0)
    port = listening.getsockname()[1]
    tokens: list[str] = []
    session = Session(tokens.append)
    workers = Workers()
    server = uvicorn.Server(config_of(guarded(memory, session, port, workers, write=write)))
    thread = Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        yield Served(port, session, tokens)
    finally:
        server.should_exit = True
        thread.join(timeout=30)
        assert workers.stop()
        listening.close()


def raw(port: int, request: bytes) -> bytes:
    """What a server answers to bytes that no client would send."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(request)
        connection.settimeout(30)
        answer = b""
        while b"\r\n\r\n" not in answer and (part := connection.recv(65_536)):
            answer += part
        return answer
