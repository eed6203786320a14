"""A line: what is believed on it, every side with its words, its picture over both clocks, and its history."""

from collections.abc import Iterable, Mapping, Sequence

from hornbook.display.markup import Markup, join, said, short, tag
from hornbook.explore.pages.settling import forms
from hornbook.explore.parts import (
    NONE,
    claim_address,
    entity,
    link,
    marker,
    names_of,
    nothing,
    plain,
    quote,
    section,
    span,
    status,
    table,
    value,
    when,
    who,
    words,
)
from hornbook.explore.steps import row, steps
from hornbook.explore.strip import boxes
from hornbook.explore.visit import Page, Visit
from hornbook.graph.belief.belief import Slot
from hornbook.graph.belief.state import Held
from hornbook.graph.claims.believe import Answer
from hornbook.graph.clock import rfc3339
from hornbook.graph.errors import NotFound

MOST = 200  # claims of the history that are shown, the latest
CLAIMS = ("value", "valid", "stands", "known since", "said by", "words", "")


def line(visit: Visit) -> Page:
    """One line."""
    subject, predicate = visit.needed("subject"), visit.needed("predicate")
    answer = visit.memory.believe(subject, predicate, **visit.clocks)
    claims = [one.held for one in visit.memory.history(subject, predicate, **visit.known)]
    values = [slot.value for slot in answer.belief.slots] + [one.value for one in claims[-MOST:]]
    names = names_of(visit, [*values, subject])
    name = names.get(subject, _name(answer, subject))
    title = f"{name} {plain(answer.predicate)}"
    main = join(
        [
            tag("h1", entity(visit, name), " ", plain(answer.predicate)),
            tag("p", words(_standing(answer)), class_="lead"),
            steps(visit, [boxes(claims)]),
            _sides(visit, answer, names),
            forms(visit, name, answer.predicate, claims),
            section("Over both clocks", _picture(visit, subject, answer.predicate)),
            section("Every claim", _history(visit, claims, names)),
            row(visit, "known_at", "As known at", [rfc3339(one.known_at) for one in claims]),
        ]
    )
    return Page(title, main, status=200 if claims or answer.belief.slots else 404)


def _name(answer: Answer, subject: str) -> str:
    return said(answer.primary.subject) if answer.primary else subject


def _standing(answer: Answer) -> Iterable[Markup]:
    yield status(answer.status)
    belief = answer.belief
    told = [*answer.markers, belief.currency.value if belief.currency else ""]
    yield from (marker(one) for one in told if one and one != answer.status)


def _sides(visit: Visit, answer: Answer, names: Mapping[str, str]) -> Markup:
    slots = answer.belief.slots
    if not slots:
        return nothing("Nothing is believed here at this instant.")
    drawn = [_side(visit, one, one is answer.primary, names) for one in slots[:24]]
    more = nothing(f"{len(slots) - 24} more are not shown") if len(slots) > 24 else NONE
    return join([tag("ul", *(tag("li", one) for one in drawn), class_="items sides across"), more])


def _side(visit: Visit, one: Slot, believed: bool, names: Mapping[str, str]) -> Markup:
    state = "believed" if believed else "contested" if one.contested else "also said"
    support = f"{one.evidence_count} statement{'' if one.evidence_count == 1 else 's'}, confidence {one.confidence:g}"
    head = tag(
        "p", tag("span", state, class_=f"state {'believed' if believed else 'contested' if one.contested else 'also'}")
    )
    what = tag("p", value(visit, one, names), class_="what")
    markers = [marker(word) for word in one.markers]
    foot = tag(
        "p",
        words([tag("span", support), *markers, link(claim_address(visit, one.held.claim), _way(one))]),
        class_="foot",
    )
    since = tag("p", when(one) or "since when is not known", class_="window")
    return tag("article", head, what, since, quote(one.held.claim.evidence, who(one.held.claim)), foot, class_="side")


def _way(one: Slot) -> str:
    return "why it follows" if "derived" in one.held.claim.extra else "the claim"


def _picture(visit: Visit, subject: str, predicate: str) -> Markup:
    try:
        drawn = visit.memory.timeline(subject, predicate, **visit.known)
    except NotFound:
        return NONE
    picture = Markup(drawn.svg)
    return tag("figure", picture, class_="picture", tabindex="0", role="region", aria_label=drawn.title)


def _history(visit: Visit, claims: Sequence[Held], names: Mapping[str, str]) -> Markup:
    if not claims:
        return nothing("Nobody has spoken of it.")
    rows = (_claim(visit, one, names) for one in reversed(claims[-MOST:]))
    cut = nothing(f"the {len(claims) - MOST} earlier ones are not shown") if len(claims) > MOST else NONE
    return join([table(CLAIMS, rows, "every claim of the line, the latest first"), cut])


def _claim(visit: Visit, one: Held, names: Mapping[str, str]) -> Sequence[object]:
    at = rfc3339(one.known_at)
    return (
        value(visit, one, names),
        tag("span", span(one.state.valid), class_="once"),
        status(one.state.disposition.value),
        link(visit.here(known_at=at), at[:19].replace("T", " "), title=f"as known at {at}", class_="once"),
        one.claim.speaker or one.claim.source or "",
        tag("q", short(one.claim.evidence, 120)) if one.claim.evidence else "",
        link(claim_address(visit, one.claim), "claim"),
    )
