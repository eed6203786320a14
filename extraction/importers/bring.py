"""Writing what an importer hands over: each thing once, under a key that is its place in the other system."""

from pathlib import Path
from typing import TYPE_CHECKING

from hornbook.extraction.importers.brought import Ended, Importer, Left, Report, Stated, Text
from hornbook.extraction.importers.mempill import read_mempill
from hornbook.extraction.importers.powermem import read_powermem
from hornbook.extraction.importers.reference_server import read_reference_server
from hornbook.graph.belief.provenance import parse_provenance
from hornbook.graph.belief.validate import checked_claim, claim_of
from hornbook.graph.claims.act import end
from hornbook.graph.claims.assert_claim import assert_claim
from hornbook.graph.episode import Episode, NodeType, Role, Scope, StoredMemory, checked_text, checked_word
from hornbook.graph.errors import Conflict, InvalidArgument, NotFound
from hornbook.graph.events import Actor
from hornbook.graph.ids import new_id
from hornbook.graph.record import Embed, prepare
from hornbook.graph.remember import remember
from hornbook.graph.store import Store, Writing

if TYPE_CHECKING:
    from hornbook.graph.journal import Model

SYSTEMS: dict[str, Importer] = {
    "mempill": read_mempill,
    "powermem": read_powermem,
    "reference-server": read_reference_server,
}


NAMES = {Text: "a text", Stated: "a claim", Ended: "an end"}


def importer(system: str) -> Importer:
    """The importer of a system by its name, or an error that lists those that there are."""
    if system not in SYSTEMS:
        raise InvalidArgument(f"there is no importer for '{system[:40]}'", field="system", valid=sorted(SYSTEMS))
    return SYSTEMS[system]


def bring(
    store: Store, actor: Actor, path: Path, system: str, owner: str, embed: Embed | None, model: "Model"
) -> Report:
    """Bring in a file of another system; repeating it brings in only what is new there.

    Whatever is refused here is left, with the reason, and the rest goes on.
    """
    read = importer(system)
    if not path.is_file():
        raise InvalidArgument("the file cannot be read", field="path", hint="check its name")
    report = Report(system)
    for one in read(path, owner):
        if isinstance(one, Left):
            report.leave(one)
            continue
        try:
            _write(store, actor, one, system, embed, model, report)
        except (InvalidArgument, Conflict, NotFound) as error:
            report.leave(Left(NAMES[type(one)], error.message))
    return report


def _write(
    store: Store,
    actor: Actor,
    one: Text | Stated | Ended,
    system: str,
    embed: Embed | None,
    model: "Model",
    report: Report,
) -> None:
    if isinstance(one, Text):
        stored = _text(store, actor, one, system, embed, model)
        report.texts += not stored
        report.already += stored
    elif isinstance(one, Ended):
        ended = store.write(actor, lambda writing: _end(writing, one, system))
        report.ends += ended
        report.already += not ended
    else:
        claimed = store.write(actor, lambda writing: _claim(writing, one, system))
        report.claims += claimed
        report.already += not claimed


def _text(store: Store, actor: Actor, one: Text, system: str, embed: Embed | None, model: "Model") -> bool:
    """Store a text as a memory; whether it was there already."""
    episode = Episode(
        new_id(),
        checked_text(one.content),
        checked_word(one.role, Role, "role"),
        one.speaker,
        checked_word(one.scope, Scope, "scope"),
        one.session,
        system,
        one.position,
        one.occurred_at,
        one.agent,
        one.run,
        one.metadata,
    )
    kind = checked_word(one.node_type, NodeType, "node_type")
    id_ = new_id()

    def item(number: int) -> StoredMemory:
        return StoredMemory(
            id_, number, episode.id, kind, episode.scope, metadata=one.metadata, agent=one.agent, run=one.run
        )

    indexed = prepare(episode.content, episode.speaker, embed)
    key = key_of(system, one.position)
    try:
        return remember(store, actor, episode, item, indexed, model, idempotency_key=key).already
    except Conflict:
        raise Conflict("it was changed there since it was brought in: update it here, or forget it first") from None


def _claim(writing: Writing, one: Stated, system: str) -> bool:
    """State a claim in the open transaction; False where it was there already."""
    key = key_of(system, one.position)
    if writing.snapshot.recalled(key) is not None:
        return False
    given = dict(one.given)
    premises = (writing.snapshot.recalled(key_of(system, position)) for position in one.rests_on)
    given["derived_from"] = tuple(dict.fromkeys(ref for ref in premises if ref is not None))
    more = {name: given.pop(name) for name in ("agent", "run", "scope", "extra") if name in given}
    stated = checked_claim(subject=one.subject, predicate=one.predicate, value=one.value, **{"source": system, **given})
    claim, _ = claim_of(stated, writing.registry, new_id(), **more)
    outcome = assert_claim(writing, claim)
    writing.snapshot.remember(key, outcome.claim_ref)
    return True


def _end(writing: Writing, one: Ended, system: str) -> bool:
    """End a fact in the open transaction; False where that was done already."""
    key = key_of(system, one.position)
    if writing.snapshot.recalled(key) is not None:
        return False
    said = parse_provenance(one.provenance)
    done = end(writing, one.subject, one.predicate, one.at, provenance=said, value=one.value)
    writing.snapshot.remember(key, done.claim_ref)
    return True


def key_of(system: str, position: str) -> str:
    """The idempotency key of a thing of another system."""
    return f"import:{system}|{position}"
