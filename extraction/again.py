"""Extracting a text again with a better extractor: what is no longer read in it goes, what is read anew is gated."""

from dataclasses import replace

from hornbook.extraction.ingest import Ingested, record
from hornbook.extraction.read import Found
from hornbook.graph import entities
from hornbook.graph.belief.state import Held
from hornbook.graph.claim import Channel, Claim, Disposition
from hornbook.graph.claims.lines import claim_rows
from hornbook.graph.names import name_key, value_key
from hornbook.graph.records.withdraw import withdraw
from hornbook.graph.store import Writing
from hornbook.graph.view import queries

REASON = "extracted again"


def record_again(writing: Writing, found: Found) -> Ingested:
    """Record a further extraction of an episode in the open transaction.

    Claims that an earlier one took from it and that are not said again are superseded, before the new ones are
    decided, so that these contest none of them. What is said again stays as it is. An extraction that failed, or
    failed in part, takes nothing away.
    """
    if found.error is not None:
        return record(writing, found)
    earlier = _earlier(writing, found.episode.id)
    now = {claim.id: _said(writing, claim) for claim in found.claims}
    kept = {_said(writing, one.claim) for one in earlier} & set(now.values())
    if not found.errors:  # what a piece that failed said may have been said again
        gone = [one.id for one in earlier if _said(writing, one.claim) not in kept]
        withdraw(writing, gone, Disposition.SUPERSEDED, REASON)
    return record(writing, replace(found, claims=[one for one in found.claims if now[one.id] not in kept]))


def _earlier(writing: Writing, episode: str) -> list[Held]:
    """The claims that extractors took from an episode, and that are still believed or wait for it."""
    refs = writing.ask(queries.claims_of_item, episode, upto=writing.upto)
    return [
        one
        for one in claim_rows(writing, refs)
        if one.claim.channel is Channel.EXTRACTED
        and one.claim.episode == episode
        and (one.state.live or one.state.disposition is Disposition.PENDING_LOW_CONFIDENCE)
    ]


def _said(writing: Writing, claim: Claim) -> tuple[str, ...]:
    """What a claim says, whichever names it uses for its entities."""
    subject = entities.find(writing, claim.subject)
    value = entities.find(writing, claim.value) if isinstance(claim.value, str) and claim.value.strip() else None
    return (
        subject.id if subject else name_key(claim.subject),
        writing.registry.named(claim.predicate).key,
        value_key(value.name) if value else claim.value_key,
        claim.polarity.value,
        claim.mood.value,
    )
