"""HTML and SVG as text that is escaped by construction: what is not markup already is text, and is escaped."""

import html
import json
from typing import Any


class Markup(str):
    """Text that is markup: only `tag` and `join` make it."""

    __slots__ = ()


def text(value: object) -> Markup:
    """A value as escaped text; what XML cannot hold is replaced.

    >>> text("<b>"), text("a\\x00b")
    ('&lt;b&gt;', 'a�b')
    """
    if isinstance(value, Markup):
        return value
    return Markup(html.escape("".join(char if _allowed(char) else "\ufffd" for char in str(value))))


def _allowed(char: str) -> bool:
    code = ord(char)
    return (code >= 0x20 and not 0xD800 <= code < 0xE000 and code not in (0xFFFE, 0xFFFF)) or char in "\t\n\r"


def tag(name: str, *inside: object, **attributes: object) -> Markup:
    """An element; `class_` and `stroke_width` are written class and stroke-width, and None leaves one out.

    >>> tag("p", "1 < 2", tag("i"), class_='a"b')
    '<p class="a&quot;b">1 &lt; 2<i></i></p>'
    """
    given = ((key.rstrip("_").replace("_", "-"), value) for key, value in attributes.items() if value is not None)
    written = "".join(f' {key}="{text(value)}"' for key, value in given)
    return Markup(f"<{name}{written}>{''.join(map(text, inside))}</{name}>")


def join(parts: "list[Markup] | tuple[Markup, ...]", between: str = "") -> Markup:
    """Pieces of markup one after the other."""
    return Markup(text(between).join(parts))


def said(value: Any) -> str:
    """A value of a claim as people write it: a text as it is, everything else as JSON.

    >>> said("Munich"), said(34), said(["a", "b"])
    ('Munich', '34', '["a", "b"]')
    """
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def short(words: str, most: int = 300) -> str:
    """A text for a cell; a longer one says how much there is of it.

    >>> short("abcdef", 3)
    'abc… (6 characters)'
    """
    return words if len(words) <= most else f"{words[:most]}… ({len(words)} characters)"
