"""Run black-box cases against a memory server over MCP. The format of a case is in README.md beside this file.

run.py --server "hornbook-mcp --db-path {db}" *.json [--only 'time-*'] [--jobs 4] [--json results.json]
run.py --in-process *.json          the same without a process a server
run.py --check *.json               only looks at the case files
"""

import argparse
import asyncio
import fnmatch
import json
import os
import re
import shlex
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from math import inf, isclose
from pathlib import Path
from typing import Any

ACTIONS = {"call", "read", "list", "parallel", "restart", "mark", "sleep"}
VARIABLE, REPEATED = re.compile(r"\{\{(.+?)\}\}"), re.compile(r"(.+?)\*(\d+)", re.DOTALL)
NOW = re.compile(r"now(?:([+-]\d+)([smhd]))?(?:\|(day|month|year))?")
AS_TYPE = re.compile(r"(.+)\|(text|number)")
UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", None: "days"}
CUT = {"day": 10, "month": 7, "year": 4, None: None}
PATTERNS = ("match", "no_match", "error_field")
MISSING = object()

Case = dict[str, Any]
Expect = dict[str, Any]


def variable(name: str, known: dict[str, Any]) -> Any:
    """What a {{name}} stands for.

    >>> variable("ab*2", {}), variable("n|number", {"n": "7"})
    ('abab', 7)
    """
    if typed := AS_TYPE.fullmatch(name):
        plain = variable(typed[1], known)
        return str(plain) if typed[2] == "text" else int(plain)
    if name in known:
        return known[name]
    if at := NOW.fullmatch(name):
        moment = datetime.now(UTC) + timedelta(**{UNITS[at[2]]: int(at[1] or 0)})
        return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")[: CUT[at[3]]]
    if text := REPEATED.fullmatch(name):
        return text[1] * int(text[2])
    raise KeyError(f"variable {name} is not set")


def fill(value: Any, known: dict[str, Any], quote: Callable[[str], str] = str) -> Any:
    """`value` with its {{variables}} put in; in patterns they are quoted."""
    if isinstance(value, dict):
        return {fill(k, known, quote): fill(v, known, re.escape if k in PATTERNS else quote) for k, v in value.items()}
    if isinstance(value, list):
        return [fill(item, known, quote) for item in value]
    if not isinstance(value, str):
        return value
    if quote is str and (whole := VARIABLE.fullmatch(value)):
        return variable(whole[1], known)
    return VARIABLE.sub(lambda found: quote(str(variable(found[1], known))), value)


def walk(value: Any, path: str | list[str]) -> Any:
    """What stands at a path: keys and indexes joined with dots, `*` for every element, `|` between alternatives."""
    if isinstance(path, str):
        found = (walk(value, option.split(".") if option else []) for option in path.split("|"))
        return next((one for one in found if one is not MISSING), MISSING)
    if not path:
        return value
    key, rest = path[0], path[1:]
    if key == "*" and isinstance(value, list | dict):
        inner = value.values() if isinstance(value, dict) else value
        return [one for item in inner if (one := walk(item, rest)) is not MISSING]
    if isinstance(value, list) and re.fullmatch(r"-?\d+", key) and -len(value) <= int(key) < len(value):
        return walk(value[int(key)], rest)
    return walk(value[key], rest) if isinstance(value, dict) and key in value else MISSING


def number(value: Any) -> bool:
    """Whether it is a JSON number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def same(a: Any, b: Any, part: bool = False) -> bool:
    """JSON equality: 1 equals 1.0, not true, not "1"; with `part` objects may have more keys."""
    if number(a) and number(b):
        return bool(a == b) if isinstance(a, int) and isinstance(b, int) else isclose(a, b, rel_tol=1e-6)
    if isinstance(a, dict) and isinstance(b, dict):
        return (part or len(a) == len(b)) and all(k in a and same(a[k], v, part) for k, v in b.items())
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(same(x, y, part) for x, y in zip(a, b, strict=True))
    return type(a) is type(b) and bool(a == b)


def as_text(value: Any) -> str:
    """A text as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def sized(value: Any, want: Any) -> bool:
    """Whether a length is within bounds."""
    low, high = (want.get("min", 0), want.get("max", inf)) if isinstance(want, dict) else (want, want)
    return isinstance(value, list | dict | str) and low <= len(value) <= high


def hits(value: Any, want: Any) -> int:
    """How many elements match as a subset."""
    return sum(same(item, want, True) for item in value) if isinstance(value, list) else -1


def same_set(value: Any, want: list[Any]) -> bool:
    """Whether a list has just these, in any order."""
    return isinstance(value, list) and len(value) == len(want) and all(any(same(x, y) for x in value) for y in want)


TESTS: dict[str, Callable[[Any, Any], bool]] = {
    "equal": same,
    "differ": lambda v, w: not same(v, w),
    "one_of": lambda v, w: any(same(v, x) for x in w),
    "set": same_set,
    "subset": lambda v, w: same(v, w, True),
    "each": lambda v, w: bool(v) and hits(v, w) == len(v),
    "contains": lambda v, w: hits(v, w) > 0,
    "lacks": lambda v, w: hits(v, w) == 0,
    "count": lambda v, w: hits(v, w[0]) == w[1],
    "len": sized,
    "match": lambda v, w: bool(re.search(w, as_text(v))),
    "no_match": lambda v, w: not re.search(w, as_text(v)),
}
EXPECTATIONS = {*TESTS, "error_code", "error_field", "present", "absent", "max_bytes", "any_of"}


def faults(reply: Any, failed: bool, expect: Expect) -> list[str]:
    """What of `expect` does not hold for this reply, as sentences."""
    found: list[str] = []
    if "any_of" in expect:
        options = [faults(reply, failed, option) for option in expect["any_of"]]
        found += [] if [] in options else ["none of: " + " / ".join("; ".join(option) for option in options)]
    elif "error_code" in expect:
        found += error_faults(reply, failed, expect)
    elif failed:
        return ["unexpected error"]
    for name, test in TESTS.items():
        for path, want in expect.get(name, {}).items():
            value = walk(reply, path)
            if value is MISSING or not test(value, want):
                got = "nothing there" if value is MISSING else as_text(value)[:300]
                found.append(f"{name} {path or 'reply'}: expected {as_text(want)[:300]}, got {got}")
    nothing = (MISSING, None)
    found += [f"present: {path} is not there" for path in expect.get("present", []) if walk(reply, path) in nothing]
    found += [f"absent: {path} is there" for path in expect.get("absent", []) if walk(reply, path) not in nothing]
    size = len(json.dumps(reply, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass"))
    return found + ([f"the reply is {size} bytes"] if size > expect.get("max_bytes", inf) else [])


def error_faults(reply: Any, failed: bool, expect: Expect) -> list[str]:
    """What is wrong with an error: its shape, its code, its field."""
    error = reply.get("error") if failed and isinstance(reply, dict) else None
    codes = expect["error_code"] if isinstance(expect["error_code"], list) else [expect["error_code"]]
    if not isinstance(error, dict) or error.get("code") not in codes or not isinstance(error.get("message"), str):
        return [f'expected isError and {{"error": {{"code": {" or ".join(codes)}, "message": ...}}}}']
    if "error_field" in expect and not re.fullmatch(expect["error_field"], str(error.get("field"))):
        return [f"error.field: expected {expect['error_field']}, got {error.get('field')}"]
    return []


class Server:
    """A server and a client of it, in a task of their own, so that two can overlap and stop in any order."""

    def __init__(self, options: argparse.Namespace, case: Case, folder: Path, name: str) -> None:
        self.options, self.case, self.folder = options, case, folder
        self.log = folder / f"{name}.log"
        self.stop, self.noise = asyncio.Event(), list[str]()
        self.session: Any = None

    async def start(self) -> "Server":
        """Start it and wait until it answers."""
        ready: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.task = asyncio.create_task(self.live(ready))
        either: set[asyncio.Future[Any]] = {ready, self.task}
        await asyncio.wait(either, timeout=self.options.timeout, return_when=asyncio.FIRST_COMPLETED)
        if not ready.done():
            if self.task.done() and (why := self.task.exception()):
                raise ConnectionError(f"the server did not start: {type(why).__name__}: {why}")
            self.task.cancel()
            said = self.log.read_text(errors="replace")[-300:] if self.log.exists() else ""
            raise ConnectionError(f"the server did not start; its stderr ends: {said}")
        return self

    async def live(self, ready: "asyncio.Future[bool]") -> None:
        """Hold the connection until told to stop."""
        async with AsyncExitStack() as held:
            await (self.local(held) if self.options.in_process else self.process(held))
            ready.set_result(True)
            await self.stop.wait()

    @property
    def environment(self) -> dict[str, str]:
        """What a case sets."""
        cache = str(self.folder / "cache")
        return {"HORNBOOK_USER_ID": "case-user", "HORNBOOK_CACHE_DIR": cache, **self.case.get("env", {})}

    async def local(self, held: AsyncExitStack) -> None:
        """Serve in this process."""
        from mcp import Client

        from hornbook.mcp_tools.server import build
        from hornbook.settings import read

        flags = {"db_path": str(self.folder / "memories"), "toolsets": self.case.get("toolset", "all")}
        self.session = await held.enter_async_context(Client(build(read(flags, environ=self.environment))))

    async def process(self, held: AsyncExitStack) -> None:
        """Serve in a process of its own, over stdio."""
        from mcp import ClientSession, StdioServerParameters
        from mcp.client.stdio import stdio_client

        async def listen(message: object) -> None:
            self.noise += [str(message)[:200]] if isinstance(message, Exception) else []

        parts = shlex.split(self.options.server)
        command = [part.replace("{db}", str(self.folder / "memories")) for part in parts]
        command += ["--toolset", self.case.get("toolset", "all")]
        params = StdioServerParameters(command=command[0], args=command[1:], env={**os.environ, **self.environment})
        log = held.enter_context(self.log.open("a"))
        reader, writer = await held.enter_async_context(stdio_client(params, errlog=log))
        self.session = await held.enter_async_context(ClientSession(reader, writer, message_handler=listen))
        await self.session.initialize()

    async def close(self) -> None:
        """Stop it and wait until it is gone."""
        self.stop.set()
        await asyncio.wait({self.task}, timeout=self.options.timeout)

    async def do(self, step: Case) -> tuple[Any, bool]:
        """Give the reply as JSON, and whether it is an error."""
        try:
            async with asyncio.timeout(self.options.timeout):
                return await self.answer(step)
        except Exception as error:
            return {"protocol_error": f"{type(error).__name__}: {error}"}, True

    async def answer(self, step: Case) -> tuple[Any, bool]:
        """Do one step on the server."""
        if "list" in step:
            tools = (await self.session.list_tools()).tools
            return {"tools": [tool.model_dump(mode="json", by_alias=True) for tool in tools]}, False
        if "read" in step:
            return parsed((await self.session.read_resource(step["read"])).contents[0].text), False
        result = await self.session.call_tool(step["call"], step.get("args", {}))
        if result.structured_content is not None:
            return result.structured_content, bool(result.is_error)
        return parsed(getattr(next(iter(result.content), None), "text", "")), bool(result.is_error)


def parsed(text: str) -> Any:
    """JSON where it is JSON."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


class Run:
    """One case on servers of its own."""

    def __init__(self, case: Case, options: argparse.Namespace, folder: Path) -> None:
        self.case, self.options, self.folder = case, options, folder
        self.known: dict[str, Any] = {}
        self.servers: dict[str, Server] = {}
        self.problems: list[Case] = []
        self.starting = asyncio.Lock()

    async def result(self) -> list[Case]:
        """Do every step until one fails, then stop what was started."""
        label = "-"
        try:
            for label, step in ((str(number), step) for number, step in enumerate(self.case["steps"], 1)):
                for i in range(step.get("repeat", 1)):
                    if not self.problems:
                        await self.perform(step, label, {"i": i})
        except (ConnectionError, KeyError) as error:
            self.problem(label, {}, [str(error)], "")
        for server in self.servers.values():
            await server.close()
            if server.noise and not self.problems:
                self.problem("-", {}, ["stdout carries more than the protocol"], server.noise[0])
        return self.problems

    def problem(self, label: str, does: Case, wrong: list[str], reply: str) -> None:
        """Note what went wrong at which step."""
        self.problems.append({"step": label, "does": does, "wrong": wrong, "reply": reply})

    async def perform(self, given: Case, label: str, scope: dict[str, Any]) -> None:
        """Do one step."""
        known = {**self.known, **scope}
        step = {key: value if key in ("save", "parallel") else fill(value, known) for key, value in given.items()}
        name = step.get("server", "a")
        if "restart" in step and name in self.servers:
            await self.servers.pop(name).close()
        async with self.starting:
            if {"call", "read", "list", "restart"} & set(step) and name not in self.servers:
                self.servers[name] = await Server(self.options, self.case, self.folder, name).start()
        if "parallel" in step:
            inner = enumerate(step["parallel"], 1)
            await asyncio.gather(*(self.perform(one, f"{label}.{number}", scope) for number, one in inner))
        elif "mark" in step:
            await asyncio.sleep(0.05)
            self.known[step["mark"]] = variable("now", {})
            await asyncio.sleep(0.05)
        elif "sleep" in step:
            await asyncio.sleep(step["sleep"])
        elif "restart" not in step:
            self.check(step, label, *await self.servers[name].do(step))

    def check(self, step: Case, label: str, reply: Any, failed: bool) -> None:
        """Hold a reply against what is expected, and remember what is to be saved."""
        wrong = faults(reply, failed, step.get("expect", {}))
        self.known.update({var: walk(reply, path) for var, path in step.get("save", {}).items()})
        wrong += [f"save {var}: nothing there" for var in step.get("save", {}) if self.known[var] is MISSING]
        if wrong:
            does: Case = {key: step[key] for key in ("call", "args", "read", "list") if key in step}
            self.problem(label, does, wrong, as_text(reply)[:1500])


async def run_all(cases: list[Case], options: argparse.Namespace) -> list[Case]:
    """Run the cases, so many at once, and report each as it ends."""
    slots, results = asyncio.Semaphore(options.jobs), list[Case]()

    async def one(case: Case) -> None:
        async with slots:
            began = time.monotonic()
            with tempfile.TemporaryDirectory(prefix="case-") as folder:
                problems = await Run(case, options, Path(folder)).result()
        seconds = round(time.monotonic() - began, 2)
        results.append({"id": case["id"], "passed": not problems, "seconds": seconds, "problems": problems})
        report(case, problems)

    await asyncio.gather(*(one(case) for case in cases))
    return results


def report(case: Case, problems: list[Case]) -> None:
    """Say how a case went."""
    print(
        f"{'FAIL' if problems else 'PASS'}  {case['id']}"
        + (f"    {case['why']} [{case['source']}]" if problems else "")
    )
    for at in problems:
        head = f"      step {at['step']}: {as_text(at['does'])[:400]}"
        print(head, *at["wrong"], f"reply: {at['reply'][:400]}", sep="\n        ", flush=True)


def case_faults(case: Case, seen: set[str]) -> list[str]:
    """What is wrong with a case as it is written."""
    wrong = [f"{key} is missing or not text" for key in ("id", "why", "source") if not isinstance(case.get(key), str)]
    wrong += ["the id is used twice"] if case.get("id") in seen else []
    seen.add(str(case.get("id")))
    known: set[str] = set()
    for step in case.get("steps") or [{}]:
        wrong += step_faults(step, known)
    return wrong


def step_faults(step: Case, known: set[str]) -> Iterator[str]:
    """What is wrong with a step as it is written; `known` holds the variables set so far."""
    if len(ACTIONS & set(step)) != 1 or set(step) - ACTIONS - {"args", "repeat", "server", "save", "expect"}:
        yield f"not a step: {sorted(step)}"
    own = json.dumps({key: value for key, value in step.items() if key != "parallel"}, ensure_ascii=False)
    for name in (AS_TYPE.sub(r"\1", found) for found in VARIABLE.findall(own)):
        counted = name == "i" and "repeat" in step
        if name not in known and not counted and not NOW.fullmatch(name) and not REPEATED.fullmatch(name):
            yield f"variable {name} is not set at this point"
    yield from expect_faults(step.get("expect", {}))
    for inner in step.get("parallel", []):
        yield from step_faults(inner, known)
    known.update(step.get("save", {}), [step["mark"]] if "mark" in step else [])


def expect_faults(expect: Expect) -> Iterator[str]:
    """What is wrong with an expectation as it is written."""
    yield from (f"unknown expectation {name}" for name in set(expect) - EXPECTATIONS)
    tables = (expect.get("match", {}), expect.get("no_match", {}))
    for pattern in (*(found for table in tables for found in table.values()), expect.get("error_field", "")):
        try:
            re.compile(VARIABLE.sub("x", pattern))
        except re.error as error:
            yield f"pattern {pattern}: {error}"
    for option in expect.get("any_of", []):
        yield from expect_faults(option)


def arguments() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(description="Run black-box cases against an MCP memory server.")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--server", help="command line of the server, with {db} where its storage path goes")
    parser.add_argument("--in-process", action="store_true", help="serve in this process instead")
    parser.add_argument("--only", action="append", help="id of a case to run, * allowed (repeatable)")
    parser.add_argument("--jobs", type=int, default=1, help="cases at once (default 1)")
    parser.add_argument("--timeout", type=float, default=60, help="seconds for a start, a stop or a call (default 60)")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the results as JSON")
    parser.add_argument("--check", action="store_true", help="only check the case files; starts nothing")
    options = parser.parse_args()
    if not (options.server or options.in_process or options.check):
        parser.error("--server or --in-process is needed")
    return options


def main() -> int:
    """Exit status 0 all passed, 1 some failed, 2 the case files are faulty."""
    options, seen = arguments(), set[str]()
    files = {file: json.loads(file.read_text("utf-8")) for file in options.files}
    wrong = [
        f"{file.name}: {c.get('id')}: {line}" for file in files for c in files[file] for line in case_faults(c, seen)
    ]
    if options.check or wrong:
        print(*wrong, f"{len(seen)} cases in {len(files)} files, {len(wrong)} faults", sep="\n")
        return 2 if wrong else 0
    wanted = options.only or ["*"]
    cases = [
        case for file in files.values() for case in file if any(fnmatch.fnmatchcase(case["id"], w) for w in wanted)
    ]
    results = asyncio.run(run_all(cases, options))
    if options.json:
        options.json.write_text(json.dumps(results, indent=1, ensure_ascii=False), "utf-8")
    failed = sum(not result["passed"] for result in results)
    print(f"{len(results) - failed} passed, {failed} failed")
    return 1 if failed or not results else 0


if __name__ == "__main__":
    sys.exit(main())
