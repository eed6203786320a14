"""An entity: its names, every line about it with what is believed, and how it hangs together with others."""

from collections.abc import Mapping, Sequence

from hornbook.display.markup import Markup, join, short, tag
from hornbook.explore.pages.graph import mount
from hornbook.explore.parts import (
    NONE,
    items,
    line_address,
    link,
    marker,
    names_of,
    nothing,
    plain,
    quote,
    section,
    status,
    value,
    when,
    who,
    words,
)
from hornbook.explore.steps import steps
from hornbook.explore.strip import Box, boxes, scale, shared, strip
from hornbook.explore.visit import Page, Visit
from hornbook.graph.claims.believe import Answer
from hornbook.graph.claims.entity import Known
from hornbook.graph.dates import parse_moment
from hornbook.graph.displayed import counted
from hornbook.graph.errors import NotFound

MOST = 60  # lines of one page
SIDES = 3  # of a line, told here; all of them stand on its own page


def entity(visit: Visit) -> Page:
    """Everything about somebody or something."""
    asked = visit.needed("name")
    try:
        known = visit.memory.entity(asked, **visit.known)
    except NotFound:
        return _unknown(visit, asked)
    name = known.entity.name
    answers = visit.memory.believe(known.entity.id, **visit.clocks)
    strips = {one.predicate: _boxes(visit, known.entity.id, one.predicate) for one in answers[:MOST]}
    main = join(
        [
            tag("h1", name),
            _about(visit, known),
            steps(visit, strips.values()),
            section("What is said", _lines(visit, name, answers, strips), more=_count(answers)),
            section("Around it", _around(visit, name)),
        ]
    )
    return Page(name, main, graph=True)


def _unknown(visit: Visit, asked: str) -> Page:
    near = visit.memory.complete_name(asked[:3], **visit.known)[:8]
    others = items([link(visit.to("/entity", name=one), one, class_="entity") for one in near], "items names")
    told = [
        tag("h1", short(asked, 80)),
        nothing("Nobody and nothing of that name is known at this instant."),
        tag("p", link(visit.to("/search", q=asked), "Search for it")),
        section("Names that begin so", others) if near else NONE,
    ]
    return Page("Not known", join(told), status=404)


def _about(visit: Visit, known: Known) -> Markup:
    aliases = ", ".join(one for one in known.entity.aliases if one != known.entity.name)
    told = [known.entity.type or "", f"also {aliases}" if aliases else ""]
    texts = link(visit.to("/search", q=known.entity.name), "texts that speak of it")
    return tag("p", join([*(tag("span", one) for one in told if one), texts], " · "), class_="lead")


def _count(answers: Sequence[Answer]) -> Markup:
    return tag("span", counted(len(answers), "line"), class_="quiet")


def _boxes(visit: Visit, subject: str, predicate: str) -> tuple[Box, ...]:
    return boxes(one.held for one in visit.memory.history(subject, predicate, **visit.known))


def _lines(visit: Visit, name: str, answers: Sequence[Answer], strips: Mapping[str, tuple[Box, ...]]) -> Markup:
    if not answers:
        return nothing("Nothing is said of it.")
    at = parse_moment(visit.clocks["valid_at"], "valid_at").at
    axis = shared(strips.values(), at)
    names = names_of(visit, (slot.value for answer in answers for slot in answer.belief.slots[:SIDES]))
    rows = []
    for answer in answers[:MOST]:
        drawn = strip(strips[answer.predicate], axis, at) if strips[answer.predicate] else NONE
        rows.append(tag("div", _heading(visit, name, answer), _said(visit, answer, names), drawn, class_="row"))
    cut = nothing(f"{len(answers) - MOST} more lines are not shown") if len(answers) > MOST else NONE
    return join([items(rows, "items cards"), scale(axis), cut])


def _heading(visit: Visit, name: str, answer: Answer) -> Markup:
    markers = [marker(one) for one in answer.markers if one != answer.status]
    title = link(line_address(visit, name, answer.predicate), plain(answer.predicate))
    return tag("div", tag("h3", title), words([status(answer.status), *markers]), class_="head")


def _said(visit: Visit, answer: Answer, names: Mapping[str, str]) -> Markup:
    slots = answer.belief.slots
    told = [
        tag(
            "div",
            tag("p", words([value(visit, one, names), tag("span", when(one), class_="window")]), class_="what"),
            quote(one.held.claim.evidence, who(one.held.claim), 200),
            class_="side believed" if one is answer.primary else "side",
        )
        for one in slots[:SIDES]
    ]
    more = tag("p", f"and {len(slots) - SIDES} more", class_="quiet") if len(slots) > SIDES else NONE
    return tag("div", *told, more, class_="sides") if told else nothing("Nothing is believed at this instant.")


def _around(visit: Visit, name: str) -> Markup:
    return mount(visit, name, 1, small=True)
