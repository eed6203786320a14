"""What comes in from outside, checked field by field. Malformed input is an error that names the field and the mend."""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, TypeVar

from hornbook.graph.belief.provenance import parse_provenance
from hornbook.graph.belief.registry import Predicate, Registry
from hornbook.graph.claim import Cardinality, Claim, Criticality, Intent, Mood, Polarity, Provenance
from hornbook.graph.dates import Granularity, Moment, parse_moment
from hornbook.graph.errors import InvalidArgument, TooLarge
from hornbook.graph.ids import checked_id
from hornbook.graph.interval import Interval
from hornbook.graph.names import name_key, predicate_key

LONGEST_NAME = 2_000  # characters of a subject, a predicate, a speaker or a source
LARGEST_VALUE = 200_000  # bytes of a value as JSON
LONGEST_QUOTE = 200_000  # characters of the evidence
DEEPEST_VALUE = 32  # lists and objects inside one another
DEFAULT_CONFIDENCE = 0.9
WINDOW_KEYS = ("start", "end", "valid_time_confidence", "start_granularity", "end_granularity")

Word = TypeVar("Word", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class Stated:
    """A claim as it was said, checked, before it has an id and a line."""

    subject: str
    predicate: str
    value: Any
    provenance: Provenance
    polarity: Polarity = Polarity.HOLDS
    mood: Mood = Mood.ASSERTED
    valid: Interval = Interval()
    confidence: float = DEFAULT_CONFIDENCE
    criticality: Criticality = Criticality.LOW
    intent: Intent = Intent.STATE
    cardinality: Cardinality | None = None
    speaker: str | None = None
    source: str | None = None
    evidence: str | None = None
    occurred_at: Moment | None = None
    derived_from: tuple[str, ...] = ()


def checked_claim(
    *,
    subject: object = None,
    predicate: object = None,
    value: object = None,
    provenance: object = None,
    valid_time: object = None,
    confidence_value: object = None,
    cardinality: object = None,
    criticality: object = None,
    intent: object = None,
    polarity: object = None,
    mood: object = None,
    speaker: object = None,
    source: object = None,
    evidence: object = None,
    occurred_at: object = None,
    derived_from: object = None,
    wire: bool = False,
) -> Stated:
    """A claim from raw input, or the error that says which field is wrong. None is what was not given.

    >>> checked_claim(subject=" ", predicate="likes", value=1, provenance="ModelDerived")
    Traceback (most recent call last):
    hornbook.graph.errors.InvalidArgument: subject is missing or blank
    """
    return Stated(
        checked_name(subject, "subject"),
        _predicate(predicate),
        checked_value(value),
        parse_provenance(provenance),
        word(polarity, Polarity, "polarity", Polarity.HOLDS),
        word(mood, Mood, "mood", Mood.ASSERTED),
        checked_window(valid_time, "valid_time", wire=wire),
        fraction(confidence_value, "confidence_value", DEFAULT_CONFIDENCE),
        word(criticality, Criticality, "criticality", Criticality.LOW),
        word(intent, Intent, "intent", Intent.STATE),
        None if cardinality is None else word(cardinality, Cardinality, "cardinality", Cardinality.UNKNOWN),
        optional_name(speaker, "speaker"),
        optional_name(source, "source"),
        _quote(evidence),
        None if occurred_at is None else checked_moment(occurred_at, "occurred_at"),
        checked_refs(derived_from, "derived_from"),
    )


def claim_of(stated: Stated, registry: Registry, claim_id: str, **more: Any) -> tuple[Claim, Predicate]:
    """The claim that a checked statement makes, in the registry's form, with its predicate.

    Where the predicate is stored by its inverse, subject and value change places; only a text can be a subject.
    `more` are further fields of the claim.
    """
    predicate, turned = registry.resolve(stated.predicate)
    if turned and not isinstance(stated.value, str):
        predicate, turned = registry.named(stated.predicate), False
    subject, value = (stated.value, stated.subject) if turned else (stated.subject, stated.value)
    fields: dict[str, Any] = {
        "confidence": stated.confidence,
        "criticality": stated.criticality,
        "intent": stated.intent,
        "cardinality": stated.cardinality,
        "speaker": stated.speaker,
        "source": stated.source,
        "evidence": stated.evidence,
        "occurred_at": stated.occurred_at,
        "derived_from": stated.derived_from,
        **more,
    }
    claim = Claim(
        claim_id,
        subject,
        predicate.key,
        value,
        name_key(subject),
        predicate.key_of(value),
        stated.provenance,
        stated.polarity,
        stated.mood,
        stated.valid,
        **fields,
    )
    return claim, predicate


def checked_name(given: object, field: str) -> str:
    """A text that is not blank and not too long, as it was written."""
    if not isinstance(given, str) or not name_key(given):
        raise InvalidArgument(f"{field} is missing or blank", field=field, hint="give it as a text")
    if len(given) > LONGEST_NAME:
        raise TooLarge(f"{field} has {len(given)} characters; the limit is {LONGEST_NAME}", field=field)
    return encodable(given, field)


def encodable(text: str, field: str) -> str:
    """A text that can be stored: without halves of characters."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise InvalidArgument(f"{field} holds half a character (a lone surrogate)", field=field) from None
    return text


def optional_name(given: object, field: str) -> str | None:
    """A name that may be left out."""
    return None if given is None else checked_name(given, field)


def _predicate(given: object) -> str:
    name = checked_name(given, "predicate")
    if not predicate_key(name):
        raise InvalidArgument("predicate has no letter or digit", field="predicate", hint="for example lives_in")
    return name


def checked_value(given: object) -> Any:
    """A value: any JSON but null and blank texts, within the limits of size and depth."""
    if given is None:
        raise InvalidArgument("value is missing or null", field="value", hint="any other JSON is a value")
    if isinstance(given, str) and not name_key(given):
        raise InvalidArgument("value is blank", field="value", hint="say what holds, as a text that can be read")
    _check_depth(given, DEEPEST_VALUE)
    try:
        size = len(json.dumps(given, ensure_ascii=False, allow_nan=False).encode("utf-8"))
    except (TypeError, ValueError):
        raise InvalidArgument("value is not JSON", field="value", hint="no NaN, no infinity, text keys") from None
    if size > LARGEST_VALUE:
        raise TooLarge(f"value has {size} bytes as JSON; the limit is {LARGEST_VALUE}", field="value")
    return given


def _check_depth(value: object, left: int) -> None:
    if isinstance(value, dict | list | tuple):
        if not left:
            raise TooLarge(f"value is nested deeper than {DEEPEST_VALUE}", field="value")
        for item in value.values() if isinstance(value, dict) else value:
            _check_depth(item, left - 1)
    if isinstance(value, dict) and not all(isinstance(key, str) for key in value):
        raise InvalidArgument("value has a key that is no text", field="value")


def fraction(given: object, field: str, default: float) -> float:
    """A number from 0 to 1; not true or false, not NaN."""
    if given is None:
        return default
    if isinstance(given, bool) or not isinstance(given, int | float) or math.isnan(given) or not 0 <= given <= 1:
        raise InvalidArgument(f"{field} must be a number from 0 to 1", field=field, hint=f"leave it out for {default}")
    return float(given)


def word(given: object, kind: type[Word], field: str, default: Word) -> Word:
    """One of the words there are, whatever its case."""
    if given is None:
        return default
    for member in kind:
        if given is member or (isinstance(given, str) and given.strip().casefold() == member.value.casefold()):
            return member
    valid = tuple(member.value for member in kind)
    raise InvalidArgument(f"{field} is none of {', '.join(valid)}", field=field, valid=valid)


def checked_moment(given: Any, field: str, granularity: object = None) -> Moment:
    """A lenient date, shown with the granularity given instead of its own."""
    moment = parse_moment(given, field)
    if granularity is None:
        return moment
    return replace(moment, granularity=word(granularity, Granularity, f"{field}_granularity", moment.granularity))


def checked_window(given: object, field: str, *, wire: bool = False, default: float = DEFAULT_CONFIDENCE) -> Interval:
    """A valid time: `{start?, end?, valid_time_confidence, start_granularity?, end_granularity?}`.

    Without a window nothing is known of the time, so its confidence is 0. On the wire a window states its confidence.

    >>> str(checked_window({"start": "2020-03"}, "valid_time").start)
    '2020-03'
    """
    if given is None:
        return Interval()
    if isinstance(given, Interval):
        return given
    if not isinstance(given, Mapping):
        raise InvalidArgument(f"{field} is an object with start and end", field=field, valid=WINDOW_KEYS)
    for key in given.keys() - set(WINDOW_KEYS):
        raise InvalidArgument(f"{field} has no '{key}'", field=f"{field}.{key}", valid=WINDOW_KEYS)
    name = f"{field}.valid_time_confidence"
    if wire and given.get("valid_time_confidence") is None:
        raise InvalidArgument(f"{name} is missing", field=name, hint="say from 0 to 1 how sure the times are")
    ends = (_end(given, field, "start"), _end(given, field, "end"))
    return Interval(*ends, fraction(given.get("valid_time_confidence"), name, default))


def _end(given: Mapping[Any, Any], field: str, name: str) -> Moment | None:
    granularity = given.get(f"{name}_granularity")
    if given.get(name) is None:
        if granularity is not None:
            word(granularity, Granularity, f"{field}.{name}_granularity", Granularity.INSTANT)
        return None
    return checked_moment(given[name], f"{field}.{name}", granularity)


def checked_refs(given: object, field: str) -> tuple[str, ...]:
    """Ids of claims, each once; whether they exist is not known here."""
    if given is None:
        return ()
    if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
        raise InvalidArgument(f"{field} is a list of claim ids", field=field)
    return tuple(dict.fromkeys(checked_id(ref, f"{field}.{index}") for index, ref in enumerate(given)))


def _quote(given: object) -> str | None:
    if given is None:
        return None
    if not isinstance(given, str):
        raise InvalidArgument("evidence is a text: the words it was said in", field="evidence")
    if len(given) > LONGEST_QUOTE:
        raise TooLarge(f"evidence has {len(given)} characters; the limit is {LONGEST_QUOTE}", field="evidence")
    return encodable(given, "evidence")
