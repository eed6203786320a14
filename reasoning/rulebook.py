"""The rules in force: added and removed by events, made ready in the memory's own words."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hornbook.graph import entities
from hornbook.graph.belief.registry import Registry
from hornbook.graph.claim import Cardinality
from hornbook.graph.displayed import Displayed, brief, counted
from hornbook.graph.errors import NotFound
from hornbook.graph.events import Event
from hornbook.graph.store import Reading, Writing
from hornbook.reasoning.canonical import canonical_program, with_declarations, with_inverses
from hornbook.reasoning.compiled import Compiled, compile, statement_id
from hornbook.reasoning.errors import ReservedName
from hornbook.reasoning.parse import parse_program
from hornbook.reasoning.relation import SPECIAL
from hornbook.reasoning.syntax import Declaration, Program, Rule

ADDED, REMOVED = "rules.added", "rule.removed"
KINDS = (ADDED, REMOVED)


@dataclass(frozen=True, slots=True, repr=False)
class Stated(Displayed):
    """A rule, a denial or a declaration that is in force; `pack` names the pack it came with."""

    rule_id: str
    text: str
    pack: str | None = None

    def _told(self) -> Iterator[str]:
        yield brief(self.text, 100)
        yield f"rule_id={self.rule_id!r}"

    def as_dict(self) -> dict[str, Any]:
        """For events and replies."""
        shown = {"rule_id": self.rule_id, "text": self.text}
        return {**shown, "pack": self.pack} if self.pack else shown


class Rulebook(Displayed, tuple[Stated, ...]):
    """The statements in force, in the order in which they were added."""

    __slots__ = ()

    def _told(self) -> Iterator[str]:
        yield counted(len(self), "rule")
        yield from (brief(one.text) for one in self)


def folded(before: Mapping[str, Stated], events: Iterable[Event]) -> dict[str, Stated]:
    """The rules in force after some more events, in the order in which they were added."""
    found = dict(before)
    for event in events:
        if event.body is None:
            continue
        if event.kind == ADDED:
            found |= {
                one["rule_id"]: Stated(one["rule_id"], one["text"], one.get("pack")) for one in event.body["rules"]
            }
        elif event.kind == REMOVED:
            found.pop(event.body["rule_id"], None)
    return found


def in_force(asking: Reading | Writing) -> dict[str, Stated]:
    """The rules in force, read from the journal."""
    return folded({}, asking.snapshot.events(0, asking.upto, kinds=KINDS))


def stated(program: Program, pack: str | None = None) -> tuple[Stated, ...]:
    """The statements of a program, each once, declarations first."""
    statements: tuple[Rule | Declaration, ...] = (*program.declarations, *program.rules)
    found = {statement_id(each): Stated(statement_id(each), str(each), pack) for each in statements}
    return tuple(found.values())


def removed(rules: Mapping[str, Stated], rule_id: str) -> Stated:
    """The rule of an id; NotFound with those that there are."""
    if rule_id not in rules:
        raise NotFound(
            f"there is no rule {rule_id[:60]}", field="rule_id", hint="list_rules names them", valid=[*rules]
        )
    return rules[rule_id]


def ready(asking: Reading | Writing, rules: Iterable[Stated], new: str = "") -> Compiled:
    """Rules made ready; the text of `new` ones stands first, so that faults are told by its lines."""
    text = "\n".join([new, *(rule.text for rule in rules)]) if new else "\n".join(rule.text for rule in rules)
    program = parse_program(text)
    refuse_special(program)
    return compile(_declared(canonical_program(program, predicate_of(asking.registry), entity_of(asking)), asking))


def _declared(program: Program, asking: Reading | Writing) -> Program:
    def functional(name: str) -> bool:
        return asking.registry.named(name).cardinality is Cardinality.FUNCTIONAL and not name.startswith("-")

    def symmetric(name: str) -> bool:
        return asking.registry.named(name.removeprefix("-")).symmetric

    def inverse(name: str) -> str | None:
        sign, known = "-" * name.startswith("-"), asking.registry.named(name.removeprefix("-"))
        return None if known.symmetric or known.inverse is None else sign + known.inverse

    return with_inverses(with_declarations(program, functional, symmetric), inverse)


def predicate_of(registry: Registry) -> Callable[[str], str]:
    """The registry's name of a predicate; the relations that tell of the memory itself keep theirs."""
    return lambda name: name if name in SPECIAL else registry.named(name).key


def entity_of(asking: Reading | Writing) -> Callable[[str], str]:
    """The first name of what a text means; a text that means no entity stays as it is."""

    def name(text: str) -> str:
        found = entities.find(asking, text) if text.strip() else None
        return text if found is None else found.name

    return name


def refuse_special(program: Program) -> None:
    """The relations that tell of the memory itself have only what was recorded."""
    for rule in program.rules:
        if rule.head is not None and rule.head.predicate in SPECIAL:
            problem = f"{rule.head.predicate} holds what was recorded, and no rule adds to it"
            raise ReservedName(problem, rule.head.where, program.text, mend="give the conclusion another name")
