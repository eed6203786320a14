"""What somebody or something is and has: "is a nurse at St Mary", "the capital of Peru is Lima", "has a dog Rex"."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hornbook.extraction.offline.draft import Draft
from hornbook.extraction.offline.mood import Manner, lemma_of, manner_of
from hornbook.extraction.offline.naming import Name
from hornbook.extraction.offline.reading import Phrase, Reading, all_of
from hornbook.extraction.offline.verbs import is_passive, place_of_relative, subjects_of
from hornbook.extraction.offline.vocabulary import KIN, PETS, STATES, TITLES, is_profession

if TYPE_CHECKING:
    from spacy.tokens import Token


def being(reading: Reading, verb: "Token") -> Iterator[Draft]:
    """Ana is a nurse at St Mary; the capital of Peru is Lima; I am vegetarian."""
    manner = manner_of(verb)
    subjects = subjects_of(verb)
    for child in verb.children:
        if child.dep_ == "attr":
            for subject in subjects:
                for attribute in all_of(child):
                    yield from _is(reading, verb, subject, attribute, manner)
        elif child.dep_ == "acomp":
            for subject in subjects:
                yield from _is_so(reading, verb, subject, child, manner)
        elif child.dep_ == "prep":
            for subject in subjects:
                yield from _is_where(reading, verb, subject, child, manner)


def _is(reading: Reading, verb: "Token", subject: "Token", attribute: "Token", manner: Manner) -> Iterator[Draft]:
    who, value = reading.who(subject), reading.what(attribute)
    if who is None or (value and value.named and reading.unnamed_kin(subject)):  # my sister is Maria
        if value and subject.pos_ in ("NOUN", "PROPN"):
            yield from _property(reading, verb, subject, value, manner)
        return
    if value is None:
        return
    yield from described(reading, verb, who, attribute, manner)


def _property(reading: Reading, verb: "Token", noun: "Token", value: Phrase, manner: Manner) -> Iterator[Draft]:
    """The capital of Peru is Lima: Peru capital Lima. My sister is Ana: Ana sibling_of me."""
    noun = one_of(noun)
    possessor = next((c for c in noun.children if c.dep_ == "poss"), None)
    if noun.lemma_.lower() == "name" and possessor is not None and reading.who(possessor) is None:
        noun = possessor  # my brother's name is Tom
    owner = owner_of(reading, noun) or place_of_relative(reading, verb)
    if owner is None:
        return
    yield from owned_drafts(reading, verb, owner, noun, value, manner)


def owned_drafts(
    reading: Reading, word: "Token", owner: Phrase, noun: "Token", value: Phrase, manner: Manner
) -> Iterator[Draft]:
    lemma = noun.lemma_.lower()
    if lemma == "name":
        yield Draft(word, owner, "name", value, manner)
    elif lemma in KIN and value.named:
        yield Draft(word, value, KIN[lemma], owner, manner)
    elif lemma in PETS and value.named:
        yield Draft(word, owner, "has_pet", value, manner)
    elif reading.broad or value.named or noun.lower_ in ("birthday", "job", "hobby", "email", "address"):
        yield Draft(word, owner, predicate_from(reading.noun_phrase(noun)), value, manner)


def one_of(noun: "Token") -> "Token":
    """One of the rivers: the rivers."""
    if noun.lower_ in ("one", "two", "some", "many", "several"):
        for child in noun.children:
            if child.dep_ == "prep" and child.lower_ == "of":
                return next((c for c in child.children if c.dep_ == "pobj"), noun)
    return noun


def predicate_from(text: str) -> str:
    """A noun phrase as a predicate."""
    return "_".join("".join(c if c.isalnum() else " " for c in text.casefold().removesuffix("'s")).split())


def owner_of(reading: Reading, noun: "Token") -> Phrase | None:
    """Whose it is: "my", "Ana's", "of Peru"."""
    for child in noun.children:
        if child.dep_ == "poss":
            return reading.who(child)
    for child in noun.children:
        if child.dep_ == "prep" and child.lower_ in ("of", "for", "in", "at"):
            for inner in child.children:
                if inner.dep_ == "pobj":
                    return reading.who(inner)
    return None


def described(reading: Reading, word: "Token", who: Phrase, noun: "Token", manner: Manner) -> Iterator[Draft]:
    """What "is a nurse at St Mary from Oslo" says of somebody: the kind, and each thing the noun is tied to."""
    noun = one_of(noun)
    name = reading.name_of(noun)
    lemma = noun.lemma_.lower()
    place = place_of_relative(reading, word)
    if name is None and place and place.text != who.text and reading.broad:
        yield Draft(word, who, f"{predicate_from(noun.lemma_)}_of", place, manner)
    if name is None and who.text:
        if is_profession(lemma) and (not reading.broad or (who.type == "person" and lemma_of(word) == "be")):
            yield Draft(word, who, "works_as", Phrase(reading.noun_phrase(noun), None, named=False), manner)
        elif lemma not in KIN and not reading.broad and who.type in ("place", "organisation", "product", "work"):
            yield Draft(word, who, "is_a", Phrase(reading.noun_phrase(noun), None, named=False), manner)
    elif name is not None and not name.literal and name.text != who.text:
        yield from _is_named(reading, word, who, name, manner)
    yield from tied(reading, word, who, noun, manner)


def _is_named(reading: Reading, word: "Token", who: Phrase, name: Name, manner: Manner) -> Iterator[Draft]:
    if name.type == "group" and who.type == "person":
        yield Draft(word, who, "nationality", reading.phrase(name), manner)
    elif name.text not in TITLES and who.text not in TITLES and name.type == who.type != "thing":
        yield Draft(word, who, "is", reading.phrase(name), manner)


def tied(reading: Reading, word: "Token", who: Phrase, noun: "Token", manner: Manner) -> Iterator[Draft]:
    """The names a describing noun is tied to: Bob's sister, head of Acme, a Peruvian river."""
    lemma = noun.lemma_.lower()
    for child in noun.children:
        if child.dep_ == "poss" and (owner := reading.who(child)):
            if any(c.lower_ in ("favorite", "favourite") for c in noun.children):
                yield Draft(word, owner, f"favorite_{predicate_from(lemma)}", who, manner)
            elif not reading.broad and lemma in PETS | {"pig"}:  # Rex, my dog
                yield Draft(word, owner, "has_pet", who, manner)
            elif owner.text != who.text:
                yield Draft(word, who, KIN.get(lemma, f"{predicate_from(lemma)}_of"), owner, manner)
        elif child.dep_ == "prep" and child.lower_ not in ("with", "like", "as"):
            for inner in child.children:
                for target in all_of(inner) if inner.dep_ == "pobj" else ():
                    yield from _tied_by(reading, word, who, lemma, child.lower_, target, manner)
        elif child.dep_ in ("amod", "compound", "nmod"):
            yield from _modified(reading, word, who, noun, child, manner)


def _modified(
    reading: Reading, word: "Token", who: Phrase, noun: "Token", modifier: "Token", manner: Manner
) -> Iterator[Draft]:
    """A Peruvian river, an Acme spokesman."""
    name = reading.name_of(modifier)
    if name is None or name.literal or name == reading.name_of(noun) or name.text == who.text:
        return
    if kind := adjectival(name.type, who.type):
        yield Draft(word, who, kind, reading.phrase(name), manner)


def _tied_by(
    reading: Reading, word: "Token", who: Phrase, noun: str, preposition: str, target: "Token", manner: Manner
) -> Iterator[Draft]:
    value = reading.what(target)
    if value is None or value.text == who.text or not value.named:
        return
    if not reading.broad and noun in ("fan", "lover", "member"):
        return  # as talk has it
    if noun in KIN and preposition == "of":
        yield Draft(word, who, KIN[noun], value, manner)
    elif is_profession(noun) and preposition in ("at", "for", "with") and value.named:
        yield Draft(word, who, "works_for", value, manner)
    else:
        yield Draft(word, who, f"{predicate_from(noun)}_{preposition}", value, manner)


def adjectival(kind: str, of: str | None) -> str:
    if kind == "language":
        return "language"
    if kind in ("group", "place"):
        return "nationality" if of == "person" and kind == "group" else "from"
    return "affiliated_with" if kind == "organisation" and of == "person" else ""


def _is_so(reading: Reading, verb: "Token", subject: "Token", adjective: "Token", manner: Manner) -> Iterator[Draft]:
    who = reading.who(subject)
    if who is None:
        return
    ties = [
        (c, t)
        for c in adjective.children
        if c.dep_ == "prep"
        for p in c.children
        if p.dep_ == "pobj"
        for t in all_of(p)
    ]
    for preposition, target in ties:
        value = reading.what(target)
        if value and value.named and adjective.lower_ in ("married", "engaged") and preposition.lower_ == "to":
            yield Draft(verb, who, f"{adjective.lower_}_to", value, manner)
        elif value and ((value.named and reading.broad) or adjective.lower_ == "allergic"):
            yield Draft(verb, who, f"{predicate_from(adjective.text)}_{preposition.lower_}", value, manner)
    if not ties and adjective.lower_ in STATES:
        yield Draft(verb, who, "is", Phrase(adjective.lower_, None, named=False), manner)


def _is_where(
    reading: Reading, verb: "Token", subject: "Token", preposition: "Token", manner: Manner
) -> Iterator[Draft]:
    """Lima is in Peru; I am from Oslo."""
    who = reading.who(subject)
    for child in preposition.children:
        for target in all_of(child) if child.dep_ == "pobj" else ():
            value, name = reading.what(target), reading.name_of(target)
            if who is None or value is None or (name and name.literal):
                continue
            if preposition.lower_ == "from" and value.named:
                yield Draft(verb, who, "comes_from", value, manner)
            elif preposition.lower_ in ("in", "at", "near") and value.type == "place" and who.type != "person":
                yield Draft(verb, who, "located_in", value, manner)
            elif reading.broad and value.named:
                yield Draft(verb, who, f"is_{preposition.lower_}", value, manner)


def naming(reading: Reading, verb: "Token") -> Iterator[Draft]:
    """My cat is called Mo: whose cat, and its name."""
    named = next((c for c in verb.children if c.dep_ == "oprd"), None)
    value = reading.what(named) if named is not None else None
    for subject in subjects_of(verb) if value and value.named and is_passive(verb) else ():
        if value and (reading.who(subject) is None or reading.unnamed_kin(subject)):
            yield from _property(reading, verb, subject, value, manner_of(verb))


def having(reading: Reading, verb: "Token") -> Iterator[Draft]:
    """I have a dog called Rex; the river has a length of 40 km."""
    manner = manner_of(verb)
    for subject in subjects_of(verb):
        who = reading.who(subject)
        role = next(
            (p for c in verb.children if c.dep_ == "prep" and c.lower_ == "as" for p in c.children if p.dep_ == "pobj"),
            None,
        )
        for child in verb.children:
            if who and child.dep_ == "dobj" and role is not None and (value := reading.what(child)) and value.named:
                yield from owned_drafts(reading, verb, who, role, value, manner)
            elif who and child.dep_ == "dobj":
                for noun in all_of(child):
                    yield from _has(reading, verb, who, noun, manner)


def _has(reading: Reading, verb: "Token", who: Phrase, noun: "Token", manner: Manner) -> Iterator[Draft]:
    lemma = noun.lemma_.lower()
    for child in noun.children:
        if child.dep_ == "prep" and child.lower_ == "of" and reading.broad:
            for inner in child.children:
                if inner.dep_ == "pobj" and (value := reading.what(inner)):
                    yield Draft(verb, who, predicate_from(reading.noun_phrase(noun)), value, manner)
        if child.dep_ in ("appos", "acl"):
            named = (
                child
                if child.dep_ == "appos"
                else next((c for c in child.children if c.dep_ in ("oprd", "dobj")), None)
            )
            value = reading.what(named) if named is not None else None
            if value and value.named:
                yield from owned_drafts(reading, verb, who, noun, value, manner)
        if child.dep_ == "nummod" and reading.broad and child.like_num:
            yield Draft(verb, who, predicate_from(noun.text), Phrase(child.text, None, named=False), manner)
    if lemma in PETS and not any(c.dep_ in ("appos", "acl") for c in noun.children):
        yield Draft(verb, who, "has_pet", Phrase(reading.noun_phrase(noun), None, named=False), manner)
    elif lemma in KIN and not reading.broad:
        pass
    elif reading.broad and (value := reading.what(noun)) and value.named:
        yield Draft(verb, who, "has", value, manner)
