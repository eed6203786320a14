"""Documents read side by side: one sequence a facet, so that a whole store is taken in without an object a row."""

from collections.abc import Mapping, Sequence
from typing import Any

from hornbook.graph.journal.database import Row

TOLD = ("node_type", "occurred_at", "length", "asks", "salience", "confidence", "about", "episode", "claim", "fact")
COLUMNS = ("id", "ref", "kind", "seq", "scope", "session", "agent", "run", "speaker", *TOLD, "record", "more")
DOCUMENT_COLUMNS = (
    "SELECT id, ref, kind, seq, scope, session, agent, run, speaker, "
    + ", ".join(f"json_extract(more, '$.{name}')" for name in TOLD)
    + ", json_type(more, '$.record') IS NOT NULL, more FROM document"
)


def side_by_side(rows: Sequence[Row]) -> Mapping[str, Sequence[Any]]:
    """Rows of DOCUMENT_COLUMNS as columns by name; lists and all else that is noted stand there as JSON."""
    return dict(zip(COLUMNS, zip(*rows, strict=True) if rows else ((),) * len(COLUMNS), strict=True))
