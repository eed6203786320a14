"""Running maintenance: the jobs there are, in their order, until the budget is spent."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hornbook.graph.displayed import Displayed, counted
from hornbook.graph.errors import InvalidArgument
from hornbook.graph.organize.alias_resolve import alias_resolve
from hornbook.graph.organize.archive import archive
from hornbook.graph.organize.consolidate import consolidate
from hornbook.graph.organize.decay import decay
from hornbook.graph.organize.deduplicate import deduplicate
from hornbook.graph.organize.feedback import feedback_apply
from hornbook.graph.organize.index_compaction import index_compaction
from hornbook.graph.organize.promote import promote
from hornbook.graph.organize.summarize import summarize
from hornbook.graph.organize.tombstone_sweep import tombstone_sweep
from hornbook.graph.organize.work import Job, Report, Work

JOBS: tuple[tuple[str, Job], ...] = (
    ("promote", promote),
    ("decay", decay),
    ("archive", archive),
    ("deduplicate", deduplicate),
    ("alias_resolve", alias_resolve),
    ("summarize", summarize),
    ("consolidate", consolidate),
    ("feedback_apply", feedback_apply),
    ("tombstone_sweep", tombstone_sweep),
    ("index_compaction", index_compaction),
)
LONGEST_BUDGET = 3_600_000  # milliseconds: an hour
Told = Callable[[int, int, str], None]  # jobs done, jobs in all, the next one's name


@dataclass(frozen=True, slots=True, repr=False)
class Organized(Displayed):
    """Which jobs ran and what each did; `left` are those that the budget did not reach, or did not finish."""

    jobs_run: tuple[str, ...]
    duration_ms: float
    reports: tuple[Report, ...]
    left: tuple[str, ...] = ()

    def _told(self) -> Iterator[str]:
        yield counted(len(self.jobs_run), "job")
        yield f"{self.duration_ms:.0f} ms"
        yield from (f"{one.job} {one.changed} changed" for one in self.reports if one.changed)
        if self.left:
            yield f"{len(self.left)} left"

    def as_dict(self) -> dict[str, Any]:
        """The reply."""
        return {
            "jobs_run": list(self.jobs_run),
            "duration_ms": round(self.duration_ms, 1),
            "reports": [report.as_dict() for report in self.reports],
            "left": list(self.left),
        }


def checked_jobs(asked: Sequence[str] | None, jobs: Mapping[str, Job]) -> tuple[str, ...]:
    """The jobs meant, in the order in which they run; None is all.

    >>> checked_jobs(["decay", "promote"], dict(JOBS))
    ('promote', 'decay')
    """
    for name in asked or ():
        if name not in jobs:
            raise InvalidArgument(f"there is no job {str(name)[:60]}", field="jobs", valid=tuple(jobs))
    return tuple(name for name in jobs if asked is None or name in asked)


def checked_budget(given: object) -> int:
    """A budget in milliseconds."""
    if isinstance(given, bool) or not isinstance(given, int) or not 0 <= given <= LONGEST_BUDGET:
        raise InvalidArgument(f"budget_ms must be 0 to {LONGEST_BUDGET}", field="budget_ms")
    return given


def run(
    work: Work, asked: Sequence[str] | None, budget_ms: int, jobs: Mapping[str, Job], told: Told | None = None
) -> Organized:
    """Run the jobs within a budget; what is left over is run first the next time, from where it stopped.

    Each job gets an equal part of what is left, and the rest of a part that it does not need goes to the next.
    """
    names = checked_jobs(asked, jobs)
    checked_budget(budget_ms)
    began = time.monotonic()
    work, left = replace(work, until=began + budget_ms / 1_000), work.progress.notes.pop("left", ())
    order = sorted(names, key=lambda name: name not in left)
    reports: list[Report] = []
    for at, name in enumerate(order):
        if not work.left:
            break
        if told is not None:
            told(at, len(order), name)
        share = time.monotonic() + work.left / (len(order) - at)
        reports.append(jobs[name](replace(work, until=min(share, work.until))))
    reached = {report.job for report in reports}
    over = tuple(name for name in order if name not in reached or not _done(reports, name))
    work.progress.notes["left"] = over
    return Organized(tuple(report.job for report in reports), (time.monotonic() - began) * 1_000, tuple(reports), over)


def _done(reports: Sequence[Report], name: str) -> bool:
    return all(report.done for report in reports if report.job == name)
