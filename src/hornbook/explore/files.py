"""What pages are made of besides their words: the style, the scripts, the icon. Nothing of a memory is in them."""

from collections.abc import Callable, Mapping
from importlib.resources import files

from hornbook.display.page.assets import script, style

FILES = {
    "/assets/explore.css": "text/css",
    "/assets/explore.js": "text/javascript",
    "/assets/icon.svg": "image/svg+xml",
    "/assets/graph.css": "text/css",
    "/assets/graph.js": "text/javascript",
}
MADE: Mapping[str, Callable[[], str]] = {"/assets/graph.css": style, "/assets/graph.js": script}


def content(path: str) -> bytes:
    """What stands under an address of FILES."""
    if path in MADE:
        return MADE[path]().encode()
    return files("hornbook.explore").joinpath("assets", path.rpartition("/")[2]).read_bytes()
