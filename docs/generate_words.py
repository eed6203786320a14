"""The pages of predicates and of rule packs, from the built-in registry and the packs; called by generate.py."""

import re
from collections.abc import Iterator

from hornbook.graph.belief.registry import BUILT_IN, KNOWN, Predicate, built_in
from hornbook.reasoning import packs
from hornbook.reasoning.builtins import TESTS
from hornbook.reasoning.intervals import ALLEN
from hornbook.reasoning.syntax import Program, atoms

PREDICATES = """\
What hornbook knows of predicates before anybody declares one. Any other predicate may be used as well; how it behaves
is then decided as [belief](../explanation/belief.md) says, until it is declared.

* A **functional** predicate has one value at a time, so a second one contests, follows or updates the first. A
  **set-valued** one collects values. An **event** happened: it is set-valued, and stays true once it has begun.
* **fixed**: does not change over time, so another value never follows. **exact**: values are compared with their
  capitals. **symmetric**: also holds from the value to the subject. **transitive**: for rules that ask.
* Where a predicate leads to places, people or organizations (or whatever its `range` names), its value is a thing: it
  has a node of its own, of that type, as soon as it is stated. Dates, numbers and texts are plain values.
* A predicate with an inverse is one stored claim that is read from both ends. *as* names the one that is stored.
* Other words are brought to the predicate when they are written and asked: `resides in` is `lives_in`.

A declaration of your own changes only what it says. `memory.declare(…)` takes one as a mapping or several as TOML; its
keys are {keys}.

```python
>>> from hornbook import Memory
>>> with Memory.open(":memory:", user="ana") as memory:
...     memory.declare({{"predicate": "gate code", "cardinality": "SetValued", "exact": True}})
...     claims = [memory.claim("depot", "gate code", code) for code in ("17b", "42c")]
...     memory.believe("depot", "gate code").status
'Resolved'

```
"""


def predicate_page(made: str) -> str:
    """Every built-in predicate by its part of life, in the order of the registry's file."""
    keys = ", ".join(f"`{name}`" for name in KNOWN)
    lines = ["# Predicates\n", made, "", PREDICATES.format(keys=keys)]
    known = built_in().predicates
    for part, names in _parts():
        lines += [f"## {part.capitalize()}\n", "| predicate | takes | other words | from, to |", "|---|---|---|---|"]
        lines += [_row(known[name]) for name in names]
        lines.append("")
    return "\n".join(lines)


def _parts() -> Iterator[tuple[str, list[str]]]:
    text = BUILT_IN.read_text(encoding="utf-8")
    for part in re.split(r"^\[", text, flags=re.MULTILINE)[1:]:
        name, _, body = part.partition("]")
        yield name, [key.strip('"') for key in re.findall(r'^("?[a-z_*]+"?) = \{', body, re.MULTILINE)]


def _row(one: Predicate) -> str:
    takes = "events" if one.event else "several" if one.set_valued else "one"
    also = [name for name in ("fixed", "exact", "symmetric", "transitive") if getattr(one, name)]
    also += [f"as `{one.stored}`"] if one.stored else [f"inverse `{one.inverse}`"] if one.inverse else []
    ends = " → ".join(end or "any" for end in (one.domain, one.range)) if one.domain or one.range else ""
    words = ", ".join(f"`{name}`" for name in one.synonyms)
    return f"| `{one.key}` | {', '.join([takes, *also])} | {words} | {ends} |"


PACKS = """\
Rules that are shipped and off until asked for: `memory.rules(pack="kinship")`, `hornbook rules --pack kinship`. Each
reads what is believed under some predicates and derives others; a conclusion has its proof, and goes when a premise
goes. They may be used together. The language is told in [rules](rules.md).

```python
>>> from hornbook import Memory
>>> with Memory.open(":memory:", user="ana") as memory:
...     added = memory.rules(pack="kinship")
...     claims = [memory.claim("Ida", "parent_of", child) for child in ("Ana", "Ben")]
...     memory.ask('sibling_of("Ana", x)').rows
(('Ben',),)

```
"""


def pack_page(made: str) -> str:
    """Every pack: what it reads, what it derives, and its text."""
    lines = ["# Rule packs\n", made, "", PACKS]
    for name in packs.names():
        program = packs.pack(name)
        lines += [f"## `{name}`\n", *_told(program), f"```prolog\n{packs.text(name).rstrip()}\n```\n"]
    return "\n".join(lines)


def _told(program: Program) -> Iterator[str]:
    derived, read = heads(program), bodies(program)
    if derived:
        yield f"Derives {_listed(derived)}.\n"
    else:
        yield "Derives nothing: it says what must not be.\n"
    yield f"Reads {_listed([name for name in read if name not in derived])}.\n"


def _listed(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def heads(program: Program) -> list[str]:
    """The predicates that a program derives, in its order."""
    return list(dict.fromkeys(rule.head.predicate for rule in program.rules if rule.head is not None))


def bodies(program: Program) -> list[str]:
    """The predicates that it reads, in its order."""
    asked = (atom.predicate for rule in program.rules for atom in atoms(rule))
    return [name for name in dict.fromkeys(asked) if name not in ALLEN and name not in TESTS]
