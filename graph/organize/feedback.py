"""feedback_apply: claims that wait for an answer from outside are put to the oracle, and its answers carried out."""

from hornbook.graph.claim import Disposition
from hornbook.graph.claims.adjudicate import adjudicate
from hornbook.graph.organize.work import Report, Work
from hornbook.graph.view import queries

MOST = 1_000


def feedback_apply(work: Work) -> Report:
    """Ask the oracle about each claim that is queued for it, and apply what it says."""
    waiting = _waiting(work)
    if work.oracle is None or not waiting:
        why = "no claim waits for an answer" if not waiting else "no oracle is set that could answer"
        return Report("feedback_apply", len(waiting), 0, why=why)
    changed = asked = 0
    for ref in waiting:
        if not work.left:
            break
        asked += 1
        said = adjudicate(work.store, work.actor, work.oracle, ref, min(work.oracle_deadline, work.left))
        changed += said is not Disposition.QUEUED
    return Report("feedback_apply", asked, changed, asked == len(waiting), "no question was answered")


def _waiting(work: Work) -> list[str]:
    with work.store.reading() as reading:
        rows = reading.ask(queries.contested_claims, reading.upto, limit=MOST)
    queued = f'"{Disposition.QUEUED.value}"'
    return list(dict.fromkeys(row.id for row in rows if queued in row.state and not row.mirrored))
