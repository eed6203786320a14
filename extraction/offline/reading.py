"""One parsed passage and what every rule asks of it: whom a word means, what a head word names, which quote it has."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hornbook.extraction.candidate import USER, Passage
from hornbook.extraction.offline.everyday import CLOSE, FORMER, kin_name
from hornbook.extraction.offline.naming import Name, fullest
from hornbook.extraction.wordlists import words

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

FIRST = words("i me my mine myself")
WE = words("we us our")  # the speaker is among them
THIRD_PERSON = words("he she him her his hers himself herself")
THIRD_THING = words("it its itself")
RELATIVE = words("who which that whom whose where")
PRONOUNS = words(
    "you your yours we us our ours they them their theirs this these those there here one ones everyone someone "
    "anyone nobody everything something anything nothing what who which that all both some many most each other "
    "another none such everybody somebody anybody"
)
DEMONSTRATIVE = words("that this these those what which such")  # they point, and do not name
QUOTES = ('"', "\u201c", "\u201d", "``", "''")
LONGEST_SENTENCE = 250  # words; what is longer is a list or lacks its full stops, and its parse is no good
EMPTY_NOUNS = words(
    "kind type sort lot bunch piece bit set number couple variety plenty thing stuff something some way"
)
KINDS = words("language band club team company people group film album book magazine newspaper")
KINDS_OF_PLACE = words("city country state town region district province island village municipality county area")
KEPT_LEFT = words("compound amod nummod nmod quantmod poss case npadvmod advmod punct")


@dataclass(frozen=True, slots=True)
class Phrase:
    """What a head word stands for: a text, the type of the thing if it is a named one, and how surely."""

    text: str
    type: str | None = None
    named: bool = True
    sure: float = 1.0


@dataclass(slots=True)
class Reading:
    """A parsed passage with its names. `broad` reads encyclopedic prose: looser links, never about the speaker."""

    doc: "Doc"
    passage: Passage
    names: tuple[Name, ...]
    broad: bool
    at: dict[int, Name] = field(default_factory=dict)
    main: Name | None = None
    main_nouns: frozenset[str] = frozenset()
    sentences: tuple["Span", ...] = ()
    words: tuple["Token", ...] = ()  # those of the sentences that are read
    of: dict[int, "Span"] = field(default_factory=dict)  # a word's sentence; spaCy would look for it each time
    full: dict[str, str] = field(default_factory=dict)  # a surname to the one full name that holds it

    def __post_init__(self) -> None:
        self.at = {i: name for name in self.names for i in range(name.start, name.end)}
        self.sentences = tuple(self.doc.sents)
        self.words = tuple(word for s in self.sentences if len(s) <= LONGEST_SENTENCE for word in s)
        self.of = {word.i: s for s in self.sentences for word in s}
        self.full = {n.text: fullest(n, self.names) for n in self.names if not n.literal}

    def sentence(self, token: "Token") -> "Span":
        """The sentence of a word."""
        return self.of[token.i]

    def name_of(self, token: "Token") -> Name | None:
        """The name that the word is part of."""
        return self.at.get(token.i)

    def phrase(self, name: Name, sure: float = 1.0) -> Phrase:
        """What a name stands for, under its fullest form in the text."""
        full = self.full.get(name.text, name.text)
        return Phrase(full, name.type if full == name.text else "person", sure=sure)

    def quote_of(self, token: "Token") -> str:
        """The sentence of the word: what a claim from it rests on."""
        sentence = self.of[token.i]
        return self.passage.text[sentence.start_char : sentence.end_char].strip()

    def who(self, token: "Token") -> Phrase | None:
        """What a subject or object means as a thing: a name, the speaker, or what a safe pronoun stands for."""
        if name := self.name_of(token):
            return None if name.literal else self.phrase(name)
        lower = token.lower_
        if lower in FIRST and self._quoted(token):
            return self._quoted_speaker(token)
        if lower in FIRST:
            return Phrase(self.passage.speaker or USER, "person")
        if lower in WE and not self.broad and not self._quoted(token):
            return Phrase(self.passage.speaker or USER, "person", sure=0.9)
        if lower in RELATIVE and token.tag_ in ("WP", "WDT", "WP$", "WRB", "IN"):
            return self._antecedent(token)
        if lower in THIRD_PERSON:
            return self._person_before(token)
        if lower in THIRD_THING or (lower in ("they", "their", "them") and self.broad):
            return self._thing_before(token)
        return self._described(token)

    def _quoted(self, token: "Token") -> bool:
        """Whether the word stands inside quotation marks that its sentence opens and closes."""
        marks = [t.i for t in self.of[token.i] if t.text in QUOTES]
        return sum(i < token.i for i in marks) % 2 == 1 and marks[-1] > token.i

    def _quoted_speaker(self, token: "Token") -> Phrase | None:
        """Who says "I" in a quotation: the subject of the verb that it hangs on."""
        for above in token.ancestors:
            outside = above.pos_ == "VERB" and not self._quoted(above)
            if outside and (subject := next((c for c in above.children if c.dep_ == "nsubj"), None)):
                return self.who(subject) if not self._quoted(subject) else None
        return None

    def _antecedent(self, token: "Token") -> Phrase | None:
        """The name right before the relative, else what its clause is attached to: attachment often goes wrong."""
        before = token.i - 1
        if before > 0 and self.doc[before].lower_ == "of":  # Peru, the capital of which
            while before > self.of[token.i].start and not self.doc[before].is_punct:
                before -= 1
        while before > 0 and (self.doc[before].is_punct or self.doc[before].pos_ == "ADP"):
            before -= 1
        if (name := self.at.get(before)) and not name.literal:
            return self.phrase(name)
        clause = next((a for a in token.ancestors if a.dep_ == "relcl"), None)
        return self.who(clause.head) if clause is not None and clause.head.i != token.i else None

    def _person_before(self, token: "Token") -> Phrase | None:
        """He or she: the one person named, in the text up to here, else in the session; in prose its main person."""
        before = {n.text for n in self.names if n.type == "person" and n.start < token.i} - {self.passage.speaker}
        distinct = {t for t in before if not any(t != o and t in o.split() for o in before)}
        if len(distinct) == 1:
            return Phrase(distinct.pop(), "person", sure=0.9)
        if self.broad and self.main and self.main.type in ("person", "thing") and self.main.start < token.i:
            return self.phrase(self.main, 0.7)
        known = set(self.passage.known) - {self.passage.speaker}
        if not distinct and len(known) == 1:
            return Phrase(known.pop(), "person", sure=0.8)
        return None

    def _thing_before(self, token: "Token") -> Phrase | None:
        if self.broad and self.main and self.main.start < token.i and self.main.type != "person":
            return self.phrase(self.main, 0.7)
        return None

    def _described(self, token: "Token") -> Phrase | None:
        """A common noun that stands for a name: "my sister Ana", "Ana, a nurse who …", "Ana is a nurse who …"."""
        for child in token.children:
            if child.dep_ == "appos" and (name := self.name_of(child)) and not name.literal:
                return self.phrase(name)
        if token.dep_ == "appos" and (name := self.name_of(token.head)) and not name.literal:
            return self.phrase(name)
        if token.lower_ in KINDS:  # the Dutch language, the Galactic band
            for child in token.lefts:
                if child.dep_ in ("compound", "amod", "nmod") and (name := self.name_of(child)) and not name.literal:
                    return self.phrase(name)
        if token.lower_ in KINDS_OF_PLACE:  # the city of Lima
            for child in token.children:
                for inner in child.children if child.dep_ == "prep" and child.lower_ == "of" else ():
                    if (name := self.name_of(inner)) and name.type == "place":
                        return self.phrase(name)
        if kin := self.unnamed_kin(token):
            return kin
        if token.dep_ == "attr":
            for child in token.head.children:
                if child.dep_ == "nsubj" and child.i < token.i:
                    return self.who(child)
        return self._said_before(token)

    def kin_word(self, token: "Token") -> str | None:
        """The word for close kin of the speaker that stands here: "sister" in "my sister"."""
        word = CLOSE.get(token.lower_)
        if word is None or self.broad or self.passage.speaker is None or self._quoted(token):
            return None
        mine = any(c.dep_ == "poss" and c.lower_ == "my" for c in token.children)
        return word if mine and not any(c.lower_ in FORMER for c in token.children) else None

    def unnamed_kin(self, token: "Token") -> Phrase | None:
        """Whom "my sister" means where nobody says her name: somebody known as Ana's sister."""
        word = self.kin_word(token)
        if word is None or any(c.dep_ in ("appos", "compound", "case") for c in token.children):
            return None
        return Phrase(kin_name(self.passage.speaker or USER, word), "person", sure=0.95)

    def _said_before(self, token: "Token") -> Phrase | None:
        """In prose about a film, "the film" is that one."""
        if not self.broad or not self.main or token.lower_ not in self.main_nouns or token.i < self.main.end:
            return None
        if any(c.dep_ == "det" and c.lower_ in ("the", "this") for c in token.children):
            return self.phrase(self.main, 0.7)
        return None

    def what(self, token: "Token") -> Phrase | None:
        """What an object means as a value: a name, else the noun phrase without its article; no pronoun."""
        if name := self.name_of(token):
            if name.literal:
                return Phrase(self._measure(token, name), None, named=False)
            return self.phrase(name)
        if token.lower_ in FIRST | THIRD_PERSON | THIRD_THING:
            return self.who(token)
        if any(c.dep_ == "det" and c.lower_ in DEMONSTRATIVE for c in token.children):
            return None
        if token.lemma_.lower() in EMPTY_NOUNS:  # all kinds of games
            return next((found for last in of_what(token) if (found := self.what(last))), None)
        if token.lower_ in PRONOUNS or token.pos_ in ("PRON", "DET", "PUNCT", "SPACE", "ADP"):
            return None
        if (token.lower_ in KINDS_OF_PLACE or token.lower_ in KINDS) and (place := self._described(token)):
            return place
        text = self.noun_phrase(token)
        return Phrase(text, None, named=False) if text else None

    def _measure(self, token: "Token", name: Name) -> str:
        """A number with its unit."""
        end = max(name.end, token.i + 1)
        return self.doc[min(name.start, token.i) : end].text

    def noun_phrase(self, token: "Token") -> str:
        """The head with its modifiers to the left, articles and pronouns left out."""
        start = token.i
        for left in reversed(list(token.lefts)):
            if (
                left.dep_ not in KEPT_LEFT
                or left.lower_ in FIRST
                or left.dep_ == "poss"
                or left.right_edge.i + 1 != start
            ):
                break
            start = left.left_edge.i
        end = token.i + 1
        while end < len(self.doc) and self.doc[end].dep_ == "nummod" and self.doc[end].head == token:
            end += 1
        while start < end - 1 and self.doc[start].pos_ in ("DET", "PUNCT"):
            start += 1
        return str(self.doc[start:end].text).strip(" ,;:-\"'")


def of_what(noun: "Token") -> list["Token"]:
    """The words behind the noun's "of"."""
    return [
        last
        for c in noun.children
        if c.dep_ == "prep" and c.lower_ == "of"
        for last in c.children
        if last.dep_ == "pobj"
    ]


def all_of(token: "Token") -> list["Token"]:
    """The word and those joined to it by "and"; "or" makes none of them certain, so it gives the word alone."""
    found, queue = [token], [token]
    while queue:
        head = queue.pop()
        if any(c.dep_ == "cc" and c.lower_ not in ("and", "&", "as") for c in head.children):
            continue
        for child in head.children:
            if child.dep_ == "conj" and (child.pos_ in ("NOUN", "PROPN", "NUM", "ADJ", "X") or child.lower_ == "i"):
                found.append(child)
                queue.append(child)
    return found
