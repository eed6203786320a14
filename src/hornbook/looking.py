"""The facade's part on being looked at page by page: what a page needs beside beliefs, histories and answers."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from hornbook.claiming import When
from hornbook.concluding import Concluding
from hornbook.graph.clock import rfc3339
from hornbook.graph.ids import checked_id

if TYPE_CHECKING:
    from hornbook.graph.claims.ledger import History, Told
    from hornbook.graph.view.derived import Conclusion


class Looking(Concluding):
    """What a memory tells of how its parts hang together."""

    @property
    def now(self) -> str:
        """What time it is by this memory's clock: the instant of a read that names none."""
        return rfc3339(self._store.clock())

    def named(self, texts: Iterable[str], *, knowledge_at: When = None) -> dict[str, str]:
        """Of some texts those that name an entity, each with the name that the entity goes by.

        >>> from hornbook.memory import Memory
        >>> with Memory.open(":memory:", user="ana") as memory:
        ...     claim = memory.claim("Ana", "lives_in", "Munich")
        ...     memory.named(["ana", "somewhere"])
        {'ana': 'Ana'}
        """
        from hornbook.graph import entities

        with self._read(knowledge_at) as reading:
            found = ((text, entities.find(reading, text)) for text in dict.fromkeys(texts) if text.strip())
            return {text: one.name for text, one in found if one is not None}

    def claims_of(self, node_id: str, *, knowledge_at: When = None) -> "History":
        """The claims that were taken from a text, or that a memory is, oldest first."""
        from hornbook.graph.claims.ledger import History, Told
        from hornbook.graph.claims.lines import claim_rows
        from hornbook.graph.view import queries

        ref = checked_id(node_id, "node_id")
        with self._read(knowledge_at) as reading:
            refs = reading.ask(queries.claims_of_item, ref, upto=reading.upto)
            return History(map(Told, claim_rows(reading, refs)))

    def resting_on(
        self, claim_ref: str, *, knowledge_at: When = None
    ) -> "tuple[tuple[Told, ...], tuple[Conclusion, ...] | None]":
        """What rests on a claim: the claims that name it as a premise, directly or not, and what rules derive from it.

        The second is None where more is derived than is listed, or where the rules cannot be evaluated.
        """
        from hornbook.graph.claims.ledger import Told
        from hornbook.graph.claims.lines import claim_rows
        from hornbook.graph.view import queries

        ref = checked_id(claim_ref, "claim_ref")
        with self._read(knowledge_at) as reading:
            rows = reading.ask(queries.dependents, (ref,), upto=reading.upto)
            told = tuple(map(Told, claim_rows(reading, [row.id for row in rows])))
            derived = self._conclusions(reading)
        if derived is None:
            return told, None
        return told, tuple(one for one in derived if any(id_ == ref for _, id_ in one.premises))
