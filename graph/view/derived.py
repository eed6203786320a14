"""What rules derive, copied beside the journal's projection, so that walks and questions of the graph see it.

The copy is no part of the projection: its tables come to be with the first copy, no event speaks of it, and it goes
with the view. `Meta` says of which event it is, and of which rules; at any other event it answers nothing.

    Derived -Premise-> Claim, Derived, Item or Entity      what it follows from
    Entity -Concludes-> Derived                            whom it speaks of, with the piece in which it holds
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from hornbook.graph.view.asked import Asked
from hornbook.graph.view.bulk import arrow
from hornbook.graph.view.engine import Engine
from hornbook.graph.view.log import dumped
from hornbook.graph.view.schema import FOREVER_SEQ, NUMBER, TEXT
from hornbook.graph.view.view import GraphView

MARK = "derived"
NO_EVENT = -1
MOST = 20_000  # conclusions: where there are more, none is copied
ONE_BY_ONE = 100  # changes: above it a load over an Arrow table is cheaper
PREMISES = ("Claim", "Derived", "Item", "Entity")
DERIVED = {"id": TEXT, "since": NUMBER, "until": NUMBER, "print": TEXT, "data": TEXT}
STANDING = {"seq": NUMBER, "until_seq": NUMBER}
EDGES = {
    "Concludes": {**STANDING, "derived": TEXT, "since": NUMBER, "until": NUMBER},
    "Premise": {**STANDING, "premise": TEXT},
}


@dataclass(frozen=True, slots=True)
class Conclusion:
    """One piece of what a rule gives: the terms as written, the instants in which it holds, and what it follows from.

    `premises` are nodes, each the table and the id; `entities` those that its terms name. `partial`: no proof of it
    was recorded, so it has no premises here, and `why` looks for one.
    """

    id: str
    predicate: str
    terms: tuple[Any, ...]
    since: int
    until: int
    uncertain: bool
    rule: str | None
    premises: tuple[tuple[str, str], ...]
    entities: tuple[str, ...]
    partial: bool = False
    print: str = field(init=False)  # a digest of all of it: what has the same one needs no new copy

    def __post_init__(self) -> None:
        """Work out the digest, once."""
        whole = dumped([self.id, self.since, self.until, self.data, list(self.premises), list(self.entities)])
        object.__setattr__(self, "print", blake2b(whole.encode(), digest_size=12).hexdigest())

    @property
    def data(self) -> str:
        """What it says, as JSON."""
        said = {"predicate": self.predicate, "terms": list(self.terms), "rule": self.rule}
        return dumped({**said, "uncertain": self.uncertain, "partial": self.partial})


def parsed(data: str) -> dict[str, Any]:
    """What a copied conclusion says: predicate, terms, rule, uncertain, partial."""
    said: dict[str, Any] = json.loads(data)
    return said


@dataclass(frozen=True, slots=True)
class Copied:
    """What a copy cost: how many conclusions were added and how many withdrawn."""

    added: int = 0
    withdrawn: int = 0


def copied_at(view: Asked) -> tuple[int, str] | None:
    """The event that the copy is of, and which version of what is derived; None where there is no copy."""
    found = view.rows("MATCH (m:Meta {id: $id}) RETURN m.seq, m.value", {"id": MARK})
    return (found[0][0], found[0][1]) if found else None


def copied(view: Asked) -> dict[str, str]:
    """The copied conclusions, each with its print."""
    if copied_at(view) is None:
        return {}
    rows = view.rows("MATCH (d:Derived) RETURN d.id, d.print")
    return {row[0]: row[1] for row in rows}


def stand(view: GraphView, upto: int, version: str) -> bool:
    """Whether the copy is of this version; if so it is from now on the one of this event."""
    found = copied_at(view)
    if found is None or found[1] != version:
        return False
    return found[0] == upto or view.beside(lambda engine: _mark(engine, upto, version))


def copy(view: GraphView, found: Collection[Conclusion], upto: int, version: str) -> Copied | None:
    """Make the copy that of these conclusions; None where another thread is writing, which is not waited for long."""
    told: list[Copied] = []

    def act(engine: Engine) -> int:
        told.append(_copied(engine, found, upto, version))
        return told[0].added + told[0].withdrawn

    return told[0] if view.beside(act) else None


def discard(view: GraphView) -> bool:
    """Empty the copy; whether it is of no event any more."""
    found = copied_at(view)
    return found is None or found[0] == NO_EVENT or view.beside(_emptied)


def _emptied(engine: Engine) -> int:
    # the tables stay: a reader who has seen the mark may be about to ask them
    engine.rows("MATCH (d:Derived) DETACH DELETE d")
    return _mark(engine, NO_EVENT, "")


def _copied(engine: Engine, found: Collection[Conclusion], upto: int, version: str) -> Copied:
    _make_tables(engine)
    held, prints = copied(engine), {one.id: one.print for one in found}
    gone = [id_ for id_, print_ in held.items() if prints.get(id_) != print_]
    new = [one for one in found if held.get(one.id) != prints[one.id]]
    made = {one.id for one in new}
    _withdraw(engine, gone)
    _create(engine, [_node(one, prints[one.id]) for one in new])
    edges = [edge for one in new for edge in _edges(one, upto)]
    # what stays loses its relation to a premise that is made anew
    stays = [one for one in found if one.id not in made and any(id_ in made for _, id_ in one.premises)]
    edges += [edge for one in stays for edge in _edges(one, upto) if edge.kind == "Premise" and edge.target in made]
    for shape in sorted({edge.shape for edge in edges}):
        _join(engine, shape, [edge for edge in edges if edge.shape == shape])
    _mark(engine, upto, version)
    return Copied(len(new), len(gone))


@dataclass(frozen=True, slots=True)
class _Edge:
    """A relation to be made."""

    kind: str
    start: str  # the table that it leads from
    end: str
    source: str
    target: str
    columns: Mapping[str, Any]

    @property
    def shape(self) -> tuple[str, str, str]:
        """Those of one shape are made by one statement."""
        return self.kind, self.start, self.end


def _node(one: Conclusion, print_: str) -> dict[str, Any]:
    return {"id": one.id, "since": one.since, "until": one.until, "print": print_, "data": one.data}


def _edges(one: Conclusion, upto: int) -> Iterator[_Edge]:
    standing = {"seq": upto, "until_seq": FOREVER_SEQ}
    piece = {"derived": one.id, "since": one.since, "until": one.until}
    for entity in one.entities:
        yield _Edge("Concludes", "Entity", "Derived", entity, one.id, {**standing, **piece})
    for table, premise in one.premises:
        yield _Edge("Premise", "Derived", table, one.id, premise, {**standing, "premise": premise})


def _make_tables(engine: Engine) -> None:
    if copied_at(engine) is not None:
        return
    pairs = ", ".join(f"FROM Derived TO {table}" for table in PREMISES)
    engine.rows(f"CREATE NODE TABLE Derived({_columns(DERIVED)}, PRIMARY KEY(id))")
    engine.rows(f"CREATE REL TABLE Concludes(FROM Entity TO Derived, {_columns(EDGES['Concludes'])})")
    engine.rows(f"CREATE REL TABLE Premise({pairs}, {_columns(EDGES['Premise'])})")


def _columns(columns: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {kind}" for name, kind in columns.items())


def _withdraw(engine: Engine, ids: Sequence[str]) -> None:
    if len(ids) <= ONE_BY_ONE:
        for id_ in ids:
            engine.rows("MATCH (d:Derived {id: $id}) DETACH DELETE d", {"id": id_})
        return
    table = arrow([{"id": id_} for id_ in ids], {"id": TEXT}, "v_")
    engine.load("LOAD FROM $arrow MATCH (d:Derived {id: v_id}) DETACH DELETE d", table)


def _create(engine: Engine, nodes: list[dict[str, Any]]) -> None:
    if len(nodes) <= ONE_BY_ONE:
        text = f"CREATE (:Derived {{{_given(DERIVED, '$')}}})"
        for node in nodes:
            engine.rows(text, node)
        return
    engine.load(f"LOAD FROM $arrow CREATE (:Derived {{{_given(DERIVED, 'v_')}}})", arrow(nodes, DERIVED, "v_"))


def _join(engine: Engine, shape: tuple[str, str, str], edges: list[_Edge]) -> None:
    """Make relations of one shape. Where an end is not there, as when it was erased meanwhile, there is none."""
    kind, start, end = shape
    rows = [{"source": edge.source, "target": edge.target, **edge.columns} for edge in edges]
    if len(rows) <= ONE_BY_ONE:
        ends = f"MATCH (a:{start} {{id: $source}}), (b:{end} {{id: $target}})"
        for row in rows:
            engine.rows(f"{ends} CREATE (a)-[:{kind} {{{_given(EDGES[kind], '$')}}}]->(b)", row)
        return
    sources, targets = _there(engine, start, rows, "source"), _there(engine, end, rows, "target")
    present = [row for row in rows if row["source"] in sources and row["target"] in targets]
    if present:  # MERGE finds both ends by their keys, where MATCH would join whole tables
        ends = f"MERGE (a:{start} {{id: v_source}}) MERGE (b:{end} {{id: v_target}})"
        text = f"LOAD FROM $arrow {ends} CREATE (a)-[:{kind} {{{_given(EDGES[kind], 'v_')}}}]->(b)"
        engine.load(text, arrow(present, {"source": TEXT, "target": TEXT, **EDGES[kind]}, "v_"))


def _there(engine: Engine, table: str, rows: Iterable[Mapping[str, Any]], end: str) -> set[str]:
    asked = arrow([{"id": id_} for id_ in dict.fromkeys(row[end] for row in rows)], {"id": TEXT}, "v_")
    return {row[0] for row in engine.load(f"LOAD FROM $arrow MATCH (n:{table} {{id: v_id}}) RETURN n.id", asked)}


def _given(columns: Iterable[str], prefix: str) -> str:
    return ", ".join(f"{name}: {prefix}{name}" for name in columns)


def _mark(engine: Engine, upto: int, version: str) -> int:
    given = {"id": MARK, "seq": upto, "value": version}
    if copied_at(engine) is None:
        engine.rows("CREATE (:Meta {id: $id, kind: $id, seq: $seq, value: $value, log: ''})", given)
    else:
        engine.rows("MATCH (m:Meta {id: $id}) SET m.seq = $seq, m.value = $value", given)
    return 1
