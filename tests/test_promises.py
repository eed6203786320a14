"""Every promise has a proof that exists, and what the server offers is what the documents promise."""

import ast
import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp_types import Tool
from tests.promises import FREE, REQUIRED, TOOLS, Promise, promises

from hornbook.mcp_tools.server import build
from hornbook.settings import Settings

HERE = Path(__file__).parent
ROWS = tuple(promises())
ARGUMENTS = [row for row in ROWS if "." in row.id and row.id.partition(".")[0] in TOOLS]
FIELDS = [row for row in ROWS if "->" in row.id]


@cache
def cases() -> frozenset[str]:
    found = (json.loads(path.read_text(encoding="utf-8")) for path in (HERE / "cases").glob("*.json"))
    return frozenset(case["id"] for file in found for case in file)


@cache
def found_in(path: Path) -> frozenset[str]:
    tree = ast.parse(path.read_text(encoding="utf-8")) if path.is_file() else ast.Module([], [])
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def exists(proof: str) -> bool:
    """Whether a case or a test is there."""
    file, colons, name = proof.partition("::")
    return name in found_in(HERE / file) if colons else proof in cases()


@cache
def tools() -> dict[str, Tool]:
    served = anyio.run(build(Settings(db_path=":memory:", toolsets=("all",))).list_tools)
    return {tool.name: tool for tool in served}


def test_every_promise_has_its_own_name() -> None:
    assert [] == [name for name, times in Counter(row.id for row in ROWS).items() if times > 1]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_a_promise_has_a_proof_that_exists_or_a_gap_that_says_why(row: Promise) -> None:
    assert bool(row.tests) != bool(row.gap)
    assert [] == [proof for proof in row.tests if not exists(proof)]


@pytest.mark.parametrize("row", ARGUMENTS, ids=lambda row: row.id)
def test_an_argument_is_there_with_the_documented_default(row: Promise) -> None:
    tool, _, name = row.id.partition(".")
    schema = tools()[tool].input_schema
    found: Any = REQUIRED if name in schema.get("required", ()) else schema["properties"][name].get("default", FREE)

    assert row.default == found


@pytest.mark.parametrize("row", FIELDS, ids=lambda row: row.id)
def test_a_documented_field_is_in_the_declared_reply(row: Promise) -> None:
    tool, _, name = row.id.partition("->")

    assert name in (tools()[tool].output_schema or {})["properties"]


def test_nothing_is_required_that_the_documents_do_not_require() -> None:
    for name in TOOLS:
        documented = {row.id for row in ARGUMENTS if row.default is REQUIRED}
        required = {f"{name}.{argument}" for argument in tools()[name].input_schema.get("required", ())}
        assert required <= documented, name
