"""The pages name nothing that there is not: no setting, command, option, method or module."""

import importlib
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
import typer.main
from tests.docs.pages import blocks, named, pages

from hornbook import mcp as server
from hornbook.cli import app
from hornbook.mcp_tools.server import build
from hornbook.memory import Memory
from hornbook.origins import origins
from hornbook.settings import Settings

COMMANDS: dict[str, Any] = getattr(typer.main.get_command(app), "commands", {})
SERVER = {flag for action in server._parser()._actions for flag in action.option_strings}


def text(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def code(page: Path) -> str:
    """What stands in blocks and between backticks."""
    spans = re.findall(r"`([^`\n]+)`", text(page))
    return "\n".join([*spans, *(block.text for block in blocks(page))])


@pytest.mark.parametrize("page", pages(), ids=named)
def test_every_setting_that_a_page_names_is_one(page: Path) -> None:
    known = {one.setting for one in origins(Settings(), [])}
    told = set(re.findall(r"\bHORNBOOK_[A-Z_]*[A-Z]\b", text(page).replace("__NAME", "__")))
    begun = {name for name in told if any(one.startswith(f"{name}__") for one in known)}  # HORNBOOK_EXTRACTION__...

    assert set() == told - known - begun


def commands(page: Path) -> Iterator[list[str]]:
    """The commands of hornbook that a page shows, as words."""
    lines = [line for block in blocks(page) if block.language in ("console", "sh") for line in block.text.splitlines()]
    lines += re.findall(r"`((?:hornbook|hornbook-mcp) [^`\n]+)`", text(page))
    for line in lines:
        for part in re.split(r"&&|\|(?!\|)|;", line.removeprefix("$ ")):
            words = shlex.split(part, comments=True)
            while words and "=" in words[0] and not words[0].startswith("-"):
                words.pop(0)
            if words and words[0] in ("hornbook", "hornbook-mcp"):
                yield words


@pytest.mark.parametrize("page", pages(), ids=named)
def test_every_command_and_option_that_a_page_shows_is_one(page: Path) -> None:
    for words in commands(page):
        flags = [word.partition("=")[0] for word in words[1:] if word.startswith("--")]
        if words[0] == "hornbook-mcp" or words[1:2] == ["serve"]:
            assert [] == [flag for flag in flags if flag not in SERVER], words
            continue
        assert words[1] in COMMANDS or words[1].startswith("--"), words
        known = {name for one in COMMANDS[words[1]].params for name in one.opts} | {"--help"}
        assert [] == [flag for flag in flags if flag not in known], words


def test_commands_are_found() -> None:
    assert 25 < sum(1 for page in pages() for _ in commands(page))


@pytest.mark.parametrize("page", pages(), ids=named)
def test_every_method_of_a_memory_that_a_page_calls_is_one(page: Path) -> None:
    told = set(re.findall(r"\b[Mm]emory\.([a-z_]+)\b(?=\()", code(page)))

    assert [] == [name for name in told if not hasattr(Memory, name)]


@pytest.mark.parametrize("page", pages(), ids=named)
def test_every_name_that_a_page_imports_or_spells_out_is_there(page: Path) -> None:
    for module, names in re.findall(r"^(?:>>> )?from (hornbook[\w.]*) import ([\w, ]+)$", code(page), re.MULTILINE):
        for name in names.split(","):
            assert hasattr(importlib.import_module(module), name.strip()), (module, name)
    for path in set(re.findall(r"`(hornbook(?:\.[a-z_]+)+)`", text(page))):
        assert found(path), path


def test_every_tool_that_a_page_names_is_one() -> None:
    tools = {tool.name for tool in anyio.run(build(Settings(db_path=":memory:", toolsets=("all",))).list_tools)}
    alike = re.compile(r"`((?:memory|add|search|get|list|delete|update|resolve|ingest|query|end|remove)_[a-z_]+)`")
    known = {*tools, *dir(Memory), *(name for tool in tools for name in (f"{tool}s",))}
    others = {"memory_id", "memory_ids", "memory_type", "end_confidence", "end_trusted"}  # fields, and no tools

    for page in pages():
        assert set() == set(alike.findall(text(page))) - known - others, named(page)


def found(path: str) -> bool:
    """Whether a dotted path is a module, or a name in one.

    >>> found("hornbook.keeping.restore"), found("hornbook.nothing")
    (True, False)
    """
    try:
        importlib.import_module(path)
    except ModuleNotFoundError:
        module, _, name = path.rpartition(".")
        return bool(module) and found(module) and hasattr(importlib.import_module(module), name)
    return True


@pytest.mark.parametrize("page", pages(), ids=named)
def test_every_file_of_the_project_that_a_page_names_is_there(page: Path) -> None:
    root = Path(__file__).parents[2]
    told = re.findall(
        r"`((?:graph|extraction|reasoning|mcp_tools|src|tests|docs|benchmarks|notebooks)/[\w/.-]+)`", text(page)
    )

    assert [] == [path for path in told if not (root / path).exists()]
