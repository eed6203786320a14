"""`hornbook extract`."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import typer


def extract(
    source: Annotated[Path | None, typer.Argument(help="JSON lines; standard input if left out or '-'.")] = None,
    format: Annotated[Literal["jsonl"], typer.Option(help="jsonl.")] = "jsonl",
) -> None:
    """Extract entities and claims from JSON lines, one reply a line; nothing is stored."""
    from hornbook.extraction.lines import extract_lines

    for found in extract_lines(_lines(source)):
        print(json.dumps(found, ensure_ascii=False), flush=True)


def _lines(source: Path | None) -> Iterator[str]:
    if source is None or str(source) == "-":
        yield from sys.stdin
        return
    with source.open(encoding="utf-8") as lines:
        yield from lines
