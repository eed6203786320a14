"""Random and schema-shaped calls, over stdio and over HTTP, of two users: nothing breaks, and nothing crosses over.

    python benchmarks/fuzz.py [--calls 10000] [--seed 1] [--json FILE]

Half of the calls go over each transport. Exit status 1 where a server ended, a reply was late or no reply, an error
had another shape or the server's inside in it, a traceback was logged, a user saw a word of the other's, or a store
does not verify afterwards. A run is repeated with its seed.
"""

import json
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Timer
from typing import Any, Protocol

import httpx2
from measure import percentile, publish, reader

sys.path.append(str(Path(__file__).parents[1]))
from tests.mcp.serving import KEYS, environment, serving

from hornbook.checkup import Status, examined
from hornbook.settings import Settings

CODES = {
    "invalid_argument",
    "not_found",
    "ambiguous",
    "incoherent",
    "forbidden",
    "conflict",
    "unavailable",
    "too_large",
}
INSIDE = re.compile(r"Traceback|File \\?\"/|site-packages|sqlite3\.|kuzu\.|pydantic\.|hornbook failed on this call")
LATE = 60.0  # seconds
USERS = ("ana", "ben")
METHODS = ("ping", "tools/list", "resources/list", "resources/templates/list", "prompts/list", "no/such", "tools/call")
URIS = (
    "memory://stats",
    "memory://health",
    "memory://contested",
    "memory://changes",
    "memory://nodes/{}",
    "file:///etc",
)
URIS = (
    *URIS,
    "memory://claims/{}",
    "memory://entities/{}",
    "memory://nodes/../{}",
    "powermem://memory",
    "",
    "memory://%00",
)
PARAMS: tuple[Any, ...] = (
    {},
    {"name": "x"},
    {"cursor": "y"},
    [],
)  # the last is no message: over stdio it has no answer
GREETING = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "fuzz", "version": "1"}}
ODD: tuple[Any, ...] = (None, True, -1, 10**30, 1.5, "", " ", "\x00", "é" * 300, "a" * 100_000, "\ud800", "2024-13-45")
ODD = (
    *ODD,
    [],
    {},
    [[]],
    {"a": {"b": [1]}},
    "[",
    "{}",
    "null",
    "../../etc/passwd",
    "'; DROP TABLE event; --",
    "🦉" * 50,
)
WORDS = "Ana Ben Oslo Rome tea lives_in works_at desk key pot blue green moved yesterday 2024 2024-03 likes".split()  # noqa: SIM905


class Door(Protocol):
    """A way into a server."""

    def send(self, message: Any, user: str) -> Any:
        """Send one message; its reply, or None where none is owed."""


@dataclass(slots=True)
class Pipe:
    """Over stdin and stdout, a line each."""

    process: "subprocess.Popen[str]"

    def send(self, message: Any, user: str) -> Any:
        """Write a line, and read up to its answer."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()
        if not isinstance(message, dict) or message.get("id") is None:
            return None
        late = Timer(LATE, self.process.kill)  # a server that does not answer is ended, so that the run ends too
        late.start()
        try:
            while line := self.process.stdout.readline():
                reply = json.loads(line)
                if reply.get("id", 0) in (message["id"], None):  # null: it could not be read that far
                    return reply
        finally:
            late.cancel()
        raise EOFError("the server has ended, or did not answer in time")


@dataclass(slots=True)
class Post:
    """Over HTTP, with the user's key and a session of the user's own."""

    url: str
    client: httpx2.Client
    sessions: dict[str, str] = field(default_factory=dict)

    def send(self, message: Any, user: str) -> Any:
        """Post a message, and find its answer in what comes back."""
        headers = {"Authorization": f"Bearer {KEYS[user]}", "Accept": "application/json, text/event-stream"}
        if user in self.sessions:
            headers["Mcp-Session-Id"] = self.sessions[user]
        content = json.dumps(message).encode()
        answer = self.client.post(self.url, content=content, headers={**headers, "Content-Type": "application/json"})
        if answer.status_code >= 500:
            raise EOFError(f"status {answer.status_code}")
        self.sessions.setdefault(user, answer.headers.get("mcp-session-id", ""))
        text = answer.text
        told = [json.loads(line[5:]) for line in text.splitlines() if line.startswith("data:") and line[5:].strip()]
        if not told and text.startswith("{"):
            told = [json.loads(text)]
        return next((one for one in told if "id" in one), None)


@dataclass(slots=True)
class Fuzz:
    """A run against one door: what was seen, and what is wrong."""

    door: Door
    dice: random.Random
    bound: bool  # whether the door knows who calls
    tools: list[dict[str, Any]] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    canaries: dict[str, set[str]] = field(default_factory=lambda: {user: set() for user in USERS})
    outcomes: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    number: int = 0
    last: str = ""

    def begin(self) -> None:
        """Shake hands, and learn the tools."""
        for user in USERS if self.bound else USERS[:1]:  # over stdio there is one session
            self.request("initialize", GREETING, user)
            self.door.send({"jsonrpc": "2.0", "method": "notifications/initialized"}, user)
        self.tools = self.request("tools/list", {}, "ana")["result"]["tools"]

    def request(self, method: str, params: Any, user: str) -> Any:
        """One request with an id of its own."""
        self.number += 1
        self.last = f"{method} {json.dumps(params)} of {user}"
        return self.door.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}, user)

    def step(self) -> None:
        """One random thing, and a look at what came back."""
        user, luck = self.dice.choice(USERS), self.dice.random()
        if luck < 0.85:
            tool = self.dice.choice(self.tools)
            method, params = "tools/call", {"name": tool["name"], "arguments": self.arguments(tool, user)}
        elif luck < 0.93:
            id_ = self.dice.choice(self.ids or ["x"])
            method, params = "resources/read", {"uri": self.dice.choice(URIS).replace("{}", id_)}
        else:
            method, params = self.dice.choice(METHODS), self.dice.choice(PARAMS)
        began = time.perf_counter()
        reply = self.request(method, params, user)
        self.times.append(time.perf_counter() - began)
        self.look(method, params, user, reply)

    def arguments(self, tool: dict[str, Any], user: str) -> dict[str, Any]:
        """Arguments as the schema has them, and in every third call something that it has not."""
        fields, required = tool["inputSchema"]["properties"], tool["inputSchema"].get("required", [])
        given = {
            name: self.value(name, schema, user)
            for name, schema in fields.items()
            if name in required or (name != "user_id" and self.dice.random() < 0.25)
        }
        if "user_id" in fields:
            given["user_id"] = user
        if self.dice.random() < 0.33 and given:
            name = self.dice.choice([*given, "no_such_argument"])
            if name != "user_id":
                given[name] = self.dice.choice(ODD)
            if self.dice.random() < 0.3 and required:
                given.pop(self.dice.choice(required), None)
        return given

    def value(self, name: str, schema: dict[str, Any], user: str) -> Any:
        """A value that a field may have."""
        if "enum" in schema:
            return self.dice.choice(schema["enum"])
        if "anyOf" in schema:
            return self.value(name, self.dice.choice(schema["anyOf"]), user)
        kind = schema.get("type")
        if kind == "integer":
            return self.dice.randint(
                schema.get("minimum", 0), min(schema.get("maximum", 50), 50 + schema.get("minimum", 0))
            )
        if kind == "number":
            return round(self.dice.random(), 2)
        if kind == "boolean":
            return self.dice.random() < 0.5
        if kind == "array":
            return [self.value(name, schema.get("items", {}), user) for _ in range(self.dice.randint(0, 2))]
        if kind == "object":
            return {self.dice.choice(WORDS): self.dice.choice(WORDS)}
        return self.text(name, user)

    def text(self, name: str, user: str) -> str:
        """Words that fit a field: ids of anybody, dates, and in contents a mark of the owner's."""
        if re.search(r"_id|_ref|ref$|derived_from|winner", name) and self.ids and self.dice.random() < 0.8:
            return self.dice.choice(self.ids)
        if re.search(r"_at$|^at$|_time", name):
            return self.dice.choice(("2024", "2024-03", "2024-03-05", "2025-01-01T10:00:00Z", "soon"))
        if name == "provenance":
            return self.dice.choice(("External:UserAsserted", "ModelDerived", "RecallReEntry", "nobody"))
        said = " ".join(self.dice.choices(WORDS, k=self.dice.randint(1, 8)))
        if name in ("content", "messages", "value", "evidence", "metadata") and self.dice.random() < 0.6:
            mark = f"mark-{user}-{self.dice.getrandbits(48):x}"
            self.canaries[user].add(mark)
            return f"{said} {mark}"
        return said

    def look(self, method: str, params: Any, user: str, reply: Any) -> None:
        """What a reply must be like."""
        text = json.dumps(reply, ensure_ascii=False)
        about = f"{method} {json.dumps(params)[:300]} of {user}: {text[:300]}"
        if self.times[-1] > LATE:
            self.wrong.append(f"late: {about}")
        if INSIDE.search(text):
            self.wrong.append(f"the inside shows: {about}")
        other = USERS[1 - USERS.index(user)]
        sent = json.dumps(params, ensure_ascii=False)
        # over stdio resources are of the server's own user, whoever the line is about
        seen = set(re.findall(rf"mark-{other}-[0-9a-f]+", text)) - set(re.findall(r"mark-\w+-[0-9a-f]+", sent))
        if seen and (self.bound or method == "tools/call"):
            self.wrong.append(f"{other}'s words: {about}")
        self.ids += re.findall(r"\"[0-9a-f]{8}-[0-9a-f-]{27}\"", text)[:3]
        self.ids = [id_.strip('"') for id_ in self.ids[-200:]]
        self.count(method, reply, about)

    def count(self, method: str, reply: Any, about: str) -> None:
        """The kind of an outcome, for the report; another shape is wrong."""
        result = (reply or {}).get("result")
        if reply is None or (result is None and "error" not in reply):
            self.wrong.append(f"no reply: {about}")
        elif method == "tools/call" and result and result.get("isError"):
            code = result.get("structuredContent", {}).get("error", {}).get("code")
            self.outcomes[str(code)] += 1
            if code not in CODES:
                self.wrong.append(f"another shape of error: {about}")
        else:
            self.outcomes["done" if result is not None else f"protocol {reply['error']['code']}"] += 1


@contextmanager
def piped(where: Path) -> Iterator[tuple[Door, list[str]]]:
    """A server over stdio, and its log."""
    command = [sys.executable, "-m", "hornbook.mcp", "--db-path", str(where / "memories"), "--toolset", "all"]
    log = where / "log"
    with (
        log.open("w") as errors,
        subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            cwd=where,
            env=environment(where, HORNBOOK_USER_ID="ana"),
        ) as process,
    ):
        lines: list[str] = []
        yield Pipe(process), lines
        assert process.stdin is not None
        process.stdin.close()
        if process.wait(timeout=LATE) != 0:
            lines.append(f"Traceback: exit status {process.returncode}")
    lines += log.read_text(errors="replace").splitlines()


@contextmanager
def posted(where: Path) -> Iterator[tuple[Door, list[str]]]:
    """A server over HTTP, and its log."""
    lines: list[str] = []
    with serving(where, "--toolset", "all") as served, httpx2.Client(timeout=LATE) as client:
        yield Post(served.url, client), lines
        if served.stop() != 0:
            lines.append(f"Traceback: exit status {served.process.returncode}")
    lines += served.lines


def run(name: str, calls: int, seed: int) -> dict[str, Any]:
    """Fuzz one transport, and examine the stores afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        where = Path(folder)
        with (piped if name == "stdio" else posted)(where) as (door, lines):
            fuzz = Fuzz(door, random.Random(f"{seed} {name}"), bound=name == "http")
            fuzz.begin()
            try:
                for _ in range(calls):
                    fuzz.step()
            except (EOFError, OSError, httpx2.HTTPError) as error:
                fuzz.wrong.append(f"after {fuzz.number} calls: {error!r}; the last was {fuzz.last[:600]}")
        fuzz.wrong += [f"logged: {line[:300]}" for line in lines if "Traceback" in line]
        settings = Settings(db_path=str(where / "memories"), cache_dir=str(where / "cache"))
        for user in USERS:
            found = examined(settings, user)
            if found.status is Status.DAMAGED:
                fuzz.wrong.append(f"the store of {user}: {found.as_dict()}")
    p50, p95 = (round(percentile([one * 1000 for one in fuzz.times], part), 1) for part in (0.5, 0.95))
    told = {"over": name, "calls": calls, "p50_ms": p50, "p95_ms": p95, "longest_ms": round(max(fuzz.times) * 1000, 1)}
    marks = sum(map(len, fuzz.canaries.values()))
    return {**told, "marks": marks, "outcomes": dict(fuzz.outcomes.most_common()), "wrong": fuzz.wrong}


def main() -> int:
    """Fuzz both transports, and print what was seen."""
    parser = reader(__doc__)
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    flags = parser.parse_args()
    rows = [run(name, flags.calls // 2, flags.seed) for name in ("stdio", "http")]
    wrong = [f"{row['over']}: {what}" for row in rows for what in row.pop("wrong")]
    publish(rows, flags.json)
    print(*wrong, sep="\n", end="", file=sys.stderr)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
