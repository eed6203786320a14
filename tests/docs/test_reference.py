"""The reference names what there is: every tool, setting, error, command and resource, and nothing that is not."""

import importlib.util
import json
import re
from pathlib import Path
from typing import Any

import anyio
import pytest
import typer.main
from mcp_types import Tool

from hornbook import mcp as server
from hornbook.cli import app
from hornbook.graph import errors
from hornbook.mcp_tools.server import build
from hornbook.origins import origins
from hornbook.settings import FOREIGN, Settings

DOCS = Path(__file__).parents[2] / "docs"
MAKE = "run: python docs/generate.py"


def page(name: str) -> str:
    return (DOCS / "reference" / name).read_text(encoding="utf-8")


def tools() -> list[Tool]:
    return anyio.run(build(Settings(db_path=":memory:", toolsets=("all",))).list_tools)


def sections(text: str, mark: str) -> dict[str, str]:
    """The parts of a page by the code in their headings."""
    parts = re.split(rf"^{mark} `([^`]+)`.*$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_every_tool_and_argument_and_default_and_field_is_named() -> None:
    told = sections(page("tools.md"), "###")
    assert {tool.name for tool in tools()} == set(told), MAKE
    for tool in tools():
        rows = dict(re.findall(r"^\| `(\w+)` \|.*\| ([^|]+) \|[^|]*\|$", told[tool.name], flags=re.MULTILINE))
        fields: dict[str, Any] = tool.input_schema["properties"]
        assert set(fields) == set(rows), (tool.name, MAKE)
        for name, field in fields.items():
            if field.get("default") is not None:
                assert f"`{json.dumps(field['default'])}`" == rows[name], (tool.name, name, MAKE)
        for name in (tool.output_schema or {})["properties"]:
            assert f"`{name}`" in told[tool.name].partition("Returns")[2], (tool.name, name, MAKE)


def test_every_setting_is_named_with_its_default_and_no_other() -> None:
    text = page("settings.md")
    weight = "HORNBOOK_SCORING__WEIGHTS__"
    for one in origins(Settings(), []):
        if one.setting.startswith(weight):
            assert f"`{one.setting.removeprefix(weight)}` {one.value:g}" in text, one.setting
            continue
        row = re.search(rf"^\| `{one.setting}` \| (.*?) \|", text, flags=re.MULTILINE)
        assert row is not None, one.setting
        if isinstance(one.value, bool | int | float):
            assert f"{one.value:g}" == row[1] or str(one.value).lower() == row[1], one.setting
    known = {one.setting for one in origins(Settings(), [])}
    assert not set(re.findall(r"^\| `(HORNBOOK_\w+)`", text, flags=re.MULTILINE)) - known
    assert not [name for name in FOREIGN if f"`{name}`" not in text]


def kinds(kind: type[errors.HornbookError]) -> list[type[errors.HornbookError]]:
    under = [one for one in kind.__subclasses__() if one.__module__ == errors.__name__]
    return [kind, *(deeper for one in under for deeper in kinds(one))]


def test_every_error_and_code_is_named() -> None:
    text = page("errors.md")
    for kind in kinds(errors.HornbookError):
        assert f"| `{kind.__name__}` | `{kind.code}` |" in text, MAKE
        assert f"| `{kind.code}` |" in text, MAKE


def test_every_command_and_option_is_named() -> None:
    told = sections(page("cli.md"), "##")
    commands: Any = getattr(typer.main.get_command(app), "commands", {})
    assert {f"hornbook {name}" for name in commands} | {"hornbook-mcp"} == set(told), MAKE
    for name, command in commands.items():
        for one in command.params:
            spelled = one.opts[0] if one.param_type_name == "option" else one.name.upper()
            assert spelled == "--help" or spelled in told[f"hornbook {name}"], (name, spelled, MAKE)
    flags = {flag for action in server._parser()._actions for flag in action.option_strings if flag.startswith("--")}
    assert not [flag for flag in flags - {"--help"} if f"`{flag}`" not in told["hornbook-mcp"]]


@pytest.mark.parametrize("name", ["tools.md", "errors.md", "cli.md"])
def test_the_pages_can_be_made_anew(name: str) -> None:
    spec = importlib.util.spec_from_file_location("generate", DOCS / "generate.py")
    assert spec is not None and spec.loader is not None
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)

    assert generate.PAGES[name]().startswith("# ")
