"""Write the reference pages that say what the code says: `python docs/generate.py` after a change of one of them."""

# ruff: noqa: E501 - a row of a table is one line

import asyncio
import inspect
import json
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import typer.main
from mcp_types import Tool

from hornbook.cli import app
from hornbook.graph import errors
from hornbook.mcp_tools.server import TOOLSETS, build
from hornbook.settings import Settings

sys.path.append(str(Path(__file__).parent))  # the parts beside this file, however it is loaded
from generate_python import python_page
from generate_words import pack_page, predicate_page

REFERENCE = Path(__file__).parent / "reference"
MADE = "<!-- made by docs/generate.py -->"

MEANING = {  # of arguments whose name says it well enough for a model, but which a reader looks up
    "content": "The text",
    "query": "What is asked, in words",
    "scope": "Whose business it is",
    "role": "Who spoke: the owner, another human, the assistant, a tool, the system",
    "speaker": "The name of who said it",
    "node_type": "What kind of memory it is",
    "node_types": "Only these kinds",
    "subject": "Whom or what the claim is about",
    "predicate": "What is said of it",
    "value": "The value, any JSON",
    "session_id": "The conversation it belongs to",
    "idempotency_key": "A second call with the same key stores nothing and gives the first reply",
    "min_score": "Least score, inclusive; under rank fusion least semantic_relevance",
    "limit": "Most results",
    "offset": "Results, or characters of the text, to pass over",
    "include_inactive": "Ended and archived memories too",
    "explain": "Each signal's rank and score beside each result",
    "dry_run": "Say what would be done, and do nothing",
    "budget_ms": "Milliseconds it may take",
    "node_id": "Id of the memory",
    "token_budget": "Most tokens of the text",
    "confidence_value": "How sure the value is, 0 to 1",
    "confidence": "How sure it is, 0 to 1",
    "cardinality": "How many values the line can have at once, where nobody has declared the predicate",
    "criticality": "How much depends on it",
    "polarity": "Whether it holds or does not",
    "mood": "Asserted, planned, possible or conditional",
    "claim_ref": "Only this claim's entries",
    "outcome": "How it is settled",
    "reason": "Why, for the ledger",
    "agent_id": "The agent it belongs to",
    "run_id": "The run or conversation it belongs to",
    "metadata": "What you want to find it by",
    "memory_type": "Your own word for its kind; kept",
    "text": "The rules, as they are written",
    "ref": "Id of a claim or a derived fact",
    "depth": "How many steps of the proof",
    "rule_id": "Id of the rule",
}


def tools() -> str:
    """The page of tools, from the schemas that clients see."""
    head = f"# Tools\n\n{MADE}\n\nEvery tool by toolset: its arguments, their defaults, and what it returns.\n"
    told = "Replies are structured, and the same JSON stands in their text. Errors: see [errors](errors.md).\n"
    parts = [head, told]
    for name in TOOLSETS:
        served = build(Settings(db_path=":memory:", toolsets=(name,)))
        parts.append(f"## Toolset `{name}`\n")
        parts += [_tool(tool) for tool in asyncio.run(served.list_tools())]
    served = build(Settings(db_path=":memory:", toolsets=("all",)))
    return "\n".join([*parts, _resources(served), _prompts(served)])


def _resources(served: Any) -> str:
    """What can be read without a tool; with a parameter it is a template."""
    plain = [(str(one.uri), one.description) for one in asyncio.run(served.list_resources())]
    more = [(one.uri_template, one.description) for one in asyncio.run(served.list_resource_templates())]
    lines = ["## Resources\n", RESOURCES, "| resource | holds |", "|---|---|"]
    return "\n".join([*lines, *(f"| `{uri}` | {_cell(told)} |" for uri, told in sorted(plain + more)), ""])


RESOURCES = """\
JSON, of the server's user. Clients that subscribe are told when `memory://changes`, `memory://stats`, `memory://contested`
or something that they have read changes; names and predicates in them are completed.
"""


def _prompts(served: Any) -> str:
    """What a person can choose from a menu of the client."""
    lines = ["## Prompts\n", "| prompt | arguments | does |", "|---|---|---|"]
    for one in asyncio.run(served.list_prompts()):
        given = ", ".join(f"`{arg.name}`{'' if arg.required else ' (optional)'}" for arg in one.arguments or ())
        lines.append(f"| `{one.name}` | {given} | {_cell(one.description)} |")
    return "\n".join(lines)


def _tool(tool: Tool) -> str:
    schema, returned = tool.input_schema, tool.output_schema or {}
    lines = [f"### `{tool.name}`\n", f"{tool.description}\n", f"{_hints(tool)}\n"]
    lines += ["| argument | type | default | meaning |", "|---|---|---|---|"]
    for name, field in schema["properties"].items():
        default = "required" if name in schema.get("required", ()) else _default(field)
        meaning = field.get("description") or MEANING.get(name, "")
        lines.append(f"| `{name}` | {_kind(field)} | {default} | {_cell(meaning)} |")
    fields = ", ".join(f"`{name}` {_kind(field)}" for name, field in returned.get("properties", {}).items())
    return "\n".join([*lines, f"\nReturns {fields}.\n"])


def _hints(tool: Tool) -> str:
    hints = tool.annotations
    if hints is None or hints.read_only_hint:
        return "Reads only."
    kind = "Writes; takes something away." if hints.destructive_hint else "Writes."
    return f"{kind} Repeating it changes nothing more." if hints.idempotent_hint else kind


def _default(field: dict[str, Any]) -> str:
    return f"`{json.dumps(field['default'])}`" if field.get("default") is not None else "none"


def _kind(field: dict[str, Any]) -> str:
    if "enum" in field:
        return " \\| ".join(f"`{word}`" for word in field["enum"])
    if "anyOf" in field:
        return " \\| ".join(_kind(arm) for arm in field["anyOf"])
    if "$ref" in field:
        return "object"
    kind = field.get("type", "any JSON")
    if kind == "array":
        return f"list of {_kind(field.get('items', {}))}"
    low, high = field.get("minimum"), field.get("maximum")
    bounds = f", {low} to {high}" if high is not None else f", {low} or more" if low is not None else ""
    return f"{kind}{bounds}"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


CODES = {
    "invalid_argument": "an argument, an id or a rule is malformed; `field` names it, `valid` lists what may stand there",
    "not_found": "an id, a name or a line is not in this memory",
    "ambiguous": "several things fit, and none is picked",
    "incoherent": "times contradict each other, or what is stored",
    "forbidden": "provenance, owner or key does not allow it",
    "conflict": "the state does not allow the move",
    "too_large": "the input, or the reply, is above a stated limit",
    "unavailable": "the store, a model or the server cannot serve this now; `hint` says what to do",
}


def error_page() -> str:
    """The page of errors, from their classes."""
    lines = ["# Errors\n", f"{MADE}\n", SHAPE, "| code | meaning |", "|---|---|"]
    lines += [f"| `{code}` | {_cell(meaning)} |" for code, meaning in CODES.items()]
    lines += ["\n## Classes\n", "In Python each is an exception; all are `HornbookError`.\n"]
    lines += ["| class | code | is a | meaning |", "|---|---|---|---|"]
    for kind in _kinds(errors.HornbookError):
        meaning = _cell((inspect.getdoc(kind) or "").split("\n")[0])
        lines.append(f"| `{kind.__name__}` | `{kind.code}` | `{kind.__bases__[0].__name__}` | {meaning} |")
    return "\n".join([*lines, OVER_HTTP])


SHAPE = """\
A tool that fails sets `isError` and replies in one shape, as structure and as text:

```json
{"error": {"code": "invalid_argument", "message": "limit must be 1 or more", "field": "limit", "hint": "leave it out", "valid": ["…"]}}
```

`field`, `hint` and `valid` stand there where they help. No error has a traceback, a path or another library's words.
"""

OVER_HTTP = """
## Over HTTP

What is refused before the protocol is reached has the same shape, and a status:

| status | code | when |
|---|---|---|
| 401 | `forbidden` | no key, or a wrong one; `WWW-Authenticate` asks for a bearer key |
| 403 | `forbidden` | a page of another origin |
| 408 | `unavailable` | the body did not come within 30 seconds |
| 413 | `too_large` | the body has more than 4 MiB |
| 421 | `forbidden` | a `Host` that is no loopback name |
| 429 | `unavailable` | more than 16 calls, or 32 streams, of one user at once |
| 503 | `unavailable` | more than 64 calls at once, or the server is stopping |

Another user's `user_id` is an error of the tool: `forbidden`, status 200.
"""


def _kinds(kind: type[errors.HornbookError]) -> Iterator[type[errors.HornbookError]]:
    yield kind
    for under in kind.__subclasses__():
        if under.__module__ == errors.__name__:
            yield from _kinds(under)


def commands() -> str:
    """The page of commands, from their own help."""
    group: Any = typer.main.get_command(app)
    lines = [
        "# Command line\n",
        f"{MADE}\n",
        "Exit status 0: done; 1: failed; 2: wrong usage; 3: partly done. Tables on a terminal, `--json` for programs.\n",
    ]
    for name, command in sorted(group.commands.items()):
        lines += [f"## `hornbook {name}`\n", f"{_cell((command.help or '').split(chr(12))[0])}\n"]
        lines += list(_options(command))
    return "\n".join([*lines, SERVER])


def _options(command: Any) -> Iterator[str]:
    shown = [one for one in command.params if one.name != "help"]
    if not shown:
        return
    taken = get_type_hints(inspect.unwrap(command.callback), include_extras=True)
    yield "| option | meaning |\n|---|---|"
    for one in shown:
        spelled = ", ".join(one.opts) if one.param_type_name == "option" else one.name.upper()
        yield f"| `{spelled}` | {_cell(getattr(one, 'help', None) or '')}{_bounds(one, taken)} |"
    yield ""


def _bounds(one: Any, taken: dict[str, Any]) -> str:
    """What may stand there, and what does if nothing is said; nothing of flags, and of what has no default."""
    kind, *more = get_args(taken[one.name])  # Annotated[int | None, typer.Option(min=1)]
    told = []
    if (least := getattr(more[0], "min", None)) is not None:
        most = getattr(more[0], "max", None)
        told.append(f"{least:g} or more" if most is None else f"{least:g} to {most:g}")
    literal = next((arm for arm in (kind, *get_args(kind)) if get_origin(arm) is Literal), None)
    told += [", ".join(f"`{word}`" for word in get_args(literal))] if literal else []
    if isinstance(one.default, str | int | float) and not isinstance(one.default, bool) and one.default != "":
        told.append(f"default {one.default}")
    return f" ({'; '.join(told)})" if told else ""


SERVER = """\
## `hornbook-mcp`

The server by itself; also `python -m hornbook.mcp`, and `hornbook serve` with the same flags.

| flag | default | meaning |
|---|---|---|
| `--db-path` | the user's data directory | a directory, one file ending in `.hornbook`, or `:memory:` |
| `--user-id` | `HORNBOOK_USER_ID`, else `mcp_user` | whose memory it is where a call names none |
| `--toolset` | `memory,claims,reasoning` | repeatable, or a comma list; `all` for all; with `--config` or `--env` the record tools too |
| `--transport` | `stdio` | `stdio` or `streamable-http`; `sse` is refused |
| `--host` | `127.0.0.1` | a loopback address |
| `--port` | `8000` | 0 for any that is free; the log says which |
| `--config` | `config.json` in the user's config folder | a JSON or TOML file of [settings](settings.md) |
| `--env` | `.env` in the working directory | a file of environment settings |
| `--version` | | print the version |

Over stdio, stdout carries the protocol and nothing else. Over HTTP the log on stderr is one JSON object a line, with a
`request_id` that the reply has in `X-Request-Id`, and without a word of what was said. SIGTERM finishes the open calls.
`GET /health` tells without a key whether the server takes calls, and its version.
"""

PAGES: dict[str, Callable[[], str]] = {
    "tools.md": tools,
    "errors.md": error_page,
    "cli.md": commands,
    "python.md": partial(python_page, MADE),
    "predicates.md": partial(predicate_page, MADE),
    "packs.md": partial(pack_page, MADE),
}


def main() -> None:
    """Write every page."""
    for name, page in PAGES.items():
        (REFERENCE / name).write_text(page().rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
