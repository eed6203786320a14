"""The lifecycle of a stored memory: which moves callers may make, and how a claim's fate is mirrored."""

from enum import StrEnum

from hornbook.graph.claim import Disposition
from hornbook.graph.errors import Conflict


class Lifecycle(StrEnum):
    """Where a memory stands."""

    TENTATIVE = "tentative"
    STABLE = "stable"
    CONTESTED = "contested"
    SUPERSEDED = "superseded"
    DEPRECATED = "deprecated"
    ARCHIVED = "archived"


MOVES: dict[Lifecycle, tuple[Lifecycle, ...]] = {
    Lifecycle.TENTATIVE: (Lifecycle.STABLE, Lifecycle.SUPERSEDED, Lifecycle.CONTESTED, Lifecycle.ARCHIVED),
    Lifecycle.STABLE: (Lifecycle.SUPERSEDED, Lifecycle.CONTESTED, Lifecycle.ARCHIVED),
    Lifecycle.CONTESTED: (Lifecycle.STABLE, Lifecycle.DEPRECATED, Lifecycle.ARCHIVED),
    Lifecycle.SUPERSEDED: (Lifecycle.ARCHIVED,),
    Lifecycle.DEPRECATED: (Lifecycle.ARCHIVED,),
    Lifecycle.ARCHIVED: (),
}

# States in which a memory is offered without being asked for by `include_inactive`.
ACTIVE = (Lifecycle.TENTATIVE, Lifecycle.STABLE, Lifecycle.CONTESTED)

MIRROR = {
    Disposition.CONTESTED: Lifecycle.CONTESTED,
    Disposition.QUEUED: Lifecycle.CONTESTED,
    Disposition.PENDING_CONFLICT: Lifecycle.CONTESTED,
    Disposition.SUPERSEDED: Lifecycle.SUPERSEDED,
    Disposition.INVALIDATED: Lifecycle.DEPRECATED,
    Disposition.QUARANTINED: Lifecycle.DEPRECATED,
    Disposition.REJECTED: Lifecycle.DEPRECATED,
}


def checked_move(now: str, wanted: Lifecycle) -> None:
    """Refuse a move that the lifecycle does not allow, and name those it does.

    >>> checked_move("archived", Lifecycle.STABLE)
    Traceback (most recent call last):
    hornbook.graph.errors.Conflict: an archived memory cannot become stable
    """
    allowed = MOVES[Lifecycle(now)]
    if wanted not in allowed:
        article = "an" if now[0] in "aeiou" else "a"
        raise Conflict(
            f"{article} {now} memory cannot become {wanted.value}",
            valid=[move.value for move in allowed],
            hint="archived is final" if not allowed else None,
        )


def mirrored(disposition: Disposition, now: str, before: str | None = None) -> Lifecycle:
    """The state of a memory that stands at `now` and whose claim has come to this disposition.

    Archived is kept. A reinstated claim gives its memory back what it was (`before` it fell); one that stands again
    after a contest leaves it stable.

    >>> mirrored(Disposition.CONTESTED, "tentative").value, mirrored(Disposition.COMMITTED_CHEAP, "contested").value
    ('contested', 'stable')
    >>> mirrored(Disposition.REINSTATED, "superseded", before="tentative").value
    'tentative'
    """
    if now == Lifecycle.ARCHIVED:
        return Lifecycle.ARCHIVED
    if disposition in MIRROR:
        return MIRROR[disposition]
    if disposition is Disposition.REINSTATED and before is not None:
        return Lifecycle(before)
    return Lifecycle.TENTATIVE if now == Lifecycle.TENTATIVE else Lifecycle.STABLE
