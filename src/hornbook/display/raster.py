"""An SVG of ours as a PNG: the same on every machine, since the font comes along.

The renderer knows neither colours by name nor light and dark, so the names are filled in first. Letters that our font
does not have come from the fonts of the machine; where it has none, a box stands for them.
"""

import re
from collections.abc import Mapping
from importlib.resources import as_file, files
from xml.etree import ElementTree

from hornbook.display.svg import RULES
from hornbook.graph.errors import InvalidArgument

SVG = "http://www.w3.org/2000/svg"
NAMED = re.compile(r"var\(--(\w+)\)")
FONT = "DejaVu Sans"
LEAST, MOST = 0.1, 10.0  # times the size of the SVG


def rastered(svg: str, colours: Mapping[str, str], scale: float) -> bytes:
    """The PNG of a picture, in these colours."""
    import resvg_py

    if isinstance(scale, bool) or not isinstance(scale, int | float) or not LEAST <= scale <= MOST:
        raise InvalidArgument(f"scale must be {LEAST:g} to {MOST:g}", field="scale")
    with as_file(files("hornbook.display") / "fonts" / "DejaVuSans-subset.ttf") as font:
        drawn = resvg_py.svg_to_bytes(
            svg_string=_plain(svg, colours),
            zoom=1,
            width=round(_size(svg, "width") * scale),
            height=round(_size(svg, "height") * scale),
            font_files=[str(font)],
            font_family=FONT,
            sans_serif_family=FONT,
        )
    return bytes(drawn)


def _size(svg: str, side: str) -> float:
    return float(ElementTree.fromstring(svg).get(side, "1"))


def _plain(svg: str, colours: Mapping[str, str]) -> str:
    """The picture with its colours as such: in its style and in attributes, not in what is written in it."""
    root = ElementTree.fromstring(svg)
    for element in root.iter():
        if element.tag == f"{{{SVG}}}style":
            element.text = _filled(RULES.replace("system-ui,", ""), colours)
        for name in ("fill", "stroke"):
            if name in element.attrib:
                element.set(name, _filled(element.attrib[name], colours))
    ElementTree.register_namespace("", SVG)
    return ElementTree.tostring(root, encoding="unicode")


def _filled(text: str, colours: Mapping[str, str]) -> str:
    return NAMED.sub(lambda found: colours.get(found[1], "none"), text)
