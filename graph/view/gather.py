"""Ops gathered into columns: how a view is built anew. `hornbook.graph.view.fold` says plainly what must come out.

A table's rows are turned into Arrow columns a few thousand at a time, while they are at hand; of a row that changes
later the change is noted, and worked in at the end. So no row of a large store stands in memory as an object.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from hornbook.graph.view.ops import Link, Op, Put, Set, Unlink
from hornbook.graph.view.project import Recorded, projected
from hornbook.graph.view.schema import DECIMAL, ENDS, FLAG, FOREVER_SEQ, NODES, NUMBER, RELATIONS, TEXT

if TYPE_CHECKING:
    import pyarrow as pa

AT_ONCE = 4_096  # rows turned into columns together


class Columns:
    """The whole graph in the making."""

    def __init__(self) -> None:
        self.nodes = {table: _Nodes(columns) for table, columns in NODES.items()}
        self.relations = {
            name: _Relations(name, self.nodes[spec.source].place, self.nodes[spec.target].place)
            for name, spec in RELATIONS.items()
        }

    def tables(self) -> Iterator[tuple[str, "pa.Table"]]:
        """Every table that has rows, nodes first."""
        for name, nodes in self.nodes.items():
            if nodes.place:
                yield name, nodes.finished()
        for name, relations in self.relations.items():
            if relations.many:
                yield name, relations.finished()

    def take(self, op: Op) -> None:
        """Apply one op."""
        if isinstance(op, Link):
            self.relations[op.relation].add(op)
        elif isinstance(op, Put):
            if self.nodes[op.table].add(op):
                for link in op.links:
                    self.relations[link.relation].add(link)
        elif isinstance(op, Set):
            self.nodes[op.table].set(op)
        else:
            self.relations[op.relation].end(op)


class _Pile:
    """Rows, of which most are columns already. Whoever adds one turns them when there are AT_ONCE."""

    def __init__(self, columns: dict[str, str]) -> None:
        self.columns = columns
        self.rows: list[tuple[Any, ...]] = []
        self.done: list[pa.Table] = []

    def turn(self) -> None:
        """Turn the rows at hand into columns."""
        if self.rows:
            self.done.append(table_of(zip(*self.rows, strict=True), self.columns))
            self.rows.clear()

    def row(self, number: int) -> tuple[Any, ...]:
        """One row."""
        part, place = divmod(number, AT_ONCE)
        return (
            tuple(self.done[part].slice(place, 1).to_pylist()[0].values())
            if part < len(self.done)
            else self.rows[place]
        )

    def column(self, name: str) -> list[Any]:
        """The values of a column so far."""
        at = list(self.columns).index(name)
        done = [value for part in self.done for value in part.column(name).to_pylist()]
        return done + [row[at] for row in self.rows]

    def whole(self) -> "pa.Table":
        """All of it."""
        import pyarrow as pa

        self.turn()
        return pa.concat_tables(self.done).combine_chunks()


class _Nodes:
    """The nodes of a table, and what changed about them since they were put there."""

    def __init__(self, columns: dict[str, str]) -> None:
        self.place: dict[str, int] = {}
        self.pile = _Pile(columns)
        self.values = _values(tuple(name for name in columns if name != "id"))
        self.changed: dict[int, dict[str, Any]] = {}
        self.logged: dict[int, str] = {}

    def add(self, op: Put) -> bool:
        """Whether it is new: the first record of an id stands."""
        place, id_ = self.place, op.id
        if id_ in place:
            return False
        place[id_] = len(place)
        rows = self.pile.rows
        rows.append((id_, *self.values(op.columns)))
        if len(rows) == AT_ONCE:
            self.pile.turn()
        return True

    def set(self, op: Set) -> None:
        """Note a change."""
        number = self.place.get(op.id)
        if number is None:
            return
        self.changed.setdefault(number, {}).update(op.columns)
        if op.entry:
            self.logged[number] = self.logged.get(number, "") + op.entry

    def finished(self) -> "pa.Table":
        """The table, changes worked in."""
        import pyarrow as pa

        table, changed = self.pile.whole(), self.changed
        touched = {name for columns in changed.values() for name in columns} | ({"log"} if self.logged else set())
        for place, name in enumerate(table.column_names):
            if name in touched:
                values = table.column(name).to_pylist()
                for number, columns in changed.items():
                    if name in columns:
                        values[number] = columns[name]
                for number, more in self.logged.items() if name == "log" else ():
                    values[number] += more
                table = table.set_column(place, name, pa.array(values, table.schema.field(name).type))
        return table


def _values(names: tuple[str, ...]) -> "Callable[[Mapping[str, Any]], tuple[Any, ...]]":
    """What reads some columns of a row, one after the other."""
    if len(names) > 1:
        return itemgetter(*names)
    return lambda row: tuple(row[name] for name in names)


class _Relations:
    """The relations of a table, and which of them have ended."""

    def __init__(self, name: str, sources: Mapping[str, int], targets: Mapping[str, int]) -> None:
        spec = RELATIONS[name]
        self.sources, self.targets = sources, targets
        self.columns = spec.columns
        self.ends = ENDS[name]
        self.more = tuple(each for each in spec.columns if each not in ("seq", "until_seq", *self.ends))
        kinds = {"source": TEXT, "target": TEXT, "seq": NUMBER, **{each: spec.columns[each] for each in self.more}}
        self.pile, self.values = _Pile(kinds), _values(self.more)
        self.many = 0
        self.ended: dict[int, int] = {}
        self.standing: dict[str, list[int]] | None = None  # by source; made when the first is to end

    def add(self, op: Link) -> None:
        """One more, where both ends are there."""
        _, source, target, seq, more = op
        if source not in self.sources or target not in self.targets:
            return
        rows = self.pile.rows
        rows.append((source, target, seq, *self.values(more)) if self.more else (source, target, seq))
        if len(rows) == AT_ONCE:
            self.pile.turn()
        if self.standing is not None:
            self.standing.setdefault(source, []).append(self.many)
        self.many += 1

    def end(self, op: Unlink) -> None:
        """The end of those that fit."""
        if self.standing is None:
            self.standing = {}
            for number, source in enumerate(self.pile.column("source")):
                self.standing.setdefault(source, []).append(number)
        for number in self.standing.get(op.source, ()):
            if number not in self.ended and self._fits(number, op):
                self.ended[number] = op.until_seq

    def _fits(self, number: int, op: Unlink) -> bool:
        row = dict(zip(self.pile.columns, self.pile.row(number), strict=True))
        return op.target in (None, row["target"]) and all(row[key] == value for key, value in op.match.items())

    def finished(self) -> "pa.Table":
        """The table, with the columns that repeat the ids of its ends."""
        import numpy as np
        import pyarrow as pa

        table = self.pile.whole()
        until = np.full(table.num_rows, FOREVER_SEQ)
        until[list(self.ended)] = list(self.ended.values())
        given = {name: table.column(name) for name in table.column_names} | {"until_seq": pa.array(until)}
        given |= {name: table.column(end) for name, end in self.ends.items()}
        return pa.table({name: given[name] for name in ("source", "target", *self.columns)})


def table_of(values: Iterable[Iterable[Any]], columns: dict[str, str]) -> "pa.Table":
    """Values as an Arrow table, a column after the other."""
    import pyarrow as pa

    kinds: dict[str, Any] = {TEXT: pa.string(), NUMBER: pa.int64(), FLAG: pa.bool_(), DECIMAL: pa.float64()}
    given = zip(columns.items(), values, strict=True)
    return pa.table({name: pa.array(column, kinds[kind]) for (name, kind), column in given})


def gathered(events: Iterable[Recorded]) -> Columns:
    """The columns after the events."""
    columns = Columns()
    take = columns.take
    for event in events:
        for op in projected(event.seq, event.kind, event.body):
            take(op)
    return columns
