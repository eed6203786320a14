"""The names in a parsed text: which tokens belong to which, cleaned, with a type; and the phrase a head word heads."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hornbook.extraction.candidate import Mention
from hornbook.extraction.wordlists import words

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

TYPES = {
    "PERSON": "person",
    "GPE": "place",
    "LOC": "place",
    "FAC": "place",
    "ORG": "organisation",
    "NORP": "group",
    "LANGUAGE": "language",
    "DATE": "date",
    "TIME": "date",
    "EVENT": "event",
    "PRODUCT": "product",
    "WORK_OF_ART": "work",
    "LAW": "work",
    "CARDINAL": "quantity",
    "ORDINAL": "quantity",
    "QUANTITY": "quantity",
    "MONEY": "quantity",
    "PERCENT": "quantity",
}
LITERAL = ("date", "quantity")  # types whose names are values, not things
NOT_NAMES = words(
    "thanks thank wow yeah yes no ok okay hey hi hello haha lol oh sure please congrats cool mom dad bye god gosh "
    "man dude happy merry good great nice awesome totally absolutely definitely sounds looks glad i me my you "
    "nobody everyone everybody someone somebody anyone anybody everything nothing something anything people "
    "imagine suppose btw fyi imo imho omg"
)
QUOTED = re.compile(
    r"[\"\u201c]([A-Z0-9][^\"\u201c\u201d\n]{1,60})[\"\u201d]|\u2018([A-Z0-9][^\u2018\u2019\n]{2,60})\u2019"
)
GREETINGS = words("hi hey hello dear thanks bye wow")
TRIMMED_LEFT = GREETINGS | words("the a an this that these those its his her their our my your")


@dataclass(frozen=True, slots=True)
class Name:
    """A named thing as tokens `[start, end)`, its text without article and possessive, and its type."""

    start: int
    end: int
    text: str
    type: str

    @property
    def literal(self) -> bool:
        """A date or a number: something to say of a thing, not a thing."""
        return self.type in LITERAL


def find_names(doc: "Doc", known: tuple[str, ...] = (), *, talk: bool = False) -> tuple[Name, ...]:
    """All names of a text, in order, none overlapping: the model's, those known, quoted titles, and proper nouns."""
    taken: list[bool] = [False] * len(doc)
    names: list[Name] = []
    for start, end, kind in (*_known(doc, known), *_titles(doc), *_numbered(doc), *_entities(doc), *_proper(doc, talk)):
        start, end = _trimmed(doc, start, end)
        if start < end and not any(taken[start:end]):
            taken[start:end] = [True] * (end - start)
            names.append(Name(start, end, doc[start:end].text, kind))
    return tuple(sorted(names, key=lambda name: name.start))


def _known(doc: "Doc", known: tuple[str, ...]) -> Iterator[tuple[int, int, str]]:
    for name in known:
        for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", doc.text) if name.strip() else ():
            span = doc.char_span(match.start(), match.end())
            if span is not None:
                yield span.start, span.end, next((TYPES[e.label_] for e in span.ents if e.label_ in TYPES), "thing")


def _entities(doc: "Doc") -> Iterator[tuple[int, int, str]]:
    for ent in doc.ents:
        kind = TYPES.get(ent.label_, "thing")
        if kind in LITERAL:
            yield ent.start, ent.end, kind
        elif (to := _between_two(doc, ent.start, ent.end)) is not None:
            apart = kind if kind in ("place", "person") else "thing"
            yield from ((ent.start, to, apart), (to + 1, ent.end, apart))
        elif ent.text.casefold() not in NOT_NAMES:
            yield *_widened(doc, ent.start, ent.end), kind


def _between_two(doc: "Doc", start: int, end: int) -> int | None:
    """The "to" of "from Lyon to Ghent", which the model takes for one name."""
    if start == 0 or doc[start - 1].lower_ != "from":
        return None
    return next((i for i in range(start + 1, end - 1) if doc[i].text == "to"), None)


def _numbered(doc: "Doc") -> Iterator[tuple[int, int, str]]:
    """Names that begin with a number, as minor planets do: a bare number before a proper noun in the singular."""
    for token in doc[:-1]:
        after = token.nbor()
        if (
            token.like_num
            and token.ent_type_ in ("CARDINAL", "", after.ent_type_)
            and token.text.isdigit()
            and after.tag_ == "NNP"
            and after.ent_type_ in ("", "ORG", "PERSON", "PRODUCT", "CARDINAL", "GPE")
        ):
            end = token.i + 1
            while end < len(doc) and doc[end].pos_ == "PROPN" and doc[end].ent_type_ == after.ent_type_:
                end += 1
            yield token.i, end, "thing"


def _widened(doc: "Doc", start: int, end: int) -> tuple[int, int]:
    """With the proper nouns that are parts of the same name: the model often stops a word short."""
    while start > 0 and _joins(doc[start - 1], doc[start]) and not doc[start - 1].ent_type_:
        start -= 1
    while end < len(doc) and _joins(doc[end - 1], doc[end]) and not doc[end].ent_type_:
        end += 1
    return start, _with_number(doc, start, _hyphenated(doc, start, end))


def _hyphenated(doc: "Doc", start: int, end: int) -> int:
    """Two names made one by a dash without blanks."""
    if (
        end - start < 2
        or end + 1 >= len(doc)
        or doc[end].text not in ("-", "\u2013")
        or doc[end - 1].whitespace_
        or doc[end].whitespace_
    ):
        return end
    after = end + 1
    while after < len(doc) and doc[after].pos_ == "PROPN":
        after += 1
    return after if after > end + 1 else end


def _with_number(doc: "Doc", start: int, end: int) -> int:
    """A number that belongs to the name: the type of a car, the year of a club."""
    if end < len(doc) and doc[end].dep_ == "nummod" and start <= doc[end].head.i < end and doc[end].text.isalnum():
        return end + 1
    return end


def _joins(left: "Token", right: "Token") -> bool:
    return left.pos_ == "PROPN" and right.pos_ == "PROPN" and left.dep_ == "compound" and left.head.i >= right.i


def _titles(doc: "Doc") -> Iterator[tuple[int, int, str]]:
    for match in QUOTED.finditer(doc.text):
        group = 1 if match[1] else 2
        span = doc.char_span(match.start(group), match.end(group))
        words = (match[group] or "").split()
        if span is not None and len(words) <= 8 and sum(w[:1].isupper() for w in words) * 2 > len(words):
            yield span.start, span.end, "work"


def _proper(doc: "Doc", talk: bool) -> Iterator[tuple[int, int, str]]:
    """Runs of proper nouns that the model did not name."""
    index = 0
    while index < len(doc):
        end = index
        while end < len(doc) and (doc[end].pos_ == "PROPN" or _misread(doc[end])) and not doc[end].ent_type_:
            end += 1
        if end > index and _is_a_name(doc, index, end, talk):
            yield index, _with_number(doc, index, end), "thing"
        index = max(end, index + 1)


def _misread(token: "Token") -> bool:
    """A sentence's bare first word in the singular, its subject, in no vocabulary of nouns: "Eva is …"."""
    bare = (
        token.tag_ == "NN"
        and token.is_sent_start
        and token.dep_ in ("nsubj", "nsubjpass")
        and token.text.istitle()
        and not token.text.endswith("ing")
    )
    return bool(bare and token.i + 1 < len(token.doc) and token.nbor().tag_ in ("VBZ", "VBD") and token.n_lefts == 0)


def _is_a_name(doc: "Doc", start: int, end: int, talk: bool) -> bool:
    first = doc[start]
    if first.text.casefold() in NOT_NAMES or not any(c.isalpha() for c in first.text):
        return False
    if not talk or end - start > 1:
        return True
    if first.is_sent_start:
        return first.dep_ in ("nsubj", "nsubjpass", "poss") and first.head.i > first.i
    return first.text[:1].isupper() or not first.text.isascii()


def _trimmed(doc: "Doc", start: int, end: int) -> tuple[int, int]:
    while start < end and (
        doc[start].lower_ in TRIMMED_LEFT
        or (doc[start].is_punct and doc[start].text not in "([")
        or doc[start].is_space
    ):
        start += 1
    while start < end and (
        doc[end - 1].tag_ == "POS"
        or doc[end - 1].is_space
        or (doc[end - 1].is_punct and doc[end - 1].text not in ")].")
    ):
        end -= 1
    return start, end


def mentions_of(doc: "Doc", names: tuple[Name, ...]) -> tuple[Mention, ...]:
    """A mention a name, under the fullest form the text has for it: the surname alone is an alias of the full name."""
    full = {name.text: fullest(name, names) for name in names}
    aliases: dict[str, list[str]] = {}
    for short, long in full.items():
        if short != long:
            aliases.setdefault(long, []).append(short)
    found: dict[str, Mention] = {}
    for name in names:
        if name.text == full[name.text] and name.text not in found:
            span = doc[name.start : name.end]
            also = tuple(sorted(aliases.get(name.text, ())))
            found[name.text] = Mention(name.text, name.type, span.start_char, span.end_char, also)
    return tuple(found.values())


def fullest(name: Name, names: tuple[Name, ...]) -> str:
    """The one longer person's name that holds this one as a word; the name itself when none or several do.

    What the model does not take for a person must be the surname: "Lind" after "Eva Lind", whatever its type.
    """
    if " " in name.text or name.type not in ("person", "thing", "organisation"):
        return name.text
    people = {n.text for n in names if n.type == "person" and " " in n.text}
    longer = {
        full
        for full in people
        if full.split()[-1] == name.text or (name.type == "person" and name.text in full.split())
    }
    return longer.pop() if len(longer) == 1 else name.text
