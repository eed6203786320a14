"""The facade's part on keeping: carry a memory elsewhere and back."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from hornbook.graph.events import Actor

if TYPE_CHECKING:
    from hornbook.graph.portable.import_lines import Imported
    from hornbook.graph.store import Store
    from hornbook.settings import Settings


class Keeping:
    """What a memory does to be kept, moved, and cleaned."""

    _store: "Store"
    _actor: Actor
    settings: "Settings"
    user: str

    def export(self) -> Iterator[str]:
        """The whole memory as lines of JSON, history included; `load` brings them back. See `graph.portable`."""
        from hornbook.graph.portable.export_lines import export_lines

        with self._store.journal.reading() as snapshot:
            yield from export_lines(snapshot, self.user)

    def load(self, lines: Iterable[str]) -> "Imported":
        """Import the lines of an export into an empty memory, or go on with one that stopped.

        Repeating it changes nothing. Raises InvalidArgument naming the first line that is wrong, Conflict where
        this memory holds another history.
        """
        from hornbook.graph.portable.import_lines import import_lines

        return import_lines(self._store.journal, lines)

    def backup(self, to: str | Path) -> None:
        """Copy the memory to a new file as it stands at one instant, while others read and write."""
        from hornbook.graph.journal import copy

        copy(self._store.journal, Path(to))

    def rebuild(self) -> int:
        """Throw the graph view away and build it anew from the journal; how many events it now shows."""
        self._store.discard_view()
        with self._store.reading() as reading:
            reading.ask(_touch)
            return reading.upto


def _touch(view: object) -> None:
    """Nothing: asking anything of the view brings it up to the journal."""
