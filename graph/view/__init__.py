"""The graph view: a projection of the journal into an embedded graph, which may be thrown away at any time."""
