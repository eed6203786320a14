"""Ingesting a text: store it, then extract, then let the gate decide. The text is kept whatever extraction comes to."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hornbook.extraction.candidate import USER, Candidate, Extraction, Extractor, Mention, Passage
from hornbook.graph import entities
from hornbook.graph.claim import Channel, Claim, Provenance
from hornbook.graph.claims.assert_claim import Outcome, assert_claim
from hornbook.graph.claims.indexed import words_of
from hornbook.graph.episode import PROVENANCE, Episode, Role
from hornbook.graph.errors import EmbeddingError, HornbookError, InvalidArgument
from hornbook.graph.events import Actor
from hornbook.graph.ids import new_id
from hornbook.graph.names import name_key, value_key
from hornbook.graph.passages import passages
from hornbook.graph.record import Embed, Indexed, keys_of, known_again, record_episode
from hornbook.graph.store import Store, Writing

if TYPE_CHECKING:
    from hornbook.graph.journal import Model

CHUNK = 20_000  # characters given to an extractor at once
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Ingested:
    """What became of a text. `status`: extracted, stored (the extraction failed), known (it was there), or dry_run."""

    event_id: str
    status: str
    entities: int = 0
    claims: tuple[Outcome, ...] = ()
    failed: tuple[dict[str, Any], ...] = ()
    notes: tuple[str, ...] = ()
    extractor: str = ""

    def as_dict(self) -> dict[str, Any]:
        """The reply."""
        return {
            "event_id": self.event_id,
            "status": self.status,
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
    """Store a text and what follows from it. The episode is stored first; its claims are one transaction."""
    keys = keys_of(episode, idempotency_key)
    if dry_run:
        return _tried(store, actor, episode, extractor, owner)

    def keep(writing: Writing) -> str | None:
        if (found := known_again(writing, episode, keys)) is not None:
            return found
        writing.snapshot.use_model(model)
        record_episode(writing, episode, indexed, keys)
        return None

    if (known := store.write(actor, keep)) is not None:
        return Ingested(known, "known")
    return extract(store, actor, episode, extractor, owner, embed)


def extract(
    store: Store, actor: Actor, episode: Episode, extractor: Extractor, owner: str, embed: Embed | None = None
) -> Ingested:
    """Extract from an episode that is stored, and record what came of it; a failure is recorded and can be retried.

    `embed` gives the claims their vectors at once, outside the lock; without it they wait for the next round.
    """
    try:
        read = list(extractor.extract_many(chunks_of(episode, owner)))
    except Exception as error:  # whatever a model or its library raises: the text is safe, the failure is told
        return _failed(store, actor, episode, error)
    vectors = _vectors(read, episode, owner, embed)
    return store.write(actor, lambda writing: apply(writing, episode, read, owner, vectors))


def _vectors(read: Sequence[Extraction], episode: Episode, owner: str, embed: Embed | None) -> dict[str, Any]:
    """The vectors of what the candidates say, by their sentences; none where the model cannot be had."""
    claims = (
        claim_of(one, episode, extraction.extractor, owner) for extraction in read for one in extraction.candidates
    )
    said = list(dict.fromkeys(words_of(claim) for claim in claims))
    try:
        return dict(zip(said, embed(said), strict=True)) if embed and said else {}
    except EmbeddingError:
        return {}


def _tried(store: Store, actor: Actor, episode: Episode, extractor: Extractor, owner: str) -> Ingested:
    read = list(extractor.extract_many(chunks_of(episode, owner)))

    def act(writing: Writing) -> None:
        record_episode(writing, episode, None)
        raise DryRun(apply(writing, episode, read, owner))

    try:
        store.write(actor, act)
    except DryRun as dry:
        found = dry.outcome
        return Ingested("", "dry_run", found.entities, found.claims, found.failed, found.notes, found.extractor)
    raise AssertionError("a dry run always leaves its transaction by the outcome")


def _failed(store: Store, actor: Actor, episode: Episode, error: Exception) -> Ingested:
    known = isinstance(error, HornbookError)
    told = (
        error.as_dict() if isinstance(error, HornbookError) else {"code": "unavailable", "message": "extraction failed"}
    )
    log.warning("extraction failed: %s", told["message"], exc_info=None if known else error)
    body = {"episode": episode.id, "extractor": "", "error": told}
    store.write(actor, lambda writing: writing.append("extraction.failed", body))
    return Ingested(episode.id, "stored", failed=(told,), notes=("the text is stored; extraction can be retried",))


def chunks_of(episode: Episode, owner: str) -> list[Passage]:
    """The passages that an extractor reads: the whole text, or pieces of a long one."""
    speaker = speaker_of(episode, owner)
    return [
        Passage(episode.content[start:end], speaker, episode.occurred_at)
        for start, end in passages(episode.content, CHUNK, 0)
    ]


def speaker_of(episode: Episode, owner: str) -> str:
    """Who says "I": the speaker named, else the owner where the owner speaks, else the role itself."""
    return episode.speaker or (owner if episode.role is Role.USER else episode.role.value)


def apply(
    writing: Writing,
    episode: Episode,
    read: Sequence[Extraction],
    owner: str,
    vectors: Mapping[str, Any] | None = None,
) -> Ingested:
    """Record the entities and claims of one episode in the open transaction, with the vectors made for them."""
    mentioned = _mentioned(writing, read)
    outcomes, failed = [], []
    for extraction in read:
        for candidate in extraction.candidates:
            claim = claim_of(candidate, episode, extraction.extractor, owner)
            try:
                outcomes.append(assert_claim(writing, claim, (vectors or {}).get(words_of(claim))))
            except InvalidArgument as error:
                failed.append({**error.as_dict(), "quote": candidate.quote})
    extractor = read[0].extractor if read else ""
    notes = tuple(dict.fromkeys(note for extraction in read for note in extraction.notes))
    writing.append(
        "extraction.recorded",
        {
            "episode": episode.id,
            "extractor": extractor,
            "claims": len(outcomes),
            "mentions": [{"entity": id_, "quote": quote} for id_, quote in mentioned.items()],
            "notes": list(notes),
        },
    )
    return Ingested(episode.id, "extracted", len(mentioned), tuple(outcomes), tuple(failed), notes, extractor)


UNNAMED = ("date", "quantity")  # mentions that are values, not things of their own


def _mentioned(writing: Writing, read: Sequence[Extraction]) -> dict[str, str]:
    """The entities that the text names, each recorded, with the words that name it."""
    found: dict[str, str] = {}
    for mention in _distinct(read):
        id_ = entities.ensure(writing, mention.name, mention.type, mention.aliases)
        found.setdefault(id_, mention.name)
    return found


def _distinct(read: Sequence[Extraction]) -> list[Mention]:
    every = [mention for extraction in read for mention in extraction.mentions if mention.type not in UNNAMED]
    return list({name_key(mention.name): mention for mention in reversed(every)}.values())[::-1]


def claim_of(candidate: Candidate, episode: Episode, extractor: str, owner: str) -> Claim:
    """A candidate as a claim: said by the episode's speaker, or by whom the text reports; concluded by a model."""
    subject = speaker_of(episode, owner) if candidate.subject == USER else candidate.subject
    provenance = Provenance.MODEL_DERIVED if candidate.concluded else PROVENANCE[episode.role]
    return Claim(
        id=new_id(),
        subject=subject,
        predicate=candidate.predicate,
        value=candidate.value,
        subject_key=name_key(subject),
        value_key=value_key(candidate.value),
        provenance=provenance,
        polarity=candidate.polarity,
        mood=candidate.mood,
        valid=candidate.valid,
        confidence=candidate.confidence,
        intent=candidate.intent,
        cardinality=None,
        speaker=candidate.speaker or speaker_of(episode, owner),
        source=episode.source,
        evidence=candidate.quote,
        episode=episode.id,
        occurred_at=episode.occurred_at,
        present=candidate.present,
        channel=Channel.EXTRACTED,
        extractor=extractor,
        scope=episode.scope.value,
        agent=episode.agent,
        run=episode.run,
        kind=candidate.kind,
        subject_type=candidate.subject_type,
        value_type=candidate.value_type,
    )
