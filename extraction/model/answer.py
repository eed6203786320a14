"""Reading what a model really sent: fences, `<think>`, prose around the JSON, half of the JSON, one wrong claim."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from hornbook.extraction.model.schema import Answer, ReadClaim, ReadEntity

THOUGHT = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>|^.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
TRAILING_COMMA = re.compile(r",(\s*[}\]])")
T = TypeVar("T", bound=BaseModel)
DEEPEST = 3  # how far inside another object the answer is looked for


@dataclass(frozen=True, slots=True)
class Salvaged:
    """What could be read of an answer, and what of it could not; `cut` when the answer stops in the middle."""

    answer: Answer
    problems: tuple[str, ...] = ()
    cut: bool = False

    @property
    def whole(self) -> bool:
        """Whether nothing of the answer is lost."""
        return not self.problems and not self.cut


def salvage(text: str) -> Salvaged | None:
    """The answer that a reply holds; None when there is none in it.

    A claim is read whole or not at all: of an answer that was cut off the last claim is left out, since what would
    have turned it round ("not", "planned") may be in the missing part.

    >>> salvage('Sure! ```json\\n{"claims": []}\\n``` Anything else?').whole
    True
    >>> salvage("I could not find any claims.") is None
    True
    """
    said = THOUGHT.sub("", paired(text))
    for value in _objects(said):
        if (found := _answer_in(value, DEEPEST)) is not None:
            return _read(found, cut=False)
    start = said.find("{")
    if start < 0:
        return None
    try:
        found = _answer_in(from_json(said[start:], allow_partial=True), DEEPEST)
    except ValueError:
        return None
    return None if found is None else _read({**found, "claims": found["claims"][:-1]}, cut=True)


def paired(text: str) -> str:
    """The text with halves of surrogate pairs joined, or replaced where the other half is missing.

    >>> paired("\\ud83d\\ude00"), paired("a\\ud83d") == "a\\ufffd"
    ('😀', True)
    """
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _objects(text: str) -> Iterator[Any]:
    """Every JSON object or list of objects in a text, from the left."""
    for said in dict.fromkeys((text, TRAILING_COMMA.sub(r"\1", text))):
        decoder, at = json.JSONDecoder(), 0
        while (opened := re.compile(r"[{\[]").search(said, at)) is not None:
            try:
                value, at = decoder.raw_decode(said, opened.start())
            except (ValueError, RecursionError):
                at = opened.end()
                continue
            yield value


def _answer_in(value: Any, deep: int) -> dict[str, Any] | None:
    """The object with a list of claims: this one, or one inside it; a bare list of claims counts as one."""
    if isinstance(value, list) and value and all(isinstance(one, dict) and "predicate" in one for one in value):
        return {"claims": value}
    if not isinstance(value, dict):
        return None
    if isinstance(value.get("claims"), list):
        return value
    inner = (_answer_in(_opened(one), deep - 1) for one in value.values()) if deep else iter(())
    return next((one for one in inner if one is not None), None)


def _opened(value: Any) -> Any:
    """What a text holds that is JSON itself: arguments of a call are sent as one."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            return json.loads(value)
        except ValueError:
            return None
    return value


def _read(found: dict[str, Any], *, cut: bool) -> Salvaged:
    problems: list[str] = []
    claims = _each(ReadClaim, found["claims"], "claim", problems)
    given = found.get("entities")
    entities = _each(ReadEntity, given if isinstance(given, list) else [], "entity", problems)
    return Salvaged(Answer(claims=claims, entities=entities), tuple(problems), cut)


def _each(kind: type[T], given: list[Any], called: str, problems: list[str]) -> list[T]:
    """Those that fit the schema; of each other one, what is the matter with it."""
    found = []
    for number, one in enumerate(given, 1):
        try:
            found.append(kind.model_validate(_mended(one)))
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(str(part) for part in first["loc"]) or called
            problems.append(f"{called} {number} was left out: {where}: {first['msg'].lower()}")
    return found


def _mended(value: Any) -> Any:
    if isinstance(value, str):
        return paired(value)
    if isinstance(value, dict):
        return {key: _mended(one) for key, one in value.items()}
    return [_mended(one) for one in value] if isinstance(value, list) else value
