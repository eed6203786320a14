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
    if row is None and (kind := _other(writing, text)) is not None:
        raise unmovable(f"this is {kind}", ENDS[kind])
    if row is None or json.loads(row.state)["deleted"]:
        raise unknown(node_id)
    if row.kind != "memory":
        raise unmovable("this is a text as it was said", "what it says stands by its claims; forget hides it")
    now = json.loads(row.state)["lifecycle"]
    if now == Lifecycle.CONTESTED and wanted is Lifecycle.STABLE:
        raise contested(writing, row.claim)
    checked_move(now, wanted)
    writing.append("memory.moved", {"memory": text, "state": wanted.value, "reason": reason, "because": None})
    claims = writing.ask(queries.claims, (row.claim,), upto=writing.upto) if row.claim else ()
    stand(writing, text, wanted, state_from_json(json.loads(claims[0].state)) if claims else None)


ENDS = {
    "a claim": "a claim is settled with resolve_contested, and ended with end_fact",
    "an entity": "an entity stands as long as something is said of it",
}


def _other(writing: Writing, ref: str) -> str | None:
    """What an id is that is no memory's: a claim, an entity, or nothing that is here."""
    if writing.ask(queries.claims, (ref,), upto=writing.upto):
        return "a claim"
    return "an entity" if writing.ask(queries.entity, ref, upto=writing.upto) else None


def unmovable(what: str, hint: str) -> Conflict:
    """The refusal to move what has no lifecycle of its own."""
    return Conflict(f"{what}, and no memory that callers move", field="node_id", hint=hint, valid=[])


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
