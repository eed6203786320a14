"""archive: what was superseded or deprecated long ago goes out of sight. Its claims and its history stay."""

from hornbook.graph.clock import DAY
from hornbook.graph.lifecycle import Lifecycle
from hornbook.graph.organize.moving import Move, move_all
from hornbook.graph.organize.work import Report, Work, ended, memories, pages
from hornbook.graph.store import Reading

AFTER = 90 * DAY
OVER = (Lifecycle.SUPERSEDED, Lifecycle.DEPRECATED)


def archive(work: Work) -> Report:
    """Archive memories that have been superseded or deprecated for ninety days."""
    looked_at = changed = 0
    for reading, rows in pages(work, "archive"):
        found: list[Move] = []
        for row, state in memories(rows, *OVER):
            looked_at += 1
            if reading.now - _since(reading, row.id, row.seq) >= AFTER:
                stood = Lifecycle(state["lifecycle"])
                found.append((row.id, stood, f"{stood.value} for more than ninety days"))
        changed += move_all(work, found, Lifecycle.ARCHIVED)
    why = "nothing has been superseded or deprecated for ninety days"
    return Report("archive", looked_at, changed, ended(work, "archive"), why)


def _since(reading: Reading, memory: str, recorded: int) -> int:
    """When a memory came to stand as it does."""
    standing = reading.snapshot.standing_of(memory)
    return reading.known_at(standing.seq if standing else recorded)
