"""Facts as they come in, and tuples as they come out.

Facts = {predicate: relation}; a relation is a list of `Fact`, or an Arrow table with the columns
    k0, k1, …      the keys of the terms, texts (`hornbook.reasoning.terms`)
    v0, v1, …      the terms as written, JSON texts; may be left out, the keys are then shown
    id             the claim's id, text
    valid_from, valid_to   int64 microseconds, ±2**62 where open; left out: always
    confidence     double; left out: 1
    uncertain      bool, the widest interval that the claim can have was taken; left out: false
    external       bool, stated by a person or an instrument; left out: true
"""

import json
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from hornbook.graph.interval import ALWAYS, FOREVER
from hornbook.reasoning.compiled import NAMESPACE
from hornbook.reasoning.terms import Key, key_of

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Fact:
    """One row of a relation. `keys` is given where equality was decided otherwise (an exact predicate, an entity)."""

    terms: tuple[Any, ...]
    id: str
    valid_from: int = ALWAYS
    valid_to: int = FOREVER
    confidence: float = 1.0
    uncertain: bool = False
    external: bool = True
    keys: tuple[Key, ...] | None = None

    @property
    def key(self) -> tuple[Key, ...]:
        """The keys of the terms."""
        return self.keys if self.keys is not None else tuple(map(key_of, self.terms))


Relation: TypeAlias = "Sequence[Fact] | pa.Table"
Facts: TypeAlias = Mapping[str, Relation]


@dataclass(frozen=True, slots=True)
class Row:
    """One piece of one tuple, asserted or derived, with what it was derived from.

    `rule` is the number of the plan, None for a fact; `premises` are the ids of rows, smaller than its own.
    """

    id: int
    predicate: str
    keys: tuple[Key, ...]
    start: int = ALWAYS
    end: int = FOREVER
    uncertain: bool = False
    rule: int | None = None
    premises: tuple[int, ...] = ()
    source: str | None = None
    confidence: float = 1.0
    external: bool = True


@dataclass(frozen=True, slots=True)
class Tuple:
    """What holds, as it is shown: the terms as written, over one coalesced interval."""

    predicate: str
    terms: tuple[Any, ...]
    keys: tuple[Key, ...]
    start: int = ALWAYS
    end: int = FOREVER
    uncertain: bool = False

    @property
    def id(self) -> str:
        """The same tuple over the same piece has the same id, on every machine."""
        return derived_id(self.predicate, self.keys, self.start, self.end)


def derived_id(predicate: str, keys: Iterable[Key], start: int, end: int) -> str:
    """uuid5 of predicate, terms and valid piece."""
    return str(uuid.uuid5(NAMESPACE, json.dumps([predicate, *keys, start, end], ensure_ascii=False)))


def facts_of(relation: Relation) -> Iterator[Fact]:
    """The rows of a relation, whichever form it has."""
    if isinstance(relation, Sequence):
        yield from relation
        return
    columns = {name: relation.column(name).to_pylist() for name in relation.column_names}
    arity = arity_of(relation) or 0
    count = relation.num_rows
    for row in range(count):
        keys = tuple(columns[f"k{place}"][row] for place in range(arity))
        shown = tuple(columns[f"v{place}"][row] if f"v{place}" in columns else keys[place] for place in range(arity))
        rest = {name: columns[name][row] for name in REST if name in columns}
        yield Fact(tuple(map(json.loads, shown)), columns["id"][row], keys=keys, **rest)


REST = ("valid_from", "valid_to", "confidence", "uncertain", "external")


def arity_of(relation: Relation) -> int | None:
    """The number of arguments, None where there is no row to tell."""
    if isinstance(relation, Sequence):
        return len(relation[0].terms) if relation else None
    return len([name for name in relation.column_names if name[0] == "k" and name[1:].isdigit()])


def as_table(relation: Relation, arity: int) -> "pa.Table":
    """The relation as an Arrow table with every column."""
    import pyarrow as pa

    if isinstance(relation, Sequence):
        return _table(relation, arity)
    names = set(relation.column_names)
    for place in range(arity):
        if f"v{place}" not in names:
            relation = relation.append_column(f"v{place}", relation.column(f"k{place}"))
    for name, (kind, default) in DEFAULTS.items():
        if name not in names:
            relation = relation.append_column(name, pa.repeat(pa.scalar(default, kind), relation.num_rows))
    return relation


def _table(rows: Sequence[Fact], arity: int) -> "pa.Table":
    import pyarrow as pa

    keys = [row.key for row in rows]
    columns: dict[str, Any] = {f"k{n}": pa.array([key[n] for key in keys], pa.string()) for n in range(arity)}
    for n in range(arity):
        columns[f"v{n}"] = pa.array([json.dumps(row.terms[n], ensure_ascii=False) for row in rows], pa.string())
    columns["id"] = pa.array([row.id for row in rows], pa.string())
    for name, (kind, _) in DEFAULTS.items():
        columns[name] = pa.array([getattr(row, name) for row in rows], kind)
    return pa.table(columns)


def nothing(arity: int) -> "pa.Table":
    """A relation without rows, whose arity is known."""
    import pyarrow as pa

    return pa.table({name: pa.array([], pa.string()) for name in (*(f"k{place}" for place in range(arity)), "id")})


# relations that tell of the memory itself, and their arities; what was recorded, never what was derived
SPECIAL = {"claim": 8, "contested": 2, "entity": 3, "alias": 2, "mentions": 2, "episode": 4}

DEFAULTS: dict[str, tuple[Any, Any]] = {
    "valid_from": ("int64", ALWAYS),
    "valid_to": ("int64", FOREVER),
    "confidence": ("float64", 1.0),
    "uncertain": ("bool", False),
    "external": ("bool", True),
}
