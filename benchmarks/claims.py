"""What ingest_claim and query_memory cost: many lines, and many claims on one line, beside mempill in the same run.

    python benchmarks/claims.py [--lines 1000 10000] [--deep 300 1000] [--calls 20] [--no-mcp] [--no-mempill]
                                [--mempill-deep 300] [--venv FOLDER] [--json FILE]

A line is what is said about one subject and predicate. Its claims follow one another in time (succeeded), say the same
(restated), or contradict each other (contested). The stores with many lines are filled straight into the journal; the
long lines are made by ingesting, in a store of the first size. `mempill-mcp` is installed from the package index into
an environment of its own (`--venv`, kept there for the next run), and is driven over MCP as hornbook is.

Figures are milliseconds a call, p50 / p95: CPU of this process (of the server, over MCP), and wall. Budgets: in
process, 4 ms an ingest and 0.8 ms a query, up to 100,000 lines and up to 1,000 claims that follow one another.
"""

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from measure import Spent, children, cpu_of, publish, reader, shown
from memory import apart, settings_of
from view import STATE, VALID

from hornbook.graph.clock import system_clock
from hornbook.graph.events import Actor
from hornbook.graph.ids import new_id
from hornbook.graph.journal import Journal
from hornbook.memory import Memory
from hornbook.opening import journal_path
from hornbook.settings import read

KINDS = ("succeeded", "restated", "contested")
PREDICATE = "gate_code"
AT_ONCE = 500
Row = dict[str, Any]


def said(kind: str, subject: str, number: int) -> dict[str, Any]:
    """The arguments of a claim, as both servers take them."""
    claim: dict[str, Any] = {
        **{"subject": subject, "predicate": PREDICATE, "value": "same" if kind == "restated" else f"value {number}"},
        **{"provenance": {"type": "External", "kind": "UserAsserted"}, "cardinality": "Functional"},
    }
    if kind == "succeeded":
        claim["valid_time"] = {"start": month(number), "end": month(number + 1), "valid_time_confidence": 0.9}
    return claim


def month(number: int) -> str:
    """One month after the other."""
    return f"{1900 + number // 12}-{number % 12 + 1:02}-01T00:00:00Z"


def deep(kind: str, depth: int) -> str:
    """The subject of a long line."""
    return f"{kind} {depth}"


def fill(folder: Path, lines: int) -> None:
    """A store with so many lines of one claim."""
    path, _ = journal_path(folder / "store", "ana")
    with Journal.open(path, clock=system_clock, owner="ana") as journal:
        for start in range(0, lines, AT_ONCE):
            with journal.writing(Actor("benchmark")) as transaction:
                for number in range(start, min(start + AT_ONCE, lines)):
                    for kind, body in events(number):
                        transaction.append(kind, body, event_id=body.get("id") or body["claim"]["id"])


def events(number: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """A subject, and what is said of it."""
    name, entity = f"Subject {number}", new_id()
    yield "entity.recorded", {"id": entity, "name": name, "type": None, "aliases": [], "keys": [name.casefold()]}
    key = f'"value {number}"'
    claim = {
        **{"id": new_id(), "subject": name, "predicate": PREDICATE, "value": f"value {number}", "valid": VALID},
        **{"subject_key": name.casefold(), "value_key": key, "provenance": "External:UserAsserted"},
        **{"polarity": "holds", "mood": "asserted", "confidence": 0.9, "criticality": "Low", "intent": "state"},
        **{"cardinality": "Functional", "speaker": None, "source": None, "evidence": None, "episode": None},
        **{"occurred_at": None, "present": True, "channel": "stated", "extractor": None, "scope": None, "agent": None},
        **{"run": None, "derived_from": [], "kind": "fact", "subject_type": None, "value_type": None, "extra": {}},
    }
    line = {"line": f"{entity}|{PREDICATE}", "entity": entity, "predicate": PREDICATE, "value_key": key}
    yield (
        "claim.recorded",
        {
            **{"claim": claim, "lines": [{**line, "mirrored": False}], "value_entity": None, "state": STATE, "row": 7},
            **{"ledger": "ClaimCommitted", "reason": "first", "compared_with": [], "repeats": None, "memory": None},
        },
    )


def in_process(folder: Path, lines: int, depths: list[int], calls: int) -> list[Row]:
    """New lines in a large store, then long lines, in this process."""
    found: list[Row] = []
    settings = read({"db_path": str(folder / "store")}, environ=settings_of(folder))
    with Memory.open(user="ana", settings=settings) as memory:

        def ingest(kind: str, subject: str, number: int) -> None:
            memory.claim(**said(kind, subject, number), wire=True)

        ingest("contested", "warming up", 0)  # builds the view
        memory.believe("warming up", PREDICATE)
        write, ask = Spent(), Spent()
        for number in range(calls):
            write.of(lambda number=number: ingest("contested", f"new {number}", number))
            ask.of(lambda number=number: memory.believe(f"Subject {number * 31 % lines}", PREDICATE))
        found.append(row("hornbook, in process", lines, "", 1, write, ask))
        for kind in KINDS:
            for depth in depths:
                subject = deep(kind, depth)
                for number in range(depth):
                    ingest(kind, subject, number)
                write, ask = Spent(), Spent()
                for _ in range(calls):
                    ask.of(lambda subject=subject: memory.believe(subject, PREDICATE))
                for number in range(depth, depth + calls):
                    write.of(lambda number=number, kind=kind, subject=subject: ingest(kind, subject, number))
                found.append(row("hornbook, in process", lines, kind, depth, write, ask))
    return found


def row(how: str, lines: int, kind: str, depth: int, write: Spent, ask: Spent) -> Row:
    """What is published of one run."""
    return {
        **{"how": how, "lines": f"{lines:,}", "claims on the line": f"{depth:,} {kind}".strip()},
        **{"ingest, CPU ms": shown(write.cpu), "query, CPU ms": shown(ask.cpu)},
        **{"ingest, wall ms": shown(write.wall), "query, wall ms": shown(ask.wall)},
    }


Call = Callable[..., Awaitable[None]]


@asynccontextmanager
async def served(command: str, flags: list[str], env: dict[str, str]) -> Any:
    """A server of ours or theirs, and how to call a tool of it."""
    before = children()
    async with Client(StdioServerParameters(command=command, args=flags, env=env), read_timeout_seconds=300) as client:
        (pid,) = children() - before

        async def call(spent: Spent, tool: str, **arguments: Any) -> None:
            cpu, wall = cpu_of(pid), time.perf_counter()
            result = await client.call_tool(tool, arguments)
            assert not result.is_error, result
            spent.note(cpu_of(pid) - cpu, time.perf_counter() - wall)

        yield call


async def one_line(call: Call, how: str, lines: int, kind: str, depth: int, calls: int, known: int) -> Row:
    """A long line over MCP, of which `known` claims are there already."""
    subject, write, ask, unused = deep(kind, depth), Spent(), Spent(), Spent()
    for number in range(known, depth):
        await call(unused, "ingest_claim", **said(kind, subject, number))
    for _ in range(calls):
        await call(ask, "query_memory", subject=subject, predicate=PREDICATE)
    for number in range(depth + calls, depth + 2 * calls):
        await call(write, "ingest_claim", **said(kind, subject, number))
    return row(how, lines, kind, depth, write, ask)


async def hornbook_over_mcp(folder: Path, lines: int, depths: list[int], calls: int) -> list[Row]:
    """The same store through a server."""
    flags = ["-m", "hornbook.mcp", "--db-path", str(folder / "store")]
    async with served(sys.executable, flags, settings_of(folder)) as call:
        return await over_mcp(call, "hornbook, over MCP", lines, depths, calls, filled=True)


async def over_mcp(call: Call, how: str, lines: int, depths: list[int], calls: int, *, filled: bool) -> list[Row]:
    """New lines, then long ones."""
    write, ask, unused = Spent(), Spent(), Spent()
    for number in range(0 if filled else lines):
        await call(unused, "ingest_claim", **said("contested", f"Subject {number}", number))
    await call(unused, "query_memory", subject="Subject 0", predicate=PREDICATE)
    await call(unused, "ingest_claim", **said("contested", "warm", 0))
    for number in range(calls):
        await call(write, "ingest_claim", **said("contested", f"newer {number}", number))
        await call(ask, "query_memory", subject=f"Subject {number * 31 % lines}", predicate=PREDICATE)
    found = [row(how, lines, "", 1, write, ask)]
    for kind in KINDS:
        for depth in depths:
            known = depth if filled else 0
            found += [await one_line(call, how, lines, kind, depth, calls, known)]
    return found


async def mempill_over_mcp(venv: Path, lines: int, depths: list[int], calls: int) -> list[Row]:
    """The same claims through mempill."""
    server = venv / "bin" / "mempill-mcp"
    if not server.exists():
        subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
        subprocess.run([str(venv / "bin" / "pip"), "install", "-q", "mempill-mcp"], check=True)
    with tempfile.TemporaryDirectory() as folder:
        env = {"MEMPILL_AGENT_ID": "ana", "MEMPILL_DB_DIR": folder}
        async with served(str(server), [], env) as call:
            return await over_mcp(call, "mempill, over MCP", lines, depths, calls, filled=False)


def main() -> None:
    """Fill, measure, print."""
    parser = reader(__doc__)
    parser.add_argument("--lines", type=int, nargs="*", default=[1_000, 10_000])
    parser.add_argument("--deep", type=int, nargs="*", default=[300, 1_000])
    parser.add_argument("--mempill-deep", type=int, nargs="*", default=[300])
    parser.add_argument("--calls", type=int, default=20)
    parser.add_argument("--no-mcp", action="store_true")
    parser.add_argument("--no-mempill", action="store_true")
    parser.add_argument("--venv", type=Path, default=Path(tempfile.gettempdir()) / "mempill-for-comparison")
    given = parser.parse_args()
    found: list[Row] = []
    for at, lines in enumerate(given.lines):
        depths = given.deep if at == 0 else []
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            fill(folder, lines)
            found += apart(in_process, folder, lines, depths, given.calls)
            if not given.no_mcp:
                found += asyncio.run(hornbook_over_mcp(folder, lines, depths, given.calls))
        if at == 0 and not (given.no_mcp or given.no_mempill):
            found += asyncio.run(mempill_over_mcp(given.venv, lines, given.mempill_deep, given.calls))
    publish(found, given.json)


if __name__ == "__main__":
    main()
