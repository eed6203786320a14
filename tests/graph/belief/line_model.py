"""A store for tests: a list of events, folded anew for every question. Obvious, slow, and without a database."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from hornbook.graph.belief.belief import Belief
from hornbook.graph.belief.dependencies import Dependent, propagate
from hornbook.graph.belief.dispute import Dispute, dispute, merged_changes
from hornbook.graph.belief.end import End, end_fact, reopen_fact
from hornbook.graph.belief.fold import believe
from hornbook.graph.belief.gate import decide_lines
from hornbook.graph.belief.line import Context, Decision, Line
from hornbook.graph.belief.oracle import Verdict, judged
from hornbook.graph.belief.provenance import parse_provenance
from hornbook.graph.belief.reconcile import Reconciliation, reconcile
from hornbook.graph.belief.registry import Predicate, Registry, built_in
from hornbook.graph.belief.resolve import Resolution, reopen, resolve
from hornbook.graph.belief.state import Change, ClaimState, Held, Marker
from hornbook.graph.belief.validate import checked_claim, claim_of
from hornbook.graph.claim import Claim
from hornbook.graph.clock import SECOND
from hornbook.graph.dates import parse_moment
from hornbook.graph.errors import Conflict, NotFound
from hornbook.graph.names import name_key, value_key

START = parse_moment("2026-06-01").at
FIELDS = ("scope", "episode", "present", "channel", "extractor", "run", "agent", "extra")


@dataclass(frozen=True, slots=True)
class Place:
    """A line that a claim stands on, and what it says there."""

    subject: str
    predicate: str
    value_key: str
    mirrored: bool = False


@dataclass(frozen=True, slots=True)
class Recorded:
    """A claim came in."""

    claim: Claim
    places: tuple[Place, ...]
    state: ClaimState


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened, with the two numbers of the known clock."""

    seq: int
    known_at: int
    body: Any


@dataclass
class Model:
    """A tenant's memory as a list of events."""

    now: int = START
    owner: str | None = None
    oracle: bool = False
    events: list[Event] = field(default_factory=list)
    last: Decision | None = None

    def tick(self, by: int = SECOND) -> int:
        """Let time pass; the instant before it did."""
        self.now += by
        return self.now - by

    # writing

    def claim(self, subject: Any, predicate: Any, value: Any, provenance: Any = "user asserted", **more: Any) -> str:
        """Say something; the ref of the claim, or of the one it repeats. The decision is `self.last`."""
        fields = {name: more.pop(name) for name in FIELDS if name in more}
        stated = checked_claim(subject=subject, predicate=predicate, value=value, provenance=provenance, **more)
        claim, known = claim_of(stated, self.registry(), self._ref(), **fields)
        states = self.states()
        for ref in claim.derived_from:
            if ref not in states:
                raise NotFound(f"{ref} is no claim", field="derived_from")
        premises = tuple((ref, states[ref]) for ref in claim.derived_from)
        places = places_of(claim, known)
        lines = [self._line(place, claim) for place in places]
        context = Context(self.now, self.oracle, self.owner, premises)
        self.last = decision = decide_lines(claim, lines, context)
        if decision.state is None:
            self.tick()
            return decision.repeats or ""
        self._append(
            Recorded(claim, places, decision.state),
            *decision.changes,
            *([{"predicate": claim.predicate, "cardinality": decision.declares}] if decision.declares else []),
        )
        return claim.id

    def case(
        self, subject: Any, predicate: Any, value: Any, provenance: Any, **more: Any
    ) -> tuple[Claim, Line, Context]:
        """What the gate would be given for a claim on its own line."""
        fields = {name: more.pop(name) for name in FIELDS if name in more}
        stated = checked_claim(subject=subject, predicate=predicate, value=value, provenance=provenance, **more)
        claim, known = claim_of(stated, self.registry(), self._ref(), **fields)
        return claim, self._line(places_of(claim, known)[0], claim), Context(self.now, self.oracle, self.owner)

    def end(self, subject: str, predicate: str, at: str | None = None, *, reopen: bool = False, **more: Any) -> End:
        """Say that a fact ended, or take that back."""
        held, known = self.live(subject, predicate), self.predicate(predicate)
        more = {**more, "provenance": parse_provenance(more.get("provenance", "user asserted"))}
        if reopen:
            found = reopen_fact(held, known, **more)
        else:
            found = end_fact(held, known, parse_moment(at, "at") if at else None, now=self.now, **more)
        self._append(*found.changes)
        return found

    def resolve(self, subject: str, predicate: str, outcome: str, **more: Any) -> Resolution:
        """End a contest."""
        more = {"reason": "checked", **more}
        found = resolve(self.live(subject, predicate), self.predicate(predicate), outcome, **more)
        declared = {"predicate": predicate, "cardinality": found.declares} if found.declares else None
        self._append(replace(found, changes=()), *found.changes, *([declared] if declared else []), note=found)
        return found

    def reopen(self, subject: str, predicate: str) -> Resolution:
        """Undo the last resolution of a line, or its last implied succession."""
        held = self.held(subject, predicate)
        mine = {one.id for one in held}
        before, newcomer = self._undoable(mine)
        undone = self._before_declaration(predicate)
        found = reopen(held, undone, before, reason="a second look", newcomer=newcomer)
        self._append({"predicate": predicate, "cardinality": undone.cardinality}, *found.changes)
        return found

    def reconcile(self, subject: str, predicate: str, reason: str | None = None) -> Reconciliation:
        """Look at a line again."""
        found = reconcile(self.live(subject, predicate), self.predicate(predicate), now=self.now, reason=reason)
        self._append(*found.changes)
        return found

    def judge(self, subject: str, predicate: str, challenger: str, verdict: Verdict) -> None:
        """An oracle answers."""
        self._append(*judged(self.held(subject, predicate), self.predicate(predicate), challenger, verdict))

    def declare(self, **declaration: Any) -> None:
        """Declare a predicate."""
        self._append(declaration)

    # reading

    def believe(self, subject: str, predicate: str, at: str | int | None = None, known: int | None = None) -> Belief:
        """What a line says. Without instants: now, as known now; with `known` alone: true then, as known then."""
        as_known = self.head if known is None else known
        instant = as_known if at is None else at if isinstance(at, int) else parse_moment(at).at
        return believe(self.held(subject, predicate, as_known), self.predicate(predicate, as_known), instant)

    def dispute(self, subject: str, predicate: str) -> Dispute | None:
        """The dispute of a line."""
        return dispute(self.live(subject, predicate), self.predicate(predicate))

    @property
    def head(self) -> int:
        """As known now."""
        return self.events[-1].known_at if self.events else self.now

    def registry(self, known: int | None = None) -> Registry:
        """The declarations as known."""
        registry = built_in()
        for event in self._upto(known):
            if isinstance(event.body, dict):
                registry = registry.declare(event.body)
        return registry

    def predicate(self, text: str, known: int | None = None) -> Predicate:
        """A predicate as known."""
        return self.registry(known).named(text)

    def states(self, known: int | None = None) -> dict[str, ClaimState]:
        """The state of every claim as known."""
        found: dict[str, ClaimState] = {}
        for event in self._upto(known):
            if isinstance(event.body, Recorded):
                found[event.body.claim.id] = event.body.state
            elif isinstance(event.body, Change):
                found[event.body.claim_id] = event.body.state
        return found

    def held(self, subject: str, predicate: str, known: int | None = None) -> tuple[Held, ...]:
        """Every claim of a line, as known."""
        states = self.states(known)
        key = (name_key(subject), self.registry(known).named(predicate).key)
        return tuple(
            Held(
                event.body.claim, event.seq, event.known_at, states[event.body.claim.id],
                place.value_key, event.body.claim.polarity, place.mirrored,
            )
            for event in self._upto(known)
            if isinstance(event.body, Recorded)
            for place in event.body.places
            if (place.subject, place.predicate) == key
        )  # fmt: skip

    def live(self, subject: str, predicate: str) -> tuple[Held, ...]:
        """The live claims of a line."""
        return tuple(one for one in self.held(subject, predicate) if one.state.live)

    def ledger(self, ref: str) -> list[Change]:
        """What changed about a claim after it was recorded."""
        return [e.body for e in self.events if isinstance(e.body, Change) and e.body.claim_id == ref]

    # inside

    def _append(self, *bodies: Any, note: Resolution | None = None) -> None:
        changes = [body for body in bodies if isinstance(body, Change)]
        others = [note if note and isinstance(body, Resolution) else body for body in bodies if body not in changes]
        changes = list(merged_changes(changes, propagate(changes, self._dependents(others), self.states())))
        self.now = max(self.now, self.head + 1)
        for body in (*others, *changes):
            self.events.append(Event(len(self.events) + 1, self.now, body))
        self.tick()

    def _dependents(self, new: Sequence[Any]) -> Any:
        states = self.states()
        known = [e.body for e in self.events if isinstance(e.body, Recorded)]
        known += [body for body in new if isinstance(body, Recorded)]

        def dependents(refs: Collection[str]) -> list[Dependent]:
            found: dict[str, Dependent] = {}
            todo = set(refs)
            while todo:
                resting = [one for one in known if set(one.claim.derived_from) & todo and one.claim.id not in found]
                for one in resting:
                    state = states.get(one.claim.id, one.state)
                    found[one.claim.id] = Dependent(one.claim.id, state, one.claim.derived_from)
                todo = {one.claim.id for one in resting}
            return list(found.values())

        return dependents

    def _line(self, place: Place, claim: Claim) -> Line:
        held = self.held(place.subject, place.predicate)
        same = tuple(one for one in held if one.side == (place.value_key, claim.polarity))
        live = tuple(one for one in held if one.state.live)
        return Line(self.predicate(place.predicate), live, same, place.value_key, place.mirrored)

    def _undoable(self, mine: Collection[str]) -> tuple[dict[str, ClaimState], str | None]:
        for event in reversed(self.events):
            if isinstance(event.body, Resolution) and set(event.body.before) & set(mine):
                return event.body.before, None
            if _succeeded(event.body, mine):
                closed = [e.body for e in self.events if isinstance(e.body, Change) and e.seq > event.seq]
                ref = event.body.claim.id
                return {c.claim_id: c.before for c in closed if c.because == (ref,) and c.before}, ref
        raise Conflict("nothing to reopen")

    def _before_declaration(self, predicate: str) -> Predicate:
        resolved = [e for e in self.events if isinstance(e.body, Resolution)]
        known = resolved[-1].known_at - 1 if resolved else None
        return self.predicate(predicate, known)

    def _upto(self, known: int | None) -> Iterable[Event]:
        return [event for event in self.events if known is None or event.known_at <= known]

    def _ref(self) -> str:
        return f"00000000-0000-7000-8000-{len(self.events) + 1:012x}"


def _succeeded(body: Any, mine: Collection[str]) -> bool:
    return (
        isinstance(body, Recorded) and body.claim.id in mine and Marker.IMPLIED_SUCCESSION.value in body.state.markers
    )


def places_of(claim: Claim, predicate: Predicate) -> tuple[Place, ...]:
    """The lines a claim stands on: its own, and the one that the entity of its value sees."""
    own = Place(claim.subject_key, claim.predicate, claim.value_key)
    if predicate.mirror is None or not isinstance(claim.value, str):
        return (own,)
    return own, Place(name_key(claim.value), predicate.mirror, value_key(claim.subject), True)


def shown(belief: Belief) -> tuple[str, Any, list[Any]]:
    """A belief in short: status, the believed value, the other values in a fixed order."""
    return belief.status.value, belief.value, sorted((slot.value for slot in belief.alternatives), key=str)


def instant(text: str) -> int:
    """A date as microseconds."""
    return parse_moment(text).at
