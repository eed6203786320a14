"""What one event does to the graph, as values: run as statements, or folded into rows."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Columns = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Link:
    """A relation from `source` to `target` begins. Nothing happens where one of the two is not there."""

    relation: str
    source: str
    target: str
    columns: Columns


@dataclass(frozen=True, slots=True)
class Unlink:
    """The standing relations from `source` (to `target`, if given) whose columns match end at `until_seq`."""

    relation: str
    source: str
    target: str | None
    match: Columns
    until_seq: int


@dataclass(frozen=True, slots=True)
class Put:
    """A node begins to be. With `if_absent` nothing happens, and no `links` are made, where it is there already."""

    table: str
    id: str
    columns: Columns
    if_absent: bool = False
    links: tuple[Link, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Set:
    """A node's columns change, and `entry` is added to its log. Nothing happens where the node is not there."""

    table: str
    id: str
    columns: Columns
    entry: str = ""


Op = Put | Set | Link | Unlink
