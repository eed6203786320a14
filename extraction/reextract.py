"""reextract: the maintenance job that reads texts whose extraction failed, or that no run came to read."""

from hornbook.extraction.batch.many import Texts, read_again
from hornbook.extraction.parked import parked
from hornbook.graph.organize.work import Report, Work


def reextract(work: Work, texts: Texts) -> Report:
    """Extract what waits for its extraction, text by text, until the budget is spent; what fails again waits on."""
    looked_at = changed = claims = 0
    done = True
    for episode in parked(work.store):
        if not work.left:
            done = False
            break
        (outcome,) = read_again(texts, [episode])
        looked_at += 1
        changed += outcome.status == "extracted"
        claims += len(outcome.claims)
    why = "no text waits for its extraction" if not looked_at else "their extraction failed again"
    return Report("reextract", looked_at, changed, done, why, {"claims": claims})
