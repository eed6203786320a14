"""Every tool listed and called over stdio by a client in another language: the inspector of the protocol's authors.

    python -m tests.mcp.inspector COMMAND...

COMMAND is how the inspector is started (`mcp-inspector`). It reads the lists of both eras of the protocol in strict
mode and calls each tool; it holds every reply against the tool's schema. For `.ci/conformance`.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.mcp.serving import environment

LISTS = ("tools/list", "resources/list", "resources/templates/list", "prompts/list")
ERRORED = 5  # the inspector's exit status for a tool's own error
NODE, RECORD, RULE, CLAIM = "$node_id", "$memory_id", "$rule_id", "$claim_ref"  # of an earlier reply
DESK = {"subject": "Dora", "predicate": "desk_number"}
TOLD = {**DESK, "provenance": "External:UserAsserted", "valid_time": {"start": "2024", "valid_time_confidence": 0.9}}
CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("memory_store", {"content": "The spare key is under the blue pot."}),
    ("memory_ingest", {"content": "Ana works at Bosch in Berlin.", "occurred_at": "2024-03-01"}),
    ("memory_retrieve", {"query": "where is the spare key?"}),
    ("memory_context", {"query": "spare key", "token_budget": 200}),
    ("memory_get_node", {"node_id": NODE}),
    ("memory_promote_node", {"node_id": NODE}),
    ("memory_archive_node", {"node_id": NODE}),
    ("memory_organize", {"jobs": "decay", "budget_ms": 1000}),
    ("ingest_claim", {**TOLD, "value": "D-1"}),
    ("ingest_claim", {**TOLD, "value": "D-2"}),
    ("query_memory", {**DESK, "history": True}),
    ("list_contested", {}),
    ("resolve_contested", {**DESK, "outcome": "winner", "winner": "D-2", "reason": "Dora said so"}),
    ("reconcile", {"subject_lines": [["Dora", "desk_number"]]}),
    ("end_fact", {**DESK, "at": "2025"}),
    ("audit", {"limit": 5}),
    ("add_rules", {"text": "sits_at(x, y) :- desk_number(x, y)."}),
    ("list_rules", {}),
    ("ask", {"query": "desk_number(x, y)"}),
    ("why", {"fact": CLAIM}),
    ("remove_rule", {"rule_id": RULE}),
    ("add_memory", {"messages": [{"role": "user", "content": "Prefers window seats"}], "infer": False}),
    ("search_memories", {"query": "seats", "filters": {"category": {"ne": "x"}}}),
    ("list_memories", {"limit": 5}),
    ("get_memory", {"memory_id": RECORD}),
    ("update_memory", {"memory_id": RECORD, "content": "Prefers aisle seats"}),
    ("delete_memory", {"memory_id": RECORD}),
    ("delete_all_memories", {"user_id": "ana", "confirm": True}),
)


@dataclass(frozen=True, slots=True)
class Inspector:
    """How the inspector is started, and the server that it starts."""

    command: Sequence[str]
    where: Path

    def ask(self, method: str, *more: str, era: str = "legacy") -> tuple[int, dict[str, Any], str]:
        """Ask one thing: the exit status, what came back, and what was said on stderr."""
        server = [sys.executable, "-m", "hornbook.mcp", "--db-path", str(self.where / "db"), "--toolset", "all"]
        flags = ["--format", "json", "--connect-timeout", "60000", "--protocol-era", era, "--method", method, *more]
        names = {name: value for name, value in environment(self.where).items() if name.isupper()}
        passed = [
            part for name in ("HORNBOOK_CACHE_DIR", "XDG_CONFIG_HOME") for part in ("-e", f"{name}={names[name]}")
        ]
        passed += ["-e", "HORNBOOK_USER_ID=ana", "-e", f"PYTHONPATH={os.pathsep.join(sys.path)}"]
        done = subprocess.run(
            [*self.command, "--cli", *flags, *passed, "--", *server],
            capture_output=True,
            text=True,
            check=False,
            env={**names, "HOME": str(self.where)},
            timeout=180,
        )
        return done.returncode, json.loads(done.stdout)["result"] if done.stdout.strip() else {}, done.stderr


def found(body: Any, name: str) -> Any:
    """The first value of a name, anywhere in a reply.

    >>> found({"results": [{"memory_id": 7}]}, "memory_id")
    7
    """
    if isinstance(body, Mapping) and name in body:
        return body[name]
    inner = body.values() if isinstance(body, Mapping) else body if isinstance(body, list) else ()
    return next((value for part in inner if (value := found(part, name)) is not None), None)


def filled(arguments: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments with what earlier replies brought in the place of the names that begin with `$`."""
    return {key: known.get(value[1:]) if str(value)[:1] == "$" else value for key, value in arguments.items()}


def listed(inspector: Inspector) -> tuple[set[str], list[str]]:
    """The tools there are, and what is wrong with any of the lists."""
    tools: set[str] = set()
    wrong = []
    for era in ("legacy", "modern"):
        for method in LISTS:
            strict = ["--strict"] if method == "tools/list" else []
            status, result, said = inspector.ask(method, *strict, era=era)
            print(f"{method} ({era}): status {status}", *(said.strip().splitlines()[-1:] if strict else ()))
            wrong += [f"{method} ({era}): {said}"] if status or not result else []
            tools |= {tool["name"] for tool in result.get("tools", ())}
    return tools, wrong


def called(inspector: Inspector) -> list[str]:
    """Call every tool, and one with what it must refuse; what went wrong."""
    known: dict[str, Any] = {}
    wrong = []
    for tool, arguments in CALLS:
        given = json.dumps(filled(arguments, known))
        status, result, said = inspector.ask("tools/call", "--tool-name", tool, "--tool-args-json", given)
        print(f"{tool}: status {status}")
        wrong += [f"{tool} {given}: {result or said}"] if status or "structuredContent" not in result else []
        for name in (NODE, RECORD, RULE, CLAIM):
            if (value := found(result.get("structuredContent"), name[1:])) is not None:
                known[name[1:]] = value
    refusing = ("--tool-name", "memory_get_node", "--tool-args-json", '{"node_id": "none"}')
    status, result, said = inspector.ask("tools/call", *refusing)
    print(f"a refusal: status {status}")
    refused = found(result.get("structuredContent"), "error")
    return wrong if status == ERRORED and refused else [*wrong, f"a refusal did not arrive: {status} {said}"]


def main(command: Sequence[str]) -> int:
    """List and call; 0 if nothing is wrong."""
    with tempfile.TemporaryDirectory() as where:
        inspector = Inspector(command, Path(where))
        tools, wrong = listed(inspector)
        wrong += called(inspector)
    wrong += [f"{tool} was not called" for tool in sorted(tools - {tool for tool, _ in CALLS})]
    print(*wrong, f"{len(tools)} tools, {len(wrong)} wrong", sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
