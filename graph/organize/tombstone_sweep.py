"""tombstone_sweep: the keys of texts deleted a month ago are given free, so that the same text can be stored again.

Until then a repeated import does not bring back what was deleted. The tombstones themselves stay: history shows them.
"""

from collections.abc import Sequence
from functools import partial

from hornbook.graph.clock import DAY
from hornbook.graph.organize.work import Report, Work, chunks
from hornbook.graph.store import Writing

AFTER = 30 * DAY
KIND = "memory.deleted"


def tombstone_sweep(work: Work) -> Report:
    """Give free the idempotency keys of what was deleted thirty days ago."""
    job = "tombstone_sweep"
    with work.store.reading() as reading:
        last = reading.snapshot.seq_at(reading.now - AFTER)
        after = work.progress.cursors.get(job, 0)
        events = list(reading.snapshot.events(after, last, kinds=(KIND,)))
    looked_at = changed = 0
    for some in chunks(events):
        if not work.left:
            break
        refs = [str(event.body["memory"]) for event in some if event.body is not None]
        changed += work.store.write(work.actor, partial(_release, refs=refs))
        looked_at += len(some)
        work.progress.cursors[job] = some[-1].seq
    done = looked_at == len(events)
    return Report(job, looked_at, changed, done, "nothing that was deleted thirty days ago holds a key")


def _release(writing: Writing, refs: Sequence[str]) -> int:
    return writing.snapshot.release(refs)
