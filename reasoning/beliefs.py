"""Beliefs with what rules derive: a derived claim stands on its line as a model's conclusion does, and is never stored.

It is believed only while nobody's word holds there; a broken denial makes the lines that it rests on read as contested.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from hornbook.graph import entities
from hornbook.graph.belief.belief import Belief, Slot, Status
from hornbook.graph.belief.dispute import Dispute
from hornbook.graph.belief.fold import believe as fold
from hornbook.graph.belief.registry import Predicate
from hornbook.graph.belief.rivalry import Side, side_of
from hornbook.graph.belief.state import ClaimState, Held, Marker
from hornbook.graph.claim import Cardinality, Claim, Disposition, Polarity, Provenance
from hornbook.graph.claims.believe import Answer, Answers, believe_all, relevant
from hornbook.graph.claims.believe import believe as believe_alone
from hornbook.graph.claims.lines import claim_rows, find_line
from hornbook.graph.claims.list_contested import ContestedLine, Contests
from hornbook.graph.dates import Granularity, Moment
from hornbook.graph.interval import ALWAYS, FOREVER, Interval
from hornbook.graph.store import Reading
from hornbook.reasoning.denied import BEYOND, Denied
from hornbook.reasoning.derived import Current
from hornbook.reasoning.evaluate import Result
from hornbook.reasoning.prove import why
from hornbook.reasoning.relation import Row, Tuple, derived_id
from hornbook.reasoning.terms import key_of


def believe(reading: Reading, current: Current, subject: str, predicate: str, at: int) -> Answer:
    """What one line says, with what rules derive for it."""
    named = reading.registry.named(predicate)
    found = find_line(reading, subject, predicate)
    known = entities.find(reading, subject)
    name = known.name if known else subject
    claims = relevant(reading, found[0], named, at) if found else ()
    derived = tuple(derived_claims(current.result, named, name, at))
    belief = fold((*claims, *derived), several(named, claims) if derived else named, at)
    broken = [one for one in current.denied.get((named.key, key_of(name)), ()) if one.start <= at < one.end]
    return Answer(subject, named.key, _denied(belief, broken), reading.as_known, named.event)


def believe_every(reading: Reading, current: Current, subject: str, at: int) -> Iterator[Answer]:
    """What each line of a subject says; those that only rules speak of come last."""
    known = entities.find(reading, subject)
    name = known.name if known else subject
    spoken = {answer.predicate: answer for answer in believe_all(reading, subject, at)}
    concluded = {head.removeprefix("-") for head in current.compiled.heads}
    about = {line[0] for line in current.denied if line[1] == key_of(name)}
    for predicate, answer in spoken.items():
        touched = predicate in concluded or predicate in about
        yield believe(reading, current, subject, predicate, at) if touched else answer
    for head in sorted(concluded - spoken.keys()):
        answer = believe(reading, current, subject, head, at)
        if answer.belief.slots:
            yield answer


NOT_APPLIED = "RulesNotApplied"  # the marker of a belief that the rules could not be evaluated for


def without_rules(reading: Reading, subject: str, predicate: str | None, at: int) -> Answer | tuple[Answer, ...]:
    """What was said alone: a rule that does not end, or derives too much, must not hide it."""
    if predicate is None:
        return Answers(_marked(answer) for answer in believe_all(reading, subject, at))
    return _marked(believe_alone(reading, subject, predicate, at))


def _marked(answer: Answer) -> Answer:
    return replace(answer, belief=replace(answer.belief, markers=(*answer.belief.markers, NOT_APPLIED)))


def several(predicate: Predicate, claims: Iterable[Held]) -> Predicate:
    """What rules conclude is a set where nobody declared otherwise, and nobody's word stands beside it."""
    alone = not predicate.declared and not any(one.external and one.counts for one in claims)
    return replace(predicate, cardinality=Cardinality.SET_VALUED) if alone else predicate


def derived_claims(result: Result, predicate: Predicate, subject: str, at: int) -> Iterator[Held]:
    """What rules derive for a line at an instant, as claims."""
    for name, polarity in ((predicate.key, Polarity.HOLDS), (f"-{predicate.key}", Polarity.NOT)):
        if name in result.compiled.heads and result.arities.get(name) == 2:
            rows = [row for row in result.base.match(name, (key_of(subject), None)) if row.rule is not None]
            yield from (as_held(result, row, predicate.key, polarity, at) for row in rows if row.start <= at < row.end)


def as_held(result: Result, row: Row, predicate: str, polarity: Polarity, at: int) -> Held:
    """A conclusion as a claim on its line. What is certain is attested at the instant asked: the rules say so then."""
    subject, value = map(result.base.value, row.keys)
    found = Tuple(row.predicate, (subject, value), row.keys, row.start, row.end, row.uncertain)
    proofs = why(result, found)
    valid = Interval(_moment(row.start), _moment(row.end), 1.0)
    rule = result.compiled.plans[row.rule].rule if row.rule is not None and row.rule >= 0 else None
    claim = Claim(
        derived_id(row.predicate, row.keys, row.start, row.end),
        str(subject),
        predicate,
        value,
        row.keys[0],
        row.keys[1],
        Provenance.MODEL_DERIVED,
        polarity,
        valid=valid,
        confidence=1.0 if proofs.confidence is None else proofs.confidence,
        occurred_at=None if row.uncertain else Moment(at, Granularity.INSTANT),
        extra={"derived": True, "rule": None if rule is None else str(rule)},
    )
    state = ClaimState(Disposition.COMMITTED_INFERRED, True, valid)
    return Held(claim, row.id, at, state, row.keys[1], polarity)


def _moment(at: int) -> Moment | None:
    return Moment(at, Granularity.INSTANT) if ALWAYS < at < FOREVER else None


# denials


def _denied(belief: Belief, broken: Iterable[Denied]) -> Belief:
    """The belief, read as contested where a denial is broken."""
    marks = dict.fromkeys(one.marker for one in broken)
    if not marks:
        return belief
    markers = dict.fromkeys((*belief.markers, Marker.CONTESTED.value, *marks))
    slots: tuple[Slot, ...] = belief.slots
    return replace(belief, status=Status.CONTESTED, primary=None, alternatives=slots, markers=tuple(markers))


@dataclass(frozen=True, slots=True)
class DeniedLine(ContestedLine):
    """A line that broken denials hit; `rules` are their texts."""

    markers: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, object]:
        """The line as a reply shows it."""
        return {**ContestedLine.as_dict(self), "markers": list(self.markers), "denied_by": list(self.rules)}


def with_denied(
    reading: Reading, current: Current, disputed: Contests | None, offset: int, limit: int, at: int | None
) -> Contests:
    """A page of contested lines filled up with those that break a denial, from an offset."""
    first = disputed.lines if disputed else ()
    room = limit - len(first)
    found = denied_lines(reading, current, at)
    more = f"{BEYOND}{offset + room}" if len(found) > offset + room else None
    return Contests((*first, *found[offset : offset + room]), more, reading.as_known)


def denied_lines(reading: Reading, current: Current, at: int | None) -> list[DeniedLine]:
    """Every line that a broken denial hits, at any instant or at one, in the order of their names."""
    found = []
    for (predicate, subject), broken in sorted(current.denied.items()):
        hit = [one for one in broken if at is None or one.start <= at < one.end]
        if hit:
            found.append(_line(reading, current.result, predicate, str(current.result.base.value(subject)), hit))
    return found


def _line(reading: Reading, result: Result, predicate: str, subject: str, hit: list[Denied]) -> DeniedLine:
    rows = {row.id: row for one in hit for row in one.rows}
    named = reading.registry.named(predicate)
    sides = tuple(_side(reading, result, row, named) for row in rows.values())
    spans = tuple(sorted({(one.start, one.end) for one in hit}))
    marks = tuple(dict.fromkeys(one.marker for one in hit))
    rules = tuple(dict.fromkeys(one.rule for one in hit))
    said = [one.known_at for side in sides for one in side.held if "derived" not in one.claim.extra]
    since = max(said, default=reading.now)
    return DeniedLine(0, subject, named.key, Dispute(sides, spans, since), marks, rules)


def _side(reading: Reading, result: Result, row: Row, predicate: Predicate) -> Side:
    polarity = Polarity.NOT if row.predicate.startswith("-") else Polarity.HOLDS
    if row.rule is None and row.source is not None:
        held = replace(claim_rows(reading, (row.source,))[0], value_key=row.keys[1])
    else:
        held = as_held(result, row, predicate.key, polarity, max(row.start, 0))
    return side_of((row.keys[1], polarity), (held,), predicate)
