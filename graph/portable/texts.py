"""The text of a document as it was indexed, taken from the events: the index itself keeps no text."""

from typing import TYPE_CHECKING, Any

from hornbook.graph.claims.indexed import text_of as words_of
from hornbook.graph.retrieval.embed import spoken

if TYPE_CHECKING:
    from hornbook.graph.journal import Document, Snapshot


def text_of(snapshot: "Snapshot", document: "Document") -> str:
    """The words under which a document is found; empty where the event that holds them has been erased."""
    facets = document.facets
    event = snapshot.by_id(str(facets.get("claim") or facets.get("episode")))
    if event is None or event.body is None:
        return ""
    if "claim" in facets:
        return _claim(event.body)
    start, end = facets.get("span") or (0, None)
    return spoken(event.body["content"][start:end], facets.get("speaker"))


def _claim(body: Any) -> str:
    """A claim in words; one that comes from no text of ours is found by its quote too."""
    claim, said = body["claim"], words_of(body)
    alone = not (claim["memory"] or claim["episode"]) and claim["evidence"]
    return f"{said}. {claim['evidence']}" if alone else said
