"""alias_resolve: an entity that only repeats a name which another one is also known by becomes that one.

Careful by design: the name is borne by these two alone, their types do not contradict each other, they were not parted
before, and the merge brings up no contradiction. What is left over is counted; `merge` is for people. `part` undoes.
"""

from hornbook.graph.belief.state import Held
from hornbook.graph.claim import Disposition
from hornbook.graph.claims.lines import live_on
from hornbook.graph.claims.merge import PARTED, merge
from hornbook.graph.names import name_key
from hornbook.graph.organize.work import PAGE, Report, Work
from hornbook.graph.store import Reading, Writing
from hornbook.graph.view import queries
from hornbook.graph.view.queries import EntityRow

JOB = "alias_resolve"


class Contradicts(Exception):
    """The merge would bring up a contradiction: it is rolled back."""


def alias_resolve(work: Work) -> Report:
    """Merge entities that share a name where nothing speaks against it."""
    looked_at = changed = left = 0
    while work.left:
        with work.store.reading() as reading:
            after = work.progress.cursors.get(JOB, 0)
            rows = reading.ask(queries.entities_page, reading.upto, after=after, limit=PAGE)
            pairs = [pair for row in rows for pair in _same(reading, row)]
            parted = _parted(reading) if pairs else set()
        if not rows:
            work.finished(JOB)
            break
        work.progress.cursors[JOB] = rows[-1].seq
        looked_at += len(rows)
        for kept, other in pairs:
            merged = (kept, other) not in parted and _merged(work, kept, other)
            changed, left = changed + merged, left + (not merged)
    done = JOB not in work.progress.cursors
    return Report(JOB, looked_at, changed, done, "no entity only repeats another's name", {"left_to_people": left})


def _same(reading: Reading, row: EntityRow) -> list[tuple[str, str]]:
    """The entities whose own name is an alias of this one, borne by these two alone: (this one, the other).

    So are those recorded later under the same name, when it was still told apart from this one's.
    """
    if row.merged_into is not None:
        return []
    found = []
    own = name_key(row.name)
    for key in dict.fromkeys((own, *(name_key(alias) for alias in row.aliases))):
        bearers = reading.ask(queries.entity_by_name, key, upto=reading.upto)
        others = [one for one in bearers if one.id != row.id and one.merged_into is None]
        if len(others) == 1 and key == own and row.seq > others[0].seq:
            continue  # the other one is kept
        if len(others) == 1 and name_key(others[0].name) == key and _compatible(row, others[0]):
            found.append((row.id, others[0].id))
    return found


def _compatible(one: EntityRow, other: EntityRow) -> bool:
    return one.type is None or other.type is None or one.type == other.type


def _parted(reading: Reading) -> set[tuple[str, str]]:
    """The pairs that somebody has parted: they stay apart."""
    bodies = [event.body for event in reading.snapshot.events(kinds=(PARTED,)) if event.body is not None]
    return {(body["kept"], body["merged"]) for body in bodies}


def _merged(work: Work, kept: str, other: str) -> bool:
    def act(writing: Writing) -> None:
        before = {one.id for one in (*_disputed(writing, kept), *_disputed(writing, other))}
        merge(writing, kept, other, "the one's name is an alias of the other")
        if any(one.id not in before for one in _disputed(writing, kept)):
            raise Contradicts

    try:
        work.store.write(work.actor, act)
    except Contradicts:
        return False
    return True


def _disputed(writing: Writing, entity: str) -> list[Held]:
    lines = writing.ask(queries.line_ids_of, entity, upto=writing.upto)
    return [one for line in lines for one in live_on(writing, line) if one.state.disposition in DISPUTED]


DISPUTED = (Disposition.CONTESTED, Disposition.QUEUED, Disposition.PENDING_CONFLICT)
