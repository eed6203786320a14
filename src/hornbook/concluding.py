"""The facade's part on showing what follows: in the graph, so that a search goes over it, and in a context."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING

from hornbook.graph.errors import RuleError
from hornbook.graph.names import name_key
from hornbook.ruling import Ruling

if TYPE_CHECKING:
    from hornbook.display.page.inferred import Inferred
    from hornbook.graph.claims.context import Concluded
    from hornbook.graph.retrieval.index import Index
    from hornbook.graph.store import Reading
    from hornbook.graph.view.derived import Conclusion
    from hornbook.reasoning.derived import Current

MOST_NAMED = 8  # of whom a question names, for how many what follows is told


class Concluding(Ruling):
    """What a memory does to show what its rules derive where something else was asked for."""

    def _brought_up(self) -> None:
        """What rules derive, brought up to date and copied: the end of maintenance."""
        with self._read(None) as reading:
            self._show_derived(reading)

    def _show_derived(self, reading: "Reading") -> bool:
        """Whether the graph has what rules derive as of this reading: brought up to date and copied there first.

        A reading of the past has nothing of it, nor has one while the rules cannot be evaluated.
        """
        if reading.upto != reading.snapshot.head:
            return False
        derivation = self._derived
        if not self._has_rules(reading):
            if derivation.copied:
                from hornbook.graph.view import derived

                derivation.copied = not reading.ask(derived.discard)
            return False
        from hornbook.reasoning.copied import copy_into_view

        try:
            with derivation.at(reading) as current:
                derivation.copied = True
                return copy_into_view(reading, current) is not None
        except RuleError:
            return False

    def _conclusions(self, reading: "Reading") -> "tuple[Conclusion, ...] | None":
        """What rules derive, with its premises; None where it is too much, or where they cannot be evaluated."""
        if not self._has_rules(reading):
            return ()
        from hornbook.reasoning.copied import conclusions

        try:
            with self._derived.at(reading) as current:
                return conclusions(reading, current)
        except RuleError:
            return None

    def _inferred(self, reading: "Reading") -> "Inferred | None":
        """What rules derive and deny, for a picture; None where it is too much, or where they cannot be evaluated."""
        from hornbook.display.page.inferred import Inferred, inferred

        if not self._has_rules(reading):
            return Inferred()
        from hornbook.reasoning.copied import conclusions

        try:
            with self._derived.at(reading) as current:
                found, name = conclusions(reading, current), current.result.base.value
                broken = {
                    (line[0], name_key(str(name(line[1])))): tuple((one.start, one.end) for one in every)
                    for line, every in current.denied.items()
                }
        except RuleError:
            return None
        return None if found is None else inferred(found, broken)

    @contextmanager
    def _with_rules(
        self, reading: "Reading", index: "Index", question: str, at: int, scope: str | None
    ) -> "Iterator[Concluded | None]":
        """What rules add to the lines of a question.

        None without rules or where they cannot be evaluated, and within a scope, where nothing is derived.
        """
        with ExitStack() as held:
            current = None
            if scope is None and self._has_rules(reading):
                with suppress(RuleError):
                    current = held.enter_context(self._derived.at(reading))
            yield None if current is None else _concluded(reading, current, index, question, at)


def _concluded(reading: "Reading", current: "Current", index: "Index", question: str, at: int) -> "Concluded":
    from hornbook.graph import entities
    from hornbook.graph.claims.context import Concluded
    from hornbook.graph.retrieval.near import named
    from hornbook.graph.retrieval.question import analyse
    from hornbook.reasoning.beliefs import believe
    from hornbook.reasoning.copied import about

    with index.turn:
        ids = named(index, analyse(question, index.names, at))[:MOST_NAMED]
    names = dict.fromkeys(row.name for id_ in ids if (row := entities.find(reading, id_)) is not None)
    return Concluded(
        lambda subject, predicate: believe(reading, current, subject, predicate, at), about(current.result, names, at)
    )
