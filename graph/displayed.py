"""How a value is shown in a notebook: a seam, since what draws it stands above the value."""

from collections.abc import Callable
from typing import Any, ClassVar


class Displayed:
    """A value that a notebook shows as HTML once somebody has said how; until then it shows the `repr`.

    >>> class Greeting(Displayed):
    ...     __slots__ = ()
    >>> drawn = Displayed.drawn_by
    >>> Displayed.drawn_by = lambda value: "<b>hello</b>"
    >>> Greeting()._repr_html_()
    '<b>hello</b>'
    >>> Displayed.drawn_by = drawn
    """

    __slots__ = ()
    drawn_by: ClassVar[Callable[[Any], str | None] | None] = None

    def _repr_html_(self) -> str | None:
        return None if Displayed.drawn_by is None else Displayed.drawn_by(self)
