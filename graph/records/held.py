"""Finding the memory that a record tool names, and the texts that it has or had."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hornbook.graph.records.shelf import ref_of, unknown_record
from hornbook.graph.store import Reading, Writing
from hornbook.graph.view import queries
from hornbook.graph.view.queries import ItemRow


@dataclass(frozen=True, slots=True)
class Kept:
    """A memory that is there, with what changes about it."""

    row: ItemRow
    state: Mapping[str, Any]

    @property
    def episode(self) -> str:
        """The episode that holds its present text."""
        return str(self.state["episode"])

    @property
    def texts(self) -> tuple[str, ...]:
        """The episodes that held its texts, the present one last."""
        return tuple(dict.fromkeys((*self.state.get("past", ()), self.episode)))


def kept(writing: Reading | Writing, asked: int | str, agent: str | None = None) -> Kept:
    """The memory of a number or an id. NotFound where it is not here, is deleted, or is another agent's."""
    row = writing.ask(queries.item, ref_of(writing, asked), upto=writing.upto)
    if row is None or row.kind != "memory" or (agent is not None and row.agent != agent):
        raise unknown_record(asked)
    state = json.loads(row.state)
    if state["deleted"]:
        raise unknown_record(asked)
    return Kept(row, state)


def read_before(reading: Reading, asked: int | str, agent: str | None = None) -> tuple[Mapping[str, Any], bool]:
    """What a record's present text was recorded as, and whether claims were extracted from it, or were to be."""
    one = kept(reading, asked, agent)
    event = reading.snapshot.by_id(one.episode)
    text = reading.ask(queries.item, one.episode, upto=reading.upto)
    if event is None or event.body is None or text is None:
        raise unknown_record(asked)
    return event.body, "extraction" in json.loads(text.state)
