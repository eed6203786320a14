"""The page of the Python interface, from signatures and docstrings; called by generate.py."""

import ast
import importlib
import inspect
import re
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from types import ModuleType
from typing import Any

import hornbook
from hornbook.memory import Memory

WIDTH = 100  # of a signature's line
GROUPS = {  # what each part of the facade is about, in the order of the page
    "Memory": "Open, store, search",
    "Claiming": "Claims and beliefs",
    "Ingesting": "Texts",
    "Ruling": "Rules",
    "Concluding": "Rules, shown elsewhere",
    "Looking": "What hangs together",
    "Recording": "Records",
    "Showing": "Look",
    "Tending": "Upkeep",
    "Keeping": "Keep, move, forget",
}

HEAD = """\
A program imports `Memory` and the errors; every other value is what a method gives back. What an extractor, an
embedder or an oracle of your own is made of is told in [Bring your own model](../how-to/own-model.md).

```python
>>> from hornbook import Memory
>>> with Memory.open(":memory:", user="ana") as memory:
...     said = memory.claim("Ana", "lives_in", "Munich", valid_from="2024-03")
...     memory.believe("Ana", "lives_in").value
'Munich'

```

Any thread may use a memory. Times (`When`) are lenient dates in UTC, as text (`2024`, `2024-03`, `2024-03-01`, RFC
3339) or `datetime`; `valid_at` is when something is true, `knowledge_at` as known when. An `actor` is who did it, for
the ledger: the client, the tool, the process. What goes wrong is one of the [errors](errors.md), with a code.
"""


def python_page(made: str) -> str:
    """The door: what can be imported, every method, and what methods give back."""
    lines = ["# Python\n", made, "", HEAD, "## What can be imported\n", "| name | is |", "|---|---|"]
    lines += [f"| `{name}` | {_first(getattr(hornbook, name))} |" for name in hornbook.__all__ if name != "__version__"]
    lines += ["| `__version__` | The version, as text. |", ""]
    for owner in sorted(Memory.__mro__[:-1], key=lambda one: list(GROUPS).index(one.__name__)):
        own = methods(owner)
        if own:
            lines += [f"## {GROUPS[owner.__name__]}\n", *(_method(owner, name) for name in own)]
    lines += ["## What methods give back\n", RETURNED, *(_value(kind, given) for kind, given in returned().items())]
    lines += ["## What these hold\n", *(_value(kind, ()) for kind in held())]
    return "\n".join(lines)


RETURNED = """\
Values without behaviour: they can be kept, compared and shown in a notebook. Every one that has `as_dict()` gives what
the tool of the same purpose replies, ready for JSON.
"""


def methods(owner: type) -> list[str]:
    """The public methods that a part of the facade is the first to have, in the order of its file."""
    above = set().union(*(vars(one) for one in owner.__mro__[1:]))
    public = [name for name in vars(owner) if not name.startswith("_") and name not in above]
    return [name for name in public if callable_of(owner, name)]


def callable_of(owner: type, name: str) -> Any:
    """A method, or what reads a property, as a function; None for what is neither."""
    found = inspect.getattr_static(owner, name)
    if isinstance(found, property):
        return found.fget
    found = found.__func__ if isinstance(found, classmethod | staticmethod) else found
    return found if inspect.isfunction(found) else None


def _method(owner: type, name: str) -> str:
    told = inspect.getdoc(getattr(Memory, name)) or ""
    how = "Memory" if isinstance(inspect.getattr_static(owner, name), classmethod) else "memory"
    return f"### `{name}`\n\n```text\n{_signature(owner, name, how)}\n```\n\n{_prose(told)}\n"


def _signature(owner: type, name: str, how: str) -> str:
    """As it is called: one line if it fits, else an argument a line."""
    node, function = _node(owner, name), callable_of(owner, name)
    given = [one for one in inspect.signature(function).parameters.values() if one.name not in ("self", "cls")]
    kinds = {one.arg: one.annotation for one in [*node.args.args, *node.args.kwonlyargs]}
    told, starred = [], False
    for one in given:
        if one.kind is one.KEYWORD_ONLY and not starred:
            told.append("*")
            starred = True
        told.append(_argument(one, kinds.get(one.name)))
    end = f" -> {_text(node.returns)}"
    if isinstance(inspect.getattr_static(owner, name), property):
        return f"{how}.{name}{end}"
    line = f"{how}.{name}({', '.join(told)}){end}"
    if len(line) <= WIDTH:
        return line
    return "\n".join([f"{how}.{name}(", *(f"    {one}," for one in told), f"){end}"])


def _argument(one: inspect.Parameter, kind: ast.expr | None) -> str:
    if one.kind is one.VAR_KEYWORD:
        return f"**{one.name}"
    typed = f"{one.name}: {_text(kind)}"
    if one.default is one.empty:
        return typed
    value = one.default.__name__ if callable(one.default) else repr(one.default).replace("'", '"')
    return f"{typed} = {value}"


def _text(node: ast.expr | None) -> str:
    """An annotation as it is written, without the quotes that only Python needs."""
    return "" if node is None else ast.unparse(node).replace("'", "").replace("typing.", "")


@cache
def _tree(module: ModuleType) -> ast.Module:
    return ast.parse(inspect.getsource(module))


def _node(owner: type, name: str) -> ast.FunctionDef:
    """A method's definition; the last, where overloads stand before it."""
    (body,) = [
        one for one in _tree(_module(owner)).body if isinstance(one, ast.ClassDef) and one.name == owner.__name__
    ]
    return [one for one in body.body if isinstance(one, ast.FunctionDef) and one.name == name][-1]


def _module(kind: type) -> ModuleType:
    return importlib.import_module(kind.__module__)


def returned() -> dict[type, list[str]]:
    """The classes of ours that methods give back, by name, each with the methods that do."""
    found: dict[type, list[str]] = {}
    for owner in Memory.__mro__[:-1]:
        for name in methods(owner):
            for kind in _named(_module(owner), _text(_node(owner, name).returns)):
                found.setdefault(kind, []).append(name)
    return {kind: found[kind] for kind in _sorted(found) if kind is not Memory}


def held() -> list[type]:
    """The classes of ours that stand in the fields of those, and of those again."""
    known, new = set(returned()), set(returned())
    while new:
        new = {part for kind in new if is_dataclass(kind) for part in _parts(kind)} - known
        known |= new
    return _sorted(known - set(returned()))


def _parts(kind: type) -> Iterator[type]:
    for one in fields(kind):
        if not one.name.startswith("_"):
            yield from _named(_module(kind), one.type if isinstance(one.type, str) else str(one.type))


def _sorted(kinds: Iterable[type]) -> list[type]:
    return sorted(kinds, key=lambda kind: (kind.__name__, kind.__module__))


def _named(module: ModuleType, annotation: str) -> Iterator[type]:
    """The classes of ours that an annotation names, as this module imports them, be it for the type checker only."""
    imports = {
        one.asname or one.name: (node.module, one.name)
        for node in ast.walk(_tree(module))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("hornbook")
        for one in node.names
    }
    for word in re.findall(r"[A-Za-z_]\w*", annotation):
        place, name = imports.get(word, (module.__name__, word))
        kind = getattr(importlib.import_module(str(place)), name, None)
        if inspect.isclass(kind) and kind.__module__.startswith("hornbook"):
            yield kind


def _value(kind: type, given: Iterable[str]) -> str:
    told = [part for part in (inspect.getdoc(kind) or "").split("\n\n") if not part.startswith(">>>")]
    lines = [f"### `{kind.__name__}`\n", "\n\n".join(told), ""]
    if by := ", ".join(f"`{name}`" for name in given):
        lines.append(f"From {by}.\n")
    if issubclass(kind, Enum):
        return "\n".join([*lines, f"One of {', '.join(f'`{one.value}`' for one in kind)}.\n"])
    rows = [*_attributes(kind)]
    if rows:
        lines += ["| has | is |", "|---|---|", *(f"| `{name}` | {told} |" for name, told in rows), ""]
    return "\n".join(lines)


def _attributes(kind: type) -> Iterator[tuple[str, str]]:
    """The fields of a value with their types, then what it can be asked."""
    if is_dataclass(kind):
        for one in fields(kind):
            if not one.name.startswith("_"):
                named = one.type if isinstance(one.type, str) else inspect.formatannotation(one.type)
                yield one.name, f"`{_plain(named)}`".replace("|", "\\|")
    for name, found in vars(kind).items():
        if name.startswith("_") or not (inspect.isfunction(found) or isinstance(found, property)):
            continue
        yield (
            (name if isinstance(found, property) else f"{name}()"),
            _cell((inspect.getdoc(found) or "").split("\n\n")[0]),
        )


def _plain(annotation: str) -> str:
    """A type without the modules it comes from."""
    return re.sub(r"\b[a-z_]+(?:\.[a-z_]+)*\.(?=[A-Za-z])", "", annotation.replace("'", ""))


def _prose(told: str) -> str:
    """A docstring as markdown: its examples as blocks of code."""
    parts = re.split(r"\n\n", told)
    return "\n\n".join(f"```python\n{part}\n\n```" if part.lstrip().startswith(">>>") else part for part in parts)


def _first(value: object) -> str:
    return _cell((inspect.getdoc(value) or "").split("\n\n")[0])


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
