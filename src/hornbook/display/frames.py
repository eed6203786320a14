"""Claims and lines as data frames, in whichever library is installed."""

from collections.abc import Iterator
from datetime import datetime
from importlib import import_module
from typing import Any

from hornbook.display.markup import said
from hornbook.graph.belief.state import Held
from hornbook.graph.claims.believe import Answer, believe_all
from hornbook.graph.claims.lines import claim_rows as by_id
from hornbook.graph.claims.lines import written
from hornbook.graph.clock import as_datetime
from hornbook.graph.dates import Moment
from hornbook.graph.errors import InvalidArgument
from hornbook.graph.store import Reading
from hornbook.graph.view import queries

LIBRARIES = ("pandas", "polars")
Column = tuple[str, type]

CLAIMS: tuple[Column, ...] = (
    ("claim_ref", str),
    ("subject", str),
    ("predicate", str),
    ("value", str),
    ("polarity", str),
    ("mood", str),
    ("provenance", str),
    ("disposition", str),
    ("live", bool),
    ("contested", bool),
    ("valid_from", datetime),
    ("valid_to", datetime),
    ("recorded_at", datetime),
    ("occurred_at", datetime),
    ("confidence", float),
    ("speaker", str),
    ("source", str),
    ("evidence", str),
)
LINES: tuple[Column, ...] = (
    ("subject", str),
    ("predicate", str),
    ("status", str),
    ("value", str),
    ("alternatives", int),
    ("valid_from", datetime),
    ("valid_to", datetime),
    ("confidence", float),
    ("statements", int),
    ("last_stated_at", datetime),
    ("claim_ref", str),
)
Rows = tuple[tuple[Column, ...], list[tuple[Any, ...]]]


def library_of(name: str | None) -> str:
    """The library that a frame is made with: the one named, else the first that is installed."""
    if name is not None and name not in LIBRARIES:
        raise InvalidArgument(f"there is no library {name[:40]!r} here", field="library", valid=LIBRARIES)
    for one in (name,) if name else LIBRARIES:
        try:
            import_module(one)
        except ImportError:
            continue
        return one
    missing = f"{name} is not" if name else "neither pandas nor polars is"
    raise InvalidArgument(
        f"a data frame cannot be made: {missing} installed", field="library", hint=f"pip install {name or LIBRARIES[0]}"
    )


def frame(library: str, rows: Rows) -> Any:
    """Rows as a frame whose columns have their types, also where there is no row."""
    columns, found = rows
    given = {name: [row[at] for row in found] for at, (name, _) in enumerate(columns)}
    made: Any = import_module(library)
    if library == "polars":
        kinds = {str: made.String, bool: made.Boolean, float: made.Float64, int: made.Int64}
        schema = {name: kinds.get(kind) or made.Datetime("us", "UTC") for name, kind in columns}
        return made.DataFrame(given, schema=schema)
    kinds = {str: "object", bool: "bool", float: "float64", int: "int64", datetime: "datetime64[us, UTC]"}
    return made.DataFrame({name: made.Series(given[name], dtype=kinds[kind]) for name, kind in columns})


def claim_rows(reading: Reading) -> Rows:
    """Every claim, oldest first."""
    return CLAIMS, [_claim(one) for one in sorted(by_id(reading, written(reading)), key=lambda one: one.seq)]


def _claim(one: Held) -> tuple[Any, ...]:
    claim, state = one.claim, one.state
    return (
        claim.id,
        said(claim.subject),
        claim.predicate,
        said(claim.value),
        claim.polarity.value,
        claim.mood.value,
        claim.provenance.value,
        state.disposition.value,
        state.live,
        bool(state.rivals),
        _moment(state.valid.start),
        _moment(state.valid.end),
        as_datetime(one.known_at),
        _moment(claim.occurred_at),
        claim.confidence,
        claim.speaker,
        claim.source,
        claim.evidence,
    )


def line_rows(reading: Reading, at: int) -> Rows:
    """Every line as it stands at a valid instant, by entity in the order in which they came to be."""
    return LINES, [_line(answer) for answer in _answers(reading, at)]


def _answers(reading: Reading, at: int) -> Iterator[Answer]:
    for entity in reading.ask(queries.all_entities, upto=reading.upto):
        if entity.merged_into is None:
            for answer in believe_all(reading, entity.id, at):
                yield Answer(entity.name, answer.predicate, answer.belief, answer.as_known, answer.event)


def _line(answer: Answer) -> tuple[Any, ...]:
    primary = answer.belief.primary
    told: tuple[Any, ...] = (None, None, None, 0, None, None)
    if primary is not None:
        ends = _moment(primary.valid.start), _moment(primary.valid.end)
        told = (*ends, primary.confidence, primary.evidence_count, as_datetime(primary.stated_at), primary.claim_ref)
    value = None if primary is None else said(primary.value)
    return (answer.subject, answer.predicate, answer.status, value, len(answer.alternatives), *told)


def _moment(moment: Moment | None) -> datetime | None:
    return None if moment is None else as_datetime(moment.at)
