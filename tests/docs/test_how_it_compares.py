"""The page that compares says nothing about figures that the reference pages do not say."""

import re

import anyio
from tests.docs.pages import DOCS

from hornbook.mcp_tools.server import build
from hornbook.settings import Settings

PAGE = (DOCS / "explanation" / "how-it-compares.md").read_text(encoding="utf-8")
MEASURED = "".join((DOCS / "reference" / name).read_text("utf-8") for name in ("performance.md", "retrieval.md"))


def test_every_figure_of_one_run_stands_in_the_reference() -> None:
    table = PAGE.partition("## Measured side by side")[2].partition("## Measured earlier")[0]
    pairs = re.findall(r"[\d.]+ / [\d.]+", table)

    assert 20 < len(pairs)
    assert [] == [pair for pair in pairs if f"| {pair} |" not in MEASURED]


def test_our_rows_beside_what_was_measured_earlier_stand_in_the_reference() -> None:
    rows = re.findall(r"^\| \*hornbook over MCP.*?\| ([\d,]+) \| ([\d.]+) \| ([\d.]+) \| (\d+) \|$", PAGE, re.MULTILINE)

    assert 2 == len(rows)
    for items, write, search, memory in rows:
        for call, figure in (("memory_store", write), ("memory_retrieve", search)):
            assert re.search(
                rf"^\| `{call}`, over MCP \| {items} \| {re.escape(figure)} / .*\| {memory} \|", MEASURED, re.MULTILINE
            ), (call, items, figure)


def test_what_is_found_is_as_the_reference_says() -> None:
    for figure in ("82.2", "92.1"):
        assert f"{figure} %" in PAGE and f"{figure} %" in MEASURED


def test_the_counts_of_tools_resources_and_prompts_are_right() -> None:
    some, every = (build(Settings(db_path=":memory:", **more)) for more in ({}, {"toolsets": ("all",)}))  # type: ignore[arg-type]
    resources = [*anyio.run(every.list_resources), *anyio.run(every.list_resource_templates)]
    counts = (len(anyio.run(some.list_tools)), len(anyio.run(every.list_tools)))
    prompts = len(anyio.run(every.list_prompts))

    assert f"| {counts[0]} ({counts[1]} with records), {len(resources)}, {prompts} |" in PAGE


def test_every_system_is_named_with_its_version_and_the_day() -> None:
    told = re.findall(r"(?:PRME|powermem|mempill|graphiti-core|mem0ai|cognee|server-memory) \d[\d.]*\d", PAGE)

    assert 7 == len(set(told))
    assert "2026-11-30" in PAGE
