"""What one event does to the graph, as values: run as statements, folded into rows, or gathered into columns.

Named tuples, since a rebuild makes a million of them: they are made three times as fast as frozen dataclasses.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from hornbook.graph.view.schema import ENDS, FOREVER_SEQ

Columns = Mapping[str, Any]
NOTHING: Columns = MappingProxyType({})


class Link(NamedTuple):
    """A relation from `source` to `target` begins at `seq`. Nothing happens where one of the two is not there.

    `more` are the columns beside those that every relation has and those that repeat its ends.
    """

    relation: str
    source: str
    target: str
    seq: int
    more: Columns = NOTHING

    @property
    def columns(self) -> dict[str, Any]:
        """All of its columns.

        >>> sorted(Link("Says", "c1", "e1", 7).columns)
        ['claim', 'entity', 'seq', 'until_seq']
        """
        ids = {"source": self.source, "target": self.target}
        ends = {name: ids[end] for name, end in ENDS[self.relation].items()}
        return {"seq": self.seq, "until_seq": FOREVER_SEQ, **ends, **self.more}


class Unlink(NamedTuple):
    """The standing relations from `source` (to `target`, if given) whose columns match end at `until_seq`."""

    relation: str
    source: str
    target: str | None
    match: Columns
    until_seq: int


class Put(NamedTuple):
    """A node begins to be. With `if_absent` nothing happens, and no `links` are made, where it is there already."""

    table: str
    id: str
    columns: Columns
    if_absent: bool = False
    links: tuple[Link, ...] = ()


class Set(NamedTuple):
    """A node's columns change, and `entry` is added to its log. Nothing happens where the node is not there."""

    table: str
    id: str
    columns: Columns
    entry: str = ""


Op = Put | Set | Link | Unlink
