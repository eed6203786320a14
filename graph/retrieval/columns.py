"""What an index is made of: columns that grow, and rows grouped by a key. Neither makes an object a row."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(slots=True)
class Column:
    """A growing numpy column; of vectors it is a matrix.

    >>> held = Column.of(np.int64)
    >>> held.add([3, 5])
    >>> held.now.tolist()
    [3, 5]
    """

    values: NDArray[Any]
    size: int = 0

    @classmethod
    def of(cls, kind: Any) -> "Column":
        """An empty column of a numpy type."""
        return cls(np.zeros(16, kind))

    def add(self, values: Sequence[Any] | NDArray[Any]) -> None:
        """Append values; the room doubles when it runs out."""
        needed = self.size + len(values)
        self.values = roomy(self.values, needed)
        self.values[self.size : needed] = values
        self.size = needed

    @property
    def now(self) -> NDArray[Any]:
        """The filled part."""
        return self.values[: self.size]


def roomy(values: NDArray[Any], needed: int) -> NDArray[Any]:
    """The array with room for so many rows, twice what it had at least; what is added is zero."""
    if needed <= len(values):
        return values
    # zeros are pages that nobody has touched yet: padding would write them all
    grown = np.zeros((max(needed, 2 * len(values)), *values.shape[1:]), values.dtype)
    grown[: len(values)] = values
    return grown


@dataclass(slots=True)
class Grouped:
    """Rows by key, in the order in which they came.

    Most keys have one row, so the first row of each is kept flat, and only those that follow one another in chains.

    >>> rows = Grouped()
    >>> rows.add(["a", "b", "a", "a"], [1, 2, 3, 4])
    >>> rows.get("a"), rows.get("c"), "b" in rows
    ([1, 3, 4], [], True)
    """

    _first: dict[str, int] = field(default_factory=dict)
    _last: dict[str, int] = field(default_factory=dict)  # of the keys that have several rows
    _next: dict[int, int] = field(default_factory=dict)

    def __contains__(self, key: object) -> bool:
        """Whether the key has a row."""
        return key in self._first

    def add(self, keys: Sequence[str], rows: Sequence[int]) -> None:
        """Add rows, each under its key; no row is ever added twice."""
        fresh = dict(zip(keys, rows, strict=True))
        if len(fresh) == len(keys) and self._first.keys().isdisjoint(fresh):
            self._first.update(fresh)
            return
        for key, row in zip(keys, rows, strict=True):
            if (first := self._first.setdefault(key, row)) != row:
                self._next[self._last.get(key, first)] = row
                self._last[key] = row

    def get(self, key: str) -> list[int]:
        """The rows of a key."""
        return list(self._walk(key))

    def several(self, key: str) -> bool:
        """Whether the key has more than one row."""
        return key in self._last

    def _walk(self, key: str) -> Iterator[int]:
        row = self._first.get(key)
        while row is not None:
            yield row
            row = self._next.get(row)


@dataclass(slots=True)
class Coded:
    """A column of texts, each kept once and written as its number; what is missing is -1.

    >>> held = Coded()
    >>> held.add(["y", None, "x", "y"])
    >>> held.now.tolist(), held.get(2), held.get(1), held.among(["x", "z"]).tolist()
    ([0, -1, 1, 0], 'x', None, [False, False, True, False])
    """

    codes: dict[str, int] = field(default_factory=dict)
    _texts: list[str] = field(default_factory=list)
    _column: Column = field(default_factory=lambda: Column.of(np.int64))

    def add(self, values: Sequence[str | None]) -> None:
        """Append texts."""
        for value in dict.fromkeys(values):
            if value is not None and value not in self.codes:
                self.codes[value] = len(self._texts)
                self._texts.append(value)
        self._column.add(list(map(self.code, values)))

    def code(self, value: str | None) -> int:
        """The number of a text; -1 where there is none."""
        return -1 if value is None else self.codes.get(value, -1)

    def get(self, row: int) -> str | None:
        """The text of a row."""
        code = int(self._column.now[row])
        return None if code < 0 else self._texts[code]

    def among(self, allowed: Collection[str]) -> NDArray[np.bool_]:
        """The rows whose text is one of these."""
        return np.isin(self.now, [self.codes[value] for value in allowed if value in self.codes])

    @property
    def now(self) -> NDArray[np.int64]:
        """The numbers."""
        return self._column.now
