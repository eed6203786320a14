"""Moving memories in one transaction, those that still stand where the job found them."""

from collections.abc import Sequence
from functools import partial

from hornbook.graph.lifecycle import Lifecycle
from hornbook.graph.moves import move
from hornbook.graph.organize.work import Work, chunks, memories
from hornbook.graph.store import Writing
from hornbook.graph.view import queries

Move = tuple[str, Lifecycle, str]  # the memory, where it stood, why it moves


def move_all(work: Work, found: Sequence[Move], wanted: Lifecycle) -> int:
    """Move memories that still stand where they were found; how many did."""
    return sum(work.store.write(work.actor, partial(_together, some=some, wanted=wanted)) for some in chunks(found))


def _together(writing: Writing, some: Sequence[Move], wanted: Lifecycle) -> int:
    return [_moved(writing, *one, wanted) for one in some].count(True)


def _moved(writing: Writing, id_: str, stood: Lifecycle, reason: str, wanted: Lifecycle) -> bool:
    row = writing.ask(queries.item, id_, upto=writing.upto)
    for _ in memories([row] if row else [], stood):
        move(writing, id_, wanted, reason)
        return True
    return False
