"""Claims from nouns alone: what stands beside what, what is whose, which words stand before a name."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hornbook.extraction.offline.describe import (
    adjectival,
    being,
    described,
    having,
    naming,
    owned_drafts,
    owner_of,
    predicate_from,
)
from hornbook.extraction.offline.draft import Draft
from hornbook.extraction.offline.mood import PLAIN, Manner, lemma_of
from hornbook.extraction.offline.reading import Phrase, Reading, all_of
from hornbook.extraction.offline.vocabulary import TITLES

if TYPE_CHECKING:
    from spacy.tokens import Token

PLACED = ("in", "at", "near", "of", "from", "on", "outside")
INSIDE = ("in", "at", "near", "on", "outside")
GROUPS = ("organisation", "place")


def noun_drafts(reading: Reading) -> Iterator[Draft]:
    """Every claim that a noun makes, in the order of the text."""
    for token in reading.words:
        if (
            lemma_of(token) in ("be", "get", "become")
            and token.pos_ in ("AUX", "VERB")
            and token.dep_ not in ("aux", "auxpass")
        ):
            yield from being(reading, token)
        elif lemma_of(token) == "have" and token.dep_ != "aux":
            yield from having(reading, token)
        elif lemma_of(token) in ("call", "name") and token.pos_ == "VERB":
            yield from naming(reading, token)
        if token.dep_ == "appos":
            yield from _apposition(reading, token)
        if token.dep_ == "poss":
            yield from _possessive(reading, token)
        if token.pos_ in ("NOUN", "PROPN"):
            yield from _titled(reading, token)
            yield from _placed(reading, token)


def _apposition(reading: Reading, token: "Token") -> Iterator[Draft]:
    """Ana Berg, a spokeswoman for Acme; Lima, Peru; my sister Ana."""
    head, name = token.head, reading.name_of(token)
    manner = PLAIN
    other = reading.name_of(head)
    if name and other and name is not other:
        if not name.literal and not other.literal:
            yield from _side_by_side(reading, token, reading.phrase(other), reading.phrase(name), manner)
    elif other and not other.literal:
        yield from described(reading, token, reading.phrase(other), token, manner)
    elif name and not name.literal and head.pos_ in ("NOUN", "PROPN"):
        owner = owner_of(reading, head)
        value = reading.phrase(name)
        if owner:
            yield from owned_drafts(reading, token, owner, head, value, manner)
        elif reading.broad:
            yield from described(reading, token, value, head, manner)


def _side_by_side(reading: Reading, word: "Token", first: Phrase, second: Phrase, manner: Manner) -> Iterator[Draft]:
    apart = reading.doc[word.left_edge.i - 1].lower_ in ("not", "or", "but")
    if second.type == "place" and first.type in ("place", "organisation", "thing") and not apart:
        yield Draft(word, first, "located_in", second, manner)


def _possessive(reading: Reading, token: "Token") -> Iterator[Draft]:
    """Peru's president Ana Berg; my dog Rex: where the thing owned is itself a name."""
    noun, owner = token.head, reading.who(token)
    name = reading.name_of(noun)
    if name is None and noun.dep_ == "compound" and (behind := reading.name_of(noun.head)) and not behind.literal:
        yield from owned_drafts(reading, noun, owner, noun, reading.phrase(behind), PLAIN) if owner else ()
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
        yield from owned_drafts(reading, noun, owner, titles[-1], value, PLAIN)
    elif reading.broad:
        yield Draft(noun, owner, "has", value, PLAIN)


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
            yield Draft(token, who, f"{predicate_from(role.text)}_of", value, PLAIN)
        elif name.type == "person" and other.type in ("group", "place"):
            yield Draft(token, who, adjectival(other.type, name.type), value, PLAIN)
        elif name.type == "organisation" and other.type in ("group", "place"):
            yield Draft(token, who, "from", value, PLAIN)


def is_role(token: "Token") -> bool:
    """Whether the word before a name says what its bearer does: a common noun or a title."""
    return token.pos_ == "NOUN" or token.text in TITLES


def _placed(reading: Reading, token: "Token") -> Iterator[Draft]:
    """The Museum of Art in Lima; Ana Berg of Acme."""
    name = reading.name_of(token)
    if name is None or name.literal or not reading.broad:
        return
    for preposition in token.children:
        if preposition.dep_ != "prep" or preposition.lower_ not in PLACED or preposition.i < name.end:
            continue
        for inner in preposition.children:
            for target in all_of(inner) if inner.dep_ == "pobj" else ():
                other = reading.name_of(target)
                if other and other != name and (tie := placement(name.type, preposition.lower_, other.type)):
                    yield Draft(token, reading.phrase(name), tie, reading.phrase(other))


def placement(kind: str, preposition: str, of: str) -> str:
    """What a preposition between two names says, by their types; nothing when it may say anything.

    >>> placement("person", "of", "organisation"), placement("organisation", "in", "place")
    ('affiliated_with', 'located_in')
    """
    if kind == "person":
        return {"organisation": "affiliated_with", "place": "from"}.get(of, "")
    if of == "place" and preposition in INSIDE:
        return "located_in"
    return "part_of" if preposition == "of" and kind in ("organisation", "place") and of in GROUPS else ""
