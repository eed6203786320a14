"""The facade's part on maintenance: tidy the memory within a budget of time."""

import math
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from hornbook.graph.events import Actor
from hornbook.ingesting import Ingesting

if TYPE_CHECKING:
    from hornbook.graph.organize.run import Organized, Told
    from hornbook.graph.organize.work import Job, Progress, Summarise


class Tending(Ingesting):
    """What a memory does to stay tidy. Nothing is destroyed, and what is fresh is left alone."""

    _progress: "Progress | None" = None

    def organize(
        self,
        jobs: Sequence[str] | None = None,
        budget_ms: int = 5_000,
        *,
        summarise: "Summarise | None" = None,
        told: "Told | None" = None,
        actor: Actor | None = None,
    ) -> "Organized":
        """Run maintenance jobs, all of them unless some are named, until the budget is spent.

        What is left over goes on from where it stopped with the next call. `summarise` writes summaries from the
        turns of a conversation; without it they are made of its own sentences. InvalidArgument lists the jobs when
        one is not known.

        >>> from hornbook.memory import Memory
        >>> with Memory.open(":memory:", user="ana") as memory:
        ...     stored = [memory.store("The ferry leaves at six.") for _ in range(2)]
        ...     report = memory.organize(["deduplicate"]).reports[0]
        ...     report.looked_at, report.changed
        (2, 1)
        """
        from hornbook.graph.organize.run import JOBS, run
        from hornbook.graph.organize.work import Progress, Work

        self._progress = self._progress or Progress()
        by = actor or self._actor
        work = Work(
            self._store,
            by,
            self._embedder,
            math.inf,
            self._progress,
            self._oracle,
            self._oracle_deadline,
            summarise,
            "extractive" if summarise is None else "model",
        )
        return run(work, jobs, budget_ms, {**dict(JOBS), "reextract": self._reextract(by)}, told)

    def _reextract(self, actor: Actor) -> "Job":
        from hornbook.extraction.reextract import reextract

        return partial(reextract, texts=self._texts(actor))
