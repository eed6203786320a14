"""Aggregates, an instant at a time: what is counted, and over which stretches the count stays the same."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from hornbook.reasoning.intervals import Piece, segments
from hornbook.reasoning.match import Base, Solution
from hornbook.reasoning.plan import Aggregate, Plan
from hornbook.reasoning.syntax import Const, Var
from hornbook.reasoning.terms import NUMBER, Key, rank


@dataclass(frozen=True, slots=True)
class Grouped:
    """A head of an aggregated rule, the stretch over which it holds, and the rows that count there."""

    keys: tuple[Key, ...]
    piece: Piece
    uncertain: bool
    rows: tuple[int, ...]


def grouped(base: Base, plan: Plan, found: Iterable[Solution]) -> Iterator[Grouped]:
    """The heads that an aggregated rule gives, its body's matches being given."""
    groups: dict[tuple[Key | None, ...], list[Solution]] = {}
    for solution in found:
        groups.setdefault(group_of(base, plan, solution), []).append(solution)
    for members in groups.values():
        for piece in segments(each.piece for each in members):
            inside = [each for each in members if each.piece[0] <= piece[0] and piece[1] <= each.piece[1]]
            if inside:
                yield from _head(base, plan, inside, piece)


def group_of(base: Base, plan: Plan, solution: Solution) -> tuple[Key | None, ...]:
    """The head's keys, None at the aggregates."""
    return tuple(None if isinstance(each, Aggregate) else column(base, each, solution) for each in plan.out)


def column(base: Base, each: Var | Const, solution: Solution) -> Key:
    """One column of a head."""
    return base.key(each.value) if isinstance(each, Const) else solution.keys[each.name]


def _head(base: Base, plan: Plan, inside: Sequence[Solution], piece: Piece) -> Iterator[Grouped]:
    matches: dict[Any, list[Solution]] = {}
    for each in inside:
        matches.setdefault(tuple(row.keys for row in each.rows), []).append(each)
    keys: list[Key] = []
    for out in plan.out:
        if isinstance(out, Aggregate):
            key = _aggregate(base, out, [found[0].keys.get(out.over or "") for found in matches.values()])
        else:
            key = column(base, out, inside[0])
        if key is None:
            return
        keys.append(key)
    uncertain = any(all(each.uncertain for each in found) for found in matches.values())
    rows = tuple(sorted({row.id for each in inside for row in each.rows}))
    yield Grouped(tuple(keys), piece, uncertain, rows)


def _aggregate(base: Base, wanted: Aggregate, keys: Sequence[Key | None]) -> Key | None:
    """One aggregate over one key a distinct match. A sum of what is no number has no value."""
    given = [key for key in keys if key is not None]
    if wanted.name == "count":
        return base.made(len(set(given)) if wanted.over else len(keys))
    if wanted.name in ("min", "max"):
        return (min if wanted.name == "min" else max)(given, key=rank)
    if any(rank(key)[0] != NUMBER for key in given):
        return None
    total = sum(rank(key)[1] for key in given)
    return base.made(total if wanted.name == "sum" else total / len(given))
