"""The facade's part on claims: state, believe, contest, resolve, end, audit."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, overload

from hornbook.graph.belief.provenance import parse_provenance
from hornbook.graph.belief.validate import checked_claim, checked_name, claim_of, fraction
from hornbook.graph.claim import Claim, Disposition
from hornbook.graph.dates import Moment, parse_moment
from hornbook.graph.episode import CLAIM_TYPES, PROVENANCE, Episode, NodeType, Scope, checked_word
from hornbook.graph.errors import InvalidArgument, NotFound
from hornbook.graph.events import Actor
from hornbook.graph.ids import checked_id, new_id

if TYPE_CHECKING:
    from hornbook.graph.claims.act import Ended, Reconciled, Resolved
    from hornbook.graph.claims.adjudicate import Oracle, Question
    from hornbook.graph.claims.assert_claim import Outcome
    from hornbook.graph.claims.believe import Answer
    from hornbook.graph.claims.ledger import Audit, Told
    from hornbook.graph.claims.list_contested import Contests
    from hornbook.graph.claims.merge import Merged
    from hornbook.graph.store import Reading, Store

When = str | datetime | Moment | None
USER_ASSERTED = "External:UserAsserted"
LONGEST_PAGE = 1_000


class Claiming:
    """What a memory does with claims. Times are lenient dates in UTC; all errors are HornbookError with a code."""

    _store: "Store"
    _actor: Actor
    _oracle: "Oracle | None"
    _oracle_deadline: float
    user: str

    def claim(
        self,
        subject: str,
        predicate: str,
        value: Any,
        *,
        provenance: Any = USER_ASSERTED,
        valid_from: When = None,
        valid_to: When = None,
        valid_time: Mapping[str, Any] | None = None,
        valid_time_confidence: float | None = None,
        confidence: float = 0.9,
        cardinality: str | None = "Functional",
        criticality: str = "Low",
        derived_from: Sequence[str] = (),
        evidence: str | None = None,
        source: str | None = None,
        speaker: str | None = None,
        occurred_at: When = None,
        intent: str = "state",
        polarity: str = "holds",
        mood: str = "asserted",
        scope: str | None = None,
        agent: str | None = None,
        run: str | None = None,
        wire: bool = False,
        actor: Actor | None = None,
    ) -> "Outcome":
        """State that a subject has a value for a predicate; what became of it, and why.

        Nothing is overwritten: what contradicts another person's claim is kept beside it as Contested.
        Raises InvalidArgument naming the field, NotFound for an unknown premise in `derived_from`.
        """
        window = valid_time if valid_time is not None else _window(valid_from, valid_to, valid_time_confidence)
        premises, pinned = self._premises(derived_from)
        stated = checked_claim(
            subject=subject,
            predicate=predicate,
            value=value,
            provenance=provenance,
            valid_time=window,
            confidence_value=confidence,
            cardinality=cardinality,
            criticality=criticality,
            intent=intent,
            polarity=polarity,
            mood=mood,
            speaker=speaker,
            source=source,
            evidence=evidence,
            occurred_at=occurred_at,
            derived_from=premises,
            wire=wire,
        )
        kept = None if scope is None else checked_word(scope, Scope, "scope").value
        return self._asserted(stated, {"scope": kept, "agent": agent, "run": run, "extra": pinned}, actor)

    def _asserted(self, stated: Any, more: Mapping[str, Any], actor: Actor | None) -> "Outcome":
        """Write a claim that has been checked, with what is kept beside it."""
        from hornbook.graph.claims.assert_claim import assert_claim

        def act(writing: Any) -> "Outcome":
            claim, _ = claim_of(stated, writing.registry, new_id(), **more)
            return assert_claim(writing, claim)

        return self._judged(self._store.write(actor or self._actor, act), actor)

    def _premises(self, refs: Sequence[str]) -> tuple[tuple[str, ...], dict[str, Any]]:
        """The claims that a claim rests on, and what is to be kept with it of those that are no claims themselves."""
        return tuple(refs), {}

    def _judged(self, outcome: "Outcome", actor: Actor | None) -> "Outcome":
        """The outcome after the oracle has been asked, where one is set and the claim waits for it."""
        if self._oracle is None or outcome.disposition is not Disposition.QUEUED:
            return outcome
        from hornbook.graph.claims.adjudicate import adjudicate

        by = actor or self._actor
        decided = adjudicate(self._store, by, self._oracle, outcome.claim_ref, self._oracle_deadline)
        return replace(outcome, disposition=decided)

    def question(self, claim_ref: str) -> "Question":
        """What to ask a person about a contested claim: the claim, and everything that it contradicts."""
        from hornbook.graph.claims.adjudicate import question_about

        with self._read(None) as reading:
            return question_about(reading, checked_id(claim_ref, "claim_ref"))

    def judge(self, claim_ref: str, verdict: str, *, actor: Actor | None = None) -> Disposition:
        """Carry out what a person said about a contested claim: `affirm` it, `deny` it, or `unknown`.

        What the claim has come to; where somebody ended the contest meanwhile, as they left it.
        """
        from hornbook.graph.belief.dispute import OPEN
        from hornbook.graph.claims.adjudicate import carry_out, checked_verdict

        said, asked = checked_verdict(verdict), self.question(claim_ref)
        ref = str(asked.challenger["claim_ref"])
        by = actor or self._actor
        return self._store.write(by, lambda writing: carry_out(writing, ref, said, asked, OPEN, "a person"))

    def _stored_claim(
        self, episode: Episode, kind: NodeType, subject: str | None, predicate: str | None, value: Any
    ) -> Claim | None:
        """The claim that a stored memory is, where the caller says so."""
        if subject is None and predicate is None and value is None:
            return None
        if kind not in CLAIM_TYPES:
            valid = [word.value for word in CLAIM_TYPES]
            raise InvalidArgument("only these node types can be a claim", field="node_type", valid=valid)
        stated = checked_claim(
            subject=subject,
            predicate=predicate,
            value=value,
            provenance=PROVENANCE[episode.role].value,
            cardinality="Functional",
            speaker=episode.speaker,
            source=episode.source,
            occurred_at=episode.occurred_at,
        )
        with self._store.reading() as reading:
            more = {"scope": episode.scope.value, "agent": episode.agent, "run": episode.run, "kind": kind.value}
            return claim_of(stated, reading.registry, new_id(), **more)[0]

    @overload
    def believe(
        self,
        subject: str,
        predicate: str,
        *,
        valid_at: When = None,
        knowledge_at: When = None,
        scope: str | None = None,
    ) -> "Answer": ...

    @overload
    def believe(
        self,
        subject: str,
        predicate: None = None,
        *,
        valid_at: When = None,
        knowledge_at: When = None,
        scope: str | None = None,
    ) -> "tuple[Answer, ...]": ...

    def believe(
        self,
        subject: str,
        predicate: str | None = None,
        *,
        valid_at: When = None,
        knowledge_at: When = None,
        scope: str | None = None,
    ) -> "Answer | tuple[Answer, ...]":
        """What is believed about a subject: one line, or without a predicate all of them."""
        asked = checked_name(subject, "subject")
        named = None if predicate is None else checked_name(predicate, "predicate")
        with self._read(knowledge_at) as reading:
            return self._told(reading, asked, named, instant(reading, valid_at, knowledge_at), scope)

    def _told(
        self, reading: "Reading", subject: str, predicate: str | None, at: int, scope: str | None
    ) -> "Answer | tuple[Answer, ...]":
        """Beliefs as people and models said them."""
        from hornbook.graph.claims.believe import Answers, believe, believe_all

        kept = None if scope is None else checked_word(scope, Scope, "scope").value
        if predicate is None:
            return Answers(believe_all(reading, subject, at, kept))
        return believe(reading, subject, predicate, at, kept)

    def history(self, subject: str, predicate: str | None = None, *, knowledge_at: When = None) -> "tuple[Told, ...]":
        """Every claim of a line, or of all lines of a subject, oldest first, with its windows and disposition."""
        from hornbook.graph.claims.ledger import history

        with self._read(knowledge_at) as reading:
            return history(reading, checked_name(subject, "subject"), predicate)

    def contested(
        self, limit: int = 20, cursor: str | None = None, *, valid_at: When = None, knowledge_at: When = None
    ) -> "Contests":
        """The lines in dispute with their sides, a page at a time; `valid_at` narrows it to those disputed then."""
        from hornbook.graph.claims.list_contested import list_contested

        with self._read(knowledge_at) as reading:
            at = None if valid_at is None else parse_moment(valid_at, "valid_at").at
            return list_contested(reading, limit=checked_page(limit), cursor=cursor, valid_at=at)

    def resolve(
        self,
        subject: str,
        predicate: str,
        outcome: str,
        *,
        winner: Any = None,
        windows: Mapping[str, Any] | None = None,
        reason: str,
        provenance: Any = USER_ASSERTED,
        unless_changed_since: When = None,
        actor: Actor | None = None,
    ) -> "Resolved":
        """End a contest: a winner, a split in time, all, none; or `reopen` what last ended it.

        With `unless_changed_since`, the `as_known` of what was looked at, it is Conflict where the line has changed
        meanwhile, and nothing is done.
        """
        from hornbook.graph.claims.act import resolve_contested
        from hornbook.graph.claims.unchanged import check_unchanged

        said = parse_provenance(provenance)
        names = checked_name(subject, "subject"), checked_name(predicate, "predicate")
        seen = None if unless_changed_since is None else parse_moment(unless_changed_since, "unless_changed_since").at

        def act(writing: Any) -> "Resolved":
            if seen is not None:
                check_unchanged(writing, *names, seen)
            return resolve_contested(
                writing, *names, outcome, winner=winner, windows=windows, reason=reason, provenance=said
            )

        return self._store.write(actor or self._actor, act)

    def end(
        self,
        subject: str,
        predicate: str,
        at: When = None,
        *,
        provenance: Any = USER_ASSERTED,
        confidence: float = 1.0,
        value: Any = None,
        reopen: bool = False,
        actor: Actor | None = None,
    ) -> "Ended":
        """Say that a fact stopped being true at an instant; with `reopen` take all ends set on it back."""
        from hornbook.graph.claims.act import end

        said, sure = parse_provenance(provenance), fraction(confidence, "confidence", 1.0)
        names = checked_name(subject, "subject"), checked_name(predicate, "predicate")
        when = None if at is None else parse_moment(at, "at")
        return self._store.write(
            actor or self._actor,
            lambda writing: end(writing, *names, when, provenance=said, value=value, confidence=sure, again=reopen),
        )

    def reconcile(
        self, lines: Sequence[tuple[str, str]], *, reason: str | None = None, actor: Actor | None = None
    ) -> "Reconciled":
        """Look at lines again and settle what can be decided now; a reason clears the reviews that wait on them."""
        from hornbook.graph.claims.act import reconcile_lines
        from hornbook.graph.claims.adjudicate import adjudicate

        by = actor or self._actor
        named = [(checked_name(one, "lines"), checked_name(other, "lines")) for one, other in lines]
        done = self._store.write(by, lambda writing: reconcile_lines(writing, named, reason))
        waiting = [ref for ref, disposition in done.outcomes if disposition == Disposition.QUEUED.value]
        if self._oracle is None or not waiting:
            return done
        verdicts = {ref: adjudicate(self._store, by, self._oracle, ref, self._oracle_deadline).value for ref in waiting}
        outcomes = tuple((ref, verdicts.get(ref, disposition)) for ref, disposition in done.outcomes)
        return replace(done, outcomes=outcomes, oracle_escalations=len(waiting))

    def merge(self, kept: str, merged: str, *, reason: str, actor: Actor | None = None) -> "Merged":
        """Make two entities one, by id, name or alias; their lines are gated together. `part` undoes it."""
        from hornbook.graph.claims.merge import merge

        names = checked_name(kept, "kept"), checked_name(merged, "merged")
        return self._store.write(actor or self._actor, lambda writing: merge(writing, *names, reason))

    def part(self, merge_id: str, *, reason: str, actor: Actor | None = None) -> "Merged":
        """Undo a merge: names and claims go back to whom they were said of."""
        from hornbook.graph.claims.merge import part

        ref = checked_id(merge_id, "merge_id")
        return self._store.write(actor or self._actor, lambda writing: part(writing, ref, reason))

    def alias(self, entity: str, alias: str, *, reason: str = "", actor: Actor | None = None) -> None:
        """Let an entity be found under one more name; an alias of two entities means neither."""
        from hornbook.graph import entities

        name, more = checked_name(entity, "entity"), checked_name(alias, "alias")

        def act(writing: Any) -> None:
            if (found := entities.find(writing, name)) is None:
                raise NotFound(f"there is no entity {name[:80]}", field="entity")
            entities.add_alias(writing, found, more, reason)

        self._store.write(actor or self._actor, act)

    def declare(self, declarations: Mapping[str, Any] | str, *, actor: Actor | None = None) -> None:
        """Declare how predicates behave: one declaration as a mapping, or several as TOML, a table a predicate.

        `{"predicate": "gate code", "cardinality": "SetValued"}`; raises InvalidArgument naming the key.
        """
        from hornbook.graph.claims.declare import declare

        self._store.write(actor or self._actor, lambda writing: declare(writing, declarations))

    def audit(
        self,
        limit: int = 50,
        *,
        claim_ref: str | None = None,
        from_tx_time: When = None,
        cursor: str | None = None,
        knowledge_at: When = None,
    ) -> "Audit":
        """The ledger, newest first: every decision with its reason. Filters come before the limit.

        With `knowledge_at` as it was at that instant.
        """
        from hornbook.graph.claims.ledger import audit

        ref = None if claim_ref is None else checked_id(claim_ref, "claim_ref")
        since = None if from_tx_time is None else parse_moment(from_tx_time, "from_tx_time").at
        with self._read(knowledge_at) as reading:
            return audit(reading, limit=checked_page(limit), claim_ref=ref, from_known=since, cursor=cursor)

    def claim_at(self, claim_ref: str, *, knowledge_at: When = None) -> "Told":
        """One claim as it stands, by its ref. NotFound where it is not in this memory."""
        from hornbook.graph.claims.ledger import Told
        from hornbook.graph.claims.lines import claim_rows

        with self._read(knowledge_at) as reading:
            return Told(claim_rows(reading, (checked_id(claim_ref, "claim_ref"),))[0])

    def _read(self, knowledge_at: When) -> Any:
        known = None if knowledge_at is None else parse_moment(knowledge_at, "knowledge_at").at
        return self._store.reading(known)

    def _brought_up(self) -> None:
        """What maintenance ends with; nothing where there are no rules."""


def instant(reading: "Reading", valid_at: When, knowledge_at: When) -> int:
    """The valid instant of a read: the one given, else now, else then where it is as known then."""
    if valid_at is not None:
        return parse_moment(valid_at, "valid_at").at
    return reading.now if knowledge_at is None else parse_moment(knowledge_at, "knowledge_at").at


def checked_page(limit: object) -> int:
    """How many a page may hold."""
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= LONGEST_PAGE:
        raise InvalidArgument(f"limit must be 1 to {LONGEST_PAGE}", field="limit")
    return limit


def _window(start: When, end: When, confidence: float | None) -> dict[str, Any] | None:
    if start is None and end is None:
        return None
    return {"start": start, "end": end, "valid_time_confidence": confidence}
