"""How a value shows itself: in one line where Python asks for its `repr`, and as HTML in a notebook."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from itertools import islice
from typing import Any, ClassVar

LINE = 160  # characters of a line
WORDS = 48  # characters of a text in it
MOST = 24  # things in it


class Displayed:
    """A value whose `repr` is a line, and which a notebook shows as HTML once somebody has said how.

    A dataclass that is one says `repr=False`, so that its line is this one. What draws the HTML stands above the
    value, therefore it is handed in.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True, repr=False)
    ... class Greeting(Displayed):
    ...     words: str
    ...     to: tuple[str, ...] = ()
    ...     loud: bool = False
    >>> Greeting("hello"), Greeting("hello", ("Ana", "Ben"))
    (Greeting(words='hello'), Greeting(words='hello', 2 to))
    >>> drawn = Displayed.drawn_by
    >>> Displayed.drawn_by = lambda value: f"<b>{value.words}</b>"
    >>> Greeting("hello")._repr_html_()
    '<b>hello</b>'
    >>> Displayed.drawn_by = drawn
    """

    __slots__ = ()
    drawn_by: ClassVar[Callable[[Any], str | None] | None] = None

    def _repr_html_(self) -> str | None:
        return None if Displayed.drawn_by is None else Displayed.drawn_by(self)

    def __repr__(self) -> str:
        """The value in one line."""
        told = ", ".join(islice(self._told(), MOST))
        cut = told if len(told) <= LINE else told[: LINE - 1] + "…"
        return f"{type(self).__name__}({''.join(char if char.isprintable() else ascii(char)[1:-1] for char in cut)})"

    def _told(self) -> Iterator[str]:
        """What stands in the line: of a dataclass every field that says more than that nothing was said."""
        if is_dataclass(self):
            for one in fields(self):
                value = getattr(self, one.name)
                if value is not None and (one.default is MISSING or value != one.default):
                    yield from _field(one.name, value)


def counted(number: int, thing: str) -> str:
    """A number of things.

    >>> counted(1, "claim"), counted(0, "claim"), counted(2, "entity")
    ('1 claim', '0 claims', '2 entities')
    """
    many = f"{thing[:-1]}ies" if thing.endswith("y") else f"{thing}s"
    return f"{number} {thing if number == 1 else many}"


def _field(name: str, value: object) -> Iterator[str]:
    if isinstance(value, tuple | list | Mapping):
        if value:
            yield f"{len(value)} {name}"
    else:
        yield f"{name}={brief(value)}"


def brief(value: object, most: int = WORDS) -> str:
    """A value in a few words, on one line; a text in quotes, so that it is seen to be one.

    >>> brief("a\\nb"), brief("abcdef", 4), brief(3.14159), brief(None)
    ("'a\\\\nb'", "'abc…'", '3.142', 'None')
    """
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, str):
        return repr(value if len(value) <= most else value[: most - 1] + "…")
    if isinstance(value, float):
        return f"{value:.4g}"
    shown = " ".join(str(value).split())
    return shown if len(shown) <= most else shown[: most - 1] + "…"
