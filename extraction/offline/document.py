"""Links across a document of prose: what it is about, the dates of a life, the country in which it plays."""

import re
from collections import Counter
from collections.abc import Iterator

from hornbook.extraction.offline.countries import country_of, is_country
from hornbook.extraction.offline.draft import Draft
from hornbook.extraction.offline.mood import Manner
from hornbook.extraction.offline.naming import Name
from hornbook.extraction.offline.reading import Phrase, Reading
from hornbook.graph.names import name_key

DASH = r"[\u2013\u2014-]"  # en dash, em dash, hyphen
DATE = r"[^()\u2013\u2014;-]*\d{3,4}"
LIFE = re.compile(rf"\((?:[^()]{{0,80}}?[;,] )?(?:born |b\. )?({DATE})(?:\s*{DASH}\s*({DATE}))?[^()]*\)")
BORN = re.compile(r"\bborn\b|\bb\.")
LONG = 4  # sentences from which a text is a document with a country of its own
AGENCY = re.compile(r"\(([A-Z][A-Za-z-]{1,15})\)")


def main_name(reading: Reading) -> tuple[Name | None, frozenset[str]]:
    """What the text is about, by its title or its first subject, and the nouns that describe it there."""
    sentence = next(iter(reading.sentences), None)
    if sentence is None:
        return None, frozenset()
    subject = next((t for t in sentence if t.dep_ in ("nsubj", "nsubjpass") and t.head.dep_ == "ROOT"), None)
    titled = name_key(reading.passage.title or "")
    name = next((n for n in reading.names if titled and name_key(n.text) in titled and not n.literal), None)
    if name is None and subject is not None:
        name = reading.name_of(subject)
    if name is None or name.literal or name.type == "group":
        name = next((n for n in reading.names if not n.literal and n.type != "group" and n.end <= sentence.end), None)
    if name is None or subject is None:
        return name, frozenset()
    return name, frozenset(t.lower_ for c in subject.head.children if c.dep_ == "attr" for t in (c,))


def document_drafts(reading: Reading) -> Iterator[Draft]:
    """What a document says by its form rather than by a verb."""
    yield from _lives(reading)
    yield from _datelines(reading)
    yield from _in_the_country(reading)


def _lives(reading: Reading) -> Iterator[Draft]:
    """Ana Berg (3 May 1930 - 10 March 2010): a person's dates behind the name."""
    for match in LIFE.finditer(reading.doc.text):
        name = next((n for n in reversed(reading.names) if _just_before(reading, n, match.start())), None)
        if name is None or not (match[2] or BORN.search(match[0])):
            continue
        word, who = reading.doc[name.end - 1], reading.phrase(name)
        if name.type == "person" or (name == reading.main and name.type == "thing"):
            yield Draft(word, who, "born_on", Phrase(match[1].strip(" ,"), None, named=False), PAST)
            if match[2]:
                yield Draft(word, who, "died_on", Phrase(match[2].strip(" ,"), None, named=False), PAST)


PAST = Manner(present=False, past=True, perfect=True)


def _just_before(reading: Reading, name: Name, offset: int) -> bool:
    end = reading.doc[name.end - 1].idx + len(reading.doc[name.end - 1])
    return not name.literal and 0 <= offset - end <= 3


def _datelines(reading: Reading) -> Iterator[Draft]:
    """LIMA, Peru (AP): the agency reports from there."""
    match = AGENCY.search(reading.doc.text[:120])
    if not match or len(reading.names) < 1:
        return
    before = [
        n
        for n in reading.names
        if n.type in ("place", "thing", "person", "organisation") and reading.doc[n.start].idx < match.start()
    ]
    if before and before[0].start <= 4 and len(before) <= 2:
        span = reading.doc.char_span(match.start(1), match.end(1), alignment_mode="expand")
        if span is not None:
            for place in before:
                yield Draft(span.root, Phrase(match[1], "organisation"), "reports_from", Phrase(place.text, "place"))


def _in_the_country(reading: Reading) -> Iterator[Draft]:
    """In a document that names one country, its places and organisations are taken to be there: a conclusion."""
    named = Counter(c for n in reading.names if n.type in ("place", "group") for c in (country_of(n.text),) if c)
    if len(named) != 1 or len(reading.sentences) < LONG:
        return
    surface = next(n for n in reading.names if n.type in ("place", "group") and country_of(n.text))
    country = next((n for n in reading.names if is_country(n.text)), None) or surface
    for name in dict.fromkeys(n for n in reading.names if n.type in ("place", "organisation")):
        if not country_of(name.text):
            yield Draft(
                reading.doc[name.end - 1],
                reading.phrase(name),
                "country",
                Phrase(country.text, "place"),
                confidence=0.5,
                concluded=True,
            )
