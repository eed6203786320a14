"""The facade's part on rules: add and remove them, ask what follows, and why."""

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

from hornbook.claiming import Claiming, When, checked_page, instant
from hornbook.graph.belief.validate import checked_name
from hornbook.graph.errors import InvalidArgument, RuleError, TooLarge
from hornbook.graph.events import Actor
from hornbook.graph.ids import is_id

if TYPE_CHECKING:
    from hornbook.graph.claims.believe import Answer as Belief
    from hornbook.graph.claims.list_contested import Contests
    from hornbook.graph.store import Reading
    from hornbook.reasoning.adding import Added
    from hornbook.reasoning.asking import Asked
    from hornbook.reasoning.derived import Derivation
    from hornbook.reasoning.explain import Explained
    from hornbook.reasoning.rulebook import Stated

LONGEST_PROGRAM = 200_000  # characters
LONGEST_QUESTION = 20_000
DEEPEST = 200
VERSION, DERIVED = 14, "5"  # ids of what is derived are named after it: UUIDs of version 5


_first = threading.Lock()


class Ruling(Claiming):
    """What a memory does with rules. What follows is derived when it is asked for, and never stored."""

    _derivation: "Derivation | None" = None

    def rules(
        self,
        text: str | None = None,
        *,
        pack: str | None = None,
        dry_run: bool = False,
        actor: Actor | None = None,
    ) -> "Added":
        """Add rules as Datalog text, or a pack by its name; with `dry_run` only say what they would derive.

        Nothing is added where anything is wrong: the error has the line, the column and the mend.

        >>> from hornbook.memory import Memory
        >>> with Memory.open(":memory:", user="ana") as memory:
        ...     claims = [memory.claim("Ana", "sister", "Ben"), memory.claim("Ben", "son", "Tim")]
        ...     added = memory.rules("aunt(x, z) :- sister(x, y), son(y, z).")
        ...     memory.ask('aunt("Ana", x)').rows
        (('Tim',),)
        """
        from hornbook.reasoning.adding import prepare, record

        program = _program(text, pack)
        with self._read(None) as reading:
            prepared = prepare(reading, self._derived, program, pack)
        if not dry_run and prepared.new:
            self._store.write(actor or self._actor, lambda writing: record(writing, program, prepared))
        return prepared

    def list_rules(self, *, knowledge_at: When = None) -> "tuple[Stated, ...]":
        """The rules, denials and declarations in force, in the order in which they were added."""
        from hornbook.reasoning.rulebook import Rulebook

        with self._read(knowledge_at) as reading:
            return Rulebook(self._derived.rules(reading).values())

    def remove_rule(self, rule_id: str, *, actor: Actor | None = None) -> "Stated":
        """Take a rule out of force, and with it all that only it gives. NotFound where it is not in force."""
        from hornbook.reasoning.adding import remove

        return self._store.write(actor or self._actor, lambda writing: remove(writing, str(rule_id)))

    def ask(
        self,
        query: str,
        limit: int = 100,
        cursor: str | None = None,
        *,
        valid_at: When = None,
        knowledge_at: When = None,
    ) -> "Asked":
        """Answer a question in the rule language, over what is believed and what follows from it.

        By default what is true now as known now. NotFound, with the nearest, for a predicate that nothing has.
        """
        from hornbook.reasoning.asking import ask, page, parsed

        question, begun = parsed(_checked(query, "query", LONGEST_QUESTION)), page(cursor)
        rows = checked_page(limit)
        with self._read(knowledge_at) as reading:
            if begun is None or begun.seq >= reading.upto:
                return ask(reading, self._derived, question, rows, begun or instant(reading, valid_at, knowledge_at))
            known = reading.known_at(begun.seq)
        with self._store.reading(known) as reading:  # further pages are of what was known when the first was asked for
            return ask(reading, self._derived, question, rows, begun)

    def why(
        self,
        what: str,
        *,
        depth: int = 40,
        proofs: int = 1,
        valid_at: When = None,
        knowledge_at: When = None,
    ) -> "Explained":
        """Why a fact holds: a proof whose leaves are claims with their evidence; or why it does not.

        `what` is a fact (`aunt("Ana", "Tim")`), a question, or the reference of a claim or a derived claim.
        """
        from hornbook.reasoning.asking import explained, parsed

        text = _checked(what, "fact", LONGEST_QUESTION).strip()
        if isinstance(depth, bool) or not isinstance(depth, int) or not 1 <= depth <= DEEPEST:
            raise InvalidArgument(f"depth must be 1 to {DEEPEST}", field="depth")
        asked = text.lower() if is_id(text) else parsed(text)
        with self._read(knowledge_at) as reading:
            at = instant(reading, valid_at, knowledge_at)
            return explained(reading, self._derived, asked, depth, proofs, at)

    @overload
    def believe(
        self,
        subject: str,
        predicate: str,
        *,
        valid_at: When = None,
        knowledge_at: When = None,
        scope: str | None = None,
    ) -> "Belief": ...

    @overload
    def believe(
        self,
        subject: str,
        predicate: None = None,
        *,
        valid_at: When = None,
        knowledge_at: When = None,
        scope: str | None = None,
    ) -> "tuple[Belief, ...]": ...

    def believe(
        self,
        subject: str,
        predicate: str | None = None,
        *,
        valid_at: When = None,
        knowledge_at: When = None,
        scope: str | None = None,
    ) -> "Belief | tuple[Belief, ...]":
        """What is believed about a subject: one line, or without a predicate all of them.

        What rules derive is shown as a model's conclusion is, and a broken denial as a contest; with a scope only
        what was said in it counts, and nothing is derived.
        """
        asked = checked_name(subject, "subject")
        named = None if predicate is None else checked_name(predicate, "predicate")
        with self._read(knowledge_at) as reading:
            at = instant(reading, valid_at, knowledge_at)
            if scope is None and self._has_rules(reading):
                return self._concluded(reading, asked, named, at)
            return self._told(reading, asked, named, at, scope)

    def contested(
        self, limit: int = 20, cursor: str | None = None, *, valid_at: When = None, knowledge_at: When = None
    ) -> "Contests":
        """The lines in dispute with their sides, a page at a time, then those that break a denial.

        `valid_at` narrows it to those disputed then.
        """
        from hornbook.reasoning.denied import offset_of

        found, offset = None, offset_of(cursor)
        if offset is None:
            found = super().contested(limit, cursor, valid_at=valid_at, knowledge_at=knowledge_at)
            if found.next_cursor is not None:
                return found
        with self._read(knowledge_at) as reading:
            if found is not None and not self._has_rules(reading):
                return found
            from hornbook.reasoning.beliefs import with_denied

            at = None if valid_at is None else instant(reading, valid_at, knowledge_at)
            try:
                with self._derived.at(reading) as current:
                    return with_denied(reading, current, found, offset or 0, checked_page(limit), at)
            except RuleError:  # what is disputed is told all the same; `ask` says what is wrong with the rules
                if found is None:
                    raise
                return found

    # inside

    def _concluded(
        self, reading: "Reading", subject: str, predicate: str | None, at: int
    ) -> "Belief | tuple[Belief, ...]":
        """Beliefs with what rules derive; where the rules cannot be evaluated, without, and marked so."""
        from hornbook.graph.claims.believe import Answers
        from hornbook.reasoning import beliefs

        try:
            with self._derived.at(reading) as current:
                if predicate is None:
                    return Answers(beliefs.believe_every(reading, current, subject, at))
                return beliefs.believe(reading, current, subject, predicate, at)
        except RuleError:
            return beliefs.without_rules(reading, subject, predicate, at)

    def _premises(self, refs: Sequence[str]) -> tuple[tuple[str, ...], dict[str, Any]]:
        """The claims that a claim rests on: of a derived one those of its proof, which is kept with the claim."""
        asked = [ref for ref in refs if isinstance(ref, str) and is_id(ref) and ref[VERSION] == DERIVED]
        if not asked:
            return super()._premises(refs)
        from hornbook.reasoning.explain import pinned

        with self._read(None) as reading:
            if not self._has_rules(reading):
                return super()._premises(refs)
            with self._derived.at(reading) as current:
                return pinned(reading, current, refs, frozenset(asked))

    @property
    def _derived(self) -> "Derivation":
        if self._derivation is None:
            from hornbook.reasoning.derived import Derivation

            with _first:
                self._derivation = self._derivation or Derivation()
        return self._derivation

    def _has_rules(self, reading: "Reading") -> bool:
        return bool(self._derived.rules(reading))

    def _let_go(self) -> None:
        """Let go of what was derived."""
        if self._derivation is not None:
            self._derivation.close()


def _checked(text: object, field: str, longest: int) -> str:
    if not isinstance(text, str) or not text.strip():
        raise InvalidArgument(f"{field} is blank", field=field)
    if len(text) > longest:
        raise TooLarge(f"{field} is longer than {longest} characters", field=field)
    return text


def _program(text: str | None, pack: str | None) -> str:
    """The text to add: the one given, or that of a pack."""
    if (text is None) == (pack is None):
        raise InvalidArgument("give the rules as text, or the name of a pack", field="text")
    if pack is None:
        return _checked(text, "text", LONGEST_PROGRAM)
    from hornbook.reasoning import packs

    return packs.text(pack)
