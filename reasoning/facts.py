"""Facts for rules: what the memory believes, as relations.

Most lines are read as columns (`hornbook.reasoning.columns`). The others, and what changes, come in groups that can be
pulled again one by one. A group is a line, or one of the relations that tell of the memory itself. Facts of a line:
    p(subject, value)      the believed pieces of its asserted claims; -p(…) for negative ones
    claim(id, subject, predicate, value, confidence, valid_from, valid_to, provenance), contested(id, id)
What is beside them:
    entity(id, name, type)  alias(name, entity)  mentions(text, entity)  episode(id, speaker, occurred_at, session)
Terms are shown as they were written; their keys are what decides equality: a subject's is that of its entity's name.
"""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hornbook.graph import entities
from hornbook.graph.belief.believed import believed
from hornbook.graph.belief.codec import moment_from_json
from hornbook.graph.belief.registry import Predicate
from hornbook.graph.belief.state import Held
from hornbook.graph.claim import Polarity
from hornbook.graph.claims.lines import held
from hornbook.graph.dates import Moment
from hornbook.graph.names import value_key
from hornbook.graph.store import Reading
from hornbook.graph.view import queries
from hornbook.graph.view.queries import EntityRow, ItemRow, LineRow
from hornbook.reasoning.columns import Plain, plain
from hornbook.reasoning.relation import SPECIAL, Fact, Facts, Relation, arity_of, as_table, facts_of, nothing
from hornbook.reasoning.terms import key_of

if TYPE_CHECKING:
    import pyarrow as pa

Named = tuple[str, Fact]  # the relation, and a row of it
Groups = dict[str, tuple[Named, ...]]
OF_CLAIMS = frozenset({"claim", "contested"})


@dataclass(slots=True)
class Pulled:
    """The facts of a memory: those of plain lines as columns, by relation; all others in groups.

    A row of `tables` counts as long as its `line` is no group.
    """

    groups: Groups
    tables: Mapping[str, "pa.Table"] = field(default_factory=dict)

    def of(self, lines: Collection[str]) -> Groups:
        """The facts of some lines."""
        found = {line: list(self.groups.get(line, ())) for line in lines}
        for name, table in self.tables.items():
            for line, fact in _rows_with(table, "line", [line for line in lines if line not in self.groups]):
                found[line].append((name, fact))
        return {line: tuple(rows) for line, rows in found.items()}

    def lines_of(self, ids: Collection[str]) -> set[str]:
        """The plain lines on which some claims stand."""
        found = (line for table in self.tables.values() for line, _ in _rows_with(table, "id", ids))
        return {line for line in found if line not in self.groups}


def _rows_with(table: "pa.Table", column: str, texts: Collection[str]) -> Iterator[tuple[str, Fact]]:
    """The rows of a table that have one of some texts in a column, and their lines."""
    if not texts:
        return
    import pyarrow as pa
    import pyarrow.compute as pc

    rows = table.filter(pc.is_in(table.column(column), value_set=pa.array(texts, pa.string())))
    yield from zip(rows.column("line").to_pylist(), facts_of(rows), strict=True)


def pull(reading: Reading, names: Collection[str]) -> Pulled:
    """Everything that the named predicates hold at the reading."""
    wanted = frozenset(names)
    every = reading.ask(queries.predicates_said, upto=reading.upto) if OF_CLAIMS & wanted else ()
    spoken = {*every, *(name.removeprefix("-") for name in wanted)} - SPECIAL.keys()
    found = columns_of(reading, spoken, wanted)
    lines = reading.ask(queries.lines_about, spoken, upto=reading.upto, only=found.weighed) if found.weighed else ()
    groups = {line.id: of_line(reading, line, wanted) for line in lines}
    return Pulled(groups | beside(reading, wanted), found.tables)


def columns_of(reading: Reading, predicates: Collection[str], wanted: frozenset[str]) -> Plain:
    """The facts of the plain lines of some predicates, and which lines are not plain."""
    if not predicates:
        return Plain()
    said = reading.ask(queries.claims_about, predicates, upto=reading.upto)
    if not said.num_rows:
        return Plain()
    return plain(said, reading.ask(queries.names, upto=reading.upto), reading.registry.named, wanted, reading.upto)


def pull_lines(reading: Reading, lines: Iterable[str], names: Collection[str]) -> Groups:
    """The groups of some lines; one without claims that live is an empty group."""
    wanted, ids = frozenset(names), [line for line in lines if matters(line, names)]
    found = {
        line.id: of_line(reading, line, wanted) for line in reading.ask(queries.lines_with_ids, ids, upto=reading.upto)
    }
    return {id_: found.get(id_, ()) for id_ in ids}


def matters(line: str, names: Collection[str]) -> bool:
    """Whether a line's predicate is among those named."""
    predicate = line.partition("|")[2]
    return predicate in names or f"-{predicate}" in names or not OF_CLAIMS.isdisjoint(names)


def of_line(reading: Reading, line: LineRow, wanted: frozenset[str]) -> tuple[Named, ...]:
    """The facts of one line."""
    predicate = reading.registry.named(line.id.partition("|")[2])
    claims = held(reading, line.claims)
    found = list(weighed(claims, predicate, line.name, wanted))
    if "claim" in wanted:
        found += [("claim", _claim(one, line.name)) for one in claims if one.counts and not one.mirrored]
    if "contested" in wanted:
        found += [pair for one in claims if one.counts for pair in _contested(one)]
    return tuple(found)


def weighed(claims: tuple[Held, ...], predicate: Predicate, name: str, wanted: frozenset[str]) -> Iterator[Named]:
    """The facts of a line's own predicate."""
    names = {Polarity.HOLDS: predicate.key, Polarity.NOT: f"-{predicate.key}"}
    if wanted.isdisjoint(names.values()):
        return
    subject = key_of(name)
    for piece in believed(claims, predicate):
        one = piece.held
        if names[one.polarity] in wanted:
            rest = (piece.start, piece.end, piece.confidence, piece.uncertain, one.external)
            keys = (subject, folded(one.value_key) if predicate.exact else one.value_key)
            yield names[one.polarity], Fact((name, one.value), one.id, *rest, keys=keys)


def folded(key: str) -> str:
    """Rules tell no capitals apart, not even where the predicate does: a constant belongs to no predicate."""
    return value_key(json.loads(key))


def _claim(one: Held, subject: str) -> Fact:
    claim, valid = one.claim, one.state.valid
    said = claim.predicate if claim.polarity is Polarity.HOLDS else f"-{claim.predicate}"
    ends = (_date(valid.start), _date(valid.end))
    terms = (claim.id, subject, said, claim.value, claim.confidence, *ends, claim.provenance.value)
    keys = (*map(key_of, terms[:3]), folded(one.value_key), *map(key_of, terms[4:]))
    return Fact(terms, claim.id, confidence=claim.confidence, external=claim.provenance.external, keys=keys)


def _date(moment: Moment | None) -> str | None:
    return None if moment is None else str(moment)


def _contested(one: Held) -> Iterator[Named]:
    for rival in one.state.rivals:
        yield "contested", Fact((one.id, rival), one.id)


# what is beside the claims


def beside(reading: Reading, names: Collection[str]) -> Groups:
    """The groups of the relations that tell of entities and texts, those that are named."""
    return {f"@{name}": tuple((name, fact) for fact in rows(reading)) for name, rows in BESIDE.items() if name in names}


def _entities(reading: Reading) -> Iterator[Fact]:
    for row in _standing(reading):
        yield Fact((row.id, row.name, row.type), row.id)


def _aliases(reading: Reading) -> Iterator[Fact]:
    for row, kept in _with_kept(reading):
        names = (*row.aliases, row.name) if kept.id != row.id else row.aliases
        for name in dict.fromkeys(names):
            yield Fact((name, kept.name), row.id)


def _mentions(reading: Reading) -> Iterator[Fact]:
    texts = {row.id for row in _texts(reading)}
    known = {row.id: kept.name for row, kept in _with_kept(reading)}
    for text, entity in reading.ask(queries.mentions, upto=reading.upto):
        if text in texts and entity in known:
            yield Fact((text, known[entity]), text)


def _with_kept(reading: Reading) -> Iterator[tuple[EntityRow, EntityRow]]:
    """Each entity with the one that it was merged into, those aside that nothing speaks of any more."""
    for row in reading.ask(queries.all_entities, upto=reading.upto):
        kept = entities.kept(reading, row)
        if not kept.retired:
            yield row, kept


def _episodes(reading: Reading) -> Iterator[Fact]:
    for row in _texts(reading):
        said = json.loads(row.data).get("occurred_at")
        yield Fact((row.id, row.speaker, _date(moment_from_json(said)), row.session), row.id)


def _texts(reading: Reading) -> Iterator[ItemRow]:
    """Every text that is there."""
    every = reading.ask(queries.episodes, upto=reading.upto)
    return (row for row in every if not json.loads(row.state)["deleted"])


def _standing(reading: Reading) -> Iterator[EntityRow]:
    every = reading.ask(queries.all_entities, upto=reading.upto)
    return (row for row in every if row.merged_into is None and not row.retired)


BESIDE: dict[str, Callable[[Reading], Iterator[Fact]]] = {
    "entity": _entities,
    "alias": _aliases,
    "mentions": _mentions,
    "episode": _episodes,
}


def relations(pulled: Pulled, names: Iterable[str], arities: Mapping[str, int]) -> Facts:
    """The rows by relation; a named one without rows is there, and empty."""
    found: dict[str, list[Fact]] = {}
    for group in pulled.groups.values():
        for name, fact in group:
            found.setdefault(name, []).append(fact)
    known = {**SPECIAL, **arities}
    every: dict[str, Relation] = {name: nothing(known.get(name, 2)) for name in names}
    return {**every, **found, **{name: _both(table, found.get(name, ())) for name, table in pulled.tables.items()}}


def _both(table: "pa.Table", more: Sequence[Fact]) -> "pa.Table":
    import pyarrow as pa

    arity = arity_of(table) or 2
    own = as_table(table.drop_columns("line"), arity)
    return pa.concat_tables([own, as_table(more, arity).select(own.column_names)]) if more else own
