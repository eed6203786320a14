"""What goes over the wire: one shape of reply, one shape of error, and how many bytes either may take."""

import json
import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from mcp_types import CallToolResult, TextContent
from pydantic import ValidationError

from hornbook.graph.errors import HornbookError, InvalidArgument, StoreError, TooLarge

USUAL = 8_192  # bytes of a reply at the default limit
MANY_ROWS, MANY = 50, 32_768  # a list of many rows
ASKED = 262_144  # when the caller asked for more rows than the default
SHORTEST = 48  # characters that are left of a text, however tight it is: ids (36) stay whole

log = logging.getLogger(__name__)

Body = dict[str, Any]


def budget(rows: int, limit: int | None = None, default: int = 0) -> int:
    """How many bytes a reply of so many rows may take.

    >>> budget(10), budget(50), budget(12, limit=200, default=10)
    (8192, 32768, 262144)
    """
    if limit is not None and limit > default:
        return ASKED
    return MANY if rows >= MANY_ROWS else USUAL


def compact(body: Any) -> str:
    """JSON without blanks, as it is measured and sent."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))


def size(body: Any) -> int:
    """Bytes of the compact JSON."""
    return len(compact(body).encode("utf-8", "surrogatepass"))


def reply(body: Mapping[str, Any], room: int = USUAL) -> CallToolResult:
    """Make a reply that fits: the same JSON as structure and as text, its long texts shortened."""
    fitted = fit(dict(body), room)
    return CallToolResult(content=[TextContent(type="text", text=compact(fitted))], structured_content=fitted)


def refusal(error: HornbookError) -> CallToolResult:
    """An error in its one shape, as structure and as text."""
    body = {"error": error.as_dict()}
    return CallToolResult(
        content=[TextContent(type="text", text=compact(body))], structured_content=body, is_error=True
    )


@dataclass(frozen=True, slots=True)
class Text:
    """A text inside a body: what holds it, under which key, and the row that says so when it is cut."""

    holder: Any
    key: Any
    row: Body

    @property
    def text(self) -> str:
        """What stands there now."""
        return str(self.holder[self.key])


def fit(body: Body, room: int) -> Body:
    """Shorten the longest texts of a body until it fits; never drop a row.

    A row of which something was cut says `truncated`. Many small rows, in which nothing is left to shorten, take the
    room that lists of many rows may have; above the last bound the call is refused.

    >>> body = fit({"results": [{"id": 1, "content": "word " * 4000}, {"id": 2, "content": "short"}]}, 1000)
    >>> size(body) <= 1000, [row.get("truncated") for row in body["results"]]
    (True, [True, None])
    """
    if size(body) <= room:
        return body
    least = size(_cut(body, SHORTEST))
    room = next((wider for wider in (room, MANY, ASKED) if least <= wider), 0)
    if not room:
        raise TooLarge("the reply does not fit", field="limit", hint="ask for fewer rows with limit")
    if size(body) <= room:
        return body
    low, high = SHORTEST, min(room, max(len(text.text) for text in _texts(body, body)))
    while high - low > 8:  # the greatest length of a text at which the whole fits
        middle = (low + high) // 2
        low, high = (middle, high) if size(_cut(body, middle)) <= room else (low, middle)
    return _cut(body, low)


def _cut(body: Body, longest: int) -> Body:
    """A copy in which no text is longer than `longest` characters."""
    copy: Body = json.loads(json.dumps(body))
    for text in list(_texts(copy, copy)):  # a list, since marking a row adds to what is walked
        if len(text.text) > longest:
            text.holder[text.key] = text.text[: longest - 1] + "…"
            text.row["truncated"] = True
    return copy


def _texts(value: Any, row: Body, inside: bool = False) -> Iterator[Text]:
    """Find every text; `inside` a claim's JSON value, what is cut is said by the row around it."""
    steps: Iterable[tuple[Any, Any]] = ()
    if isinstance(value, dict):
        row, steps = (row if inside else value), value.items()
    elif isinstance(value, list):
        steps = enumerate(value)
    for key, inner in steps:
        if isinstance(inner, str):
            yield Text(value, key, row)
        else:
            yield from _texts(inner, row, inside or key in ("value", "metadata"))


def piece(body: Body, key: str, offset: int, room: int = USUAL) -> Body:
    """A body with its one long text given in pieces: the part from `offset` that fits, and where the next begins.

    >>> whole = {"id": 1, "content": "0123456789" * 100}
    >>> first = piece(whole, "content", 0, 400)
    >>> second = piece(whole, "content", first["next_offset"], 4000)
    >>> first["content"] + second["content"] == whole["content"], second.get("truncated")
    (True, None)
    """
    text = str(body[key])
    if offset and offset >= len(text):
        raise InvalidArgument(f"the text has {len(text)} characters", field="offset", hint="offset counts from 0")
    whole = {**body, key: text[offset:]}
    if size(whole) <= room:
        return whole
    marks = {"truncated": True, "length": len(text), "next_offset": len(text)}
    left = max(room - size({**body, key: "", **marks}), SHORTEST)
    part = _within(text[offset : offset + left], left)
    return {**body, key: part, **marks, "next_offset": offset + len(part)}


def _within(text: str, room: int) -> str:
    """The longest beginning of a text that takes at most `room` bytes as JSON."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if size(text[:middle]) - 2 <= room else (low, middle - 1)
    return text[:low]


@contextmanager
def naming(**fields: str) -> Iterator[None]:
    """Let an error name the field as this tool calls it: `naming(knowledge_at="as_of_tx_time")`."""
    try:
        yield
    except HornbookError as error:
        head, dot, rest = (error.field or "").partition(".")
        if head in fields:
            error.field = fields[head] + dot + rest
        raise


def translated(error: BaseException) -> HornbookError:
    """Any failure as one of ours. What we did not raise ourselves says nothing of its inside; the log has it."""
    if isinstance(error, HornbookError):
        return error
    if isinstance(error, ValidationError):
        return malformed(error)
    log.error("a tool failed", exc_info=error)
    return StoreError("hornbook failed on this call", hint="the server's log on stderr says where")


QUOTED = re.compile(r"'([^']*)'")
BOUNDS = {
    "greater_than_equal": ("must be {ge} or more", "ge"),
    "less_than_equal": ("must be {le} or less", "le"),
    "string_too_long": ("is longer than {max_length} characters", "max_length"),
    "string_too_short": ("is empty", "min_length"),
    "too_long": ("has more than {max_length} entries", "max_length"),
    "too_short": ("has fewer than {min_length} entries", "min_length"),
}


def malformed(error: ValidationError) -> InvalidArgument:
    """The first thing wrong with a call's arguments, named by its field."""
    wrong = error.errors(include_url=False)[0]
    field = ".".join(str(part) for part in wrong["loc"] if not _arm(part)) or "arguments"
    kind, context = wrong["type"], wrong.get("ctx", {})
    if kind == "missing":
        return InvalidArgument(f"{field} is required", field=field)
    if kind == "literal_error":
        valid = QUOTED.findall(str(context.get("expected", "")))
        return InvalidArgument(f"{field} is not one of the words it may be", field=field, valid=valid)
    if kind in BOUNDS:
        return InvalidArgument(f"{field} {BOUNDS[kind][0].format(**context)}", field=field)
    expected = str(wrong["msg"]).removeprefix("Input ").removeprefix("Value error, ")
    return InvalidArgument(f"{field}: {expected}", field=field)


def _arm(part: int | str) -> bool:
    """Whether a step of a location is pydantic's name for an arm of a union, not a name of the caller's."""
    return isinstance(part, str) and bool(re.search(r"[\[\]()]|^(str|int|float|bool|dict|list)$", part))
