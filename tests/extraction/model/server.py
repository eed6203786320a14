"""A server on loopback that speaks the OpenAI protocol and answers from a script."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True, slots=True)
class Reply:
    """One scripted answer: its text, or a status; `hangs` until the server is closed."""

    text: str = ""
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    hangs: bool = False
    as_text: bool = False  # answer in prose although tools were offered
    finish: str = "stop"
    of: str | None = None  # answers only a request whose text holds this


@dataclass
class Script:
    """What the server answers, one after the other, and what it was asked. The last answer is given for ever."""

    replies: list[Reply]
    url: str = ""
    seen: list[dict[str, Any]] = field(default_factory=list)
    closed: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)
    together: threading.Barrier | None = None  # every request waits until so many are there
    at_once: int = 0
    most_at_once: int = 0

    def next(self, asked: dict[str, Any]) -> Reply:
        """The answer to this request."""
        said = json.dumps(asked["messages"], ensure_ascii=False)
        with self.lock:
            self.seen.append(asked)
            chosen = next((r for r in self.replies if r.of is not None and r.of in said), None)
            chosen = chosen or next(r for r in self.replies if r.of is None)
            if chosen.of is None and len([r for r in self.replies if r.of is None]) > 1:
                self.replies.remove(chosen)
            return chosen


def body_of(asked: dict[str, Any], reply: Reply) -> bytes:
    """An answer in the shape that was asked for."""
    message: dict[str, Any] = {"role": "assistant", "content": reply.text}
    if (tools := asked.get("tools")) and not reply.as_text:
        call = {"name": tools[0]["function"]["name"], "arguments": reply.text}
        message |= {"content": None, "tool_calls": [{"id": "1", "type": "function", "function": call}]}
    usage = {"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100}
    choice = {"index": 0, "message": message, "finish_reason": reply.finish}
    told = {"id": "1", "object": "chat.completion", "created": 1, "model": asked["model"], "choices": [choice]}
    return json.dumps({**told, "usage": usage}).encode()


class Handler(BaseHTTPRequestHandler):
    """Answers each POST from the script of its server."""

    protocol_version = "HTTP/1.1"
    script: Script

    def do_POST(self) -> None:
        """Answer one request."""
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        with self.script.lock:
            self.script.at_once += 1
            self.script.most_at_once = max(self.script.most_at_once, self.script.at_once)
        reply = self.script.next(asked)
        if self.script.together is not None:
            self.script.together.wait(30)
        with self.script.lock:  # before the answer, since the next request may follow it at once
            self.script.at_once -= 1
        if reply.hangs:
            self.script.closed.wait(30)
            self.close_connection = True
        else:
            self._send(asked, reply)

    def _send(self, asked: dict[str, Any], reply: Reply) -> None:
        error = json.dumps({"error": {"message": f"status {reply.status}", "type": "x", "code": "x"}}).encode()
        body = body_of(asked, reply) if reply.status == 200 else error
        self.send_response(reply.status)
        for key, value in (
            ("content-type", "application/json"),
            ("content-length", str(len(body))),
            *reply.headers,
        ):
            self.send_header(key, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def scripted(*replies: Reply | str | dict[str, Any]) -> Iterator[Script]:
    """A running server; a text or an object stands for an answer that is just that."""
    ready = [
        one if isinstance(one, Reply) else Reply(one if isinstance(one, str) else json.dumps(one)) for one in replies
    ]
    script = Script(ready)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Scripted", (Handler,), {"script": script}))
    server.daemon_threads = True
    script.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield script
    finally:
        script.closed.set()
        server.shutdown()
        server.server_close()
