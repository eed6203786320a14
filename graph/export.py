"""The memory as a networkx graph: for notebooks, pictures and graph algorithms."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from hornbook.graph.claims.lines import written
from hornbook.graph.clock import rfc3339
from hornbook.graph.interval import ALWAYS, FOREVER
from hornbook.graph.store import Reading
from hornbook.graph.view import queries
from hornbook.graph.view.derived import Conclusion

if TYPE_CHECKING:
    import networkx as nx


def networkx_graph(reading: Reading, derived: Collection[Conclusion] | None = ()) -> "nx.MultiDiGraph[str]":
    """Entities, claims, episodes and memories as nodes with their attributes; the key of an edge is its kind.

    Edge kinds: about (entity to claim), says, evidence, rests_on, repeats, rival, mentions, next, of. What rules
    derive, where it is handed in, is of the kind derived, with concludes (from an entity) and premise; the graph's
    attribute `derived` counts it, and is None where it is left out.
    """
    import networkx as nx

    rows = reading.ask(queries.graph_rows, upto=reading.upto, written=written(reading))
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(
        as_known=reading.as_known, derived=None if derived is None else len(derived)
    )
    graph.add_nodes_from(rows.nodes)
    for source, target, kind, attributes in rows.edges:
        graph.add_edge(source, target, key=kind, **attributes)
    _conclude(graph, derived or ())
    return graph


def _conclude(graph: "nx.MultiDiGraph[str]", derived: Collection[Conclusion]) -> None:
    graph.add_nodes_from((one.id, _shown(one)) for one in derived)
    for one in derived:
        ends = [(entity, one.id, "concludes") for entity in one.entities]
        ends += [(one.id, id_, "premise") for _, id_ in one.premises]
        for source, target, kind in ends:
            if source in graph and target in graph:
                graph.add_edge(source, target, key=kind)


def _shown(one: Conclusion) -> dict[str, object]:
    said = {"kind": "derived", "predicate": one.predicate, "terms": list(one.terms), "rule": one.rule}
    ends = {"valid_from": rfc3339(one.since) if one.since > ALWAYS else None}
    ends["valid_to"] = rfc3339(one.until) if one.until < FOREVER else None
    return {**said, **ends, "uncertain": one.uncertain, "partial": one.partial}
