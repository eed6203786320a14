"""What rules derive and deny, as a picture needs it: conclusions as claims on their lines, and where denials break."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from hornbook.graph.belief.state import ClaimState, Held
from hornbook.graph.claim import Claim, Disposition, Polarity, Provenance
from hornbook.graph.dates import Granularity, Moment
from hornbook.graph.interval import ALWAYS, FOREVER, Interval
from hornbook.graph.names import name_key, value_key
from hornbook.graph.view.derived import Conclusion

Key = tuple[str, str]  # the predicate, and the key of the subject's name
Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Inferred:
    """As of the event that is read: conclusions with two terms by line, and the spans in which denials are broken.

    `left_out` counts the conclusions that are no arrows: those with one term, or with three and more.
    """

    lines: Mapping[Key, tuple[Held, ...]] = field(default_factory=dict)
    conclusions: Mapping[str, Conclusion] = field(default_factory=dict)
    broken: Mapping[Key, Spans] = field(default_factory=dict)
    left_out: int = 0

    def at(self, key: Key, instant: int) -> Sequence[Held]:
        """What is derived for a line at a valid instant. What is certain is attested then: the rules say so."""
        return [_attested(one, instant) for one in self.lines.get(key, ()) if _since(one) <= instant < _until(one)]

    def edges(self, key: Key) -> Iterable[int]:
        """The instants at which what is derived for a line changes."""
        return (at for one in self.lines.get(key, ()) for at in (_since(one), _until(one)))


def inferred(conclusions: Iterable[Conclusion], broken: Mapping[Key, Spans]) -> Inferred:
    """Conclusions and broken denials, by line."""
    lines: defaultdict[Key, list[Held]] = defaultdict(list)
    kept: dict[str, Conclusion] = {}
    left_out = 0
    for number, one in enumerate(conclusions):
        if len(one.terms) != 2:
            left_out += 1
            continue
        kept[one.id] = one
        held = _held(one, number)
        lines[held.claim.predicate, name_key(held.claim.subject)].append(held)
    return Inferred({key: tuple(every) for key, every in lines.items()}, kept, broken, left_out)


def _held(one: Conclusion, number: int) -> Held:
    subject, value = one.terms
    polarity = Polarity.NOT if one.predicate.startswith("-") else Polarity.HOLDS
    valid = Interval(_moment(one.since), _moment(one.until), 1.0)
    key = value_key(value)
    claim = Claim(
        one.id,
        str(subject),
        one.predicate.removeprefix("-"),
        value,
        value_key(subject),
        key,
        Provenance.MODEL_DERIVED,
        polarity,
        valid=valid,
        occurred_at=None if one.uncertain else Moment(0, Granularity.INSTANT),
        extra={"derived": True, "rule": one.rule},
    )
    return Held(claim, number, 0, ClaimState(Disposition.COMMITTED_INFERRED, True, valid), key, polarity)


def _attested(one: Held, at: int) -> Held:
    if one.claim.occurred_at is None:
        return replace(one, known_at=at)
    return replace(one, known_at=at, claim=replace(one.claim, occurred_at=Moment(at, Granularity.INSTANT)))


def _since(one: Held) -> int:
    return one.state.valid.since


def _until(one: Held) -> int:
    return one.state.valid.until


def _moment(at: int) -> Moment | None:
    return Moment(at, Granularity.INSTANT) if ALWAYS < at < FOREVER else None
