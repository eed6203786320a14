"""Ingesting a text: store it, then extract, then let the gate decide. The text is kept whatever extraction comes to."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hornbook.extraction.candidate import NO_USAGE, Extraction, Extractor, Mention, Usage
from hornbook.extraction.offline.everyday import is_kin_name
from hornbook.extraction.read import Found, read_texts
from hornbook.graph import entities
from hornbook.graph.claims.assert_claim import Outcome, assert_claim
from hornbook.graph.claims.indexed import words_of
from hornbook.graph.displayed import Displayed, counted
from hornbook.graph.episode import Episode
from hornbook.graph.errors import HornbookError, InvalidArgument
from hornbook.graph.events import Actor
from hornbook.graph.names import name_key
from hornbook.graph.record import Embed, Indexed, keys_of, known_again, record_episode, vectored
from hornbook.graph.store import Store, Writing

if TYPE_CHECKING:
    from hornbook.graph.journal import Model

TRIED = "a dry run: the text would be stored, and its extraction fails"
RETRY = "the text is stored; extraction can be retried"


@dataclass(frozen=True, slots=True, repr=False)
class Ingested(Displayed):
    """What became of a text.

    `status`: extracted, partly (some pieces of a long text failed), stored (the extraction failed), known (it was
    there), dry_run, or refused (not even stored: `failed` says why).
    """

    event_id: str
    status: str
    entities: int = 0
    claims: tuple[Outcome, ...] = ()
    failed: tuple[dict[str, Any], ...] = ()
    notes: tuple[str, ...] = ()
    extractor: str = ""
    usage: Usage = NO_USAGE

    def _told(self) -> Iterator[str]:
        yield self.status
        yield counted(len(self.claims), "claim")
        yield counted(self.entities, "entity")
        if self.failed:
            yield f"{len(self.failed)} failed"
        yield f"event_id={self.event_id!r}"

    def as_dict(self) -> dict[str, Any]:
        """The reply, with how much was stored, extracted and left out."""
        kept = self.status in ("extracted", "partly", "stored")
        return {
            "event_id": self.event_id,
            "status": self.status,
            "counts": {"stored": int(kept), "extracted": len(self.claims), "failed": len(self.failed)},
            "entities": self.entities,
            "claims": [outcome.as_dict() for outcome in self.claims],
            "failed": list(self.failed),
            "notes": list(self.notes),
            "extractor": self.extractor,
        }


class DryRun(Exception):
    """Carries the outcome out of a transaction that is to be rolled back."""

    def __init__(self, outcome: Ingested) -> None:
        super().__init__("dry run")
        self.outcome = outcome


def ingest(
    store: Store,
    actor: Actor,
    episode: Episode,
    indexed: Indexed,
    model: "Model",
    extractor: Extractor,
    *,
    owner: str,
    idempotency_key: str | None = None,
    dry_run: bool = False,
    embed: Embed | None = None,
) -> Ingested:
    """Store a text and what follows from it. The episode is stored first; its claims are one transaction.

    `embed` gives the claims their vectors at once, outside the lock; without it they wait for the next round.
    """
    keys = keys_of(episode, idempotency_key)
    if dry_run:
        (found,) = read_texts(extractor, [episode], owner)
        return tried(store, actor, found)
    if (known := store.write(actor, lambda writing: keep(writing, episode, indexed, keys, model))) is not None:
        return Ingested(known, "known")
    return extract(store, actor, episode, extractor, owner, embed)


def keep(writing: Writing, episode: Episode, indexed: Indexed, keys: Sequence[str], model: "Model") -> str | None:
    """Store a text in the open transaction; the id of the one that is there already, if it is a repetition."""
    if (found := known_again(writing, episode, keys)) is not None:
        return found
    record_episode(writing, episode, vectored(writing, indexed, model), keys)
    return None


def extract(
    store: Store, actor: Actor, episode: Episode, extractor: Extractor, owner: str, embed: Embed | None = None
) -> Ingested:
    """Extract from an episode that is stored, and record what came of it; a failure is recorded and can be retried."""
    (found,) = read_texts(extractor, [episode], owner, embed)
    return store.write(actor, lambda writing: record(writing, found))


def tried(store: Store, actor: Actor, found: Found) -> Ingested:
    """What ingesting a text that was read would come to; nothing is kept."""

    def act(writing: Writing) -> None:
        record_episode(writing, found.episode, None)
        raise DryRun(record(writing, found))

    try:
        store.write(actor, act)
    except DryRun as dry:
        failed = dry.outcome.status != "extracted"
        told = (TRIED,) if failed else dry.outcome.notes
        return replace(dry.outcome, event_id="", status=dry.outcome.status if failed else "dry_run", notes=told)
    raise AssertionError("a dry run always leaves its transaction by the outcome")


def record(writing: Writing, found: Found) -> Ingested:
    """Record in the open transaction what an extraction found, or that it failed.

    Where only some pieces of a long text could be read, what they say is kept, and the text waits for a retry.
    """
    if found.error is not None:
        return park(writing, found, found.error)
    outcome = apply(writing, found)
    if not found.errors:
        return outcome
    told = [{**error.as_dict(), "part": number, "of": len(found.read)} for number, error in found.errors]
    park(writing, found, found.errors[0][1])
    return replace(outcome, status="partly", failed=(*told, *outcome.failed), notes=(*outcome.notes, RETRY))


def park(writing: Writing, found: Found, error: HornbookError) -> Ingested:
    """Set an episode aside with the error that its extraction ended in, to be retried."""
    told, id_ = error.as_dict(), found.episode.id
    writing.append("extraction.failed", {"episode": id_, "extractor": found.extractor, "error": told})
    return Ingested(id_, "stored", failed=(told,), notes=(RETRY,), extractor=found.extractor, usage=found.usage)


def apply(writing: Writing, found: Found) -> Ingested:
    """Record the entities and claims of one episode in the open transaction, with the vectors made for them."""
    mentioned = _mentioned(writing, found)
    outcomes: list[Outcome] = []
    failed = [dict(one) for extraction in found.read for one in extraction.failed]
    for claim in found.claims:
        try:
            outcomes.append(assert_claim(writing, claim, found.vectors.get(words_of(claim))))
        except InvalidArgument as error:
            failed.append({**error.as_dict(), "quote": claim.evidence})
    notes = tuple(dict.fromkeys(note for extraction in found.read for note in extraction.notes))
    writing.append(
        "extraction.recorded",
        {
            "episode": found.episode.id,
            "extractor": found.extractor,
            "claims": len(outcomes),
            "mentions": [{"entity": id_, "quote": quote} for id_, quote in mentioned.items()],
            "notes": list(notes),
        },
    )
    told = (tuple(outcomes), tuple(failed), notes, found.extractor, found.usage)
    return Ingested(found.episode.id, "extracted", len(mentioned), *told)


UNNAMED = ("date", "quantity")  # mentions that are values, not things of their own


def _mentioned(writing: Writing, of: Found) -> dict[str, str]:
    """The entities that the text names, each recorded, with the words that name it."""
    found: dict[str, str] = {}
    for mention in _distinct(of.read):
        id_ = _named_at_last(writing, mention) or entities.ensure(writing, mention.name, mention.type, mention.aliases)
        found.setdefault(id_, mention.name)
    return found


def _named_at_last(writing: Writing, mention: Mention) -> str | None:
    """The id of the kin whom a text names for the first time, and who was known as "Ana's sister" until then."""
    for alias in filter(is_kin_name, mention.aliases):
        known = entities.find(writing, alias)
        unnamed = known is not None and name_key(known.name) == name_key(alias) and not known.aliases
        if known is not None and unnamed and entities.find(writing, mention.name) is None:
            entities.add_alias(writing, known, mention.name, "named so later")
            return known.id
    return None


def _distinct(read: Sequence[Extraction]) -> list[Mention]:
    every = [mention for extraction in read for mention in extraction.mentions if mention.type not in UNNAMED]
    return list({name_key(mention.name): mention for mention in reversed(every)}.values())[::-1]
