"""The facade's part on keeping: carry a memory elsewhere and back."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from hornbook.graph.events import Actor

if TYPE_CHECKING:
    from hornbook.extraction.importers.brought import Report
    from hornbook.graph.forget.erase import Erased
    from hornbook.graph.forget.forget import Forgotten
    from hornbook.graph.forget.undo import Undone
    from hornbook.graph.portable.import_lines import Imported
    from hornbook.graph.retrieval.embed import Embedder
    from hornbook.graph.store import Store
    from hornbook.settings import Settings


def restore(source: str | Path, where: str | Path, user: str, *, overwrite: bool = False) -> int:
    """Put a copy made by `backup` or `pack` in a user's place; how many events it has.

    Conflict where a memory is there already, saying how the two stand to each other, unless `overwrite` is said.
    """
    from hornbook.graph.clock import system_clock
    from hornbook.graph.errors import InvalidArgument
    from hornbook.graph.portable.files import restore
    from hornbook.opening import journal_path

    place, pack = journal_path(where, user)
    if place is None:
        raise InvalidArgument(
            "a memory that ends with the process has no place", field="where", hint="name a directory"
        )
    return restore(Path(source), place, clock=system_clock, owner=user, overwrite=overwrite, pack=pack)


class Keeping:
    """What a memory does to be kept, moved, and cleaned."""

    _store: "Store"
    _actor: Actor
    _embedder: "Embedder"
    settings: "Settings"
    user: str

    def export(self) -> Iterator[str]:
        """The whole memory as lines of JSON, history included; `load` brings them back. See `graph.portable`."""
        from hornbook.graph.portable.export_lines import export_lines

        with self._store.journal.reading() as snapshot:
            yield from export_lines(snapshot, self.user)

    def load(self, lines: Iterable[str], *, owner: str | None = None) -> "Imported":
        """Import the lines of an export into an empty memory, or go on with one that stopped.

        Repeating it changes nothing. What another user's memory exported is taken in only where `owner` says whose it
        is: Forbidden otherwise. Raises InvalidArgument naming the first line that is wrong, Conflict where this memory
        holds another history.
        """
        from hornbook.graph.portable.import_lines import import_lines

        return import_lines(self._store.journal, lines, owner or self.user)

    def bring(self, path: str | Path, system: str, *, actor: Actor | None = None) -> "Report":
        """Bring in what another memory server holds: its texts and claims, with their provenance and times.

        `system` is reference-server, powermem or mempill. Its file is only read. Safe to repeat: each thing comes in
        once. The report says what could not be carried, and why.
        """
        from hornbook.extraction.importers.bring import bring
        from hornbook.graph.journal import Model

        embedder = self._embedder
        model = Model(embedder.model, embedder.digest, embedder.dimension)
        return bring(self._store, actor or self._actor, Path(path), system, self.user, embedder.embed, model)

    def backup(self, to: str | Path) -> None:
        """Copy the memory to a new file as it stands at one instant, while others read and write."""
        from hornbook.graph.journal import copy

        copy(self._store.journal, Path(to))

    def pack(self, to: str | Path) -> None:
        """Write the memory as one file, `name.hornbook`, which can be opened where it is, or restored elsewhere.

        It is the same memory: write to one of the two, not to both.
        """
        from hornbook.graph.errors import InvalidArgument
        from hornbook.settings import PACK

        if Path(to).suffix != PACK:
            raise InvalidArgument(
                f"a pack is a file ending in {PACK}", field="to", hint=f"name it {Path(to).name}{PACK}"
            )
        self.backup(to)

    def rebuild(self) -> int:
        """Throw the graph view away and build it anew from the journal; how many events it now shows."""
        self._store.discard_view()
        with self._store.reading() as reading:
            reading.ask(_touch)
            return reading.upto

    def forget(
        self,
        *,
        source: str | None = None,
        session: str | None = None,
        client: str | None = None,
        episode: str | None = None,
        dry_run: bool = False,
        actor: Actor | None = None,
    ) -> "Forgotten":
        """Hide all that came from a source, a session or a client, or with one text or memory; what fits all given.

        Claims whose only evidence it was are invalidated; history still shows that something was there, and when.
        InvalidArgument where nothing is named, NotFound for an unknown episode. `dry_run` only counts.
        """
        from hornbook.graph.forget.forget import forget
        from hornbook.graph.forget.select import checked

        wanted = checked(source, session, client, episode)
        return forget(self._store, actor or self._actor, wanted, dry_run=dry_run)

    def erase(
        self,
        *,
        source: str | None = None,
        session: str | None = None,
        client: str | None = None,
        episode: str | None = None,
        dry_run: bool = False,
        actor: Actor | None = None,
    ) -> "Erased":
        """Remove the bytes of all that is meant, as for `forget`, for good: from the journal, indexes and views.

        Call `finish_erasing` while the answer says `pending`. Copies made before are out of reach.
        """
        from hornbook.graph.forget.erase import erase
        from hornbook.graph.forget.select import checked
        from hornbook.opening import cache_folder

        wanted = checked(source, session, client, episode)
        return erase(self._store, actor or self._actor, wanted, cache_folder(self.settings), dry_run=dry_run)

    def finish_erasing(self) -> "Erased":
        """Go on with an erasure that was pending, or that ended with its process; says what still holds a copy."""
        from hornbook.graph.forget.erase import Erased, finish
        from hornbook.opening import cache_folder

        return Erased(pending=finish(self._store, cache_folder(self.settings)))

    def undo(self, *, reason: str = "undone", actor: Actor | None = None) -> "Undone":
        """Take back the last transaction by new events; called again, the one before it.

        Conflict where nothing is left, or where it cannot be taken back: an erasure.
        """
        from hornbook.graph.claims.merge import checked_reason
        from hornbook.graph.forget.undo import undo

        why = checked_reason(reason)
        return self._store.write(actor or self._actor, lambda writing: undo(writing, why))


def _touch(view: object) -> None:
    """Nothing: asking anything of the view brings it up to the journal."""
