"""From a model's answer to candidates: each held to its quote, its dates read by our own rules."""

import re
import unicodedata
from typing import Any

from hornbook.extraction.candidate import USER, Candidate, Extraction, Mention, Passage
from hornbook.extraction.dates import Role, find_dates, resolve_phrase
from hornbook.extraction.model.client import Reply
from hornbook.extraction.model.schema import ReadClaim, ReadEntity
from hornbook.graph.belief.registry import built_in
from hornbook.graph.claim import Intent, Mood, Polarity
from hornbook.graph.interval import Interval

SPEAKER = ("i", "me", "my", "myself", "we", "user", "the user", "speaker", "the speaker")
THEMSELF = ("i", "me", "myself", "the speaker")  # as a value; "user" may be one of its own
MARKS = {"'": "['\u2018\u2019\u02bc`\u00b4]", '"': '["\u201c\u201d\u201e\u00ab\u00bb]', "-": "[-\u2010-\u2015\u2212]"}
ALIKE = {mark: group for group in MARKS.values() for mark in re.sub(r"[\[\]]", "", group)} | MARKS
GUESSED = 0.5  # confidence of a date that the text does not spell out
STEM = 4  # letters that a word and its inflection share


def extraction_of(reply: Reply, passage: Passage, extractor: str) -> Extraction:
    """What a model read in a passage; claims without their words in it are left out, and named."""
    text = unicodedata.normalize("NFC", passage.text)
    candidates, failed, notes = [], [], list(reply.problems)
    types = {name.casefold(): one.type for one in reply.answer.entities for name in (one.name, *one.aliases)}
    for claim in reply.answer.claims:
        quote = found_in(text, claim.quote)
        if quote is None:
            failed.append(_unquoted(claim))
            continue
        candidates.append(_candidate(claim, quote, text, passage, types, notes))
    mentions = [one for entity in reply.answer.entities if (one := _mention(entity, passage.text, text)) is not None]
    return Extraction(
        tuple(mentions), tuple(candidates), extractor, tuple(dict.fromkeys(notes)), tuple(failed), usage=reply.usage
    )


def found_in(text: str, quote: str) -> str | None:
    """The words of the text that a quote is, as the text has them; blanks, case and kinds of marks may differ.

    >>> found_in("She said: \u201cI  am off\u201d.", '"i am off"') is None, found_in("Ana left.", "Bob left") is None
    (False, True)
    """
    wanted = unicodedata.normalize("NFC", quote).strip().strip("\u2026").removesuffix("...").removeprefix("...").strip()
    if not any(letter.isalnum() for letter in wanted):
        return None
    for words in dict.fromkeys((wanted, wanted.strip("\"'.,;:!? \u201c\u201d"))):
        parts = ("".join(ALIKE.get(letter) or re.escape(letter) for letter in word) for word in words.split())
        if (hit := re.search(r"\s+".join(parts), text, re.IGNORECASE)) is not None:
            return hit[0]
    return None


def _unquoted(claim: ReadClaim) -> dict[str, Any]:
    said = f"{claim.subject} {claim.predicate} {claim.value}"
    return {
        "code": "invalid_argument",
        "message": f"the text does not hold the quote of the claim '{said}'",
        "field": "quote",
        "quote": claim.quote,
    }


def _candidate(
    claim: ReadClaim, quote: str, text: str, passage: Passage, types: dict[str, str], notes: list[str]
) -> Candidate:
    subject = _who(claim.subject, passage)
    value = claim.value
    if isinstance(value, str) and value.casefold() in THEMSELF:
        value = _who(value, passage)
    speaker = _who(claim.said_by, passage) if claim.said_by else None
    mood = Mood.PLANNED if claim.tense == "future" and claim.mood == "asserted" else Mood(claim.mood)
    return Candidate(
        subject,
        claim.predicate,
        value,
        quote,
        types.get(claim.subject.casefold()),
        types.get(value.casefold()) if isinstance(value, str) else None,
        Polarity.NOT if claim.intent == "end" else Polarity(claim.polarity),
        mood,
        Intent.STATE if claim.intent == "state" else Intent.UPDATE,
        claim.kind,
        _valid(claim, text, passage, notes),
        claim.tense == "present",
        claim.confidence,
        not (claim.said and grounded(value, text)),
        None if speaker in (USER, passage.speaker) else speaker,
    )


def _who(name: str, passage: Passage) -> str:
    return (passage.speaker or USER) if name.strip().casefold() in SPEAKER else name


def grounded(value: Any, text: str) -> bool:
    """Whether the text has a word of the value: a country for a city that was named is the model's own knowledge.

    >>> grounded("cycling", "I cycle to work"), grounded("Norway", "I live in Oslo"), grounded(7, "seven")
    (True, False, True)
    """
    if not isinstance(value, str) or any(letter.isdigit() for letter in value):
        return True
    words = re.findall(r"\w+", unicodedata.normalize("NFC", value).casefold())
    said = text.casefold()
    return any(word[:STEM] in said for word in words if len(word) > 1) or not words


def _valid(claim: ReadClaim, text: str, passage: Passage, notes: list[str]) -> Interval:
    """When it holds, from the words that say so; a state of the past without a date is over by when it was said."""
    occurred_at, changes = passage.occurred_at, claim.intent != "state"
    future = claim.tense == "future" or claim.mood == "planned"
    if claim.when:
        spoken = found_in(text, claim.when)
        found = find_dates(claim.when, occurred_at, future=future)
        interval = found[0].interval if found else resolve_phrase(claim.when, occurred_at)
        if interval is None:
            notes.append(f"'{claim.when}' could not be placed in time")
            return Interval()
        at = not found or found[0].role is Role.AT
        confidence = interval.confidence if spoken else min(GUESSED, interval.confidence)
        return Interval(interval.start, None if changes and at else interval.end, confidence)
    known = built_in().named(claim.predicate)
    over = claim.tense == "past" and claim.intent == "state" and known.declared and not known.event and not known.fixed
    return Interval(None, occurred_at, 0.8) if over and occurred_at else Interval()


def _mention(entity: ReadEntity, raw: str, text: str) -> Mention | None:
    """Where the text names an entity; None where it does not."""
    for name in (entity.name, *entity.aliases):
        if (said := found_in(text, name)) is None or entity.name.casefold() in SPEAKER:
            continue
        start = max(0, raw.find(said))
        aliases = tuple(alias for alias in entity.aliases if alias != entity.name and found_in(text, alias))
        return Mention(entity.name, entity.type, start, start + len(said), aliases)
    return None
