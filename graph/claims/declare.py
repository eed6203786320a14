"""Declaring predicates: how a tenant's own behave, or that a built-in one behaves otherwise here."""

from collections.abc import Iterator, Mapping
from typing import Any

from hornbook.graph.belief.registry import from_toml
from hornbook.graph.claims import changes
from hornbook.graph.store import Writing


def declare(writing: Writing, declarations: Mapping[str, Any] | str) -> None:
    """Record declarations, a mapping or TOML; lines of the predicates are gated again."""
    for one in _each(writing, declarations):
        registry = writing.registry.declare(one)  # refused here, before anything is recorded
        writing.append("predicate.declared", {"reason": "declared", **one})
        predicate = registry.named(str(one["predicate"]))
        changes.settle_lines_of(writing, predicate.key, "its predicate was declared anew")


def _each(writing: Writing, declarations: Mapping[str, Any] | str) -> Iterator[Mapping[str, Any]]:
    if isinstance(declarations, str):
        known = len(writing.registry.own)
        yield from from_toml(declarations, writing.registry).own[known:]
    else:
        yield declarations
