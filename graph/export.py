"""The memory as a networkx graph: for notebooks, pictures and graph algorithms."""

from typing import TYPE_CHECKING

from hornbook.graph.store import Reading
from hornbook.graph.view import queries

if TYPE_CHECKING:
    import networkx as nx


def networkx_graph(reading: Reading) -> "nx.MultiDiGraph[str]":
    """Entities, claims, episodes and memories as nodes with their attributes; the key of an edge is its kind.

    Edge kinds: about (entity to claim), says, evidence, rests_on, repeats, rival, mentions, next, of.
    """
    import networkx as nx

    rows = reading.ask(queries.graph_rows, upto=reading.upto)
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(as_known=reading.as_known)
    graph.add_nodes_from(rows.nodes)
    for source, target, kind, attributes in rows.edges:
        graph.add_edge(source, target, key=kind, **attributes)
    return graph
