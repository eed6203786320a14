"""Adding rules: read, checked and evaluated before anything is written; and taking them out of force."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hornbook.graph.displayed import Displayed, counted
from hornbook.graph.store import Reading, Writing
from hornbook.graph.view import queries
from hornbook.reasoning.compiled import Compiled
from hornbook.reasoning.derived import Derivation, conclusions
from hornbook.reasoning.errors import ArityMismatch
from hornbook.reasoning.evaluate import place_of, unknown
from hornbook.reasoning.maintain import close
from hornbook.reasoning.parse import parse_program
from hornbook.reasoning.relation import SPECIAL
from hornbook.reasoning.rulebook import ADDED, REMOVED, Stated, in_force, ready, removed, stated


@dataclass(frozen=True, slots=True, repr=False)
class Added(Displayed):
    """The rules of a program, those of them that are new, how much more and how much less is derived with them.

    `warnings` say what to look at again: `{"code", "message", "line"}`.
    """

    rules: tuple[Stated, ...]
    new: tuple[Stated, ...]
    derived: int
    withdrawn: int
    warnings: tuple[dict[str, Any], ...]

    def _told(self) -> Iterator[str]:
        yield counted(len(self.rules), "rule")
        yield f"{len(self.new)} new"
        yield f"{self.derived} derived"
        yield f"{self.withdrawn} withdrawn"
        if self.warnings:
            yield counted(len(self.warnings), "warning")

    def as_dict(self) -> dict[str, Any]:
        """The reply."""
        return {
            "rules": [rule.as_dict() for rule in self.rules],
            "derived": self.derived,
            "withdrawn": self.withdrawn,
            "warnings": list(self.warnings),
        }


def prepare(reading: Reading, derivation: Derivation, text: str, pack: str | None) -> Added:
    """Everything that adding a program needs, decided on what is known now. Raises a RuleError with the place."""
    rules = stated(parse_program(text), pack)
    before = derivation.rules(reading)
    new = tuple(rule for rule in rules if rule.rule_id not in before)
    compiled = ready(reading, before.values(), text)
    refuse_arities(reading, compiled)
    warnings = tuple(_warnings(reading, compiled, text))
    if not new:
        return Added(rules, (), 0, 0, warnings)
    with derivation.at(reading) as current:
        known = conclusions(current.result)
    after = derivation.evaluated(reading, before, frozenset(), compiled)
    try:
        found = conclusions(after.result)
    finally:
        close(after.result)
    return Added(rules, new, len(found - known), len(known - found), warnings)


def refuse_arities(reading: Reading, compiled: Compiled) -> None:
    """A predicate that somebody spoke of has a subject and a value."""
    said = set(reading.ask(queries.predicates_said, upto=reading.upto))
    for name, arity in sorted(compiled.arities.items()):
        if arity != 2 and name.removeprefix("-") in said and name not in SPECIAL:
            problem = f"{name} has {arity} arguments here and 2 in the memory"
            raise ArityMismatch(problem, place_of(compiled, name), compiled.program.text, mend=f"write {name}(x, y)")


def _warnings(reading: Reading, compiled: Compiled, text: str) -> Iterator[dict[str, Any]]:
    """The predicates of the text that nobody spoke of and no rule concludes."""
    known = {*reading.ask(queries.predicates_said, upto=reading.upto), *SPECIAL}
    negative = {f"-{name}" for name in known | compiled.heads}
    lines = len(text.splitlines())
    for name, where, close_by in unknown(compiled, known | negative):
        if 0 < where.line <= lines:
            mend = f"; did you mean {' or '.join(close_by)}?" if close_by else ""
            message = f"nothing is recorded or derived under {name} so far{mend}"
            yield {"code": "unknown_predicate", "message": message, "line": where.line}


def record(writing: Writing, text: str, prepared: Added) -> None:
    """Put the new rules in force, unless others that came in between do not go with them."""
    before = in_force(writing)
    new = [rule for rule in prepared.rules if rule.rule_id not in before]
    if new:
        ready(writing, before.values(), text)
        writing.append(ADDED, {"rules": [rule.as_dict() for rule in new]})


def remove(writing: Writing, rule_id: str) -> Stated:
    """Take a rule out of force; NotFound where it is not."""
    gone = removed(in_force(writing), rule_id.strip().lower())
    writing.append(REMOVED, {"rule_id": gone.rule_id})
    return gone
