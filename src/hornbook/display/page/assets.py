"""What a page is made of besides the memory's own words: the library, our script, the style. Read from the package."""

import json
from functools import cache
from importlib.resources import files
from typing import Any

# in the order in which they need each other; their licences are in assets/d3/LICENSE
D3 = ("dispatch", "selection", "timer", "ease", "color", "interpolate", "transition", "drag", "zoom")
OURS = ("dom", "model", "canvas", "panel", "graph")
UNSAFE = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


@cache
def script() -> str:
    """The library and `hornbookGraph(element, data, options)`, as one classic script."""
    library = (read(f"d3/d3-{name}.min.js").strip() for name in D3)
    ours = "\n".join(read(f"{name}.js") for name in OURS)
    return "\n".join(
        [*library, f'"use strict";\n(function () {{\n{ours}\nwindow.hornbookGraph = hornbookGraph;\n}})();']
    )


@cache
def style() -> str:
    """The style of the picture: everything in it is under `.hb-graph`."""
    return read("graph.css")


@cache
def read(name: str) -> str:
    """A file of the assets."""
    return (files("hornbook.display.page") / "assets" / name).read_text(encoding="utf-8")


def embedded(data: Any) -> str:
    r"""JSON that can stand inside a script element: nothing in it ends the element or begins another.

    >>> embedded({"name": "</script>"})
    '{"name":"\\u003c/script\\u003e"}'
    """
    # what is half of a letter cannot be written as UTF-8, so it is left to JSON to spell out
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.translate(UNSAFE).encode("utf-8", "backslashreplace").decode("utf-8")
