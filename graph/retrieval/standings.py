"""What was noted about things: which lifecycle, whether they are offered in a search, and while they are true.

A note is about a ref; the rows that it speaks for may be there before it or come after it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hornbook.graph.retrieval.columns import Column, Grouped
from hornbook.graph.retrieval.documents import Mask

DELETED = "deleted"  # hidden whatever the caller asks for, from the event on
REF, CLAIM = 0, 1  # what a note is about: the thing that a row is found as, or the claim that it is a wording of


@dataclass(slots=True)
class Standings:
    """Notes in the order of the journal, and the rows that each speaks for."""

    mark: int = 0  # the last note taken in
    _by_ref: Grouped = field(default_factory=Grouped)
    _lifecycles: list[str] = field(default_factory=list)
    _seq: Column = field(default_factory=lambda: Column.of(np.int64))
    _active: Column = field(default_factory=lambda: Column.of(np.bool_))
    _gone: Column = field(default_factory=lambda: Column.of(np.bool_))
    _since: Column = field(default_factory=lambda: Column.of(np.int64))
    _until: Column = field(default_factory=lambda: Column.of(np.int64))
    _row: Column = field(default_factory=lambda: Column.of(np.int64))  # from here on one entry a note and row
    _about: Column = field(default_factory=lambda: Column.of(np.int8))
    _note: Column = field(default_factory=lambda: Column.of(np.int64))

    def note(self, rows: Sequence[Sequence[Any]], refs: Grouped, wordings: Grouped) -> None:
        """Take in notes, as rows of the journal's STANDING, about what is found by its ref and as a claim's wording."""
        if not rows:
            return
        first = len(self._lifecycles)
        ids, about, seqs, lifecycles, active, since, until = zip(*rows, strict=True)
        numbers = range(first, first + len(rows))
        self._by_ref.add(about, numbers)
        self._lifecycles.extend(lifecycles)
        self._seq.add(seqs)
        self._active.add(active)
        self._gone.add([one == DELETED for one in lifecycles])
        self._since.add(since)
        self._until.add(until)
        for kind, rows_by in ((REF, refs), (CLAIM, wordings)):
            self._place(kind, [(row, at) for at, ref in zip(numbers, about, strict=True) for row in rows_by.get(ref)])
        self.mark = ids[-1]

    def stand(self, about: int, rows: Iterable[tuple[int, str]]) -> None:
        """Let rows that have come stand as was noted about their refs before."""
        if self._lifecycles:
            self._place(about, [(row, at) for row, ref in rows for at in self._by_ref.get(ref)])

    def _place(self, about: int, placed: Sequence[tuple[int, int]]) -> None:
        """Rows with their notes; the notes of one row come in the order of time."""
        self._row.add([row for row, _ in placed])
        self._note.add([at for _, at in placed])
        self._about.add([about] * len(placed))

    def lifecycle(self, ref: str, upto: int) -> str | None:
        """What was last noted about a ref as known at an event; None when nothing was."""
        known = [at for at in self._by_ref.get(ref) if int(self._seq.now[at]) <= upto]
        return self._lifecycles[known[-1]] if known else None

    def offered(self, size: int, upto: int, at: int, include_inactive: bool) -> Mask:
        """Of so many rows, which are offered as known at event `upto` and at the valid instant `at`."""
        then = (self._since.now <= at) & (at < self._until.now)
        good = ~self._gone.now & (include_inactive | (self._active.now & then))
        rows, notes, about = self._row.now, self._note.now, self._about.now
        seen = self._seq.now[notes] <= upto
        offered = np.ones((2, size), np.bool_)
        for kind in (REF, CLAIM):
            # in order of time, so that the latest note of a row is the one that is left
            known = seen & (about == kind)
            offered[kind, rows[known]] = good[notes[known]]
        return np.asarray(offered[REF] & offered[CLAIM])
