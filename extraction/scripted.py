"""An extractor that answers from a script: for tests and demonstrations without any model."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from hornbook.extraction.candidate import Extraction, Passage
from hornbook.graph.errors import InvalidArgument


class ScriptedExtractor:
    """Gives back prepared extractions: by the passage's text from a mapping, or one after the other from a list.

    A text that a mapping does not name has nothing in it; a list that has run out is an error.

    >>> from hornbook.extraction.candidate import Candidate
    >>> script = {"I moved.": Extraction(candidates=(Candidate("user", "lives_in", "Munich", "I moved."),))}
    >>> ScriptedExtractor(script).extract(Passage("I moved.")).candidates[0].value
    'Munich'
    """

    name = "scripted 1"

    def __init__(self, script: Mapping[str, Extraction] | Sequence[Extraction]) -> None:
        self.script = script
        self.given = 0

    def extract(self, passage: Passage) -> Extraction:
        """The prepared answer for this passage."""
        if isinstance(self.script, Mapping):
            return self.script.get(passage.text, Extraction(extractor=self.name))
        if self.given >= len(self.script):
            raise InvalidArgument(f"the script holds {len(self.script)} extractions and all were given", field="script")
        self.given += 1
        return self.script[self.given - 1]

    def extract_many(self, passages: Iterable[Passage]) -> Iterator[Extraction]:
        """The prepared answers, in order."""
        return (self.extract(passage) for passage in passages)
