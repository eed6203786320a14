"""JSON lines in, JSON lines out: the protocol of `hornbook extract`. Nothing is stored."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import IO, Any

from hornbook.extraction.candidate import Candidate, Extraction, Extractor, Passage
from hornbook.graph.claim import Polarity
from hornbook.graph.dates import parse_moment
from hornbook.graph.errors import InvalidArgument


@dataclass(slots=True)
class Counts:
    """How the run went: lines answered, and for those that were not, which and why."""

    done: int = 0
    failed: list[tuple[int, str]] = field(default_factory=list)


def extract_lines(stream_in: Iterable[str], stream_out: IO[str], extractor: Extractor) -> Counts:
    """Answer every readable line with one line; a line that is not a passage is counted, named, and left out.

    >>> import io
    >>> from hornbook.extraction.scripted import ScriptedExtractor
    >>> out = io.StringIO()
    >>> counts = extract_lines(['{"id": "1", "text": "Hello."}', "{"], out, ScriptedExtractor({}))
    >>> out.getvalue(), counts.done, counts.failed
    ('{"id": "1", "entities": [], "claims": []}\\n', 1, [(2, 'not JSON')])
    """
    counts = Counts()
    ids: list[Any] = []

    def passages() -> Iterator[Passage]:
        for number, line in enumerate(stream_in, 1):
            if line.strip():
                try:
                    identity, passage = read_line(line)
                except InvalidArgument as error:
                    counts.failed.append((number, error.message))
                    continue
                ids.append(identity)
                yield passage

    for extraction in extractor.extract_many(passages()):
        stream_out.write(json.dumps({"id": ids[counts.done], **as_json(extraction)}, ensure_ascii=False) + "\n")
        counts.done += 1
    return counts


def read_line(line: str) -> tuple[Any, Passage]:
    """The id and the passage of one line."""
    try:
        given = json.loads(line)
    except ValueError:
        raise InvalidArgument("not JSON", field="line") from None
    if not isinstance(given, dict) or not isinstance(given.get("text"), str):
        raise InvalidArgument('no text: a line is {"id", "text"}', field="text")
    speaker, occurred_at = given.get("speaker"), given.get("occurred_at")
    return given.get("id"), Passage(
        given["text"],
        speaker if isinstance(speaker, str) and speaker.strip() else None,
        parse_moment(occurred_at, "occurred_at") if occurred_at is not None else None,
    )


def as_json(extraction: Extraction) -> dict[str, Any]:
    """Entities and claims as the protocol has them."""
    return {
        "entities": [{"name": mention.name, "type": mention.type} for mention in extraction.mentions],
        "claims": [claim_json(candidate) for candidate in extraction.candidates],
    }


def claim_json(candidate: Candidate) -> dict[str, Any]:
    """One claim; what does not apply is left out."""
    shown = {"subject": candidate.subject, "predicate": candidate.predicate, "object": candidate.value}
    if candidate.valid.start:
        shown["valid_from"] = str(candidate.valid.start)
    if candidate.valid.end:
        shown["valid_to"] = str(candidate.valid.end)
    if candidate.polarity is Polarity.NOT:
        shown["negated"] = True
    if candidate.mood.value != "asserted":
        shown["mood"] = candidate.mood.value
    if candidate.speaker:
        shown["said_by"] = candidate.speaker
    return shown | {"quote": candidate.quote}
