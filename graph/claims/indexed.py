"""Letting claims be found: a claim taken from a text is another wording of it, one without a text stands for itself."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hornbook.graph.belief.state import ClaimState
from hornbook.graph.claim import Claim, Polarity
from hornbook.graph.interval import FOREVER
from hornbook.graph.names import name_key
from hornbook.graph.passages import passages
from hornbook.graph.store import Writing

if TYPE_CHECKING:
    from hornbook.graph.journal.vectors import Vector

SHORT = 1_000  # characters of a text that is never cut into passages


def sentence(subject: str, predicate: str, value: Any, polarity: str = Polarity.HOLDS.value) -> str:
    """A claim in words, as it is indexed and shown.

    >>> sentence("Ana", "lives_in", "Munich"), sentence("Ana", "eats", "meat", "not"), sentence("Ana", "age", 34)
    ('Ana lives in Munich', 'Ana not eats meat', 'Ana age 34')
    """
    said = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    denied = "not " if polarity == Polarity.NOT.value else ""
    return f"{subject} {denied}{predicate.replace('_', ' ')} {said}"


def words_of(claim: Claim) -> str:
    """A claim in words."""
    return sentence(claim.subject, claim.predicate, claim.value, claim.polarity.value)


def text_of(body: Mapping[str, Any]) -> str:
    """The words of a recorded claim, from the body of its event."""
    claim = body["claim"]
    return sentence(claim["subject"], claim["predicate"], claim["value"], claim.get("polarity", "holds"))


def index_claim(
    writing: Writing, seq: int, claim: Claim, line: str, state: ClaimState, vector: "Vector | None" = None
) -> None:
    """Make a claim searchable, by its words at once and by its vector when it has one, in the open transaction.

    No model is asked here: without a vector the claim waits for the next round of embedding.
    """
    said = words_of(claim)
    facets: dict[str, Any] = {
        "claim": claim.id,
        "fact": f"{line}|{claim.value_key}|{claim.polarity.value}",
        "scope": claim.scope or "personal",
        "agent": claim.agent,
        "run": claim.run,
        "speaker": claim.speaker,
        "node_type": claim.kind,
        "occurred_at": claim.occurred_at.at if claim.occurred_at else None,
        "confidence": claim.confidence,
        "about": (name_key(claim.subject),),
        "length": len(said),
    }
    text = claim.memory or claim.episode
    if text is not None:
        facets |= {"episode": claim.episode, "span": _span(writing, claim)}
    elif claim.evidence:
        said = f"{said}. {claim.evidence}"
    writing.snapshot.add_document(text or claim.id, "claim", seq, said, vector, facets)
    stand_claim(writing, claim.id, state)


def _span(writing: Writing, claim: Claim) -> list[int] | None:
    """The passage of a long text in which the claim was said; None where the text is one passage."""
    event = writing.snapshot.by_id(claim.episode) if claim.episode else None
    content = "" if event is None or event.body is None else str(event.body["content"])
    spans = passages(content) if len(content) > SHORT else []
    at = max(content.find(claim.evidence), 0) if claim.evidence else 0
    return next((list(span) for span in spans if at < span[1]), None) if len(spans) > 1 else None


def stand_claim(writing: Writing, claim: str, state: ClaimState) -> None:
    """Note for the search how a claim stands: offered while it is live, in the window in which it holds."""
    until = state.valid.until if state.valid.end_trusted else FOREVER
    writing.snapshot.stand(claim, state.disposition.value, active=state.live, since=state.valid.since, until=until)
