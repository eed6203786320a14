"""What pages load beside their text: the graph as JSON for the picture to walk through, and as a still one."""

from starlette.responses import Response

from hornbook.explore.visit import Visit

DEEPEST = 6


def still(visit: Visit) -> Response:
    """The graph as an SVG."""
    around, depth = visit.asked("around", 300), visit.number("depth", 2, DEEPEST)
    drawn = visit.memory.plot(around or None, depth, **visit.clocks)
    return Response(str(drawn), media_type="image/svg+xml")


def graph_json(visit: Visit) -> Response:
    """The graph for the picture that can be walked through."""
    from hornbook.graph.errors import NotFound

    raise NotFound("there is no such picture")
