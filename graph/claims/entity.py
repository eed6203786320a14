"""One entity as a reply shows it: its names, what was merged into it, and what its lines say."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hornbook.graph import entities
from hornbook.graph.claims.believe import Answer, believe_all
from hornbook.graph.displayed import Displayed, brief, counted
from hornbook.graph.errors import NotFound
from hornbook.graph.store import Reading
from hornbook.graph.view.queries import EntityRow


@dataclass(frozen=True, slots=True, repr=False)
class Known(Displayed):
    """An entity and the beliefs about it."""

    entity: EntityRow
    beliefs: tuple[Answer, ...]

    def _told(self) -> Iterator[str]:
        yield brief(self.entity.name)
        yield self.entity.type or "thing"
        yield counted(len(self.beliefs), "line")
        yield f"id={self.entity.id!r}"

    def as_dict(self) -> dict[str, Any]:
        """The reply."""
        return {
            "entity_id": self.entity.id,
            "name": self.entity.name,
            "type": self.entity.type,
            "aliases": list(self.entity.aliases),
            "merged": list(self.entity.absorbed),
            "beliefs": [answer.as_dict() for answer in self.beliefs],
        }


def known(reading: Reading, text: str, at: int) -> Known:
    """The entity that a text means: an id, a name, or an alias that is only its own."""
    found = entities.find(reading, text)
    if found is None:
        raise NotFound(f"there is no entity {text[:80]}", field="entity_id", hint="search for it by what it is called")
    return Known(found, tuple(believe_all(reading, found.id, at)))
