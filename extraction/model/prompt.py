"""The prompt: kept in `prompt.md`, with a version that goes with every claim read by it."""

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from hornbook.extraction.candidate import Passage
from hornbook.graph.belief.registry import built_in


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is told before each text, and the version of it."""

    version: str
    text: str


@lru_cache(1)
def prompt() -> Prompt:
    """The prompt of this release, with the built-in predicates in it.

    >>> prompt().version.isdigit() and "lives_in" in prompt().text
    True
    """
    head, _, text = files("hornbook.extraction.model").joinpath("prompt.md").read_text("utf-8").partition("\n\n")
    known = ", ".join(sorted(key for key, one in built_in().predicates.items() if one.stored is None))
    return Prompt(head.removeprefix("version:").strip(), text.strip().replace("{predicates}", known))


def messages(passage: Passage) -> list[dict[str, str]]:
    """The conversation that asks for one passage: who speaks and when it was said stand before the text."""
    told = [
        f"Speaker: {passage.speaker or 'not known'}",
        f"Said on: {passage.occurred_at or 'not known'}",
        *([f"About: {passage.title}"] if passage.title else ()),
        *([f"Spoken of before: {', '.join(passage.known)}"] if passage.known else ()),
    ]
    text = passage.text.replace("</text>", "</ text>")  # the text does not end itself
    asked = "\n".join((*told, "<text>", text, "</text>"))
    return [{"role": "system", "content": prompt().text}, {"role": "user", "content": asked}]
