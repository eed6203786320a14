"""Claims, slots and windows as replies show them: one shape for every tool."""

from typing import Any

from hornbook.graph.belief.belief import Slot
from hornbook.graph.belief.provenance import to_wire
from hornbook.graph.belief.state import Held
from hornbook.graph.clock import rfc3339
from hornbook.graph.interval import Interval


def interval_json(valid: Interval) -> dict[str, Any]:
    """A window: instants as RFC 3339, with the granularity at which each end was said; an open end is left out."""
    shown: dict[str, Any] = {}
    for name, moment in (("start", valid.start), ("end", valid.end)):
        if moment is not None:
            shown[name] = rfc3339(moment.at)
            shown[f"{name}_granularity"] = moment.granularity.value
    shown["valid_time_confidence"] = valid.confidence
    return shown


def displays(valid: Interval) -> dict[str, str]:
    """Both ends as precisely as they were said; an open end is left out."""
    ends = (("valid_from_display", valid.start), ("valid_until_display", valid.end))
    return {name: str(moment) for name, moment in ends if moment is not None}


def slot_json(slot: Slot) -> dict[str, Any]:
    """A side of a line: what it says, who stands behind it, when it holds, and what supports it."""
    claim = slot.held.claim
    shown: dict[str, Any] = {
        "claim_ref": slot.claim_ref,
        "fact": {"subject": slot.subject, "predicate": slot.held.predicate, "value": slot.value},
        "provenance": to_wire(slot.provenance),
        "valid_time": interval_json(slot.valid),
        **displays(slot.valid),
        "confidence": {"value_confidence": slot.confidence, "valid_time_confidence": slot.valid.confidence},
        "currency_signal": {
            "currency": slot.currency.value,
            "corroboration_count": slot.corroboration_count,
            "evidence_count": slot.evidence_count,
            "last_stated_at": rfc3339(slot.stated_at),
        },
        "disposition": slot.held.state.disposition.value,
        "polarity": slot.polarity.value,
        "mood": slot.mood.value,
        "evidence": claim.evidence,
        "source": claim.source,
        "speaker": claim.speaker,
        "markers": list(slot.markers),
        "derived": "derived" in claim.extra,
        "rule": claim.extra.get("rule"),
    }
    plain: dict[str, Any] = {
        "polarity": "holds",
        "mood": "asserted",
        "evidence": None,
        "source": None,
        "speaker": None,
        "markers": [],
        "derived": False,
        "rule": None,
    }
    return {key: value for key, value in shown.items() if key not in plain or value != plain[key]}


def claim_json(held: Held) -> dict[str, Any]:
    """A claim as it was written, from the end that is asked about, and how it stands now."""
    claim, state = held.claim, held.state
    shown: dict[str, Any] = {
        "claim_ref": claim.id,
        "fact": {"subject": held.subject, "predicate": held.predicate, "value": held.value},
        "provenance": to_wire(claim.provenance),
        "disposition": state.disposition.value,
        "live": state.live,
        "recorded_at": rfc3339(held.known_at),
        "valid_time": interval_json(state.valid),
        **displays(state.valid),
        "stated_valid_time": interval_json(claim.valid) if claim.valid != state.valid else None,
        "confidence": {"value_confidence": claim.confidence, "valid_time_confidence": state.valid.confidence},
        "criticality": claim.criticality.value,
        "polarity": claim.polarity.value,
        "mood": claim.mood.value,
        "evidence": claim.evidence,
        "source": claim.source,
        "speaker": claim.speaker,
        "occurred_at": str(claim.occurred_at) if claim.occurred_at else None,
        "extractor": claim.extractor,
        "derived_from": list(claim.derived_from) or None,
        "pinned_proofs": claim.extra.get("pinned"),
        "contested_with": list(state.rivals) or None,
        "pending_review": list(state.review.chain) if state.review else None,
        "markers": list(state.markers) or None,
        "node_id": claim.memory,
    }
    return {key: value for key, value in shown.items() if value is not None}
