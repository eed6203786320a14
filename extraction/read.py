"""Reading stored texts with an extractor: cut, read, put together again, as claims of the text's speaker. No store."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from hornbook.extraction.candidate import NO_USAGE, USER, Candidate, Extraction, Extractor, Passage, Usage
from hornbook.extraction.dated import Part, parts_of
from hornbook.graph.claim import Channel, Claim, Provenance
from hornbook.graph.claims.indexed import words_of
from hornbook.graph.episode import PROVENANCE, Episode, Role
from hornbook.graph.errors import EmbeddingError, ExtractionError, HornbookError
from hornbook.graph.ids import new_id
from hornbook.graph.names import name_key, predicate_key, value_key
from hornbook.graph.passages import passages
from hornbook.graph.record import Embed

if TYPE_CHECKING:
    from hornbook.graph.journal.vectors import Vector

CHUNK, OVERLAP = 6_000, 200  # characters given to an extractor at once, and those that two pieces share
BATCH = 64  # sentences embedded at once
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Found:
    """What was read in an episode, piece by piece, and the claims in it, each once; vectors by what a claim says.

    A piece that could not be read has the error in its place.
    """

    episode: Episode
    read: Sequence[Extraction]
    claims: Sequence[Claim] = ()
    vectors: Mapping[str, "Vector"] = field(default_factory=dict)

    @property
    def error(self) -> HornbookError | None:
        """Why nothing could be read; None where at least a piece was."""
        return None if any(one.error is None for one in self.read) else self.errors[0][1]

    @property
    def errors(self) -> list[tuple[int, HornbookError]]:
        """The pieces that could not be read, by number from 1, and why."""
        return [(number, one.error) for number, one in enumerate(self.read, 1) if one.error is not None]

    @property
    def extractor(self) -> str:
        """Who read it: name and version."""
        return self.read[0].extractor if self.read else ""

    @property
    def usage(self) -> Usage:
        """What reading it took."""
        return sum((one.usage for one in self.read), NO_USAGE)


def read_texts(
    extractor: Extractor, episodes: Sequence[Episode], owner: str, embed: Embed | None = None
) -> list[Found]:
    """Read episodes, in order, and give what they say its vectors; outside every lock, since both take their time."""
    found = [
        Found(episode, read, claims_of(read, episode, owner))
        for episode, read in zip(episodes, read_all(extractor, episodes, owner), strict=True)
    ]
    vectors = _vectors([claim for one in found for claim in one.claims], embed)
    return [replace(one, vectors=vectors) for one in found]


def _vectors(claims: Sequence[Claim], embed: Embed | None) -> dict[str, "Vector"]:
    """The vectors of what claims say, by their sentences; none where the model cannot be had."""
    said = list(dict.fromkeys(map(words_of, claims)))
    if embed is None:
        return {}
    try:
        return {
            words: vector
            for at in range(0, len(said), BATCH)
            for words, vector in zip(said[at : at + BATCH], embed(said[at : at + BATCH]), strict=True)
        }
    except EmbeddingError:
        return {}


def speaker_of(episode: Episode, owner: str) -> str:
    """Who says "I": the speaker named, else the owner where the owner speaks, else the role itself."""
    return episode.speaker or (owner if episode.role is Role.USER else episode.role.value)


def chunks_of(episode: Episode, owner: str) -> list[Passage]:
    """The passages that an extractor reads: the whole text, or pieces of a long one, cut between sentences.

    One that dates itself is cut where its dates change, each piece said on its day; but not what a model wrote, since
    a date in that is of what it read.
    """
    speaker, content = speaker_of(episode, owner), episode.content
    parts = [Part(content)] if PROVENANCE[episode.role] is Provenance.MODEL_DERIVED else parts_of(content)
    return [
        Passage(part.text[start:end], part.speaker or speaker, part.at or episode.occurred_at)
        for part in parts
        for start, end in passages(part.text, CHUNK, OVERLAP)
    ]


def read_all(extractor: Extractor, episodes: Sequence[Episode], owner: str) -> Iterator[Sequence[Extraction]]:
    """What an extractor reads in each episode, in order, piece by piece; a piece that fails carries the error."""
    pieces = [chunks_of(episode, owner) for episode in episodes]
    every = _each(extractor, [passage for of in pieces for passage in of])
    return ([next(every) for _ in of] for of in pieces)


def _each(extractor: Extractor, asked: Sequence[Passage]) -> Iterator[Extraction]:
    """All passages in one go; what is left when that breaks off, one by one, so that only the culprit fails."""
    done = 0
    try:
        for extraction in extractor.extract_many(asked):
            yield extraction
            done += 1
    except Exception as error:  # whatever a model or its library raises: the texts are safe, the failure is told
        if len(asked) == 1:
            yield Extraction(error=_told(error))
        else:
            for passage in asked[done:]:
                yield from _each(extractor, [passage])


def _told(error: Exception) -> HornbookError:
    if isinstance(error, HornbookError):
        return error
    log.warning("extraction failed", exc_info=error)
    return ExtractionError("extraction failed", hint="the text is stored; extraction can be retried")


def claims_of(read: Sequence[Extraction], episode: Episode, owner: str) -> list[Claim]:
    """The claims of an episode. What two pieces share, or a model says twice, is one; said on two days it is two."""
    found: dict[tuple[object, ...], Claim] = {}
    for passage, extraction in zip(chunks_of(episode, owner), read, strict=False):
        said_then = replace(episode, speaker=passage.speaker, occurred_at=passage.occurred_at)
        for candidate in extraction.candidates:
            claim = claim_of(candidate, said_then, extraction.extractor, owner)
            said = (
                *(claim.subject_key, predicate_key(claim.predicate), claim.value_key, claim.polarity, claim.mood),
                *(claim.speaker, claim.occurred_at),
            )
            found.setdefault(said, claim)
    return list(found.values())


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
