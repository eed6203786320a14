"""What follows, as nodes for the graph view: each piece of a conclusion with its premises and the entities it names."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from hornbook.graph.entities import meant
from hornbook.graph.names import name_key
from hornbook.graph.store import Reading
from hornbook.graph.view import derived, queries
from hornbook.graph.view.derived import MOST, Conclusion, Copied
from hornbook.reasoning.derived import Current
from hornbook.reasoning.duck import Engine
from hornbook.reasoning.duck_read import concluded, given_by_rules, read_terms, sources
from hornbook.reasoning.evaluate import Result
from hornbook.reasoning.prove import Finder
from hornbook.reasoning.relation import SPECIAL, Row, derived_id
from hornbook.reasoning.terms import key_of

NODE_OF = {"entity": "Entity", "alias": "Entity", "mentions": "Item", "episode": "Item"}  # else a fact is a claim's
LOOKED_FOR = 200  # conclusions without a recorded proof for which one is looked for
FEW_NAMES = 500  # looked up one by one; above it all names are read at once


def copy_into_view(reading: Reading, current: Current, most: int = MOST) -> Copied | None:
    """Bring the graph's copy to what holds now; None where it could not be: too much follows, or a writer is at work.

    Where there is no copy of this very event, the graph shows nothing derived, and questions are answered on demand.
    """
    if current.upto != reading.snapshot.head:
        return None
    if reading.ask(derived.stand, current.upto, current.version):
        return Copied()
    found = conclusions(reading, current, most)
    if found is None:
        reading.ask(derived.discard)
        return None
    return reading.ask(derived.copy, found, current.upto, current.version)


def about(result: Result, names: Iterable[str], at: int, most: int = 16) -> tuple[tuple[str, str], ...]:
    """The lines, as subject and predicate, on which rules give something at an instant that names one of these."""
    heads = sorted(head for head in result.compiled.heads - set(SPECIAL) if result.arities.get(head) == 2)
    found: dict[tuple[str, str], None] = {}
    for name in names:
        for head in heads:
            rows = [*result.base.match(head, (key_of(name), None)), *result.base.match(head, (None, key_of(name)))]
            holding = (row for row in rows if row.rule is not None and row.start <= at < row.end)
            lines = dict.fromkeys((str(result.base.value(row.keys[0])), head.removeprefix("-")) for row in holding)
            found |= lines
    return tuple(found)[:most]


def conclusions(reading: Reading, current: Current, most: int = MOST) -> tuple[Conclusion, ...] | None:
    """Everything that rules gave, denials aside; None where it is more than can be copied."""
    engine = current.result.base
    heads = sorted(head for head in current.compiled.heads - set(SPECIAL) if head in current.result.arities)
    if not isinstance(engine, Engine) or sum(given_by_rules(engine, head) for head in heads) > most:
        return None
    rows = [row for head in heads for row in concluded(engine, head) if row.start < row.end]
    known = {row.id: current.shown[row.id] for row in rows if row.id in current.shown}
    new = [row for row in rows if row.id not in known]
    read_terms(engine, new)
    bearing = entities_named(reading, {text for row in new for text in _texts(current.result, row)})
    made = _Making.of(current.result, engine, rows, new, bearing)
    known |= {row.id: made.one(row) for row in new}
    # what was recorded of a row stays as it is; what was looked for is looked for again
    current.shown = {row.id: known[row.id] for row in rows if row.premises}
    return tuple(known[row.id] for row in rows)


def _texts(result: Result, row: Row) -> list[str]:
    return [term for term in map(result.base.value, row.keys) if isinstance(term, str) and term.strip()]


def entities_named(reading: Reading, texts: Collection[str]) -> dict[str, str]:
    """The entity that each text means by its names, of those that mean one."""
    if len(texts) <= FEW_NAMES:
        found = {text: meant(name_key(text), reading.bearers(name_key(text))) for text in texts}
    else:
        rows = {row.id: row for row in reading.ask(queries.all_entities, upto=reading.upto)}
        names = reading.ask(queries.known_names, upto=reading.upto)
        bearers = {key: [rows[id_] for id_ in ids if id_ in rows] for key, ids in names.items()}
        found = {text: meant(name_key(text), bearers.get(name_key(text), ())) for text in texts}
    return {text: one.id for text, one in found.items() if one is not None}


@dataclass(frozen=True, slots=True)
class _Making:
    """What conclusions are made from: the ids of derived rows, the nodes of facts, the steps, the entities by name."""

    result: Result
    engine: Engine
    derived: Mapping[int, str]
    facts: Mapping[int, tuple[str, str]]
    steps: Mapping[int, tuple[int, ...] | None]  # the premises of each row, None where no proof was found
    bearing: Mapping[str, str]

    @classmethod
    def of(
        cls, result: Result, engine: Engine, every: Collection[Row], rows: Collection[Row], bearing: Mapping[str, str]
    ) -> "_Making":
        known = {row.id: derived_id(row.predicate, row.keys, row.start, row.end) for row in every}
        steps = _steps(result, rows)
        wanted = {number for step in steps.values() for number in step or () if number not in known}
        named = sources(engine, wanted)
        facts = {number: (NODE_OF.get(engine.predicate_of(number), "Claim"), id_) for number, id_ in named.items()}
        return cls(result, engine, known, facts, steps, bearing)

    def one(self, row: Row) -> Conclusion:
        """The conclusion of a row."""
        texts, step = _texts(self.result, row), self.steps[row.id]
        plans = self.result.compiled.plans
        return Conclusion(
            self.derived[row.id],
            row.predicate,
            tuple(map(self.result.base.value, row.keys)),
            row.start,
            row.end,
            row.uncertain,
            str(plans[row.rule].rule) if row.rule is not None and row.rule >= 0 else None,
            tuple(sorted({self.node(number) for number in step or ()} - {("Claim", "")})),
            tuple(dict.fromkeys(self.bearing[text] for text in texts if text in self.bearing)),
            partial=step is None,
        )

    def node(self, number: int) -> tuple[str, str]:
        if number in self.derived:
            return "Derived", self.derived[number]
        return self.facts.get(number, ("Claim", ""))


def _steps(result: Result, rows: Iterable[Row]) -> dict[int, tuple[int, ...] | None]:
    """What each row follows from: as recorded, by an aggregate's stretch; the first without either are looked for."""
    plans, finder, left = result.compiled.plans, Finder(result, 1), LOOKED_FOR
    steps: dict[int, tuple[int, ...] | None] = {}
    for row in rows:
        plan = plans[row.rule] if row.rule is not None and row.rule >= 0 else None
        if plan is not None and not plan.aggregated and len(row.premises) == len(plan.goals):
            steps[row.id] = row.premises
            continue
        left -= 1
        step = finder.step(row) if left >= 0 else None
        steps[row.id] = None if step is None else tuple(each.id for each in step.rows)
    return steps
