"""Without a parser: the few sentences that are plain enough to be read by their words alone."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hornbook.extraction.candidate import USER, Candidate, Mention, Passage
from hornbook.extraction.dates import find_dates
from hornbook.extraction.offline.naming import QUOTED
from hornbook.graph.claim import Intent
from hornbook.graph.dates import Moment
from hornbook.graph.interval import Interval

if TYPE_CHECKING:
    from spacy.tokens import Doc

NAME = r"[^\W\d_a-z][\w'\u2019-]*(?: [^\W\d_a-z][\w'\u2019-]*){0,3}"  # words that do not begin in lower case
WHO = rf"(?P<who>I|{NAME})"
THING = r"(?P<value>[\w' -]{2,40}?)"
NAMED = rf"(?P<value>{NAME})"
TAIL = r"(?P<rest>(?: (?:since|in|from|on|last|two|three|a) [\w ,]{3,40})?)[.!]?"
STATEMENTS: tuple[tuple[str, str, Intent], ...] = (
    (rf"{WHO} lives? in {NAMED}{TAIL}", "lives_in", Intent.STATE),
    (rf"{WHO} (?:have|has|'ve) lived in {NAMED}{TAIL}", "lives_in", Intent.STATE),
    (rf"{WHO} moved to {NAMED}{TAIL}", "lives_in", Intent.UPDATE),
    (rf"{WHO} works? (?:for|at) {NAMED}{TAIL}", "works_for", Intent.STATE),
    (rf"{WHO} was born in {NAMED}{TAIL}", "born_in", Intent.STATE),
    (rf"{WHO} speaks? {NAMED}{TAIL}", "speaks", Intent.STATE),
    (rf"{WHO} (?:likes?|loves?) {THING}{TAIL}", "likes", Intent.STATE),
    (rf"{WHO} hates? {THING}{TAIL}", "dislikes", Intent.STATE),
    (rf"(?P<who>I)(?: am|'m|\u2019m) allergic to {THING}{TAIL}", "allergic_to", Intent.STATE),
    (rf"My name is {NAMED}{TAIL}", "name", Intent.STATE),
)
PATTERNS = tuple((re.compile(pattern), predicate, intent) for pattern, predicate, intent in STATEMENTS)
POINTING = re.compile(r"(?:that|this|it|them|these|those|to|how|when|you|your)\b")


def plain_candidates(doc: "Doc", passage: Passage) -> Iterator[Candidate]:
    """A claim from each sentence that is nothing but one of the statements; anything more in it, and it is left."""
    for sentence in doc.sents:
        text = sentence.text.strip()
        for pattern, predicate, intent in PATTERNS:
            if (match := pattern.fullmatch(text)) and not POINTING.match(match["value"]):
                quote = passage.text[sentence.start_char : sentence.end_char].strip()
                yield _candidate(match, predicate, intent, quote, passage)
                break


def _candidate(match: re.Match[str], predicate: str, intent: Intent, text: str, passage: Passage) -> Candidate:
    who = match.groupdict().get("who", "I")
    named = predicate in ("lives_in", "works_for", "born_in", "speaks")
    return Candidate(
        (passage.speaker or USER) if who == "I" else who,
        predicate,
        match["value"].strip(),
        text,
        "person",
        "thing" if named else None,
        intent=intent,
        kind="preference" if predicate in ("likes", "dislikes") else "fact",
        valid=_valid(match["rest"], passage.occurred_at, intent),
        present=predicate != "born_in",
        confidence=0.75,
    )


def _valid(rest: str, occurred_at: Moment | None, intent: Intent) -> Interval:
    found = find_dates(rest, occurred_at)
    if not found:
        return Interval()
    interval = found[0].interval
    return Interval(interval.start, None, interval.confidence) if intent is Intent.UPDATE else interval


def plain_mentions(doc: "Doc", passage: Passage) -> tuple[Mention, ...]:
    """Names that are known, quoted titles and dates: what can be found without knowing the words."""
    text = doc.text
    found: dict[str, Mention] = {}
    for known in sorted(filter(str.strip, passage.known), key=len, reverse=True):
        if match := re.search(rf"(?<!\w){re.escape(known)}(?!\w)", text):
            found.setdefault(known, Mention(known, "thing", match.start(), match.end()))
    for match in QUOTED.finditer(text):
        group = 1 if match[1] else 2
        found.setdefault(match[group], Mention(match[group], "work", match.start(group), match.end(group)))
    for date in find_dates(text, passage.occurred_at):
        said = text[date.start : date.end]
        found.setdefault(said, Mention(said, "date", date.start, date.end))
    return tuple(found.values())
