"""`hornbook extract`."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import typer

from hornbook.cli.common import PARTLY


def extract(
    source: Annotated[Path | None, typer.Argument(help="JSON lines; standard input if left out or '-'.")] = None,
    format: Annotated[Literal["jsonl"], typer.Option(help="jsonl.")] = "jsonl",
) -> None:
    """Extract entities and claims from JSON lines, one reply a line; nothing is stored."""
    if source is not None and str(source) != "-" and not source.is_file():
        raise typer.BadParameter(f"{source} is not a file")
    from hornbook.extraction.lines import extract_lines
    from hornbook.extraction.offline.spacy_extractor import SpacyExtractor

    counts = extract_lines(_lines(source), sys.stdout, SpacyExtractor())
    for number, why in counts.failed:
        print(f"hornbook: line {number}: {why}", file=sys.stderr)
    if counts.failed:
        raise typer.Exit(PARTLY if counts.done else 1)


def _lines(source: Path | None) -> Iterator[str]:
    if source is None or str(source) == "-":
        yield from sys.stdin
        return
    with source.open(encoding="utf-8") as lines:
        yield from lines
