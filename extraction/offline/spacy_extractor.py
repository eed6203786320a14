"""The offline default: spaCy's parse read by rules. One text or a stream of them; no network, no key."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, tee
from typing import TYPE_CHECKING, Any

from hornbook.extraction.candidate import Candidate, Extraction, Mention, Passage
from hornbook.extraction.dates import resolve_phrase
from hornbook.extraction.offline.document import document_drafts, main_name
from hornbook.extraction.offline.draft import Draft
from hornbook.extraction.offline.language import NOTE, looks_english
from hornbook.extraction.offline.mood import is_question
from hornbook.extraction.offline.naming import TYPES, find_names, mentions_of
from hornbook.extraction.offline.nouns import noun_drafts
from hornbook.extraction.offline.plain import plain_candidates, plain_mentions
from hornbook.extraction.offline.reading import LONGEST_SENTENCE, Reading
from hornbook.extraction.offline.talk import ironic, known_as, talk_drafts
from hornbook.extraction.offline.times import Dates, begins, valid_of
from hornbook.extraction.offline.verbs import verb_drafts
from hornbook.extraction.spacy_model import Model, load_model
from hornbook.graph.belief.registry import built_in
from hornbook.graph.claim import Cardinality, Intent, Mood, Polarity
from hornbook.graph.interval import Interval

if TYPE_CHECKING:
    from spacy.tokens import Doc

RULES_VERSION = "rules 2"
SURROGATES = re.compile(r"[\ud800-\udfff]")
LONGEST = 200_000  # characters parsed at once; a longer text is for the pipeline to cut


class SpacyExtractor:
    """Reads mentions and claims from the parse. `broad` also takes looser links between the names of a text.

    Left open, `broad` is decided by the passage: prose without a speaker is read broadly, talk strictly, because what
    is read from talk goes into belief.
    """

    def __init__(self, model: str | None = None, *, broad: bool | None = None) -> None:
        self.wanted = model
        self.broad = broad

    @property
    def model(self) -> Model:
        """The pipeline, loaded at first use."""
        return load_model(self.wanted)

    @property
    def name(self) -> str:
        """The model and the version of the rules, as it stands in every claim taken by them."""
        return f"spacy {self.model.name} / {RULES_VERSION}"

    def extract(self, passage: Passage) -> Extraction:
        """What one passage says."""
        return next(self.extract_many((passage,)))

    def extract_many(self, passages: Iterable[Passage]) -> Iterator[Extraction]:
        """What each says, in order; parsed in batches."""
        model = self.model
        texts, kept = tee(passages)
        docs = model.nlp.pipe((readable(p.text) for p in texts), batch_size=64)
        for passage, doc in zip(kept, docs, strict=True):
            yield self._read(model, passage, doc)

    def _read(self, model: Model, passage: Passage, doc: "Doc") -> Extraction:
        english = looks_english(doc.text)
        notes = (*model.notes, *(() if english else (NOTE,)), *too_long(passage))
        if not model.parses or not english:
            plain = plain_candidates(doc, passage) if english else ()
            mentions = (*plain_mentions(doc, passage), *_model_mentions(doc, english))
            return Extraction(mentions, tuple(plain), self.name, notes)
        broad = passage.speaker is None if self.broad is None else self.broad
        names = find_names(doc, passage.known, talk=not broad)
        reading = Reading(doc, passage, names, broad)
        if broad:
            reading.main, reading.main_nouns = main_name(reading)
        further = document_drafts(reading) if broad else talk_drafts(reading)
        drafts = chain(verb_drafts(reading), noun_drafts(reading), further)
        mentions = _called(mentions_of(doc, names), {} if broad else known_as(reading))
        return Extraction(mentions, _candidates(reading, drafts), self.name, (*notes, *unread(reading)))


def _called(mentions: tuple[Mention, ...], also: Mapping[str, str]) -> tuple[Mention, ...]:
    """The mentions, each with what it is called besides."""
    return tuple(
        replace(one, type="person", aliases=(*one.aliases, also[one.name])) if one.name in also else one
        for one in mentions
    )


def readable(text: str) -> str:
    """The text, letter for letter, with lone surrogates blotted out: they cannot be encoded, and spaCy encodes."""
    return SURROGATES.sub("\ufffd", text[:LONGEST])


def unread(reading: Reading) -> tuple[str, ...]:
    """What to say of sentences that were left out."""
    over = sum(len(sentence) > LONGEST_SENTENCE for sentence in reading.sentences)
    return (f"{over} sentences of more than {LONGEST_SENTENCE} words were not read for claims",) if over else ()


def too_long(passage: Passage) -> tuple[str, ...]:
    """What to say of a text that was read in part only."""
    if len(passage.text) <= LONGEST:
        return ()
    return (f"only the first {LONGEST:,} of {len(passage.text):,} characters were read: cut the text first",)


def _model_mentions(doc: "Doc", english: bool) -> tuple[Mention, ...]:
    """The model's own names in a Latin text of another language: it knows them by their shape."""
    if english or not doc.text.isascii():
        return ()
    ents = (e for e in doc.ents if e.label_ in ("PERSON", "ORG", "GPE"))
    return tuple({e.text: Mention(e.text, TYPES[e.label_], e.start_char, e.end_char) for e in ents}.values())


def _candidates(reading: Reading, drafts: Iterable[Draft]) -> tuple[Candidate, ...]:
    dates = Dates(reading)
    found: dict[tuple[str, ...], Candidate] = {}
    for draft in drafts:
        quote = reading.quote_of(draft.word)
        if draft.subject.text == draft.value.text or is_question(quote) or (not reading.broad and ironic(quote)):
            continue
        candidate = _candidate(reading, draft, dates)
        key = (
            candidate.subject.casefold(),
            candidate.predicate,
            str(candidate.value).casefold(),
            candidate.polarity,
            candidate.mood,
        )
        found.setdefault(key, candidate)
    return tuple(_one_value_a_line(found.values()))


def _one_value_a_line(candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    """Where a sentence gives a functional line several values, the first is meant; the others contest nothing."""
    seen: set[tuple[str, ...]] = set()
    for candidate in candidates:
        line = (candidate.subject.casefold(), candidate.predicate, candidate.quote, candidate.polarity, candidate.mood)
        single = built_in().named(candidate.predicate).cardinality is Cardinality.FUNCTIONAL
        second = single and line in seen and candidate.valid == Interval()
        yield replace(candidate, confidence=min(candidate.confidence, 0.6)) if second else candidate
        seen.add(line)


def _mood(draft: Draft) -> Mood:
    """As the clause has it; but "I am moving to Oslo" is a plan, and so is "I am going to a concert"."""
    verb = draft.word
    sense = draft.sense
    change = bool(sense and (sense.intent is Intent.UPDATE or (verb.lemma_ == "go" and sense.event)))
    going_on = change and verb.tag_ == "VBG" and draft.manner.present and not draft.manner.perfect
    planned = going_on and any(c.dep_ == "aux" and c.lemma_ == "be" for c in verb.children)
    return Mood.PLANNED if planned and draft.manner.mood is Mood.ASSERTED else draft.manner.mood


def _happened(draft: Draft) -> bool:
    """Whether it is told of something that it happened: by the time it was said it had."""
    return draft.manner.past and built_in().named(draft.predicate).event


def value_of(reading: Reading, draft: Draft) -> str:
    """The value as said; a date as the date it is, so that two spellings of one day are one value."""
    text = draft.value.text
    if draft.value.named or not any(c.isdigit() for c in text):
        return text
    found = resolve_phrase(text, reading.passage.occurred_at if draft.predicate.endswith("_on") else None)
    return str(found.start) if found and found.start and found.start == found.end else text


def _candidate(reading: Reading, draft: Draft, dates: Dates) -> Candidate:
    manner, sense = draft.manner, draft.sense
    reporter = reading.who(manner.reporter) if manner.reporter is not None else None
    update = Intent.UPDATE in (manner.intent, sense.intent if sense else Intent.STATE)
    said: dict[str, Any] = {}
    if reporter and reporter.text != reading.passage.speaker:
        said["speaker"] = reporter.text
    candidate = Candidate(
        draft.subject.text,
        draft.predicate,
        value_of(reading, draft),
        reading.quote_of(draft.word),
        draft.subject.type,
        (draft.value.type or "thing") if draft.value.named else None,
        Polarity.NOT if sense and sense.ends else manner.polarity,
        _mood(draft),
        Intent.UPDATE if update else Intent.STATE,
        sense.kind if sense else "fact",
        valid_of(draft, dates, reading.passage.occurred_at),
        manner.present or ((update or begins(draft)) and not manner.over) or _happened(draft),
        round(draft.confidence * draft.subject.sure * draft.value.sure, 2),
        draft.concluded,
    )
    return replace(candidate, **said) if said else candidate
