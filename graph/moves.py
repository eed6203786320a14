"""Moving a stored memory through its lifecycle: what callers may do, and nothing else."""

import json

from hornbook.graph.belief.codec import state_from_json
from hornbook.graph.claims.changes import stand
from hornbook.graph.claims.lines import claim_rows
from hornbook.graph.errors import Conflict, InvalidArgument
from hornbook.graph.ids import is_id
from hornbook.graph.lifecycle import Lifecycle, checked_move
from hornbook.graph.nodes import unknown
from hornbook.graph.store import Writing
from hornbook.graph.view import queries


def move(writing: Writing, node_id: str, wanted: Lifecycle, reason: str) -> None:
    """Move a memory. Raises Conflict naming the moves allowed, or for a contested one the claims that contest it."""
    text = node_id.strip().lower()
    if not is_id(text):
        raise InvalidArgument(
            "node_id is not an id", field="node_id", hint="ids are UUIDs as other tools returned them"
        )
    row = writing.ask(queries.item, text, upto=writing.upto)
    if row is None or row.kind != "memory" or json.loads(row.state)["deleted"]:
        raise unknown(node_id)
    now = json.loads(row.state)["lifecycle"]
    if now == Lifecycle.CONTESTED and wanted is Lifecycle.STABLE:
        raise contested(writing, row.claim)
    checked_move(now, wanted)
    writing.append("memory.moved", {"memory": text, "state": wanted.value, "reason": reason, "because": None})
    claims = writing.ask(queries.claims, (row.claim,), upto=writing.upto) if row.claim else ()
    stand(writing, text, wanted, state_from_json(json.loads(claims[0].state)) if claims else None)


def contested(writing: Writing, claim: str | None) -> Conflict:
    """The refusal to promote one side of a contest past the others, which it names."""
    held = claim_rows(writing, (claim,)) if claim else ()
    rivals = claim_rows(writing, held[0].state.rivals) if held else ()
    named = ", ".join(f"{shortened(one.value)} (claim {one.id})" for one in rivals) or "another"
    return Conflict(
        f"this memory is contested by {named}; promoting it would pick a side",
        field="node_id",
        hint="settle it with resolve_contested",
        valid=[Lifecycle.ARCHIVED.value],
    )


def shortened(value: object, longest: int = 60) -> str:
    """A value short enough for a sentence."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= longest else text[: longest - 1] + "…"
