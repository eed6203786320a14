"""What pages load beside their text: the graph as JSON for the picture to walk through, and as a still one."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from starlette.responses import Response

from hornbook.explore.visit import Visit
from hornbook.graph.errors import HornbookError

DEEPEST = 6
PATIENCE = 10.0  # seconds that a picture waits for the one before it
_hand = threading.Lock()


@contextmanager
def _alone() -> Iterator[None]:
    """One picture at a time: that of a large memory takes long, and the pages are to be read meanwhile."""
    if not _hand.acquire(timeout=PATIENCE):
        raise HornbookError("another picture is being drawn", hint="look again when it is there")
    try:
        yield
    finally:
        _hand.release()


def still(visit: Visit) -> Response:
    """The graph as an SVG."""
    with _alone():
        drawn = visit.memory.plot(*_asked(visit), **visit.clocks)
    return Response(str(drawn), media_type="image/svg+xml")


def graph_json(visit: Visit) -> Response:
    """The graph for the picture that can be walked through."""
    with _alone():
        shown = visit.memory.show(*_asked(visit), **visit.clocks)
    return Response(json.dumps(shown.data), media_type="application/json")


def _asked(visit: Visit) -> tuple[str | None, int]:
    return visit.asked("around", 300) or None, visit.number("depth", 2, DEEPEST)
