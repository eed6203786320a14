"""Claims from nouns: what somebody is, what is whose, what stands beside what."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hornbook.extraction.offline.draft import Draft
from hornbook.extraction.offline.mood import Manner, lemma_of, manner_of
from hornbook.extraction.offline.naming import Name
from hornbook.extraction.offline.reading import FIRST, Phrase, Reading, all_of
from hornbook.extraction.offline.verbs import place_of_relative, subjects_of
from hornbook.extraction.offline.vocabulary import KIN, PETS, is_profession

if TYPE_CHECKING:
    from spacy.tokens import Token

PLACED = ("in", "at", "near", "of", "from", "on", "outside")
TITLES = frozenset(
    [
        "President",
        "Ambassador",
        "Minister",
        "Senator",
        "Sen.",
        "Governor",
        "Gov.",
        "Mayor",
        "Chancellor",
        "Premier",
        "Secretary",
        "General",
        "Gen.",
        "Colonel",
        "Col.",
        "Representative",
        "Rep.",
        "Judge",
        "Justice",
        "Attorney",
        "Commander",
        "Captain",
        "Capt.",
        "Director",
        "Chairman",
        "Professor",
        "Archduke",
        "King",
        "Queen",
        "Emperor",
        "Prince",
        "Princess",
        "Bishop",
        "Archbishop",
        "Coach",
        "Deputy",
        "Chief",
        "Marshal",
        "Admiral",
        "Sergeant",
        "Sgt.",
        "Lieutenant",
        "Lt.",
        "Dean",
    ]
)
STATES = frozenset(
    [
        "vegetarian",
        "vegan",
        "married",
        "single",
        "divorced",
        "widowed",
        "pregnant",
        "retired",
        "allergic",
        "left-handed",
        "diabetic",
        "celiac",
        "deaf",
        "blind",
    ]
)


def noun_drafts(reading: Reading) -> Iterator[Draft]:
    """Every claim that a noun makes, in the order of the text."""
    for token in reading.doc:
        if lemma_of(token) == "be" and token.pos_ == "AUX" and token.dep_ not in ("aux", "auxpass"):
            yield from _copula(reading, token)
        elif lemma_of(token) == "have" and token.dep_ != "aux":
            yield from _having(reading, token)
        if token.dep_ == "appos":
            yield from _apposition(reading, token)
        if token.dep_ == "poss":
            yield from _possessive(reading, token)
        if token.pos_ in ("NOUN", "PROPN"):
            yield from _titled(reading, token)
            yield from _placed(reading, token)


def _copula(reading: Reading, verb: "Token") -> Iterator[Draft]:
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
    if who is None:
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
    owner = _owner(reading, noun) or place_of_relative(reading, verb)
    if owner is None:
        return
    yield from _owned(reading, verb, owner, noun, value, manner)


def _owned(
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


def _owner(reading: Reading, noun: "Token") -> Phrase | None:
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
        elif lemma not in KIN and not reading.broad and who.type != "person":
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
            if owner.text != who.text:
                yield Draft(word, who, KIN.get(lemma, f"{predicate_from(lemma)}_of"), owner, manner)
        elif child.dep_ == "prep" and child.lower_ not in ("with", "like", "as"):
            for inner in child.children:
                for target in all_of(inner) if inner.dep_ == "pobj" else ():
                    yield from _tied_by(reading, word, who, lemma, child.lower_, target, manner)
        elif (
            child.dep_ in ("amod", "compound", "nmod")
            and (name := reading.name_of(child))
            and reading.name_of(noun) is not name
        ):
            if not name.literal and name.text != who.text:
                yield Draft(word, who, _adjectival(name.type, who.type), reading.phrase(name), manner)


def _tied_by(
    reading: Reading, word: "Token", who: Phrase, noun: str, preposition: str, target: "Token", manner: Manner
) -> Iterator[Draft]:
    value = reading.what(target)
    if value is None or value.text == who.text or not value.named:
        return
    if noun in KIN and preposition == "of":
        yield Draft(word, who, KIN[noun], value, manner)
    elif is_profession(noun) and preposition in ("at", "for", "with") and value.named:
        yield Draft(word, who, "works_for", value, manner)
    else:
        yield Draft(word, who, f"{predicate_from(noun)}_{preposition}", value, manner)


def _adjectival(kind: str, of: str | None) -> str:
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
        if value and ((value.named and reading.broad) or adjective.lower_ == "allergic"):
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
                yield Draft(verb, who, "from", value, manner)
            elif preposition.lower_ in ("in", "at", "near") and value.type == "place" and who.type != "person":
                yield Draft(verb, who, "located_in", value, manner)
            elif reading.broad and value.named:
                yield Draft(verb, who, f"is_{preposition.lower_}", value, manner)


def _having(reading: Reading, verb: "Token") -> Iterator[Draft]:
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
                yield from _owned(reading, verb, who, role, value, manner)
            elif who and child.dep_ == "dobj":
                for noun in all_of(child):
                    yield from _has(reading, verb, who, noun, manner)


def _has(reading: Reading, verb: "Token", who: Phrase, noun: "Token", manner: Manner) -> Iterator[Draft]:
    lemma = noun.lemma_.lower()
    for child in noun.children:
        if child.dep_ == "prep" and child.lower_ == "of":
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
                yield from _owned(reading, verb, who, noun, value, manner)
        if child.dep_ == "nummod" and reading.broad and child.like_num:
            yield Draft(verb, who, predicate_from(noun.text), Phrase(child.text, None, named=False), manner)
    if lemma in PETS and not any(c.dep_ in ("appos", "acl") for c in noun.children):
        yield Draft(verb, who, "has_pet", Phrase(reading.noun_phrase(noun), None, named=False), manner)
    elif lemma in KIN and not reading.broad:
        pass
    elif reading.broad and (value := reading.what(noun)) and value.named:
        yield Draft(verb, who, "has", value, manner)


def _apposition(reading: Reading, token: "Token") -> Iterator[Draft]:
    """Ana Berg, a spokeswoman for Acme; Lima, Peru; my sister Ana."""
    head, name = token.head, reading.name_of(token)
    manner = Manner()
    other = reading.name_of(head)
    if name and other and name is not other:
        if not name.literal and not other.literal:
            yield from _side_by_side(reading, token, reading.phrase(other), reading.phrase(name), manner)
    elif other and not other.literal:
        yield from described(reading, token, reading.phrase(other), token, manner)
    elif name and not name.literal and head.pos_ in ("NOUN", "PROPN"):
        owner = _owner(reading, head)
        value = reading.phrase(name)
        if owner:
            yield from _owned(reading, token, owner, head, value, manner)
        elif reading.broad:
            yield from described(reading, token, value, head, manner)


def _side_by_side(reading: Reading, word: "Token", first: Phrase, second: Phrase, manner: Manner) -> Iterator[Draft]:
    if second.type == "place" and first.type in ("place", "organisation", "thing"):
        yield Draft(word, first, "located_in", second, manner)
    elif first.type == "person" and second.type == "organisation":
        yield Draft(word, first, "affiliated_with", second, manner)


def _possessive(reading: Reading, token: "Token") -> Iterator[Draft]:
    """Peru's president Ana Berg; my dog Rex: where the thing owned is itself a name."""
    noun, owner = token.head, reading.who(token)
    name = reading.name_of(noun)
    if name is None and noun.dep_ == "compound" and (behind := reading.name_of(noun.head)) and not behind.literal:
        yield from _owned(reading, noun, owner, noun, reading.phrase(behind), Manner()) if owner else ()
        return
    if name is None and reading.broad:  # California's Sierra Nevada foothills
        name = next(
            (n for c in noun.lefts if c.i > token.i and c.dep_ == "compound" for n in (reading.name_of(c),) if n), None
        )
    if owner is None or name is None or name.literal or name.text == owner.text:
        return
    if reading.name_of(token) == name:
        return
    titles = [
        c
        for c in noun.lefts
        if token.i < c.i < name.start and c.dep_ in ("compound", "nmod", "amod") and c.pos_ in ("NOUN", "PROPN")
    ]
    value = reading.phrase(name)
    if titles:
        yield from _owned(reading, noun, owner, titles[-1], value, Manner())
    elif reading.broad:
        yield Draft(noun, owner, "has", value, Manner())


def _titled(reading: Reading, token: "Token") -> Iterator[Draft]:
    """Peruvian president Ana Berg; Acme spokesman Bob Hill: the words that stand before a name."""
    name = reading.name_of(token)
    if name is None or name.literal or not reading.broad or token.i != name.end - 1:
        return
    before = reading.doc[token.left_edge.i : name.start]
    role = next((c for c in reversed(list(before)) if is_role(c)), None)
    who = reading.phrase(name)
    for other in dict.fromkeys(n for c in before for n in (reading.name_of(c),) if n and n != name and not n.literal):
        value = reading.phrase(other)
        if any(
            t.dep_ in ("poss", "conj", "appos") or t.tag_ == "POS" for t in reading.doc[other.end - 1 : other.end + 1]
        ):
            continue
        if role is not None and other.type in ("organisation", "place") and name.type in ("person", "thing"):
            yield Draft(token, who, f"{predicate_from(role.text)}_of", value, Manner())
        elif name.type == "person" and other.type in ("group", "place"):
            yield Draft(token, who, _adjectival(other.type, name.type), value, Manner())
        elif name.type == "organisation" and other.type in ("group", "place"):
            yield Draft(token, who, "from", value, Manner())


def is_role(token: "Token") -> bool:
    """Whether the word before a name says what its bearer does: a common noun or a title."""
    return token.pos_ == "NOUN" or token.text in TITLES


def _placed(reading: Reading, token: "Token") -> Iterator[Draft]:
    """The Museum of Art in Lima; Ana Berg of Acme; the Lima-based firm Acme."""
    name = reading.name_of(token)
    if name is None or name.literal or not reading.broad:
        return
    who = reading.phrase(name)
    for child in token.children:
        if child.dep_ == "prep" and child.lower_ in PLACED and child.i >= name.end:
            for inner in child.children:
                for target in all_of(inner) if inner.dep_ == "pobj" else ():
                    other = reading.name_of(target)
                    if (
                        other
                        and not other.literal
                        and other != name
                        and (child.lower_ != "of" or _belongs(name.type, other.type))
                    ):
                        yield Draft(
                            token,
                            who,
                            _placement(name.type, child.lower_, other.type),
                            reading.phrase(other),
                            Manner(),
                        )


def _belongs(kind: str, of: str) -> bool:
    """Whether "of" between two names ties them: not in "Minister of Transport"."""
    return (kind in ("person", "organisation", "place")) and of in ("organisation", "place")


def _placement(kind: str, preposition: str, of: str) -> str:
    if of == "organisation" and kind == "person":
        return "affiliated_with"
    if kind == "person":
        return "from" if of == "place" else "associated_with"
    return "located_in" if preposition in ("in", "at", "near", "on", "outside") and of == "place" else f"{preposition}"


__all__ = ["FIRST", "noun_drafts", "predicate_from"]
