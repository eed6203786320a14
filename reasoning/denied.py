"""Broken denials as annotations: which lines they hit, over which interval. They change nothing."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hornbook.reasoning.compiled import rule_id
from hornbook.reasoning.evaluate import Result
from hornbook.reasoning.relation import SPECIAL, Row


@dataclass(frozen=True, slots=True)
class Denied:
    """A denial whose body holds over `[start, end)`, and the rows of one line that it holds by."""

    rule_id: str
    rule: str
    start: int
    end: int
    rows: tuple[Row, ...]

    @property
    def marker(self) -> str:
        """How a belief is marked."""
        return f"Denied({self.rule_id})"


BEYOND = "denied."  # cursors of pages that begin after the last disputed line


def offset_of(cursor: str | None) -> int | None:
    """How many denied lines came before a page; None where its cursor is of the disputed ones.

    >>> offset_of("denied.20"), offset_of("412"), offset_of(None)
    (20, None, None)
    """
    number = (cursor or "").removeprefix(BEYOND)
    return int(number) if cursor and cursor.startswith(BEYOND) and number.isdigit() and len(number) < 9 else None


Line = tuple[str, str]  # the predicate and the key of the subject


def denied_lines(result: Result) -> Mapping[Line, tuple[Denied, ...]]:
    """The broken denials by the lines whose facts or conclusions they rest on."""
    found: dict[Line, list[Denied]] = {}
    for plan in result.compiled.plans:
        if not plan.head.startswith("!"):
            continue
        id_, text = rule_id(plan.rule), str(plan.rule)
        for row in result.base.all(plan.head):
            for line, rows in _lines(result, row):
                found.setdefault(line, []).append(Denied(id_, text, row.start, row.end, rows))
    return {line: tuple(broken) for line, broken in found.items()}


def _lines(result: Result, row: Row) -> Iterator[tuple[Line, tuple[Row, ...]]]:
    """The lines that a broken denial's premises are on, each with its premises."""
    lines: dict[Line, list[Row]] = {}
    for number in row.premises:
        premise = result.base.row(number)
        predicate = premise.predicate.removeprefix("-")
        if len(premise.keys) == 2 and predicate not in SPECIAL:
            lines.setdefault((predicate, premise.keys[0]), []).append(premise)
    return ((line, tuple(rows)) for line, rows in lines.items())
