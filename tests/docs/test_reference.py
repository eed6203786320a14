"""The reference names what there is, tools, settings, errors, commands, predicates, methods, and nothing else."""

import importlib.util
import inspect
import json
import re
from pathlib import Path
from typing import Any

import anyio
import pytest
import typer.main
from mcp_types import Tool

import hornbook
from hornbook import mcp as server
from hornbook.cli import app
from hornbook.graph import errors
from hornbook.graph.belief.registry import built_in
from hornbook.mcp_tools.server import build
from hornbook.memory import Memory
from hornbook.origins import origins
from hornbook.reasoning import packs
from hornbook.settings import FOREIGN, Settings, read

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


def test_the_config_file_of_the_page_is_one(tmp_path: Path) -> None:
    (told,) = re.findall(r"```toml\n(.*?)```", page("settings.md"), re.DOTALL)
    file = tmp_path / "config.toml"
    file.write_text(told)
    settings = read(config=file)

    assert ("ana", "openai", "gpt-4o-mini") == (
        settings.user_id,
        settings.extraction.provider,
        settings.extraction.model,
    )


def test_the_error_of_the_page_is_one() -> None:
    (told,) = re.findall(r"```json\n(.*?)```", page("errors.md"), re.DOTALL)
    error = json.loads(told)["error"]

    assert {"code", "message", "field", "hint", "valid"} == set(error)
    assert error["code"] in {kind.code for kind in kinds(errors.HornbookError)}


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


@pytest.mark.parametrize("name", ["tools.md", "cli.md", "errors.md", "settings.md"])
def test_every_row_says_what_it_means(name: str) -> None:
    assert [] == re.findall(r"^\| `[^|]*\|.*\|\s*\|$", page(name), re.MULTILINE)


def test_every_resource_and_prompt_is_named_and_no_other() -> None:
    server = build(Settings(db_path=":memory:", toolsets=("all",)))
    resources = {str(one.uri) for one in anyio.run(server.list_resources)}
    resources |= {one.uri_template for one in anyio.run(server.list_resource_templates)}
    _, _, told = page("tools.md").partition("## Resources")
    listed, _, menu = told.partition("## Prompts")

    assert resources == set(re.findall(r"^\| `(\w+://[^`]+)` \|", listed, re.MULTILINE)), MAKE
    assert {one.name for one in anyio.run(server.list_prompts)} == set(re.findall(r"^\| `(\w+)` \|", menu, re.M)), MAKE


def test_every_predicate_is_named_with_its_words_and_no_other() -> None:
    rows = re.findall(r"^\| `([\w*]+)` \| (\w+)(.*?) \| (.*?) \|", page("predicates.md"), re.MULTILINE)
    known = built_in().predicates

    assert list(known) == [name for name, *_ in rows], MAKE
    for name, takes, more, words in rows:
        one = known[name]
        assert ("events" if one.event else "several" if one.set_valued else "one") == takes, name
        assert list(one.synonyms) == re.findall(r"`([^`]+)`", words), name
        for flag in ("fixed", "exact", "symmetric", "transitive"):
            assert getattr(one, flag) == (flag in more), (name, flag)
        assert all(f"`{other}`" in more for other in (one.inverse, one.stored) if other and not one.stored), name


def test_every_pack_is_there_with_what_it_derives_and_as_it_is_shipped() -> None:
    told = sections(page("packs.md"), "##")

    assert list(packs.names()) == list(told), MAKE
    for name, text in told.items():
        heads = dict.fromkeys(rule.head.predicate for rule in packs.pack(name).rules if rule.head is not None)
        assert list(heads) == re.findall(r"`([^`]+)`", text.partition("Reads")[0]), name
        assert packs.text(name).strip() in text, (name, MAKE)


def public(kind: type) -> set[str]:
    return {name for name in dir(kind) if not name.startswith("_")}


def test_every_method_and_every_name_that_can_be_imported_is_told_and_no_other() -> None:
    door, _, values = page("python.md").partition("## What methods give back")
    names, _, methods = door.partition("\n## Open")

    assert set(hornbook.__all__) == set(re.findall(r"^\| `(\w+)` \|", names, re.MULTILINE)), MAKE
    assert public(Memory) == set(sections(methods, "###")), MAKE
    assert 25 < len(re.findall(r"^### `", values, re.MULTILINE))


def test_every_argument_of_a_method_stands_in_its_signature() -> None:
    told = sections(page("python.md").partition("## What methods give back")[0].partition("\n## Open")[2], "###")
    for name, text in told.items():
        signature = text.partition("```text\n")[2].partition("```")[0]
        method = getattr(Memory, name)
        for one in [] if isinstance(method, property) else inspect.signature(method).parameters.values():
            assert one.name == "self" or re.search(rf"\b{one.name}\b", signature), (name, one.name, MAKE)


def generated() -> dict[str, Any]:
    spec = importlib.util.spec_from_file_location("generate", DOCS / "generate.py")
    assert spec is not None and spec.loader is not None
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    pages: dict[str, Any] = generate.PAGES
    return pages


@pytest.mark.parametrize("name", ["tools.md", "errors.md", "cli.md"])
def test_the_pages_can_be_made_anew(name: str) -> None:
    assert generated()[name]().startswith("# ")


@pytest.mark.parametrize("name", ["python.md", "predicates.md", "packs.md"])
def test_the_pages_that_only_our_code_decides_are_made_of_it_as_it_is(name: str) -> None:
    assert generated()[name]().rstrip() == page(name).rstrip(), MAKE
