"""promote: a memory that others have confirmed becomes stable. A fresh one is left alone."""

from hornbook.graph.claims.believe import belief_on
from hornbook.graph.lifecycle import Lifecycle
from hornbook.graph.organize.moving import Move, move_all
from hornbook.graph.organize.work import FRESH, Report, Work, ended, memories, pages
from hornbook.graph.store import Reading
from hornbook.graph.view import queries

REASON = "confirmed by another source"


def promote(work: Work) -> Report:
    """Move tentative memories to stable that rest on a claim which a second source confirms and nobody contests."""
    looked_at = changed = 0
    for reading, rows in pages(work, "promote"):
        found: list[Move] = []
        for row, state in memories(rows, Lifecycle.TENTATIVE):
            looked_at += 1
            old = reading.now - reading.known_at(row.seq) >= FRESH
            if old and _confirmed(reading, (row.id, state["episode"])):
                found.append((row.id, Lifecycle.TENTATIVE, REASON))
        changed += move_all(work, found, Lifecycle.STABLE)
    why = "no tentative memory older than a day is confirmed by a second source"
    return Report("promote", looked_at, changed, ended(work, "promote"), why)


def _confirmed(reading: Reading, items: tuple[str, str]) -> bool:
    claims = reading.ask(queries.claims_of_items, items, upto=reading.upto)
    rows = reading.ask(queries.claims, {ref for refs in claims.values() for ref in refs}, upto=reading.upto)
    return any(_corroborated(reading, row.line, row.id) for row in rows)


def _corroborated(reading: Reading, line: str, claim: str) -> bool:
    belief = belief_on(reading, line, reading.registry.named(line.partition("|")[2]), reading.now)
    slots = [slot for slot in (belief.primary, *belief.alternatives) if slot is not None]
    return any(claim in slot.claims and slot.corroboration_count and not slot.contested for slot in slots)
