"""The fold: from the claims of a line to what it says at one instant. Nothing here is ever stored."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from hornbook.graph.belief.belief import Belief, Currency, Slot, Status
from hornbook.graph.belief.registry import Predicate
from hornbook.graph.belief.rivalry import Key, Side, arenas, clashes_in, conflict, exclusive, finer, sides_of
from hornbook.graph.belief.settings import DEFAULTS, BeliefSettings
from hornbook.graph.belief.state import Held, Marker
from hornbook.graph.belief.windows import Window, newest_of, window_of
from hornbook.graph.claim import Criticality, Disposition, Mood
from hornbook.graph.clock import DAY

WEIGHT = {kind: weight for weight, kind in enumerate(Criticality)}
QUEUED = (Disposition.QUEUED, Disposition.PENDING_CONFLICT)


@dataclass(frozen=True, slots=True)
class Reading:
    """A side at the instant asked: its windows that can hold then, and whether one is taken to.

    `coarser` are sides that say the same less precisely: they are evidence of this one.
    """

    side: Side
    windows: tuple[Window, ...]
    definite: bool
    coarser: tuple["Reading", ...] = ()

    @property
    def newest(self) -> Held:
        """The claim that speaks for it."""
        return newest_of([window.newest for window in self.windows])


def believe(held: Sequence[Held], predicate: Predicate, at: int, settings: BeliefSettings = DEFAULTS) -> Belief:
    """What a line says at a valid instant, from the states of its claims as known.

    `held` may be all claims of the line, or fewer: those whose window holds `at`, all live claims that say what these
    say, and those whose state names rivals. The answer is the same, so a long history costs nothing.
    """
    if not held:
        return Belief(Status.NO_BELIEF, at)
    sides = sides_of(held, predicate)
    readings = [reading for side in sides if (reading := read(side, at)) is not None]
    status, primary, others = _weighed(readings, predicate, at)
    clashing = _clashing(readings, predicate) if status is Status.CONTESTED else frozenset()
    show = _shower(at, settings, predicate, clashing)
    shown = [show(reading) for reading in others]
    waiting = _aside(held, at, settings, {reading.side.key for reading in readings})
    first = show(primary) if primary else None
    markers = _markers(first, shown if first or shown else waiting, held, sides, predicate, status)
    return Belief(status, at, first, (*shown, *waiting), markers, _currency(first, shown), _criticality(first, shown))


def read(side: Side, at: int) -> Reading | None:
    """A side at an instant; None where it cannot hold then."""
    holding = tuple(window for window in side.windows if window.holds_at(at))
    definite = tuple(window for window in holding if window.definite_at(at))
    return Reading(side, definite or holding, bool(definite)) if holding else None


def _weighed(
    readings: Sequence[Reading], predicate: Predicate, at: int
) -> tuple[Status, Reading | None, list[Reading]]:
    """The status, the side that is believed, and the others that are shown, in their order."""
    external = [reading for reading in readings if reading.side.external]
    guesses = _newest_first(reading for reading in readings if not reading.side.external)
    if _clashing(external, predicate):
        return Status.CONTESTED, None, [*_oldest_first(_in_sight(external)), *guesses]
    told, denied = _split(external)
    if told:
        status, primary, others = _standing(told, predicate, at, Status.TIMING_UNCERTAIN)
        return status, primary, [*others, *denied, *guesses]
    against = {reading.side.key[0] for reading in denied}
    free = [reading for reading in guesses if reading.side.positive and reading.side.key[0] not in against]
    if free:
        status, primary, others = _standing(free, predicate, at, Status.CONFLICT)
        return status, primary, [*others, *denied, *(one for one in guesses if one not in free)]
    if denied or guesses:
        return Status.RESOLVED, None, [*denied, *guesses]
    return Status.NO_BELIEF, None, []


def _standing(
    readings: Sequence[Reading], predicate: Predicate, at: int, several: Status
) -> tuple[Status, Reading | None, list[Reading]]:
    """The status of positive sides that are not contested: one side, the members of a set, or `several` that differ."""
    sight = _newest_first(readings if predicate.set_valued else _finest(_in_sight(readings), predicate))
    if len(sight) == 1:
        return (Status.RESOLVED if certain(sight[0], at) else Status.TIMING_UNCERTAIN), sight[0], []
    facing = [other for other in sight[1:] if exclusive(sight[0].side, other.side, predicate)]
    if facing:
        surely = any(_conflict(sight[0], other) for other in facing)
        return (several if surely else Status.TIMING_UNCERTAIN), None, sight
    return Status.RESOLVED, sight[0], sight[1:]


def standing(readings: Sequence[Reading], predicate: Predicate, at: int) -> list[Reading]:
    """The sides that are believed at an instant: of those that can hold then, members and negative ones included."""
    external = [reading for reading in readings if reading.side.external]
    clashing = _clashing(external, predicate)
    told, denied = _split(one for one in external if one.side.key not in clashing)
    if clashing:
        return denied
    if told:
        shown, chosen = _chosen(told, predicate, at)
        values = {reading.side.key[0] for reading in shown}
        return [*chosen, *(one for one in denied if one.side.key[0] not in values)]
    against = {reading.side.key[0] for reading in denied}
    thought, doubted = _split(one for one in readings if not one.side.external and one.side.key[0] not in against)
    against = {reading.side.key[0] for reading in thought}
    opposed = [reading for reading in doubted if reading.side.key[0] not in against]
    return [*_chosen(thought, predicate, at)[1], *denied, *opposed]


def _chosen(readings: Sequence[Reading], predicate: Predicate, at: int) -> tuple[list[Reading], list[Reading]]:
    """Positive sides that are in sight; and those of them that are believed: all, or none where they differ."""
    _, primary, others = _standing(readings, predicate, at, Status.CONFLICT) if readings else (None, None, [])
    return ([primary, *others], [primary, *others]) if primary else (others, [])


def _in_sight(readings: Sequence[Reading]) -> list[Reading]:
    """The sides that are taken to hold; where none is, those that are possible."""
    return [reading for reading in readings if reading.definite] or list(readings)


def _finest(readings: Sequence[Reading], predicate: Predicate) -> Sequence[Reading]:
    """The sides without those that say less precisely what another says, which become evidence of that one."""
    if not predicate.dated or len(readings) == 1:
        return readings
    return [
        replace(one, coarser=tuple(other for other in readings if finer(one.side, other.side, predicate)))
        for one in readings
        if not any(finer(other.side, one.side, predicate) for other in readings)
    ]


def certain(reading: Reading, at: int) -> bool:
    """Whether a side is more than possible: a start or an end is known, or somebody said so by then.

    An end that is not relied on does not expire it; after such an end only a later statement makes it certain.
    """
    for window in reading.windows:
        if window.weak > at and (window.start is not None or window.end is not None):
            return True
        for one in window.held:
            said = one.claim.attested_at
            if said is not None and said <= at and (window.weak > at or said >= window.weak):
                return True
    return any(certain(one, at) for one in reading.coarser)


def _clashing(readings: Sequence[Reading], predicate: Predicate) -> frozenset[Key]:
    """The External sides that conflict at the instant asked, by what they say.

    Sides of which none is taken to hold yet are in conflict then if they are anywhere: nobody knows their starts.
    """
    external = [reading for reading in readings if reading.side.external]
    definite = [reading for reading in external if reading.definite]
    found = _pairs(definite, predicate)
    if not definite or predicate.set_valued:
        found |= _pairs([reading for reading in external if not reading.definite], predicate)
    return frozenset(found)


def _pairs(readings: Sequence[Reading], predicate: Predicate) -> set[Key]:
    """The sides that conflict with another. Each is compared until it meets one: where all disagree, with the first."""
    found: set[Key] = set()
    for group in arenas(readings, predicate, _side):
        for one in group:
            if one.side.key not in found:
                other = next((other for other in group if _opposed(one, other, predicate)), None)
                found |= {one.side.key, other.side.key} if other else set()
    return found


def _side(reading: Reading) -> Side:
    return reading.side


def _opposed(one: Reading, other: Reading, predicate: Predicate) -> bool:
    return one is not other and exclusive(one.side, other.side, predicate) and _conflict(one, other)


def _conflict(one: Reading, other: Reading) -> bool:
    return any(conflict(a, b) for a in one.windows for b in other.windows)


def _split(readings: Iterable[Reading]) -> tuple[list[Reading], list[Reading]]:
    """Positive sides and negative ones."""
    told: list[Reading] = []
    denied: list[Reading] = []
    for reading in readings:
        (told if reading.side.positive else denied).append(reading)
    return told, _newest_first(denied)


def newest(reading: Reading) -> tuple[int, int]:
    """The order of members: by trusted start, else by when it was said; then the one recorded later."""
    one = reading.newest
    start = one.state.valid.start
    return (start.at if start and one.state.valid.trusted else one.stated_at), one.seq


def _newest_first(readings: Iterable[Reading]) -> list[Reading]:
    return sorted(readings, key=newest, reverse=True)


def _oldest_first(readings: Iterable[Reading]) -> list[Reading]:
    return sorted(readings, key=lambda reading: min(one.seq for one in reading.side.held))


def _shower(
    at: int, settings: BeliefSettings, predicate: Predicate, clashing: frozenset[Key]
) -> Callable[[Reading], Slot]:
    def show(reading: Reading) -> Slot:
        slot = slot_of(reading, at, settings, reading.side.key in clashing)
        aged = predicate.set_valued and not predicate.event and slot.currency is Currency.DECAYED
        return replace(slot, markers=(*slot.markers, Marker.AGED_SET_MEMBER.value)) if aged else slot

    return show


def slot_of(reading: Reading, at: int, settings: BeliefSettings = DEFAULTS, contested: bool = False) -> Slot:
    """A side as it is shown."""
    if len(reading.windows) == 1 and len(reading.side.held) == 1 and not reading.coarser:
        return _slot_of_one(reading, at, settings, contested)
    first = reading.newest
    window = next(window for window in reading.windows if window.newest is first)
    shown = _supporting(reading)
    external = [one for one in shown if one.external]
    stated = max(one.stated_at for one in external or shown)
    return Slot(
        first,
        window.interval,
        tuple(one.id for one in sorted(shown, key=lambda one: one.seq)),
        len(shown),
        max(len({one.claim.origin for one in external}) - 1, 0),
        max(one.claim.confidence for one in external or shown),
        currency(at - stated, settings),
        stated,
        _slot_markers(shown, external or shown, at),
        contested,
        not certain(reading, at),
    )


def _slot_of_one(reading: Reading, at: int, settings: BeliefSettings, contested: bool) -> Slot:
    """The same where one claim is all that there is of a side, as it is with most."""
    (one,) = reading.side.held
    return Slot(
        one,
        reading.windows[0].interval,
        (one.id,),
        1,
        0,
        one.claim.confidence,
        currency(at - one.stated_at, settings),
        one.stated_at,
        _slot_markers((one,), (one,), at),
        contested,
        not certain(reading, at),
    )


def _supporting(reading: Reading) -> list[Held]:
    """The claims of the windows, and the guesses of the side that hold beside them."""
    found = {one.id: one for window in reading.windows for one in window.held}
    found |= {one.id: one for other in reading.coarser for one in _supporting(other)}
    if reading.side.external:
        since = min(window.since for window in reading.windows)
        until = max(window.until for window in reading.windows)
        for one in reading.side.held:
            if not one.external and one.state.valid.since < until and since < one.state.valid.until:
                found[one.id] = one
    return list(found.values())


def _slot_markers(shown: Sequence[Held], told: Sequence[Held], at: int) -> tuple[str, ...]:
    if len(shown) == 1 and not shown[0].state.markers and shown[0].state.review is None:
        return ()
    marks = dict.fromkeys(mark for one in told for mark in one.state.markers)
    if any(one.state.review is not None and one.state.review.due(at) for one in shown):
        marks[Marker.PENDING_REVIEW.value] = None
    return tuple(marks)


def currency(age: int, settings: BeliefSettings = DEFAULTS) -> Currency:
    """How fresh something is that was said `age` microseconds before the instant asked."""
    if age < settings.fresh_days * DAY:
        return Currency.FRESH
    return Currency.AGING if age < settings.aging_days * DAY else Currency.DECAYED


def _aside(held: Iterable[Held], at: int, settings: BeliefSettings, sides: Collection[Key]) -> list[Slot]:
    """What is shown and never believed, newest first: pending claims, and those that were not said as facts.

    The same said again is shown once, and what is believed anyway is not shown as pending.
    """
    groups: dict[tuple[Key, Mood, bool], list[Held]] = {}
    for one in held:
        pending = one.state.disposition is Disposition.PENDING_LOW_CONFIDENCE
        if not (pending or (one.state.live and not one.claim.asserted)) or (pending and one.side in sides):
            continue
        window = window_of(one)
        if at < window.until and (not pending or window.since <= at):
            groups.setdefault((one.side, one.claim.mood, pending), []).append(one)
    found = [_told_aside(group) for group in groups.values()]
    return [slot_of(reading, at, settings) for reading in sorted(found, key=lambda one: one.newest.seq, reverse=True)]


def _told_aside(held: Sequence[Held]) -> Reading:
    spoken = tuple(window_of(one) for one in held)
    return Reading(Side(held[0].side, held[0].external, tuple(held), spoken), spoken, True)


def _markers(
    first: Slot | None,
    others: Sequence[Slot],
    held: Sequence[Held],
    sides: Sequence[Side],
    predicate: Predicate,
    status: Status,
) -> tuple[str, ...]:
    """The markers of the belief: its primary's, or everybody's where there is none; then those of the line."""
    marks = dict.fromkeys(mark for slot in ([first] if first else others) for mark in slot.markers)
    if any(Marker.AGED_SET_MEMBER.value in slot.markers for slot in others):
        marks[Marker.AGED_SET_MEMBER.value] = None
    if status is Status.CONTESTED or disputed(sides, predicate):
        marks[Marker.CONTESTED.value] = None
    if any(one.counts and one.state.disposition in QUEUED for one in held):
        marks[Marker.PENDING_CONFLICT.value] = None
    free = sum(side.free and side.positive for side in sides)
    if not predicate.declared and free > 1 and status is Status.RESOLVED and len(others) and first:
        marks[Marker.CARDINALITY_UNKNOWN.value] = None
    return tuple(marks)


def disputed(sides: Sequence[Side], predicate: Predicate) -> bool:
    """Whether a line is in dispute at some instant. Only claims that have rivals by the ledger are looked at."""
    known = [side for side in sides if side.external and any(one.state.rivals for one in side.held)]
    return next(iter(clashes_in(known, predicate)), None) is not None


def _currency(first: Slot | None, others: Sequence[Slot]) -> Currency | None:
    """The primary's; without one, that of the freshest side."""
    if first:
        return first.currency
    return max(others, key=lambda slot: (slot.external, slot.stated_at)).currency if others else None


def _criticality(first: Slot | None, others: Sequence[Slot]) -> Criticality | None:
    """The primary's; without one, the highest of the sides."""
    slots = [first] if first else list(others)
    return max((slot.held.claim.criticality for slot in slots), key=WEIGHT.__getitem__, default=None)
