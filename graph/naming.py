"""Which entities bear a name, remembered at the head of the journal between one question and the next.

Names are looked up for every claim and every belief, and change rarely. What is remembered is forgotten name by name as
the journal records new entities, and altogether after whatever changes one.
"""

import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hornbook.graph.journal import Snapshot
    from hornbook.graph.view.queries import EntityRow

NAMED = "entity.recorded"  # changes what its own keys mean, and nothing else
CHANGED = (
    "entity.aliased",
    "entity.retyped",
    "entity.retired",
    "entity.restored",
    "entities.merged",
    "entities.parted",
)
NAMING = (NAMED, *CHANGED, "event.redacted", "transaction.undone", "erasure.recorded")
MOST = 20_000  # names


class Naming:
    """The bearers of names as known at one event: `at`, with the chain's hash there."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._at, self._hash = 0, b""
        self._bearers: dict[str, tuple[EntityRow, ...]] = {}

    def bearers(
        self, snapshot: "Snapshot", at: int, key: str, ask: "Callable[[], tuple[EntityRow, ...]]"
    ) -> "tuple[EntityRow, ...]":
        """The entities that bear a name as known at event `at`, a committed one; `ask` looks it up in the view."""
        with self._turn:
            current = self._follow(snapshot, at)
            if current and (known := self._bearers.get(key)) is not None:
                return known
        found = ask()
        with self._turn:
            if current and self._at == at:  # otherwise somebody has followed the journal on meanwhile
                if len(self._bearers) >= MOST:
                    self._bearers.clear()
                self._bearers[key] = found
        return found

    def _follow(self, snapshot: "Snapshot", at: int) -> bool:
        """Forget what changed up to an event; False for one that lies behind what is remembered."""
        if self._at and (self._at > snapshot.head or snapshot.hash_at(self._at) != self._hash):
            self._at = 0  # another history than the one remembered
            self._bearers.clear()
        if at < self._at:
            return False
        if at > self._at:
            for event in snapshot.events(self._at, at, kinds=NAMING):
                self._forget(event.kind, event.body or {})
            self._at, self._hash = at, snapshot.hash_at(at)
        return True

    def _forget(self, kind: str, body: Mapping[str, Any]) -> None:
        if kind != NAMED or "keys" not in body:
            self._bearers.clear()
            return
        for key in body["keys"]:
            self._bearers.pop(key, None)
