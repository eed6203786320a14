"""Where each setting comes from, for `hornbook config --show`; secrets are masked."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from pydantic import BaseModel, SecretStr

from hornbook.settings import PREFIX, Settings

MASK = "********"
PASSWORD = re.compile(r"(?<=://)[^/@\s]+(?=@)")  # who is named in an address, and how they prove it


@dataclass(frozen=True, slots=True)
class Origin:
    """One setting: how it is spelled in the environment, its value, and who set it."""

    setting: str
    value: Any
    source: str

    def as_dict(self) -> dict[str, Any]:
        """As it is printed."""
        return {"setting": self.setting, "value": self.value, "from": self.source}


def origins(settings: Settings, layers: list[tuple[str, dict[str, Any]]]) -> list[Origin]:
    """Every setting there is, with the last place that set it.

    >>> found = origins(Settings(user_id="ana"), [("environment", {"user_id": "ana"})])
    >>> [one.as_dict() for one in found if one.setting == "HORNBOOK_USER_ID"]
    [{'setting': 'HORNBOOK_USER_ID', 'value': 'ana', 'from': 'environment'}]
    """
    return [
        Origin(PREFIX + "__".join(path).upper(), _shown(value), _source(path, layers))
        for path, value in _leaves(settings, ())
    ]


def _leaves(value: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    names = list(type(value).model_fields) if isinstance(value, BaseModel) else []
    if is_dataclass(value):
        names = [one.name for one in fields(value)]
    if not names:
        yield path, value
    for name in names:
        yield from _leaves(getattr(value, name), (*path, name))


def _shown(value: Any) -> Any:
    """A value as it may be seen.

    >>> _shown("http://ana:secret@localhost:4000/v1")
    'http://********@localhost:4000/v1'
    """
    if isinstance(value, SecretStr):
        return MASK
    if isinstance(value, str):
        return PASSWORD.sub(MASK, value)
    return list(value) if isinstance(value, tuple) else value


def _source(path: tuple[str, ...], layers: list[tuple[str, dict[str, Any]]]) -> str:
    return next((name for name, layer in reversed(layers) if _has(layer, path)), "default")


def _has(layer: Any, path: tuple[str, ...]) -> bool:
    for step in path:
        if not isinstance(layer, Mapping) or step not in layer:
            return False
        layer = layer[step]
    return True
