"""Random histories of claims told to a store and to a model of plain Python; and laws that hold of every store."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from tests.graph.belief.line_model import Model, instant
from tests.graph.belief.test_properties import DATES, predicates, talk, values
from tests.graph.claims.conftest import letters, small
from tests.graph.claims.ledger_fold import folded

from hornbook.graph.belief.belief import Belief, Status
from hornbook.graph.belief.dispute import dispute, settle
from hornbook.graph.claims.believe import belief_on
from hornbook.graph.clock import DAY, rfc3339
from hornbook.graph.errors import HornbookError
from hornbook.graph.retrieval.embed import CallableEmbedder
from hornbook.memory import Memory

SUBJECT = "eli"
INSTANTS = ("2021", "2022-04", "2024-06", "2026-06")
NOT_OF_A_CALL = ("channel", "present")
dates = st.sampled_from(DATES)
said = talk.map(lambda one: {key: value for key, value in one.items() if key not in NOT_OF_A_CALL})


class Timed:
    """A memory on a clock that is set by hand, a day a deed, as the model's is."""

    def __init__(self) -> None:
        self.now = instant("2026-06-01")
        embedder = CallableEmbedder(letters, "letters", 2)
        self.memory = Memory.open(":memory:", user="ana", clock=lambda: self.now, embedder=embedder)


def shown(belief: Belief) -> tuple[Any, ...]:
    """All of a belief but the refs of its claims."""
    slots = [
        (slot.value, slot.polarity, slot.mood, slot.evidence_count, slot.corroboration_count, slot.confidence,
         slot.valid, slot.markers, slot.contested, slot.currency, slot.held.state.disposition)
        for slot in belief.slots
    ]  # fmt: skip
    return belief.status, belief.value, slots, set(belief.markers), belief.currency, belief.criticality


def attempt(act: Callable[[], Any]) -> Any:
    """What came of a deed: its result, or the kind of its refusal."""
    try:
        return act()
    except HornbookError as refused:
        return type(refused)


class ToldTwice(RuleBasedStateMachine):
    """One subject, four kinds of predicate: the store does and answers what the model does and answers."""

    def __init__(self) -> None:
        super().__init__()
        self.timed = Timed()
        self.memory = self.timed.memory
        self.model = Model(now=self.timed.now, owner="ana")
        self.refs: dict[str, str] = {}
        self.answers: dict[tuple[str, str, str], tuple[Any, ...]] = {}

    def both(self, model: Callable[[], Any], memory: Callable[[], Any]) -> tuple[Any, Any]:
        """Do a deed on either; they agree on whether it can be done."""
        self.timed.now += DAY
        self.model.now = self.timed.now
        mine, theirs = attempt(model), attempt(memory)
        refused = mine if isinstance(mine, type) else None
        assert refused == (theirs if isinstance(theirs, type) else None)
        return (None, None) if refused else (mine, theirs)

    @rule(predicate=predicates, told=said)
    def claim(self, predicate: str, told: dict[str, Any]) -> None:
        before = {one.id: one.state for one in self.model.held(SUBJECT, predicate) if one.external}
        more = {key: value for key, value in told.items() if key not in ("value", "confidence_value")}
        confidence = {"confidence": told["confidence_value"]} if "confidence_value" in told else {}
        mine, outcome = self.both(
            lambda: self.model.claim(SUBJECT, predicate, **told),
            lambda: self.memory.claim(SUBJECT, predicate, told["value"], cardinality=None, **more, **confidence),
        )
        if outcome is None:
            return
        self.refs.setdefault(mine, outcome.claim_ref)
        assert self.refs[mine] == outcome.claim_ref
        assert self.model.last is not None and self.model.last.disposition is outcome.disposition
        if told["provenance"] in ("model derived", "recall re entry"):
            after = {ref: self.memory.claim_at(self.refs[ref]).held.state for ref in before}
            assert all(before[ref].disposition is after[ref].disposition for ref in before)
            assert all(before[ref].valid == after[ref].valid for ref in before)

    @rule(predicate=predicates, told=st.lists(values, min_size=2, max_size=4), start=st.none() | dates)
    def several_say(self, predicate: str, told: list[str], start: str | None) -> None:
        window = None if start is None else {"start": start, "valid_time_confidence": 0.9}
        for value in told:
            heard = f"heard on {self.timed.now}"
            self.claim(
                predicate, {"value": value, "provenance": "user asserted", "source": heard, "valid_time": window}
            )

    @rule(predicate=predicates, at=dates, value=values)
    def end(self, predicate: str, at: str, value: str) -> None:
        self.both(
            lambda: self.model.end(SUBJECT, predicate, at, value=value),
            lambda: self.memory.end(SUBJECT, predicate, at, value=value),
        )

    @rule(predicate=predicates, value=values)
    def take_ends_back(self, predicate: str, value: str) -> None:
        self.both(
            lambda: self.model.end(SUBJECT, predicate, reopen=True, value=value),
            lambda: self.memory.end(SUBJECT, predicate, reopen=True, value=value),
        )

    @rule(predicate=predicates, outcome=st.sampled_from(("winner", "none", "all")), value=values)
    def resolve(self, predicate: str, outcome: str, value: str) -> None:
        before = self.model.dispute(SUBJECT, predicate)
        if before is None:
            return
        winner = value if outcome == "winner" else None
        done, _ = self.both(
            lambda: self.model.resolve(SUBJECT, predicate, outcome, winner=winner),
            lambda: self.memory.resolve(SUBJECT, predicate, outcome, winner=winner, reason="checked"),
        )
        if done is not None:
            left = self.model.dispute(SUBJECT, predicate)
            assert left is None or set(left.claims) < set(before.claims)

    @rule(predicate=predicates)
    def reconcile(self, predicate: str) -> None:
        mine, theirs = self.both(
            lambda: self.model.reconcile(SUBJECT, predicate),
            lambda: self.memory.reconcile([(SUBJECT, predicate)]),
        )
        assert [(self.refs[ref], word) for ref, word in mine.outcomes] == list(theirs.outcomes)

    @invariant()
    def they_answer_alike(self) -> None:
        known = self.memory.believe(SUBJECT, "likes").as_known
        for predicate in ("lives_in", "likes", "gate_code", "visited"):
            for at in INSTANTS:
                answer = shown(self.memory.believe(SUBJECT, predicate, valid_at=at).belief)
                assert shown(self.model.believe(SUBJECT, predicate, at)) == answer
                self.answers[known, predicate, at] = answer

    def teardown(self) -> None:
        self.look_back()
        self.memory._store.discard_view()  # what follows is answered by a view built from the journal
        self.look_back()
        self.memory.close()

    def look_back(self) -> None:
        """Whatever was answered as of an instant is answered so for ever."""
        for (known, predicate, at), answer in self.answers.items():
            if self.memory.stats()["events"]:
                found = self.memory.believe(SUBJECT, predicate, valid_at=at, knowledge_at=known)
                assert answer == shown(found.belief)


class ToldOnLongLines(ToldTwice):
    """The same, where two claims are many: lines are then asked for the part that bears on a question."""

    def __init__(self) -> None:
        self.patch = pytest.MonkeyPatch()
        self.patch.setattr("hornbook.graph.view.claims.FEW", 1)
        self.patch.setattr("hornbook.graph.claims.lines.FEW", 1)
        super().__init__()

    def teardown(self) -> None:
        super().teardown()
        self.patch.undo()


class Entities(RuleBasedStateMachine):
    """Four names that are merged and parted, and claims between them that are read from both ends."""

    names = st.sampled_from(("Ada", "Bo", "Cyn", "Dee"))
    between = st.sampled_from(("married_to", "parent_of", "lives_in", "follows"))

    def __init__(self) -> None:
        super().__init__()
        self.timed = Timed()
        self.memory = self.timed.memory
        self.merges: list[str] = []
        self.answers: dict[int, dict[tuple[str, str], tuple[Any, ...]]] = {}

    def deed(self, act: Callable[[], Any]) -> Any:
        self.timed.now += DAY
        return attempt(act)

    @rule(subject=names, predicate=between, value=names, told=said)
    def claim(self, subject: str, predicate: str, value: str, told: dict[str, Any]) -> None:
        kept = ("provenance", "valid_time", "speaker", "polarity", "intent", "occurred_at")
        more = {key: told[key] for key in kept if key in told}
        self.deed(lambda: self.memory.claim(subject, predicate, value, **more))

    @rule(pairs=st.lists(st.tuples(names, names), min_size=2, max_size=4), told=said)
    def marry(self, pairs: list[tuple[str, str]], told: dict[str, Any]) -> None:
        for number, pair in enumerate(pairs):
            self.deed(partial(self.wed, *pair, told.get("valid_time") if number else None))

    def wed(self, one: str, other: str, window: Any) -> Any:
        return self.memory.claim(one, "married_to", other, source=f"{self.timed.now}", valid_time=window)

    @rule(subject=names, predicate=between, value=names, at=dates)
    def end(self, subject: str, predicate: str, value: str, at: str) -> None:
        self.deed(lambda: self.memory.end(subject, predicate, at, value=value))

    @rule(line=st.integers(0, 3), outcome=st.sampled_from(("winner", "winner", "none", "all")), side=st.integers(0, 2))
    def resolve(self, line: int, outcome: str, side: int) -> None:
        contests = self.memory.contested(limit=200).lines
        if contests:
            one = contests[line % len(contests)]
            sides = one.dispute.sides
            winner = sides[side % len(sides)].told[0].id if outcome == "winner" else None
            self.deed(lambda: self.memory.resolve(one.subject, one.predicate, outcome, winner=winner, reason="checked"))

    @rule(subject=names, predicate=st.sampled_from(("married_to", "married_to", "lives_in")))
    def reopen(self, subject: str, predicate: str) -> None:
        self.deed(lambda: self.memory.resolve(subject, predicate, "reopen", reason="a second look"))

    @rule(subject=names, predicate=between)
    def reconcile(self, subject: str, predicate: str) -> None:
        self.deed(lambda: self.memory.reconcile([(subject, predicate)]))

    @rule(one=names, other=names)
    def merge(self, one: str, other: str) -> None:
        merged = self.deed(lambda: self.memory.merge(one, other, reason="the same"))
        if not isinstance(merged, type):
            self.merges.append(merged.merge_id)

    @rule()
    def part(self) -> None:
        if self.merges:
            self.deed(lambda: self.memory.part(self.merges.pop(), reason="not the same"))

    @invariant()
    def the_journal_says_the_same(self) -> None:
        found = folded(self.memory)
        with self.memory._store.reading() as reading:
            self.answers[reading.known_at(reading.upto) if reading.upto else 0] = {
                (line, at): shown(found.believe(line, instant(at))) for line in found.lines for at in INSTANTS
            }
            for line in found.lines:
                predicate = found.registry.named(line.partition("|")[2])
                for at in INSTANTS:
                    belief = belief_on(reading, line, predicate, instant(at))
                    assert shown(found.believe(line, instant(at))) == shown(belief)

    @invariant()
    def every_claim_knows_whether_it_is_in_dispute(self) -> None:
        found = folded(self.memory)
        contested = set()
        for line in found.lines:
            predicate = found.registry.named(line.partition("|")[2])
            live = tuple(one for one in found.line(line) if one.state.live)
            every = {ref for ref in found.states if line not in {at for at, *_ in found.seats[ref]}}
            alone = every - {ref for one in live for at, *_ in found.seats[one.id] for ref in on(found, at)}
            assert () == settle(live, predicate, "again", gone=alone | dead(found))
            if dispute(live, predicate) is not None:
                contested.add(line)
        assert len(contested) >= len(self.memory.contested(limit=200).lines)
        assert bool(contested) == bool(self.memory.contested(limit=200).lines)

    def teardown(self) -> None:
        for _ in range(2):
            for known, answers in self.answers.items():
                for (line, at), answer in answers.items():
                    with self.memory._store.reading(known) as reading:
                        predicate = reading.registry.named(line.partition("|")[2])
                        assert answer == shown(belief_on(reading, line, predicate, instant(at)))
            self.memory._store.discard_view()
        self.memory.close()


def on(found: Any, line: str) -> list[str]:
    """The claims on a line."""
    return [ref for ref, seats in found.seats.items() if line in {at for at, *_ in seats}]


def dead(found: Any) -> set[str]:
    """The claims that are out of belief."""
    return {ref for ref, state in found.states.items() if not state.live}


TestToldTwice = ToldTwice.TestCase
TestToldTwice.settings = settings(max_examples=10, stateful_step_count=8, deadline=None)
TestToldOnLongLines = ToldOnLongLines.TestCase
TestToldOnLongLines.settings = TestToldTwice.settings
TestEntities = Entities.TestCase
TestEntities.settings = settings(max_examples=10, stateful_step_count=8, deadline=None)


@settings(max_examples=8, deadline=None)
@given(st.lists(st.tuples(values, st.integers(0, 9), st.integers(1, 4)), min_size=2, max_size=5), st.randoms())
def test_dated_statements_told_in_another_order_leave_the_same_beliefs(told: list[Any], random: Any) -> None:
    zero = instant("2020-01-01")
    apart = [one for one in dict.fromkeys(told) if not any(shares(one, other) for other in told)]
    answers = []
    for order in (apart, random.sample(apart, len(apart))):
        with small() as memory:
            for value, first, length in order:
                since, until = rfc3339(zero + first * DAY), rfc3339(zero + (first + length) * DAY)
                memory.claim(SUBJECT, "gate_code", value, valid_from=since, valid_to=until)
            found = [memory.believe(SUBJECT, "gate_code", valid_at=rfc3339(zero + day * DAY)) for day in range(15)]
            answers.append([(one.status, one.value, {slot.value for slot in one.alternatives}) for one in found])
    assert answers[0] == answers[1]


def shares(one: Any, other: Any) -> bool:
    """Whether two statements of one value share a day: then the newer counts, so their order does."""
    (value, first, length), (said, begun, lasted) = one, other
    return one is not other and value == said and first < begun + lasted and begun < first + length


def test_resolving_a_contest_leaves_no_trace_of_it() -> None:
    with small() as memory:
        for value in "ABC":
            memory.claim(SUBJECT, "gate_code", value, source=f"note {value}")
        memory.resolve(SUBJECT, "gate_code", "winner", winner="B", reason="tried it")
        belief = memory.believe(SUBJECT, "gate_code").belief
        assert ("B", (), ()) == (belief.value, belief.alternatives, belief.markers)
        assert Status.CONTESTED is not belief.status
