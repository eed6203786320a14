"""The rule packs that are shipped. None is in force until it is asked for.

>>> "kinship" in names(), pack("kinship").rules[0].head.predicate
(True, 'child_of')
"""

from functools import lru_cache
from importlib.resources import files

from hornbook.graph.errors import NotFound
from hornbook.reasoning.parse import parse_program
from hornbook.reasoning.syntax import Program

FOLDER = files("hornbook.reasoning") / "packs"


@lru_cache(1)
def names() -> tuple[str, ...]:
    """The packs there are."""
    return tuple(sorted(file.name.removesuffix(".hb") for file in FOLDER.iterdir() if file.name.endswith(".hb")))


def text(name: str) -> str:
    """A pack as it is written, comments and all."""
    if name not in names():
        raise NotFound(f"there is no rule pack {name!r}", field="pack", valid=names())
    return (FOLDER / f"{name}.hb").read_text(encoding="utf-8")


@lru_cache(32)
def pack(name: str) -> Program:
    """A pack as a program."""
    return parse_program(text(name))
