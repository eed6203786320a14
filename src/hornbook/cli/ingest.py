"""`hornbook ingest`."""

import hashlib
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from hornbook.cli.common import PARTLY, AsJson, Config, User, Where, opened, put, table
from hornbook.graph.errors import HornbookError, InvalidArgument

if TYPE_CHECKING:
    from hornbook.memory import Memory

Format = Literal["text", "jsonl", "messages", "markdown"]
BY_SUFFIX: dict[str, Format] = {".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "messages", ".md": "markdown"}
HEADING = re.compile(r"^(?=#{1,3} )", re.MULTILINE)
FIELDS = ("content", "role", "speaker", "scope", "session", "occurred_at", "metadata")


@dataclass(frozen=True, slots=True)
class Piece:
    """One episode of a file: its fields, and where in which file it stands."""

    source: str
    position: int
    fields: dict[str, Any]

    @property
    def key(self) -> str:
        """What makes a repetition one event: the same words at the same place of a file of the same name."""
        told = json.dumps([self.source, self.position, self.fields], sort_keys=True, ensure_ascii=False)
        return "ingest:" + hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()


def ingest(
    paths: Annotated[list[Path], typer.Argument(exists=True, dir_okay=False, help="Files to read.")],
    format: Annotated[Format | None, typer.Option(help="By the file's name if left out.")] = None,
    db_path: Where = None,
    user: User = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Read files into the memory. Safe to repeat: what is there already is not stored again."""
    pieces = [piece for path in paths for piece in read(path, format or BY_SUFFIX.get(path.suffix.lower(), "text"))]
    with opened(db_path, user, config) as memory:
        counts = put_in(memory, pieces)
    if as_json:
        put(counts)
    else:
        table("ingested", ("what", "how many"), counts.items())
    if counts["failed"]:
        raise typer.Exit(PARTLY)


def put_in(memory: "Memory", pieces: list[Piece]) -> dict[str, int]:
    """Ingest piece by piece; one that fails is named and the others go on."""
    counts = {"texts": 0, "already": 0, "claims": 0, "entities": 0, "failed": 0}
    for piece in _shown(pieces):
        try:
            found = memory.ingest(
                **piece.fields, source=piece.source, position=str(piece.position), idempotency_key=piece.key
            )
        except HornbookError as error:
            counts["failed"] += 1
            print(f"hornbook: {piece.source} {piece.position}: {error.message}", file=sys.stderr)
            continue
        counts["texts"] += 1
        counts["already"] += found.status == "known"
        counts["claims"] += len(found.claims)
        counts["entities"] += found.entities
        counts["failed"] += bool(found.failed)
    return counts


def _shown(pieces: list[Piece]) -> Iterator[Piece]:
    """Walk the pieces, with a bar on a terminal."""
    if not sys.stderr.isatty():
        yield from pieces
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(pieces, "ingesting", console=Console(stderr=True), transient=True)


def read(path: Path, format: Format) -> Iterator[Piece]:
    """Cut a file into episodes."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InvalidArgument(f"{path.name} is not UTF-8 text", field="paths") from None
    readers = {"text": _whole, "markdown": _sections, "jsonl": _json_lines, "messages": _messages}
    for position, fields in enumerate(readers[format](text, path.name)):
        yield Piece(path.name, position, fields)


def _whole(text: str, _: str) -> Iterator[dict[str, Any]]:
    if text.strip():
        yield {"content": text}


def _sections(text: str, _: str) -> Iterator[dict[str, Any]]:
    for section in HEADING.split(text):
        yield from _whole(section, "")


def _json_lines(text: str, name: str) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            yield _episode(_parsed(line, f"line {number} of {name}"), f"line {number} of {name}")


def _messages(text: str, name: str) -> Iterator[dict[str, Any]]:
    content = _parsed(text, name)
    messages = content.get("messages") if isinstance(content, dict) else content
    if not isinstance(messages, list):
        raise InvalidArgument(f"{name} is not a list of messages", field="paths", hint='[{"role", "content"}, …]')
    for number, message in enumerate(messages, 1):
        yield _episode(message, f"message {number} of {name}")


def _parsed(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        raise InvalidArgument(f"{where} is not JSON", field="paths") from None


def _episode(given: Any, where: str) -> dict[str, Any]:
    """Keep the fields of an episode; `text` and `session_id` are taken as other programs write them."""
    if not isinstance(given, dict):
        raise InvalidArgument(f"{where} is not an object", field="paths")
    renamed = {
        {"text": "content", "session_id": "session", "timestamp": "occurred_at"}.get(k, k): given[k] for k in given
    }
    if not isinstance(renamed.get("content"), str):
        raise InvalidArgument(f"{where} has no content", field="paths", hint="content (or text) is its words")
    return {key: renamed[key] for key in FIELDS if renamed.get(key) is not None}
