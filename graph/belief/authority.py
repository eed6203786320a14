"""Who may end what: the rival's own speaker or source, or the owner; never a model, a tool or a document."""

from collections.abc import Sequence
from dataclasses import replace

from hornbook.graph.belief.state import Held
from hornbook.graph.belief.windows import window_of
from hornbook.graph.claim import Channel, Claim, Criticality, Provenance
from hornbook.graph.interval import FOREVER, Interval
from hornbook.graph.names import name_key

GUARDED = (Criticality.HIGH, Criticality.CRITICAL)
SOMEONE = "user"  # the owner of a tenant that gave no name


def may_close(claim: Claim, other: Claim, owner: str | None) -> bool:
    """Whether a claim may close another: its own speaker or source, or the owner speaking; nothing dear.

    Text from tools and documents never closes what a user asserted.
    """
    if not claim.provenance.external or other.criticality in GUARDED:
        return False
    if claim.provenance is Provenance.FIRST_HAND and other.provenance is Provenance.USER_ASSERTED:
        return False
    speaker = speaker_of(claim, owner)
    if speaker is not None and speaker in (name_key(owner or SOMEONE), speaker_of(other, owner)):
        return True
    return claim.source is not None and other.source is not None and name_key(claim.source) == name_key(other.source)


def speaker_of(claim: Claim, owner: str | None) -> str | None:
    """Who speaks, as a key: what a user asserted without a name is the owner's word."""
    if claim.speaker is not None:
        return name_key(claim.speaker)
    return name_key(owner or SOMEONE) if claim.provenance is Provenance.USER_ASSERTED else None


def allowed(claim: Claim, same: Sequence[Held], owner: str | None) -> Interval:
    """The claim's window, without an end that it may not give to what others said.

    An end that was extracted, or that a tool or a document gives, counts only where the claim could close a rival.
    """
    guarded = claim.channel is Channel.EXTRACTED or claim.provenance is Provenance.FIRST_HAND
    if claim.valid.end is None or not guarded or not claim.provenance.external:
        return claim.valid
    until = claim.valid.until if claim.valid.end_trusted else FOREVER
    longer = [one for one in same if one.external and window_of(one).until > until]
    if all(may_close(claim, one.claim, owner) for one in longer):
        return claim.valid
    last = max(longer, key=lambda one: window_of(one).until)
    end = last.state.valid.end if last.state.valid.end_trusted else None
    return replace(claim.valid, end=end, end_confidence=None if end is None else 1.0)
