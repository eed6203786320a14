"""The graph view: a projection of the journal into an embedded graph, which may be thrown away at any time.

Only this room holds Cypher, and only `engine` touches the engine, which is imported when a view is opened.
What is asked of a view stands in `hornbook.graph.view.queries`.
"""

from hornbook.graph.view.view import GraphView, open_view

__all__ = ["GraphView", "open_view"]
