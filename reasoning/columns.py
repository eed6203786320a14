"""Facts of lines on which nothing has to be weighed, as columns: most of a large memory.

A line is plain where each claim on it is: said as a fact, without a doubtful end, in no dispute, unchanged since the
instant asked about. Beside others a claim is so only where people or instruments said all of them, no other says the
same, and they hold one after the other, or beside each other as the predicate allows. A guess that lies wholly inside
the window of what somebody said has no word in it. Each claim of a plain line is then believed over its whole window:
certainly where it has a known end or start, else from when it is attested on. What is not plain is weighed.
"""

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hornbook.graph.belief.registry import Predicate
from hornbook.graph.dates import Granularity, Moment
from hornbook.graph.interval import ALWAYS, FOREVER
from hornbook.graph.names import value_key
from hornbook.reasoning.terms import key_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa

    Flags = npt.NDArray[np.bool_]
    Numbers = npt.NDArray[np.int64]

TO_ESCAPE = r'["\\\x00-\x1f]'  # what JSON writes in another way
NONE = "null"


@dataclass(frozen=True, slots=True)
class Plain:
    """Facts by relation, as `hornbook.reasoning.relation` takes them, with the column `line` beside; and the rest."""

    tables: Mapping[str, "pa.Table"] = field(default_factory=dict)
    weighed: frozenset[str] = frozenset()  # the lines that have claims and are not plain


def plain(
    said: "pa.Table", names: "pa.Table", named: Callable[[str], Predicate], wanted: Collection[str], upto: int
) -> Plain:
    """What the plain lines say, of the relations that are wanted.

    `said` has the columns of `hornbook.graph.view.facts.SAID`, and `names` says what entities are called.
    """
    import pyarrow as pa

    said = said.combine_chunks()
    if not said.num_rows:
        return Plain()
    lines = said.column("line").combine_chunks().dictionary_encode()
    found = _Claims.of(said, lines.indices.to_numpy(), named)
    ready = found.ready(upto)
    speaks = ~found.covered(ready)
    doubtful = _any_of(found.lines, ~ready | (speaks & ~found.apart(speaks)))
    weighed = frozenset(lines.dictionary.filter(pa.array(doubtful)).to_pylist())
    said = said.append_column("since", pa.array(found.since)).append_column("until", pa.array(found.until))
    rest = said.append_column("speaks", pa.array(speaks)).filter(pa.array(~doubtful[found.lines]))
    return Plain(_relations(_with_names(rest, names), named, frozenset(wanted)), weighed)


# which lines are plain


@dataclass(frozen=True, slots=True)
class _Claims:
    """Claims side by side: the number of each one's line and predicate, and its window."""

    said: "pa.Table"
    lines: "Numbers"
    predicates: "Numbers"
    known: tuple[Predicate, ...]
    since: "Numbers"
    until: "Numbers"

    @staticmethod
    def of(said: "pa.Table", lines: "Numbers", named: Callable[[str], Predicate]) -> "_Claims":
        import numpy as np

        found = said.column("predicate").combine_chunks().dictionary_encode()
        known, codes = tuple(map(named, found.dictionary.to_pylist())), found.indices.to_numpy()
        events = np.array([one.event for one in known])[codes]
        until = np.where(events, FOREVER, _numbers(said, "stop_at"))  # once it has begun an event goes on for ever
        return _Claims(said, lines.astype(np.int64), codes, known, _numbers(said, "start_at", ALWAYS), until)

    def are(self, trait: Callable[[Predicate], bool]) -> "Flags":
        """Whether each claim's predicate has a trait."""
        import numpy as np

        return np.array([trait(one) for one in self.known])[self.predicates]

    def flags(self, name: str) -> "Flags":
        """A column of the claims."""
        return _flags(self.said, name)

    def ready(self, upto: int) -> "Flags":
        """Whether each claim, were it alone on its line, would be believed over the whole of its window."""
        settled = (_numbers(self.said, "changed") <= upto) & ~self.flags("disputed") & self.flags("asserted")
        firm = self.flags("firm") | self.are(lambda one: one.event)
        ready: Flags = settled & firm & (self.since < self.until)
        return ready

    def covered(self, ready: "Flags") -> "Flags":
        """Whether each is a guess inside the window of what somebody said first on its line."""
        import numpy as np

        holds = self.said.column("polarity").to_numpy() == "holds"
        told = np.flatnonzero(ready & self.flags("external") & holds)
        told = told[np.lexsort((-self.until[told], self.since[told], self.lines[told]))]
        first = told[np.unique(self.lines[told], return_index=True)[1]]
        over = np.full(len(self.lines) and int(self.lines.max()) + 1, -1)
        over[self.lines[first]] = first
        cover = over[self.lines]
        inside = (self.since >= self.since[cover]) & (self.until <= self.until[cover])
        covered: Flags = (cover >= 0) & ready & ~self.flags("external") & inside
        return covered

    def apart(self, speaks: "Flags") -> "Flags":
        """Whether each claim can be looked at without the others on its line that have a word in it."""
        import numpy as np

        alone = np.bincount(self.lines, weights=speaks)[self.lines] == 1
        values = self.said.column("value_key").combine_chunks().dictionary_encode().indices.to_numpy()
        own = np.unique(self.lines * len(values) + values, return_inverse=True)[1]
        single = np.bincount(own, weights=speaks)[own] == 1
        bound = _any_of(self.lines, speaks & ~self.flags("free"))[self.lines]
        beside = self.are(lambda one: one.set_valued) | (self.are(lambda one: not one.declared) & ~bound)
        speaking = np.flatnonzero(speaks)
        met = np.zeros(len(speaks), dtype=bool)
        met[speaking] = _overlapping(self.lines[speaking], self.since[speaking], self.until[speaking])
        guessed = _any_of(self.lines, speaks & ~self.flags("external"))[self.lines]
        apart: Flags = alone | (single & ~guessed & (beside | ~_any_of(self.lines, met)[self.lines]))
        return apart


def _overlapping(lines: "Numbers", starts: "Numbers", until: "Numbers") -> "Flags":
    """Whether each window begins before the one before it on its line has ended."""
    import numpy as np

    order = np.lexsort((starts, lines))
    found = np.zeros(len(lines), dtype=bool)
    same = lines[order[1:]] == lines[order[:-1]]
    found[order[1:]] = same & (starts[order[1:]] < until[order[:-1]])
    return found


def _any_of(codes: "Numbers", flags: "Flags") -> "Flags":
    """For each code whether any row of it is flagged."""
    import numpy as np

    found: Flags = np.bincount(codes, weights=flags) > 0
    return found


def _flags(said: "pa.Table", name: str) -> "Flags":
    import numpy as np

    return np.asarray(said.column(name).to_numpy(), dtype=bool)


def _numbers(said: "pa.Table", name: str, missing: int = 0) -> "Numbers":
    import numpy as np

    return np.asarray(said.column(name).fill_null(missing).to_numpy(), dtype=np.int64)


# what they say


def _with_names(said: "pa.Table", names: "pa.Table") -> "pa.Table":
    """The columns `name` and `key`: what a line's entity is called, as JSON, and the key of that as a term."""
    import pyarrow.compute as pc

    place = pc.index_in(said.column("entity"), value_set=names.column("id").combine_chunks())
    for name in ("name", "key"):
        said = said.append_column(name, _quoted(names.column(name).take(place)))
    return said


def _quoted(texts: "pa.ChunkedArray") -> "pa.Array":
    """Texts as JSON."""
    import pyarrow as pa
    import pyarrow.compute as pc

    column = texts.combine_chunks()
    if pc.any(pc.match_substring_regex(column, TO_ESCAPE)).as_py():
        return pa.array([json.dumps(text, ensure_ascii=False) for text in column.to_pylist()], pa.string())
    quote = pa.scalar('"', pa.string())
    return pc.binary_join_element_wise(quote, column, quote, pa.scalar("", pa.string()))


def _relations(said: "pa.Table", named: Callable[[str], Predicate], wanted: frozenset[str]) -> dict[str, "pa.Table"]:
    import pyarrow.compute as pc

    found: dict[str, list[pa.Table]] = {}
    for text in pc.unique(said.column("predicate")).to_pylist():
        predicate, own = named(text), said.filter(pc.equal(said.column("predicate"), text))
        folded = _folded(own.column("value_key")) if predicate.exact else own.column("value_key")
        own = own.append_column("folded", folded)
        for sign, polarity in (("", "holds"), ("-", "not")):
            side = own.filter(pc.equal(own.column("polarity"), polarity))
            if sign + predicate.key in wanted:
                found.setdefault(sign + predicate.key, []).append(_facts(side))
            if "claim" in wanted:
                found.setdefault("claim", []).append(_claims(side, sign + text))
    return {name: _joined(tables) for name, tables in found.items()}


def _joined(tables: "list[pa.Table]") -> "pa.Table":
    import pyarrow as pa

    return pa.concat_tables(tables).combine_chunks()


def _facts(said: "pa.Table") -> "pa.Table":
    """Claims as facts of their predicate, a row a piece."""
    import pyarrow as pa
    import pyarrow.compute as pc

    said = said.filter(said.column("speaks"))
    rows, since, until, uncertain = _pieces(said)
    said = said.take(rows)
    mirrored, value = said.column("mirrored"), said.column("value")
    if pc.any(mirrored).as_py():
        value = pc.if_else(mirrored, _quoted(said.column("subject")), value)
    columns = {
        "k0": said.column("key"),
        "k1": said.column("folded"),
        "v0": said.column("name"),
        "v1": value,
        "id": said.column("id"),
        "valid_from": since,
        "valid_to": until,
        "confidence": said.column("confidence"),
        "uncertain": uncertain,
        "external": said.column("external"),
        "line": said.column("line"),
    }
    return pa.table(columns)


def _pieces(said: "pa.Table") -> "tuple[Numbers, Numbers, Numbers, Flags]":
    """The pieces over which claims are believed: which claim each is of, its two ends, and whether it is uncertain.

    With neither a start nor an end a claim is certain from when it is attested on, and before that is possible.
    """
    import numpy as np

    since, until, attested = (_numbers(said, name, FOREVER) for name in ("since", "until", "attested_at"))
    dated = (since > ALWAYS) | (_numbers(said, "end_at", FOREVER) < FOREVER)
    later = np.flatnonzero(~dated & (attested < FOREVER))
    first = np.where(dated, until, np.minimum(attested, until))
    rows = np.concatenate([np.arange(len(since)), later])
    uncertain = np.concatenate([~dated, np.zeros(len(later), dtype=bool)])
    return rows, np.concatenate([since, attested[later]]), np.concatenate([first, until[later]]), uncertain


def _claims(said: "pa.Table", predicate: str) -> "pa.Table":
    """Claims as rows of the relation `claim`, each once: on the line that it was said on."""
    import pyarrow as pa
    import pyarrow.compute as pc

    said = said.filter(pc.invert(said.column("mirrored")))
    many, spoken = said.num_rows, json.dumps(predicate, ensure_ascii=False)
    shown = [
        _quoted(said.column("id")),
        said.column("name"),
        pa.repeat(spoken, many),
        said.column("value"),
        pa.array([json.dumps(one) for one in said.column("confidence").to_pylist()], pa.string()),
        _dates(said, "start"),
        _dates(said, "end"),
        _quoted(said.column("provenance")),
    ]
    keys = [_keys(column) for column in shown]
    keys[1], keys[2], keys[3] = said.column("key"), pa.repeat(key_of_json(spoken), many), said.column("folded")
    columns = {f"k{place}": column for place, column in enumerate(keys)}
    columns |= {f"v{place}": column for place, column in enumerate(shown)}
    columns |= {name: said.column(name) for name in ("id", "confidence", "external", "line")}
    return pa.table(columns)


def key_of_json(text: str) -> str:
    """The key of a term that is written as JSON."""
    return key_of(json.loads(text))


def _keys(column: Any) -> Any:
    return _mapped(column, key_of_json)


def _folded(column: Any) -> Any:
    return _mapped(column, lambda key: value_key(json.loads(key)))


def _mapped(column: Any, change: Callable[[str], str]) -> Any:
    """A column with each text changed, each once."""
    import pyarrow as pa

    found = (column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column).dictionary_encode()
    return pa.array([change(text) for text in found.dictionary.to_pylist()], pa.string()).take(found.indices)


def _dates(said: "pa.Table", end: str) -> "pa.Array":
    """An end of each window as it was said, as JSON."""
    import pyarrow as pa

    ends = zip(said.column(f"{end}_at").to_pylist(), said.column(f"{end}_as").to_pylist(), strict=True)
    return pa.array([NONE if at is None else f'"{Moment(at, Granularity(kind))}"' for at, kind in ends], pa.string())
