"""Claims and their states as JSON, for events and the view. The shapes are the journal's: they only ever grow."""

from typing import Any

from hornbook.graph.belief.state import ClaimState, Review
from hornbook.graph.claim import (
    Cardinality,
    Channel,
    Claim,
    Criticality,
    Disposition,
    Intent,
    Mood,
    Polarity,
    Provenance,
)
from hornbook.graph.dates import Granularity, Moment
from hornbook.graph.interval import Interval

Json = dict[str, Any]

# enum members by their text: a dict is several times faster than the enum's own call
GRANULARITIES = {kind.value: kind for kind in Granularity}
DISPOSITIONS = {kind.value: kind for kind in Disposition}
PROVENANCES = {kind.value: kind for kind in Provenance}

PLAIN = (
    "id", "subject", "predicate", "value", "subject_key", "value_key", "confidence", "speaker", "source", "evidence",
    "episode", "present", "extractor", "scope", "agent", "run", "kind", "subject_type", "value_type", "memory",
    "extra",
)  # fmt: skip


def moment_to_json(moment: Moment | None) -> Json | None:
    """{"at": microseconds, "granularity": "day"}, or null."""
    return None if moment is None else {"at": moment.at, "granularity": moment.granularity.value}


def moment_from_json(data: Json | None) -> Moment | None:
    """The moment that was written."""
    return None if data is None else Moment(data["at"], GRANULARITIES[data["granularity"]])


def interval_to_json(interval: Interval) -> Json:
    """Start, end and confidence; the end's own confidence only where it has one.

    >>> interval_to_json(Interval())
    {'start': None, 'end': None, 'confidence': 0.0}
    """
    data: Json = {
        "start": moment_to_json(interval.start),
        "end": moment_to_json(interval.end),
        "confidence": interval.confidence,
    }
    return data if interval.end_confidence is None else {**data, "end_confidence": interval.end_confidence}


def interval_from_json(data: Json) -> Interval:
    """The interval that was written."""
    return Interval(
        moment_from_json(data["start"]), moment_from_json(data["end"]), data["confidence"], data.get("end_confidence")
    )


def claim_to_json(claim: Claim) -> Json:
    """Every field of a claim, enums as their text."""
    data: Json = {name: getattr(claim, name) for name in PLAIN}
    data["provenance"] = claim.provenance.value
    data["polarity"] = claim.polarity.value
    data["mood"] = claim.mood.value
    data["valid"] = interval_to_json(claim.valid)
    data["criticality"] = claim.criticality.value
    data["intent"] = claim.intent.value
    data["cardinality"] = claim.cardinality.value if claim.cardinality else None
    data["occurred_at"] = moment_to_json(claim.occurred_at)
    data["channel"] = claim.channel.value
    data["derived_from"] = list(claim.derived_from)
    return data


def claim_from_json(data: Json) -> Claim:
    """The claim that was written. Fields that were not there yet when it was take their defaults."""
    plain = {name: data[name] for name in PLAIN if name in data}
    cardinality = data.get("cardinality")
    return Claim(
        **plain,
        provenance=PROVENANCES[data["provenance"]],
        polarity=Polarity(data.get("polarity", "holds")),
        mood=Mood(data.get("mood", "asserted")),
        valid=interval_from_json(data["valid"]) if "valid" in data else Interval(),
        criticality=Criticality(data.get("criticality", "Low")),
        intent=Intent(data.get("intent", "state")),
        cardinality=Cardinality(cardinality) if cardinality else None,
        occurred_at=moment_from_json(data.get("occurred_at")),
        channel=Channel(data.get("channel", "stated")),
        derived_from=tuple(data.get("derived_from", ())),
    )


def state_to_json(state: ClaimState) -> Json:
    """A claim's state, all of it."""
    review = state.review
    return {
        "disposition": state.disposition.value,
        "live": state.live,
        "valid": interval_to_json(state.valid),
        "markers": list(state.markers),
        "rivals": list(state.rivals),
        "review": None if review is None else {"chain": list(review.chain), "from": review.since},
        "approximate": state.approximate,
    }


def state_from_json(data: Json) -> ClaimState:
    """The state that was written."""
    review = data.get("review")
    return ClaimState(
        DISPOSITIONS[data["disposition"]],
        data["live"],
        interval_from_json(data["valid"]),
        tuple(data["markers"]),
        tuple(data["rivals"]),
        None if review is None else Review(tuple(review["chain"]), review["from"]),
        data["approximate"],
    )
