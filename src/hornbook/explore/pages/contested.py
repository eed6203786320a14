"""What is in dispute: every line with its sides next to each other."""

from collections.abc import Mapping

from hornbook.display.claims import piece
from hornbook.display.markup import Markup, join, said, tag
from hornbook.explore.parts import (
    NONE,
    items,
    line_address,
    link,
    names_of,
    nothing,
    paged,
    plain,
    quote,
    readable,
    thing,
    who,
    words,
)
from hornbook.explore.visit import Page, Visit
from hornbook.graph.belief.rivalry import Side
from hornbook.graph.claim import Polarity
from hornbook.graph.claims.list_contested import ContestedLine
from hornbook.graph.displayed import counted

PAGE = 20


def contested(visit: Visit) -> Page:
    """The lines in dispute, a page at a time; with an instant set those that are disputed then."""
    at = visit.valid_at or None
    found = visit.memory.contested(PAGE, visit.asked("cursor", 100) or None, valid_at=at, **visit.known)
    names = names_of(visit, (side.told[-1].value for one in found.lines for side in one.dispute.sides))
    rows = [_line(visit, one, names) for one in found.lines]
    count = counted(len(rows), "line") if rows and not found.next_cursor else ""
    main = join(
        [
            tag("h1", "Contested"),
            tag("p", "Where people contradict each other both sides are kept, and none is picked.", class_="lead"),
            tag("p", count, class_="quiet"),
            items(rows, "items cards") if rows else nothing("Nothing is contested."),
            paged(visit, found.next_cursor),
        ]
    )
    return Page("Contested", main, "/contested")


def _line(visit: Visit, one: ContestedLine, names: Mapping[str, str]) -> Markup:
    title = f"{said(one.subject)} {plain(one.predicate)}"
    spans = ", ".join(piece(since, until) for since, until in one.dispute.spans)
    head = tag("div", tag("h3", link(line_address(visit, one.subject, one.predicate), title)), class_="head")
    denied = [tag("p", tag("code", rule), class_="quiet") for rule in getattr(one, "rules", ())]
    sides = [_side(visit, side, names) for side in one.dispute.sides]
    way = link(line_address(visit, one.subject, one.predicate), "resolve it") if visit.form else NONE
    told = tag("p", words([tag("span", f"in dispute {readable(spans)}"), way]), class_="quiet")
    return join([head, told, *denied, tag("div", *sides, class_="sides across")])


def _side(visit: Visit, side: Side, names: Mapping[str, str]) -> Markup:
    last = side.told[-1]
    denied = "not " if last.polarity is Polarity.NOT else ""
    quotes = [quote(one.claim.evidence, who(one.claim), 200) for one in side.told[:3]]
    return tag("div", tag("p", denied, thing(visit, last.value, names), class_="what"), *quotes, class_="side")
