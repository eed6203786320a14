"""decay: how much of the memory has faded. Decay is worked out on read; this job counts, and lowers nothing."""

from hornbook.graph.clock import DAY
from hornbook.graph.lifecycle import ACTIVE
from hornbook.graph.organize.work import Report, Work, ended, memories, pages

HALF_LIFE_DAYS = 30.0  # as the search has it
FADED = 0.25  # two half-lives


def decay(work: Work) -> Report:
    """Count the memories whose recency has fallen below a quarter."""
    looked_at = faded = 0
    for reading, rows in pages(work, "decay"):
        for row, _ in memories(rows, *ACTIVE):
            looked_at += 1
            since = row.occurred_at if row.occurred_at is not None else reading.known_at(row.seq)
            faded += recency(reading.now - since) < FADED
    why = "decay is worked out on read: nothing is lowered, and reading lowers nothing"
    return Report("decay", looked_at, 0, ended(work, "decay"), why, {"faded": faded})


def recency(age: int) -> float:
    """2^(-age ÷ half-life); what lies ahead counts as now.

    >>> recency(30 * DAY), recency(-5)
    (0.5, 1.0)
    """
    return float(2 ** (-max(age, 0) / DAY / HALF_LIFE_DAYS))
