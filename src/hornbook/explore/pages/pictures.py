"""What pages load beside their text: the graph as JSON for the picture to walk through, and as a still one."""

import json

from starlette.responses import Response

from hornbook.explore.visit import Visit

DEEPEST = 6


def still(visit: Visit) -> Response:
    """The graph as an SVG."""
    drawn = visit.memory.plot(*_asked(visit), **visit.clocks)
    return Response(str(drawn), media_type="image/svg+xml")


def graph_json(visit: Visit) -> Response:
    """The graph for the picture that can be walked through."""
    shown = visit.memory.show(*_asked(visit), **visit.clocks)
    return Response(json.dumps(shown.data), media_type="application/json")


def _asked(visit: Visit) -> tuple[str | None, int]:
    return visit.asked("around", 300) or None, visit.number("depth", 2, DEEPEST)
