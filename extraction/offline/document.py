"""Links across a document: what it is mainly about, tied to the names that its sentences bring up."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hornbook.extraction.offline.draft import Draft
from hornbook.extraction.offline.naming import Name
from hornbook.extraction.offline.reading import Reading

if TYPE_CHECKING:
    from spacy.tokens import Token


def main_name(reading: Reading) -> tuple[Name | None, frozenset[str]]:
    """What the text is about, the subject of its first sentence, and the nouns that describe it there."""
    sentence = next(iter(reading.doc.sents), None)
    if sentence is None:
        return None, frozenset()
    subject = next((t for t in sentence if t.dep_ in ("nsubj", "nsubjpass") and t.head.dep_ == "ROOT"), None)
    name = reading.name_of(subject) if subject is not None else None
    if name is None or name.literal:
        name = next((n for n in reading.names if not n.literal and n.end <= sentence.end), None)
    if name is None or subject is None:
        return name, frozenset()
    return name, frozenset(t.lower_ for c in subject.head.children if c.dep_ == "attr" for t in (c,))


def document_drafts(reading: Reading) -> Iterator[Draft]:
    """Links to the document's main name."""
    return iter(())
