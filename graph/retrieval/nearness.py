"""How near each item is to what the question names: PageRank on the neighbourhood that a walk has gathered."""

from collections.abc import Mapping

from hornbook.graph.retrieval.pagerank import pagerank
from hornbook.graph.view.walk import Walk

# a turn beside a turn is company; a mention, or the claim that a turn is evidence for, is what it is about
FLOW: Mapping[str, float] = {"joins": 0.5}


def nearness(found: Walk, seeds: Mapping[str, float]) -> dict[str, float]:
    """The weight of each item and claim of a walk that began at these entities; higher is nearer.

    Much-mentioned seeds give little to each: what a walker spreads over a hundred turns tells none of them apart.

    >>> from hornbook.graph.view.walk import Edge
    >>> found = Walk({"entity": {"ana": 0}, "claim": {}, "item": {"one": 1, "two": 2}})
    >>> found.edges += [Edge("ana", "one", "mentions"), Edge("one", "two", "joins")]
    >>> near = nearness(found, {"ana": 1.0})
    >>> near["one"] > near["two"] > 0, "ana" in near
    (True, False)
    """
    pairs = {(min(edge.source, edge.target), max(edge.source, edge.target), edge.kind) for edge in found.edges}
    rank = pagerank([(one, other, FLOW.get(kind, 1.0)) for one, other, kind in sorted(pairs)], seeds)
    return {id_: rank[id_] for kind in ("item", "claim") for id_ in found.hops[kind] if id_ in rank}
