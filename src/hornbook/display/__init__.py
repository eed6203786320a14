"""What a memory shows to people: HTML for notebooks, pictures, data frames. Nothing here decides anything.

Values of the folders below are drawn through `hornbook.graph.displayed`; `draw` is loaded with the first of them.
"""

from typing import Any

from hornbook.graph.displayed import Displayed


def draw(value: Any) -> str | None:
    """The value as HTML; None where there is no display for it."""
    from hornbook.display.html import html

    return html(value)


def attach() -> None:
    """Let every value of hornbook show itself in notebooks. Loads nothing."""
    Displayed.drawn_by = draw
