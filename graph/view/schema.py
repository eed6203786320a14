"""The shape of the graph: its tables as data, and the statements that create them.

Lean on purpose: every table costs the engine 2 to 4 MB a store. All tables are keyed by `id`; every relation carries
`seq` and `until_seq`, the half-open range of journal positions in which it stands. What changes about a node is in its
`log`, one line a change (see `hornbook.graph.view.log`); the columns beside it are its present state, for filtering.
A claim as it was written stands in the journal alone, in the event `seq`: copied here it was half of a rebuild.
"""

import hashlib
from dataclasses import dataclass

FOREVER_SEQ = 2**62  # later than every journal position: a relation that still stands
TEXT, NUMBER, FLAG, DECIMAL = "STRING", "INT64", "BOOL", "DOUBLE"
MEANING = 2  # grows when columns come to hold something else: views of another meaning or shape are built anew

NODES: dict[str, dict[str, str]] = {
    "Meta": {"id": TEXT, "kind": TEXT, "seq": NUMBER, "value": TEXT, "log": TEXT},
    "Entity": {"id": TEXT, "seq": NUMBER, "name": TEXT, "key": TEXT, "type": TEXT, "changed": NUMBER, "log": TEXT},
    "Name": {"id": TEXT, "seq": NUMBER},
    "Line": {"id": TEXT, "seq": NUMBER, "entity": TEXT, "predicate": TEXT},
    "Claim": {
        "id": TEXT,
        "seq": NUMBER,
        "polarity": TEXT,
        "external": FLAG,
        "asserted": FLAG,
        "live": FLAG,
        "since": NUMBER,
        "until": NUMBER,
        "disposition": TEXT,
        "disputed": FLAG,  # its state names rivals
        # what rules read of it besides; the window as it was said, whether trusted or not: null where unknown
        "subject": TEXT,
        "value": TEXT,  # JSON
        "confidence": DECIMAL,
        "provenance": TEXT,
        "free": FLAG,  # extracted, without a word on how many values its line has
        "attested_at": NUMBER,  # when somebody said that it held then
        "start_at": NUMBER,
        "start_as": TEXT,  # the granularity
        "end_at": NUMBER,
        "end_as": TEXT,
        "stop_at": NUMBER,  # the first instant it no longer holds; FOREVER without an end
        "firm": FLAG,  # it has no end, or a trusted one
        "changed": NUMBER,
        "log": TEXT,
    },
    "Item": {
        "id": TEXT,
        "seq": NUMBER,
        "kind": TEXT,
        "lifecycle": TEXT,
        "changed": NUMBER,
        "data": TEXT,
        "log": TEXT,
    },
}


@dataclass(frozen=True, slots=True)
class Relation:
    """One relation table: what it leads from and to, and its own columns."""

    source: str
    target: str
    columns: dict[str, str]


def _standing(**columns: str) -> dict[str, str]:
    return {"seq": NUMBER, "until_seq": NUMBER, **columns}


# Ids of the ends stand on the relation where walks need them: read off the neighbour they cost three times as much.
RELATIONS: dict[str, Relation] = {
    "Names": Relation("Name", "Entity", _standing(name=TEXT, entity=TEXT)),
    "Has": Relation("Entity", "Line", _standing(line=TEXT)),
    "OnLine": Relation("Line", "Claim", _standing(line=TEXT, claim=TEXT, value_key=TEXT, mirrored=FLAG)),
    "Says": Relation("Claim", "Entity", _standing(claim=TEXT, entity=TEXT)),  # the entity that the value names
    "Evidence": Relation("Claim", "Item", _standing(claim=TEXT, item=TEXT)),
    "Bears": Relation("Claim", "Claim", _standing(claim=TEXT, premise=TEXT, kind=TEXT)),  # rests_on, repeats
    "Mentions": Relation("Item", "Entity", _standing(item=TEXT, entity=TEXT, quote=TEXT)),
    "Joins": Relation("Item", "Item", _standing(one=TEXT, other=TEXT, kind=TEXT)),  # next: the turn after; of: the text
}


ENDS: dict[str, dict[str, str]] = {  # the columns that repeat the ids of a relation's ends
    "Names": {"name": "source", "entity": "target"},
    "Has": {"line": "target"},
    "OnLine": {"line": "source", "claim": "target"},
    "Says": {"claim": "source", "entity": "target"},
    "Evidence": {"claim": "source", "item": "target"},
    "Bears": {"claim": "source", "premise": "target"},
    "Mentions": {"item": "source", "entity": "target"},
    "Joins": {"one": "source", "other": "target"},
}


def definitions() -> list[str]:
    """The statements that create every table, nodes first."""
    nodes = [f"CREATE NODE TABLE {table}({_columns(columns)}, PRIMARY KEY(id))" for table, columns in NODES.items()]
    relations = [
        f"CREATE REL TABLE {name}(FROM {spec.source} TO {spec.target}, {_columns(spec.columns)})"
        for name, spec in RELATIONS.items()
    ]
    return nodes + relations


def shape() -> str:
    """A text that is another one whenever tables, or what they hold, are others."""
    return hashlib.sha256("\n".join([str(MEANING), *definitions()]).encode()).hexdigest()[:16]


def _columns(columns: dict[str, str]) -> str:
    return ", ".join(f"{name} {kind}" for name, kind in columns.items())
