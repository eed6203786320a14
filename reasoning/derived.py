"""What follows from a memory's beliefs by its rules: a view, kept for the head of the journal and brought up to date.

The read that needs it brings it up to date from what changed since; whatever it does not understand is answered by an
evaluation from nothing. A read of the past is evaluated with the facts and the rules of then, and not kept.
"""

import threading
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from uuid import uuid4

from hornbook.graph.errors import RuleError
from hornbook.graph.events import Event
from hornbook.graph.store import Reading
from hornbook.graph.view import queries
from hornbook.graph.view.derived import Conclusion
from hornbook.reasoning.compiled import Compiled
from hornbook.reasoning.denied import Denied, denied_lines
from hornbook.reasoning.evaluate import Result, evaluate
from hornbook.reasoning.facts import Groups, Named, Pulled, beside, pull, pull_lines, relations
from hornbook.reasoning.limits import Limits
from hornbook.reasoning.maintain import close, fits, update
from hornbook.reasoning.relation import SPECIAL, Fact, Facts
from hornbook.reasoning.rulebook import KINDS as RULES
from hornbook.reasoning.rulebook import Stated, folded, ready

CLAIMS = frozenset({"claim.recorded", "claim.changed"})
NAMES = frozenset({"entity.recorded", "entity.aliased", "entity.retyped"})
APART = frozenset(
    {
        "episode.recorded", "memory.recorded", "memory.moved", "memory.revised", "memory.deleted", "recall.detected",
        "contest.resolved", "contest.reopened", "oracle.asked", "oracle.answered", "oracle.expired",
        "extraction.recorded", "extraction.failed",
    }
)  # fmt: skip
MOST_EVENTS = 5_000  # that are followed one by one
MOST_CHANGED = 0.2  # of the facts: above it an evaluation from nothing is cheaper


@dataclass(slots=True)
class Current:
    """What holds at one event of the journal: the rules, the facts by group, the result, and the lines denied."""

    upto: int
    digest: bytes
    rules: Mapping[str, Stated]
    compiled: Compiled
    names: frozenset[str]
    pulled: Pulled
    result: Result
    where: dict[str, set[str]] = field(
        default_factory=dict
    )  # the groups that a claim's facts are in, plain lines apart
    broken: Mapping[tuple[str, str], tuple[Denied, ...]] | None = None
    version: str = field(default_factory=lambda: uuid4().hex)  # another one whenever what is derived may be another
    shown: dict[int, Conclusion] = field(default_factory=dict)  # rows as they were last copied, by their ids

    @property
    def facts(self) -> int:
        """About how many claims gave facts."""
        return len(self.where) + sum(int(table.num_rows) for table in self.pulled.tables.values())

    @property
    def denied(self) -> Mapping[tuple[str, str], tuple[Denied, ...]]:
        """By predicate and subject the denials that are broken there; looked for once."""
        if self.broken is None:
            self.broken = denied_lines(self.result)
        return self.broken


class Derivation:
    """The derived view of one store. One thread at a time works with it: a result is one database connection."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.copied = False  # whether what it derives was ever copied into the graph view
        self._lock = threading.RLock()
        self._current: Current | None = None
        self._failed: tuple[bytes, frozenset[str], RuleError] | None = None  # at which event, for which predicates
        self._rules: tuple[int, bytes, dict[str, Stated]] = (0, b"", {})

    def rules(self, reading: Reading) -> dict[str, Stated]:
        """The rules in force at a reading: for the head kept, so that a memory without rules pays next to nothing."""
        with self._lock:
            seen, digest, known = self._rules
            if seen and (reading.upto < seen or reading.snapshot.hash_at(seen) != digest):
                seen, known = 0, {}
            found = folded(known, reading.snapshot.events(seen, reading.upto, kinds=RULES))
            if reading.upto >= self._rules[0] and reading.upto:
                self._rules = (reading.upto, reading.snapshot.hash_at(reading.upto), found)
            return found

    @contextmanager
    def at(self, reading: Reading, names: Collection[str] = ()) -> Iterator[Current]:
        """What holds at a reading, the facts of some more predicates in it."""
        with self._lock:
            kept = self._current
            if reading.upto != reading.snapshot.head or (kept is not None and kept.upto > reading.upto):
                past = self.evaluated(reading, self.rules(reading), frozenset(names))
                try:
                    yield past
                finally:
                    close(past.result)
            else:
                yield self._brought_up(reading, frozenset(names))

    def close(self) -> None:
        """Let go of the result."""
        with self._lock:
            kept, self._current = self._current, None
            if kept is not None:
                close(kept.result)

    def evaluated(
        self, reading: Reading, rules: Mapping[str, Stated], names: frozenset[str], compiled: Compiled | None = None
    ) -> Current:
        """What holds, from nothing."""
        compiled = compiled or ready(reading, rules.values())
        wanted = names | {name for name in compiled.reads if name in SPECIAL or compiled.arities[name] == 2}
        pulled = pull(reading, wanted)  # what rules gave another arity cannot be what somebody claimed since
        result = evaluate(compiled, relations(pulled, wanted, compiled.arities), limits=self.limits)
        where: dict[str, set[str]] = {}
        for group, rows in pulled.groups.items():
            for _, fact in rows:
                where.setdefault(fact.id, set()).add(group)
        digest = reading.snapshot.hash_at(reading.upto)
        return Current(reading.upto, digest, rules, compiled, wanted, pulled, result, where)

    def _brought_up(self, reading: Reading, names: frozenset[str]) -> Current:
        kept, self._current = self._current, None  # whatever fails below, nothing half done is kept
        rules = self.rules(reading)
        if kept is not None and not (rules == kept.rules and names <= kept.names and self._followed(kept, reading)):
            names = names | (kept.names - kept.compiled.reads)
            close(kept.result)
            kept = None
        self._current = kept or self._tried(reading, rules, names)
        return self._current

    def _tried(self, reading: Reading, rules: Mapping[str, Stated], names: frozenset[str]) -> Current:
        """What holds, from nothing; rules that could not be evaluated are not tried again before something changes."""
        digest = reading.snapshot.hash_at(reading.upto)
        if self._failed is not None and self._failed[:2] == (digest, names):
            raise self._failed[2]
        try:
            return self.evaluated(reading, rules, names)
        except RuleError as error:
            self._failed = (digest, names, error)
            raise

    def _followed(self, kept: Current, reading: Reading) -> bool:
        """Whether the view could be brought up to a reading by what changed."""
        if kept.upto == reading.upto:
            return reading.snapshot.hash_at(kept.upto) == kept.digest
        if reading.upto - kept.upto > MOST_EVENTS or reading.snapshot.hash_at(kept.upto) != kept.digest:
            return False
        events = list(reading.snapshot.events(kept.upto, reading.upto))
        kinds = {event.kind for event in events}
        if not kinds <= CLAIMS | NAMES | APART or any(event.body is None for event in events):
            return False
        if kinds & NAMES and ready(reading, kept.rules.values()).program != kept.compiled.program:
            return False
        groups = pull_lines(reading, _touched(reading, events), kept.names)
        if kinds - CLAIMS:
            groups |= beside(reading, kept.names)
        if kinds & NAMES:  # a term may name another entity now
            kept.version = uuid4().hex
            kept.shown.clear()
        return _changed(kept, groups) and _moved(kept, reading)


def _moved(kept: Current, reading: Reading) -> bool:
    kept.upto, kept.digest = reading.upto, reading.snapshot.hash_at(reading.upto)
    return True


def _touched(reading: Reading, events: Iterable[Event]) -> list[str]:
    """The lines whose claims are not as they were."""
    bodies = [(event.kind, event.body) for event in events if event.kind in CLAIMS and event.body is not None]
    lines = [place["line"] for kind, body in bodies if kind == "claim.recorded" for place in body["lines"]]
    changed = [body["claim"] for kind, body in bodies if kind == "claim.changed"]
    return list(dict.fromkeys([*lines, *reading.ask(queries.lines_of_claims, changed, upto=reading.upto)]))


def _changed(kept: Current, groups: Groups) -> bool:
    """Put other facts in the place of some groups; whether that could be done by mending the result."""
    dead: set[str] = set()
    fresh: list[Named] = []
    earlier = kept.pulled.of(groups)
    for group, rows in groups.items():
        before, now = _by_id(earlier[group]), _by_id(rows)
        for id_ in dict.fromkeys([*before, *now]):
            if before.get(id_) != now.get(id_):
                dead |= {id_} if id_ in before else set()
                fresh += [] if id_ in before else now[id_]
        for id_ in now:
            kept.where.setdefault(id_, set()).add(group)
        kept.pulled.groups[group] = rows
    added = _relations([*(row for row in fresh if row[1].id not in dead), *_elsewhere(kept, dead)])
    if len(dead) + len(fresh) > 50 + MOST_CHANGED * kept.facts or not fits(kept.result, added):
        return False
    if dead or added:
        base = kept.result.base
        kept.result, kept.broken = update(kept.result, added=added, removed=dead), None
        if kept.result.base is not base:  # it was evaluated anew: ids mean other rows
            kept.shown.clear()
        kept.version = uuid4().hex
    return True


def _elsewhere(kept: Current, dead: Collection[str]) -> Iterator[Named]:
    """All facts that claims still give, whose facts are about to be withdrawn."""
    lines = kept.pulled.of(kept.pulled.lines_of(dead))
    groups = {group for id_ in dead for group in kept.where.get(id_, ())}
    for rows in (*lines.values(), *(kept.pulled.groups[group] for group in groups)):
        yield from (row for row in rows if row[1].id in dead)


def _by_id(rows: Iterable[Named]) -> dict[str, list[Named]]:
    found: dict[str, list[Named]] = {}
    for row in rows:
        found.setdefault(row[1].id, []).append(row)
    return found


def _relations(rows: Iterable[Named]) -> Facts:
    found: dict[str, list[Fact]] = {}
    for name, fact in rows:
        found.setdefault(name, []).append(fact)
    return found


def conclusions(result: Result) -> set[tuple[object, ...]]:
    """Everything derived, denials aside, as tuples with their coalesced intervals."""
    heads = result.compiled.heads - set(SPECIAL)
    return {(each.predicate, *each.keys, each.start, each.end) for head in heads for each in result.derived(head)}
