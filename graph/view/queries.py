"""Everything that is asked of the graph, by name: the one door to the questions. Every answer is as of `upto`.

Shapes: an id is text; logs are cut at `upto`, so that no caller sees the future of a row. States and claims stay JSON
text: the caller parses what it needs.
"""

from hornbook.graph.view.claims import (
    OPEN_CONTESTS,
    ClaimRow,
    Dependent,
    claims,
    claims_saying,
    contested_claims,
    dependents,
    line,
    line_ids_of,
    lines_of_claims,
    lines_of_predicate,
    live_on,
    live_places,
    met_or_said,
    premises,
    read_on,
    same_value,
    short_line,
)
from hornbook.graph.view.entities import EntityRow, entities_page, entity, entity_by_name, known_names, names_of
from hornbook.graph.view.export import GraphRows, graph_rows
from hornbook.graph.view.items import (
    ItemRow,
    claims_of_item,
    claims_of_items,
    item,
    items,
    items_of_claim,
    items_page,
    last_in_session,
    memories_of_episode,
)
from hornbook.graph.view.totals import counts, notes, notes_about
from hornbook.graph.view.walk import Edge, Walk, walk

__all__ = [
    "OPEN_CONTESTS",
    "ClaimRow",
    "Dependent",
    "Edge",
    "EntityRow",
    "GraphRows",
    "ItemRow",
    "Walk",
    "claims",
    "claims_of_item",
    "claims_of_items",
    "claims_saying",
    "contested_claims",
    "counts",
    "dependents",
    "entities_page",
    "entity",
    "entity_by_name",
    "graph_rows",
    "item",
    "items",
    "items_of_claim",
    "items_page",
    "known_names",
    "last_in_session",
    "line",
    "line_ids_of",
    "lines_of_claims",
    "lines_of_predicate",
    "live_on",
    "live_places",
    "memories_of_episode",
    "met_or_said",
    "names_of",
    "notes",
    "notes_about",
    "premises",
    "read_on",
    "same_value",
    "short_line",
    "walk",
]
