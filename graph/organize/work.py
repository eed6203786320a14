"""What a job works with: the store, the time it has, and where it stopped last time; and what it reports."""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hornbook.graph.clock import DAY
from hornbook.graph.displayed import Displayed
from hornbook.graph.events import Actor
from hornbook.graph.store import Reading, Store
from hornbook.graph.view import queries
from hornbook.graph.view.queries import ItemRow

if TYPE_CHECKING:
    from hornbook.graph.claims.adjudicate import Oracle
    from hornbook.graph.retrieval.embed import Embedder

PAGE = 256  # items read at a time
AT_ONCE = 32  # items changed in one transaction
FRESH = DAY  # what is younger is left alone by jobs that judge

Summarise = Callable[[Sequence[str]], str]


@dataclass(slots=True)
class Progress:
    """Where each job stopped: kept between calls, so that the next one goes on from there."""

    cursors: dict[str, int] = field(default_factory=dict)
    notes: dict[str, Any] = field(default_factory=dict)  # what a job has seen on the way


@dataclass(frozen=True, slots=True)
class Work:
    """One run of maintenance. `until` is when its budget is spent, on the clock of `time.monotonic`."""

    store: Store
    actor: Actor
    embedder: "Embedder"
    until: float
    progress: Progress = field(default_factory=Progress)
    oracle: "Oracle | None" = None
    oracle_deadline: float = 30.0
    summarise: Summarise | None = None  # by a model; None: the sentences that say most
    summariser: str = "extractive"

    @property
    def left(self) -> float:
        """Seconds of the budget that are left; 0 when it is spent."""
        return max(0.0, self.until - time.monotonic())

    def note(self, job: str, kind: Callable[[], Any]) -> Any:
        """What a job keeps while it goes through the store, made new when it begins."""
        return self.progress.notes.setdefault(job, kind())

    def finished(self, job: str) -> None:
        """A job has seen everything: the next run begins anew."""
        self.progress.cursors.pop(job, None)
        self.progress.notes.pop(job, None)


@dataclass(frozen=True, slots=True, repr=False)
class Report(Displayed):
    """What a job did. `done` says whether it came to the end; `why` is there when it changed nothing."""

    job: str
    looked_at: int
    changed: int
    done: bool = True
    why: str | None = None
    more: Mapping[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """The report as a reply shows it."""
        told = {"job": self.job, "looked_at": self.looked_at, "changed": self.changed, "done": self.done, **self.more}
        return told if self.changed or self.why is None else {**told, "why": self.why}


Job = Callable[[Work], Report]


def pages(work: Work, job: str) -> Iterator[tuple[Reading, Sequence[ItemRow]]]:
    """The items of the store in the order they came, page by page, from where the job stopped last time.

    It ends when the budget is spent; the job has come to the end of the store when its cursor is gone.
    """
    while work.left:
        with work.store.reading() as reading:
            after = work.progress.cursors.get(job, 0)
            rows = reading.ask(queries.items_page, reading.upto, after=after, limit=PAGE)
            if not rows:
                work.progress.cursors.pop(job, None)
                return
            yield reading, rows
        work.progress.cursors[job] = rows[-1].seq


def ended(work: Work, job: str) -> bool:
    """Whether a job that goes by pages has come to the end of the store; it then begins anew next time."""
    done = job not in work.progress.cursors
    if done:
        work.finished(job)
    return done


def memories(rows: Sequence[ItemRow], *states: str) -> Iterator[tuple[ItemRow, Mapping[str, Any]]]:
    """The memories among items that are not deleted and stand in one of these states, each with what changes."""
    for row in rows:
        state = json.loads(row.state)
        if row.kind == "memory" and not state["deleted"] and (not states or state["lifecycle"] in states):
            yield row, state


def chunks(found: Sequence[Any], size: int = AT_ONCE) -> Iterator[Sequence[Any]]:
    """A list in pieces of one transaction each."""
    return (found[start : start + size] for start in range(0, len(found), size))
