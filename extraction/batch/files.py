"""Files and folders to texts: each file by its kind, in order, with what could not be read at its place."""

import codecs
import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from io import BufferedReader
from pathlib import Path
from typing import Any, Literal

from hornbook.extraction.batch.chats import Place, texts_of
from hornbook.extraction.batch.elements import CutOff, elements, lines
from hornbook.extraction.batch.piece import Piece, Read, Unread
from hornbook.extraction.batch.text import sections, whole
from hornbook.extraction.dated import Days

Format = Literal["text", "markdown", "jsonl", "messages", "chatgpt", "claude"]
BY_SUFFIX: dict[str, Format] = {".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "messages", ".md": "markdown",
                                ".markdown": "markdown"}  # fmt: skip
SNIFFED = 8_192
WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
NOT_UTF8 = "it is not UTF-8 text"
TOO_LONG = "it is too long to be read"


def files_in(paths: Iterable[Path]) -> list[tuple[Path, str]]:
    """The files that the paths name, each with the name it goes by: a folder's are sorted, hidden ones left out."""
    found: list[tuple[Path, str]] = []
    for path in paths:
        if not path.is_dir():
            found.append((path, path.name))
            continue
        inside = sorted(one for one in path.rglob("*") if one.is_file())
        for one in inside:
            below = one.relative_to(path)
            if not any(part.startswith(".") for part in below.parts):
                found.append((one, (Path(path.resolve().name) / below).as_posix()))
    return found


def read_files(files: Iterable[tuple[Path, str]], format: Format | None = None) -> Iterator[Read]:
    """The texts of files, one after the other; `at` counts the bytes over all of them."""
    before = 0
    for path, name in files:
        size = path.stat().st_size if path.exists() else 0
        for one in read_file(path, name, format):
            yield replace(one, at=before + min(one.at, size))
        before += size


def read_file(path: Path, name: str, format: Format | None = None) -> Iterator[Read]:
    """The texts of one file."""
    kind = format or BY_SUFFIX.get(path.suffix.lower(), "text")
    try:
        with path.open("rb") as file:
            start = file.peek(SNIFFED)[:SNIFFED]
            if not start:
                yield Unread(name, "", "it is empty")
            elif b"\0" in start and not start.startswith(WIDE):
                yield Unread(name, "", "it is binary, not text")
            else:
                yield from _read(file, name, kind, "utf-16" if start.startswith(WIDE) else "utf-8-sig")
    except UnicodeError:
        yield Unread(name, "", NOT_UTF8)
    except OSError as error:
        yield Unread(name, "", f"it cannot be read: {(error.strerror or 'no reason is given').lower()}")


def _read(file: BufferedReader, name: str, kind: Format, encoding: str) -> Iterator[Read]:
    text = io.TextIOWrapper(file, encoding, newline="")
    empty = True
    try:
        for one in _texts(file, text, name, kind):
            empty = False
            yield replace(one, at=file.tell())
    finally:
        text.detach()  # the file is closed by whoever opened it
    if empty:
        yield Unread(name, "", "there is no text in it")


def _texts(file: BufferedReader, text: io.TextIOWrapper, name: str, kind: Format) -> Iterator[Read]:
    if kind == "jsonl":
        yield from _json_lines(file, name, text.encoding)
    elif kind == "text":
        yield from (Piece(name, str(number), {"content": one}) for number, one in enumerate(whole(text)))
    elif kind == "markdown":
        days = Days()  # a section stands under the headings of those before it
        for number, one in enumerate(sections(text)):
            days.heading(one.split("\n", 1)[0])
            said = {"occurred_at": str(days.at)} if days.at else {}
            yield Piece(name, str(number), {"content": one, **said})
    else:
        yield from _json_list(text, name)


def _json_lines(file: BufferedReader, name: str, encoding: str) -> Iterator[Read]:
    if encoding == "utf-16":  # whose lines do not end with the byte 10
        raise UnicodeError(NOT_UTF8)
    for number, line in lines(file):
        place = Place(name, f"line {number}")
        if line is None:
            yield place.unread(TOO_LONG)
        elif line.strip():
            yield from _parsed(line, place, cut=not line.endswith(b"\n"))


def _parsed(line: bytes, place: Place, *, cut: bool) -> Iterator[Read]:
    try:
        text = line.decode("utf-8-sig")
    except UnicodeDecodeError:
        yield place.unread(NOT_UTF8)
        return
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        yield place.unread("it is not JSON; the file seems to be cut off" if cut else "it is not JSON")
        return
    yield from texts_of(value, place)


def _json_list(text: io.TextIOWrapper, name: str) -> Iterator[Read]:
    number = 0
    try:
        for number, element in enumerate(elements(text), 1):
            place = Place(name, f"message {number}")
            value = _value(element)
            yield from [place.unread(value)] if isinstance(value, str) else texts_of(value, place)
    except CutOff:
        yield Unread(name, f"after message {number}", "it is cut off")


def _value(element: str | None) -> Any:
    """The value of an element; a text says why there is none."""
    if element is None:
        return TOO_LONG
    try:
        value = json.loads(element)
    except (ValueError, RecursionError):
        return "it is not JSON"
    return "it is not an object" if isinstance(value, str) else value
