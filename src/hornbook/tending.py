"""The facade's part on upkeep: tidy the memory within a budget of time, follow what changes, complete what is begun."""

import math
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from hornbook.claiming import When
from hornbook.graph.dates import parse_moment
from hornbook.graph.errors import InvalidArgument
from hornbook.graph.events import Actor
from hornbook.ingesting import Ingesting

if TYPE_CHECKING:
    from hornbook.graph.changed import Changed, Touched
    from hornbook.graph.organize.run import Organized, Told
    from hornbook.graph.organize.work import Job, Progress, Summarise


MOST_CHANGES = 1_000
LONGEST_CURSOR = 19  # digits


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

        What is left over goes on from where it stopped with the next call; where nothing is, what rules derive is
        brought up to date at last. `summarise` writes summaries from the
        turns of a conversation; without it the model that is set does, and without one they are made of its own
        sentences. InvalidArgument lists the jobs when
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
        summarise, summariser = self._summarise(summarise)
        work = Work(
            self._store,
            by,
            self._embedder,
            math.inf,
            self._progress,
            self._oracle,
            self._oracle_deadline,
            summarise,
            summariser,
        )
        report = run(work, jobs, budget_ms, {**dict(JOBS), "reextract": self._reextract(by)}, told)
        if jobs is None and not report.left:
            self._brought_up()
        return report

    def changes(self, since: When = None, *, cursor: str | None = None, limit: int = 100) -> "Changed":
        """What changed since an instant, or after the `next_cursor` of an earlier answer; oldest first, no texts.

        >>> from hornbook.memory import Memory
        >>> with Memory.open(":memory:", user="ana") as memory:
        ...     stored = memory.store("The ferry leaves at six.")
        ...     [change["kind"] for change in memory.changes().changes]
        ['episode.recorded', 'memory.recorded']
        """
        from hornbook.graph.changed import changes_after

        if isinstance(limit, bool) or not 1 <= limit <= MOST_CHANGES:
            raise InvalidArgument(f"limit must be 1 to {MOST_CHANGES}", field="limit")
        if cursor is not None and not (cursor.isascii() and cursor.isdigit() and len(cursor) < LONGEST_CURSOR):
            raise InvalidArgument("cursor is none that a page gave", field="cursor", hint="leave it out to begin anew")
        known = None if since is None else parse_moment(since, "since").at
        with self._read(None) as reading:
            after = reading.snapshot.seq_at(known) if known is not None else 0
            return changes_after(reading, int(cursor) if cursor is not None else after, limit)

    def touched(self, after: int | None, limit: int = 1_000) -> "Touched":
        """What the events after one are about, for whoever follows along: ids, without any text; None is the last."""
        from hornbook.graph.changed import touched_after

        with self._read(None) as reading:
            return touched_after(reading, after, limit)

    def complete_name(self, begun: str, *, knowledge_at: When = None) -> Sequence[str]:
        """Names of entities that begin so, by any of their names."""
        from hornbook.graph.complete import names

        with self._read(knowledge_at) as reading:
            return names(reading, begun)

    def complete_predicate(self, begun: str, subject: str | None = None) -> Sequence[str]:
        """Predicates that begin so: those that the subject has, or all that are declared."""
        from hornbook.graph.complete import predicates

        with self._read(None) as reading:
            return predicates(reading, begun, subject)

    def _summarise(self, given: "Summarise | None") -> "tuple[Summarise | None, str]":
        """What writes summaries, and its name: what was given, else the model that is set, else none."""
        if given is not None or self.settings.extraction.model is None:
            return given, "extractive" if given is None else "given"
        from hornbook.extraction.model.summary import model_summariser

        return model_summariser(self.settings.extraction), self.settings.extraction.model

    def _reextract(self, actor: Actor) -> "Job":
        from hornbook.extraction.reextract import reextract

        return partial(reextract, texts=self._texts(actor))
