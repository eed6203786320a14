"""The small pieces that pages are made of: links, statuses, values, windows, quotes."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from hornbook.display.markup import Markup, join, said, short, tag
from hornbook.explore.visit import Visit
from hornbook.graph.belief.belief import Slot
from hornbook.graph.belief.state import Held
from hornbook.graph.claim import Claim, Mood, Polarity
from hornbook.graph.interval import Interval

NONE = Markup()
INSTANT = re.compile(r"(?<=\d)[T ](\d\d:\d\d):\d\d(?:\.\d+)?Z?")
LONGEST_VALUE = 160  # characters of a value in a list
MEANINGS = {
    "Resolved": "one side is believed, or several that can stand together",
    "Contested": "people contradict each other; nothing is picked",
    "Conflict": "only guesses or conclusions, and they disagree",
    "TimingUncertain": "said, but not since when",
    "NoBelief": "nothing is believed at this instant",
    "Superseded": "something else took its place; its window is still what was believed then",
    "Invalidated": "found to be wrong, or withdrawn",
    "CommittedCheap": "believed as it was said",
    "CommittedInferred": "a model's conclusion; believed while nobody's word stands beside it",
    "QueuedForAdjudication": "contradicted; a person or a model has been asked",
    "PendingLowConfidence": "too unsure to be believed",
    "Quarantined": "it ends before it begins, so it is kept and never believed",
    "Reinstated": "believed again after it had been set aside",
    "PendingReview": "something that it rests on has fallen",
    "PendingConflict": "a question about it is open",
    "AgedSetMember": "one of several values, and long unconfirmed",
    "RecallTainted": "it came back from a memory's own answer",
    "LowDerivationAnchor": "nothing that people said is at its root",
    "CardinalityUnknown": "nobody said whether it takes one value or several",
    "ImpliedSuccession": "taken to follow on what the same speaker said before",
    "NotAsserted": "planned, possible or conditional",
    "RulesNotApplied": "the rules could not be evaluated, so nothing that follows is shown",
    "Fresh": "said within the last month",
    "AgingUnconfirmed": "not said again for a month",
    "Decayed": "not said again for three months",
}
GOOD = ("resolved", "committedcheap", "reinstated", "stable")
BAD = ("contested", "conflict", "queuedforadjudication", "pendingconflict", "quarantined")
GONE = ("superseded", "invalidated", "nobelief", "archived", "deprecated", "rejected")


def void(element: str, /, **attributes: object) -> Markup:
    """An element that holds nothing and has no end.

    >>> void("input", name="q", value='"')
    '<input name="q" value="&quot;">'
    """
    # `tag` takes a last underscore off, and has a name of its own
    written = tag(element, **{f"{name}_": what for name, what in attributes.items()})
    return Markup(written.removesuffix(f"</{element}>"))


def link(address: str, *inside: object, **attributes: object) -> Markup:
    """A link."""
    return tag("a", *inside, href=address, **attributes)


def plain(predicate: str) -> str:
    """A predicate as it is read.

    >>> plain("lives_in")
    'lives in'
    """
    return predicate.replace("_", " ")


def sentence(subject: object, predicate: str, what: object, polarity: object = Polarity.HOLDS) -> str:
    """A claim in plain words, shortened; one that denies says so.

    >>> sentence("Ana", "lives_in", "Oslo", Polarity.NOT)
    'Ana lives in not Oslo'
    """
    return f"{short(said(subject), 60)} {plain(predicate)} {side(what, polarity)}"


def side(what: object, polarity: object = Polarity.HOLDS, most: int = 80) -> str:
    """A value in plain words, with what tells that it is denied."""
    return f"{'not ' if polarity == Polarity.NOT else ''}{short(said(what), most)}"


def status(word: str) -> Markup:
    """A status or a disposition: the word says it, the colour too."""
    low = word.lower()
    kind = "good" if low in GOOD else "bad" if low in BAD else "gone" if low in GONE else "unsure"
    return tag("span", word, class_=f"status {kind}", title=MEANINGS.get(word))


def marker(word: str) -> Markup:
    """What a reader should know beside a status."""
    return tag("span", word, class_="marker", title=MEANINGS.get(word))


def words(parts: Iterable[Markup]) -> Markup:
    """Pieces beside each other, apart where they are read as text."""
    return join([part for part in parts if part], " ")


def entity(visit: Visit, name: str, **attributes: object) -> Markup:
    """A link to an entity's page."""
    return link(visit.to("/entity", name=name), short(name, LONGEST_VALUE), class_="entity", **attributes)


def line_address(visit: Visit, subject: object, predicate: str) -> str:
    """The address of a line."""
    return visit.to("/line", subject=said(subject), predicate=predicate)


def claim_address(visit: Visit, claim: Claim) -> str:
    """The address of a claim; of one that rules derive, that of its proof."""
    if "derived" in claim.extra:
        return visit.to("/why", fact=claim.id)
    return visit.to("/claim", ref=claim.id)


def ref(visit: Visit, id_: str) -> Markup:
    """A link to a claim by its ref."""
    return link(visit.to("/claim", ref=id_), tag("code", f"…{id_[-6:]}"), title=id_, class_="ref")


def names_of(visit: Visit, values: Iterable[Any]) -> Mapping[str, str]:
    """Of values those that name an entity, and which."""
    return visit.memory.named(
        [one for one in values if isinstance(one, str) and len(one) < LONGEST_VALUE], **visit.known
    )


def value(visit: Visit, one: Slot | Held, names: Mapping[str, str]) -> Markup:
    """What a claim says, with a link where it names an entity."""
    claim = one.held.claim if isinstance(one, Slot) else one.claim
    denied = tag("span", "not ", class_="not") if one.polarity is Polarity.NOT else NONE
    mood = tag("span", f" {claim.mood.value}", class_="quiet") if claim.mood is not Mood.ASSERTED else NONE
    return join([denied, thing(visit, one.value, names), mood])


def thing(visit: Visit, what: Any, names: Mapping[str, str]) -> Markup:
    """A value, with a link where it names an entity."""
    if isinstance(what, str) and what in names:
        return link(visit.to("/entity", name=names[what]), what, class_="entity")
    return tag("span", short(said(what), LONGEST_VALUE), class_="value")


def who(claim: Claim) -> str:
    """Who stands behind a claim."""
    if "derived" in claim.extra:
        return "follows by rule"
    return claim.speaker or claim.source or ""


def when(one: Slot | Held) -> str:
    """When it is held to be true, as precisely as it was said."""
    return span(one.valid if isinstance(one, Slot) else one.state.valid)


def span(valid: Interval) -> str:
    """A window for people: a whole period is named once.

    >>> from hornbook.graph.dates import parse_moment
    >>> span(Interval(parse_moment("2024-09"), parse_moment("2024-09"))), span(Interval())
    ('2024-09', '')
    """
    return str(valid.start) if valid.whole_period and valid.start == valid.end else readable(str(valid))


def readable(words: str) -> str:
    """Instants in some words as people write them, to the minute; midnight is the day.

    >>> readable("since 2024-10-05T08:45:00Z"), readable("2024-03-01T00:00:00Z")
    ('since 2024-10-05 08:45', '2024-03-01')
    """
    return INSTANT.sub(lambda at: "" if at[0].strip("TZ ") == "00:00:00" else f" {at[1]}", words)


def quote(words: str | None, by: str = "", most: int = 400) -> Markup:
    """The words that a claim was taken from, and whose they are."""
    if not words:
        return tag("span", by, class_="by") if by else NONE
    return tag("blockquote", short(words, most), tag("cite", by) if by else NONE)


def facts(rows: Iterable[tuple[str, object]]) -> Markup:
    """Names and what they stand for, without those that stand for nothing."""
    shown = [join([tag("dt", name, " "), tag("dd", what, "\n")]) for name, what in rows if what not in ("", None, NONE)]
    return tag("dl", *shown, class_="facts") if shown else NONE


def table(columns: Iterable[object], rows: Iterable[Iterable[object]], caption: str, label: str = "") -> Markup:
    """A table that scrolls by itself where it is wider than the page."""
    head = tag("tr", *(tag("th", column, scope="col") for column in columns))
    body = [tag("tr", *(tag("td", cell) for cell in row)) for row in rows]
    whole = tag("table", tag("caption", caption, class_="unseen"), tag("thead", head), tag("tbody", *body))
    return tag("div", whole, class_="wide", tabindex="0", role="region", aria_label=label or caption)


def items(rows: Iterable[Markup], class_: str = "items") -> Markup:
    """A list whose rows can be gone through with the keys."""
    return tag("ul", *(tag("li", row, "\n") for row in rows), class_=class_)


def section(title: str, *inside: object, id_: str | None = None, more: Markup = NONE) -> Markup:
    """A part of a page under a heading; nothing where it holds nothing."""
    if not any(inside):
        return NONE
    return tag("section", tag("h2", title, " ", more), *inside, id=id_)


def nothing(words: str, *more: object) -> Markup:
    """What stands where there is nothing to show."""
    return tag("p", words, *more, class_="nothing")


def paged(visit: Visit, cursor: str | None) -> Markup:
    """The way to the next page of a list."""
    return tag("p", link(visit.here(cursor=cursor), "More", rel="next"), class_="more") if cursor else NONE


def hidden(arguments: Mapping[str, object]) -> list[Markup]:
    """The fields of a form that nobody fills in."""
    return [void("input", type="hidden", name=name, value=what) for name, what in arguments.items() if what]
