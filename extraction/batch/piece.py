"""What a reader makes of a file: texts with their fields, and what could not be read, each at its place."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Piece:
    """One text of a source: its fields, as `Memory.ingest` takes them, and where it stands; `at` counts bytes read."""

    source: str
    position: str
    fields: Mapping[str, Any]
    at: int = 0


@dataclass(frozen=True, slots=True)
class Unread:
    """Something that is no text: which source, where in it, and why, in one sentence."""

    source: str
    position: str
    why: str
    at: int = 0

    @property
    def place(self) -> str:
        """Where it stands, for a reader."""
        return f"{self.source}, {self.position}" if self.position else self.source


Read = Piece | Unread
