"""consolidate: lines in dispute are looked at again, and what time has decided is settled."""

from collections.abc import Sequence
from functools import partial

from hornbook.graph.belief.reconcile import reconcile
from hornbook.graph.claims import changes
from hornbook.graph.claims.lines import live_on
from hornbook.graph.organize.work import AT_ONCE, Report, Work, chunks
from hornbook.graph.store import Writing
from hornbook.graph.view import queries

MOST = 1_000  # claims in dispute of one look


def consolidate(work: Work) -> Report:
    """Look at the lines in dispute again, as `reconcile` does when it is asked to."""
    looked_at = changed = 0
    while work.left:
        lines = _lines(work)
        if not lines:
            work.finished("consolidate")
            break
        for some in chunks(lines, AT_ONCE // 4):
            looked_at += len(some)
            changed += work.store.write(work.actor, partial(_settled, lines=some))
    done = "consolidate" not in work.progress.cursors
    why = "no line is in dispute" if not looked_at else "time has decided none of the disputes"
    return Report("consolidate", looked_at, changed, done, why)


def _lines(work: Work) -> list[str]:
    """The next lines in dispute."""
    with work.store.reading() as reading:
        after = work.progress.cursors.get("consolidate", 0)
        rows = reading.ask(queries.contested_claims, reading.upto, after=after, limit=MOST)
    if rows:
        work.progress.cursors["consolidate"] = rows[-1].seq
    return list(dict.fromkeys(row.line for row in rows))


def _settled(writing: Writing, lines: Sequence[str]) -> int:
    done = 0
    for line in lines:
        predicate = writing.registry.named(line.partition("|")[2])
        done += len(changes.record(writing, reconcile(live_on(writing, line), predicate, now=writing.now).changes))
    return done
