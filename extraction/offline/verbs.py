"""Claims from verbs: who does what to whom, where, and as what."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from hornbook.extraction.offline.draft import Draft
from hornbook.extraction.offline.everyday import HAS_READ, READS, VAGUE, saying_of
from hornbook.extraction.offline.mood import ENJOY, Manner, lemma_of, manner_of
from hornbook.extraction.offline.reading import EMPTY_NOUNS, WE, Phrase, Reading, all_of
from hornbook.extraction.offline.vocabulary import (
    DATED,
    DISLIKES,
    EMPTY_VERBS,
    ENDED_WORK,
    HIRED,
    VERBS,
    WORKS,
    Sense,
    sense_of,
)
from hornbook.extraction.wordlists import words
from hornbook.graph.claim import Mood, Polarity

if TYPE_CHECKING:
    from spacy.tokens import Token

OBJECTS = words("dobj dative oprd")
JOBS = ("job", "position", "role", "internship")
JOB_BEGINS = {
    **dict.fromkeys(("start", "get", "take", "accept", "land", "begin", "find"), HIRED),
    **dict.fromkeys(("quit", "leave", "lose"), ENDED_WORK),
    "have": WORKS,
}
NAMING = ("name", "call", "nickname", "title")
BEHIND = words("of in at for from with")
TIME_WORDS = words("day week month year time moment morning evening night weekend while minute hour")


def verb_drafts(reading: Reading) -> Iterator[Draft]:
    """Every claim that a verb makes, in the order of the text."""
    for token in reading.words:
        if token.pos_ in ("VERB", "AUX") and token.dep_ not in ("aux", "auxpass"):
            yield from _clause(reading, token, subjects_of(token))


def subjects_of(verb: "Token") -> list["Token"]:
    """The words that do it, also where another clause names them: conjoined, relative, participle and infinitive."""
    own = [child for child in verb.children if child.dep_ in ("nsubj", "nsubjpass")]
    if own:  # "Hi Ana, since we met I work here": the model may take the one who is greeted for another
        return all_of(own[-1] if own[-1].i < verb.i else own[0])
    head = verb.head
    if verb.dep_ in ("conj", "xcomp", "advcl") and head.pos_ in ("VERB", "AUX") and head != verb:
        if verb.dep_ == "advcl" and verb.tag_ not in ("VBN", "VBG"):
            return []
        return subjects_of(head)
    if verb.dep_ in ("acl", "relcl") and verb.tag_ in ("VBN", "VBG", "VBD") and head.pos_ in ("NOUN", "PROPN", "PRON"):
        return [head]
    return []


def place_of_relative(reading: Reading, verb: "Token") -> Phrase | None:
    """In "Peru, where Ana is president" the place that "where" stands for."""
    clause = verb
    where = next((c for c in verb.children if c.lower_ == "where"), None)
    while where is None and clause.dep_ == "conj" and clause.head.pos_ in ("VERB", "AUX"):
        clause = clause.head
        where = next((c for c in clause.children if c.lower_ == "where"), None)
    found = reading.who(where) if where is not None else None
    return found if found and found.type != "person" else None


def is_passive(verb: "Token") -> bool:
    """Whether the subject undergoes it."""
    if any(c.dep_ in ("nsubjpass", "auxpass") for c in verb.children):
        return True
    return (
        verb.tag_ == "VBN"
        and not any(c.dep_ == "aux" for c in verb.children)
        and verb.dep_ in ("acl", "advcl", "relcl", "conj")
    )


def _clause(reading: Reading, verb: "Token", subjects: list["Token"]) -> Iterator[Draft]:
    manner = manner_of(verb)
    objects = list(objects_of(verb))
    if reading.broad and lemma_of(verb) != "be" and (place := place_of_relative(reading, verb)):
        stem = verb.lower_ if is_passive(verb) else lemma_of(verb)
        for who in filter(None, map(reading.who, subjects)):
            yield Draft(verb, who, f"{stem}_in", place, manner)
    if lemma_of(verb) in NAMING and not is_passive(verb):
        return  # "I named it Rex" names no one who is named
    for subject in subjects:
        yield from _activities(reading, verb, subject, manner)
        if job_of(verb) is not None and (jobs := list(_employment(reading, verb, subject, manner))):
            yield from jobs
            continue
        for preposition, target in objects:
            yield from _one(reading, verb, subject, preposition, target, manner)


def job_of(verb: "Token") -> "Token | None":
    """The job that is begun or left."""
    if lemma_of(verb) not in JOB_BEGINS:
        return None
    return next((c for c in verb.children if c.dep_ == "dobj" and c.lemma_.lower() in JOBS), None)


def _employment(reading: Reading, verb: "Token", subject: "Token", manner: Manner) -> Iterator[Draft]:
    """I started a new job at Acme; I quit my job at Acme."""
    sense = JOB_BEGINS.get(lemma_of(verb))
    job = job_of(verb)
    who = reading.who(subject) if sense and job is not None else None
    if sense is None or job is None or who is None:
        return
    for preposition in (*job.children, *verb.children):
        for target in preposition.children if preposition.lower_ in ("at", "with", "for") else ():
            value = reading.what(target) if target.dep_ == "pobj" else None
            if value and value.named:
                yield Draft(verb, who, sense.predicate, value, manner, sense=sense)


def _activities(reading: Reading, verb: "Token", subject: "Token", manner: Manner) -> Iterator[Draft]:
    """I enjoy hiking; I hate doing the dishes: what somebody likes to do."""
    sense = sense_of(lemma_of(verb), "")
    who = reading.who(subject) if sense and sense.kind == "preference" else None
    for child in verb.children:
        if who and child.dep_ == "xcomp" and child.tag_ == "VBG":
            last = max((c.right_edge.i for c in child.children if c.dep_ in ("dobj", "prep", "prt")), default=child.i)
            text = reading.doc[child.i : last + 1].text
            if len(text.split()) <= 5 and not any(
                c.dep_ in ("attr", "ccomp", "xcomp", "acomp") for c in child.children
            ):
                yield Draft(verb, who, sense.predicate if sense else "", Phrase(text, named=False), manner, sense=sense)


def objects_of(verb: "Token") -> Iterator[tuple[str, "Token"]]:
    """What it is done to, and after which preposition; conjoined objects one by one."""
    for child in verb.children:
        if child.dep_ in OBJECTS:
            for target in all_of(child):
                yield "oprd" if child.dep_ == "oprd" else "", target
        elif child.dep_ in ("prep", "agent") and child.lower_ not in ("according", "like", "than"):
            yield from _after(child, child.lower_)
        elif child.dep_ == "advmod" and child.lower_ == "back":  # back from a concert
            for inner in child.children:
                yield from _after(inner, inner.lower_) if inner.dep_ == "prep" else ()
        elif child.dep_ == "npadvmod" and child.pos_ == "PROPN" and child.i > verb.i:  # what a foreign name becomes
            yield "", child


def _after(preposition: "Token", words: str) -> Iterator[tuple[str, "Token"]]:
    for child in preposition.children:
        if child.dep_ == "pobj":
            for target in all_of(child):
                yield words, target
        elif child.dep_ == "prep":  # out of, from within; but "from Lisbon to Porto" names both
            yield from _after(
                child, child.lower_ if (words, child.lower_) == ("from", "to") else f"{words}_{child.lower_}"
            )


def _one(
    reading: Reading, verb: "Token", subject: "Token", preposition: str, target: "Token", manner: Manner
) -> Iterator[Draft]:
    lemma, passive = lemma_of(verb), is_passive(verb)
    said = None if reading.broad else _everyday(reading, verb, lemma, preposition, target, passive)
    value, who = reading.what(target), reading.who(subject)
    name = reading.name_of(target)
    if preposition == "oprd" and reading.unnamed_kin(subject):
        return  # my sister is called Maria
    if value is None and said and _this(target):
        value = Phrase(reading.noun_phrase(target), named=False)
    if value is None:
        return
    if lemma == "stand" and not preposition and manner.polarity is Polarity.NOT and who:
        yield Draft(
            verb, who, "dislikes", value, replace(manner, polarity=Polarity.HOLDS, mood=Mood.ASSERTED), DISLIKES
        )
        return
    if name and name.type == "date":
        if who and lemma in DATED and (passive or lemma in ("die", "open", "launch", "premiere", "form", "retire")):
            yield Draft(verb, who, DATED[lemma], value, manner, literal=name)
        return
    if said is HAS_READ and verb.tag_ == "VBG" and manner.present:
        said = READS
    sense = said or sense_of(lemma, preposition, verb.lower_ if passive else "")
    if who is None or (not reading.broad and not value.named and _says_little(verb, subject, target, said)):
        return
    if sense and (said or sense.takes(value.type, value.named)):
        if sense.lenient and value.type not in sense.types:  # the model took the city for a person
            value = Phrase(value.text, sense.types[0], sure=_likely_place(value))
        first, last = (value, who) if sense.swap else (who, value)
        yield Draft(verb, first, sense.predicate, last, manner, sense=sense)
    elif usable(reading, lemma, preposition, value, target) and subject.lower_ not in WE:
        yield Draft(verb, who, predicate_of(verb, lemma, preposition, passive), value, manner)
    if reading.broad:
        yield from _further(reading, verb, who, predicate_of(verb, lemma, preposition, passive), target, manner)


def _this(noun: "Token") -> bool:
    """In "I read this great book about castles" it tells of a thing anew and points at nothing."""
    pointed = any(c.dep_ == "det" and c.lower_ in ("this", "these") for c in noun.children)
    return pointed and any(c.dep_ in ("amod", "compound") for c in noun.children)


def _everyday(
    reading: Reading, verb: "Token", lemma: str, preposition: str, target: "Token", passive: bool
) -> Sense | None:
    """What is said of a common noun in talk: "went to a concert", "signed up for a class"."""
    particle = next((f"_{c.lower_}" for c in verb.children if c.dep_ == "prt" or c.lower_ == "back"), "")
    if preposition and any(c.dep_ == "dobj" for c in verb.children):
        return None  # "signed up Nike for a deal"
    if lemma == "do" and any(c.dep_ == "det" for c in target.children):
        return None  # "did a painting" is no hobby
    if (name := reading.name_of(target)) and (lemma, preposition) == ("read", "") and name.type in ("work", "thing"):
        return HAS_READ
    if target.pos_ not in ("NOUN", "PROPN"):
        return None
    told = any(c.dep_ in ("amod", "compound", "nmod") for c in target.children)
    stem = f"{verb.lower_ if passive else lemma}{particle}"
    return saying_of(stem, preposition, target.lemma_.lower(), target.lower_, told=told)


def _says_little(verb: "Token", subject: "Token", target: "Token", said: Sense | None) -> bool:
    """Whether a common noun in talk is somebody else's or vague, or what is done to it is no more than liked."""
    described = any(c.dep_ in ("compound", "nmod") for c in target.children)
    vague = target.lemma_.lower() in VAGUE - EMPTY_NOUNS  # of "all kinds of cheese" the cheese is meant
    if anothers(target) or (said is None and vague and not described):
        return True
    if subject.lower_ in WE and any(c.dep_ == "aux" and c.lower_ == "can" for c in verb.children):
        return True
    return bool(said and said.event and verb.dep_ == "xcomp" and lemma_of(verb.head) in ENJOY)


def anothers(noun: "Token") -> bool:
    """Whether it is somebody else's: "your", "their", "Bob's"."""
    return any(c.dep_ == "poss" and c.lower_ not in ("my", "our") for c in noun.children)


def _likely_place(value: Phrase) -> float:
    """How sure a name is that the verb takes for a place and the model for something else.

    "Moved to Tern Robotics" may well be a job; of one plain word, as in "moved to Bergen", the verb is believed.
    """
    if value.type != "organisation":
        return 0.9
    return 0.85 if value.text.istitle() and value.text.isalpha() else 0.7


def _further(
    reading: Reading, verb: "Token", who: Phrase, predicate: str, target: "Token", manner: Manner
) -> Iterator[Draft]:
    """What lies behind the object: the region of a place ("in Lima, Peru"), the name a common noun is tied to."""
    name = reading.name_of(target)
    if name is not None:
        for child in target.children:
            region = reading.name_of(child)
            if child.dep_ == "appos" and region and region != name and region.type == name.type == "place":
                yield Draft(verb, who, f"{predicate}_region", reading.phrase(region), manner, concluded=True)
                yield from _further(reading, verb, who, predicate, child, manner)
        return
    for child in target.children:
        for inner in child.children if child.dep_ == "prep" and child.lower_ in BEHIND else ():
            for last in all_of(inner) if inner.dep_ == "pobj" else ():
                other = reading.name_of(last)
                if other and not other.literal and other.text != who.text:
                    stem = f"{predicate}_{target.lemma_.lower()}_{child.lower_}"
                    yield Draft(verb, who, stem, reading.phrase(other), manner)


def usable(reading: Reading, lemma: str, preposition: str, value: Phrase, target: "Token") -> bool:
    """Whether a verb outside the vocabulary says enough to be kept: in talk only with a named value."""
    if reading.broad:
        return value.named and lemma != "have"
    if lemma in EMPTY_VERBS or (preposition != "by" and ((lemma, "") in VERBS or (lemma, preposition) in VERBS)):
        return False  # what the vocabulary does not take from its own verbs is no news: "bought it from Acme"
    return value.named and target.lower_ not in TIME_WORDS


def predicate_of(verb: "Token", lemma: str, preposition: str, passive: bool) -> str:
    """The verb's own word as a predicate: the participle of a passive, else the lemma, with its preposition."""
    stem = verb.lower_ if passive else lemma
    particle = next((f"_{c.lower_}" for c in verb.children if c.dep_ == "prt"), "")
    tail = "" if preposition in ("", "oprd") else f"_{preposition}"
    return f"{stem}{particle}{tail}"
