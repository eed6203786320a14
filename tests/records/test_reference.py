"""The reference page on records and upkeep: its program runs, and it names everything there is."""

import re
from pathlib import Path

import pytest

from hornbook.graph.organize.run import JOBS
from hornbook.graph.records.filters import ATTRIBUTES, JOINERS, OPERATORS, parse
from hornbook.mcp_tools.records import OFFERS

PAGE = (Path(__file__).parents[2] / "docs/reference/records.md").read_text(encoding="utf-8")


def examples(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.S)


def test_the_program_of_the_page_runs() -> None:
    (program,) = examples("python")

    exec(compile(program, "records.md", "exec"), {})


def test_the_filter_of_the_page_is_one() -> None:
    import json

    (wanted,) = examples("json")

    assert parse(json.loads(wanted)).parts  # type: ignore[union-attr]  # an object is joined


@pytest.mark.parametrize(
    "name", [*(offer.function.__name__ for offer in OFFERS), *ATTRIBUTES, *OPERATORS, *JOINERS, "reextract"]
)
def test_the_page_names(name: str) -> None:
    assert f"`{name}`" in PAGE


def test_the_page_names_every_job_in_its_order() -> None:
    told = re.findall(r"^\| `(\w+)` \|", PAGE.partition("## Maintenance")[2], re.M)

    assert [*(name for name, _ in JOBS), "reextract"] == told
