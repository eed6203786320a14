"""A claim: what was said, in which words and by whom, how it stands, what it rests on, and what rests on it."""

from collections.abc import Sequence

from hornbook.display.claims import piece
from hornbook.display.markup import Markup, join, said, short, tag
from hornbook.explore.pages.text import marked
from hornbook.explore.parts import (
    NONE,
    claim_address,
    entity,
    facts,
    items,
    line_address,
    link,
    marker,
    names_of,
    nothing,
    plain,
    quote,
    readable,
    ref,
    section,
    sentence,
    span,
    status,
    table,
    value,
    words,
)
from hornbook.explore.visit import Page, Visit
from hornbook.graph.belief.state import Held
from hornbook.graph.claim import Polarity
from hornbook.graph.clock import rfc3339
from hornbook.graph.errors import NotFound
from hornbook.graph.view.derived import Conclusion

LEDGER = 100  # entries
SHOWN = 60  # claims and conclusions that rest on it


def claim(visit: Visit) -> Page:
    """One claim."""
    one = visit.memory.claim_at(visit.needed("ref", 100), **visit.known).held
    names = names_of(visit, [one.value, one.subject])
    subject = names.get(one.subject, said(one.subject))
    title = sentence(subject, one.claim.predicate, one.value, one.polarity)
    head = tag(
        "h1",
        entity(visit, subject) if subject in names.values() else subject,
        " ",
        link(line_address(visit, subject, one.claim.predicate), plain(one.claim.predicate)),
        " ",
        value(visit, one, names),
    )
    main = join(
        [
            head,
            tag("p", words([status(one.state.disposition.value), *_markers(one)]), class_="lead"),
            section("In whose words", _evidence(visit, one)),
            section("How it stands", _standing(one)),
            section("Contradicted by", _named(visit, one.state.rivals)),
            section("Rests on", _named(visit, one.claim.derived_from)),
            section("What rests on it", _resting(visit, one.id)),
            section("What was decided", _ledger(visit, one.id)),
        ]
    )
    return Page(title, main)


def _markers(one: Held) -> list[Markup]:
    review = ["to be reviewed: something it rests on has fallen"] if one.state.review else []
    return [marker(word) for word in (*one.state.markers, *review)]


def _evidence(visit: Visit, one: Held) -> Markup:
    said_by = one.claim.speaker or one.claim.source or ""
    text = NONE
    if one.claim.episode:
        try:
            node = visit.memory.get(one.claim.episode, **visit.known)
        except NotFound:
            text = nothing("The text that it was taken from is gone.")
        else:
            text = join(
                [
                    tag("div", marked(node.content, [one.claim.evidence or ""]), class_="text"),
                    tag("p", link(visit.to("/text", id=one.claim.episode), "the whole text"), class_="more"),
                ]
            )
    if text == NONE:
        return quote(one.claim.evidence, said_by, 4_000) or nothing("No words were kept with it.")
    return join([text, tag("p", said_by, class_="by") if said_by else NONE])


def _standing(one: Held) -> Markup:
    said_of, state = one.claim, one.state
    stated = span(said_of.valid) if said_of.valid != state.valid else ""
    return facts(
        (
            ("valid", span(state.valid) or "since when is not known"),
            ("valid as stated", stated),
            ("known since", rfc3339(one.known_at)),
            ("said on", str(said_of.occurred_at) if said_of.occurred_at else ""),
            ("said by", said_of.speaker or ""),
            ("source", said_of.source or ""),
            ("provenance", said_of.provenance.value),
            ("confidence", f"{said_of.confidence:g}"),
            ("confidence in the times", f"{state.valid.confidence:g}"),
            ("criticality", said_of.criticality.value),
            ("intent", said_of.intent.value),
            ("scope", said_of.scope or ""),
            ("taken out by", said_of.extractor or ""),
            ("claim", tag("code", one.id)),
        )
    )


def _held(visit: Visit, refs: Sequence[str]) -> list[Held]:
    """The claims of some refs; a premise that rules derived, and that is gone, is left out."""
    found = []
    for one in refs[:SHOWN]:
        try:
            found.append(visit.memory.claim_at(one, **visit.known).held)
        except NotFound:
            continue
    return found


def _named(visit: Visit, refs: Sequence[str]) -> Markup:
    more = len(refs) - SHOWN
    return join([_claims(visit, _held(visit, refs)), nothing(f"and {more} more") if more > 0 else NONE])


def _claims(visit: Visit, claims: Sequence[Held]) -> Markup:
    rows = [
        join(
            [
                link(claim_address(visit, one.claim), tag("b", _words(one))),
                status(one.state.disposition.value),
                tag("span", one.claim.speaker or one.claim.source or "", class_="by"),
            ]
        )
        for one in claims
    ]
    return items(rows, "items plain") if rows else NONE


def _words(one: Held) -> str:
    return sentence(one.claim.subject, one.claim.predicate, one.claim.value, one.claim.polarity)


def _resting(visit: Visit, claim_ref: str) -> Markup:
    claims, derived = visit.memory.resting_on(claim_ref, **visit.known)
    told = _claims(visit, [one.held for one in claims[:SHOWN]])
    if derived is None:
        return join([told, nothing("Too much follows by rule to be listed here; ask for it.")])
    rows = [_derived(visit, one) for one in derived[:SHOWN]]
    more = len(claims) + len(derived) - len(claims[:SHOWN]) - len(rows)
    cut = nothing(f"and {more} more") if more > 0 else NONE
    return join([told, items(rows, "items plain") if rows else NONE, cut])


def _derived(visit: Visit, one: Conclusion) -> Markup:
    first, rest = one.terms[:1], " ".join(short(said(term), 60) for term in one.terms[1:])
    polarity = Polarity.NOT if one.predicate.startswith("-") else Polarity.HOLDS
    name = one.predicate.removeprefix("-")
    about = sentence(first[0], name, rest, polarity) if first else one.predicate
    way = link(visit.to("/why", fact=one.id), tag("b", about))
    time = tag("span", readable(piece(one.since, one.until)), class_="quiet")
    return words([way, tag("span", "follows by rule", class_="by"), time])


def _ledger(visit: Visit, claim_ref: str) -> Markup:
    found = visit.memory.audit(LEDGER, claim_ref=claim_ref, **visit.known)
    rows = []
    for entry in found.entries:
        told = entry.as_dict()
        because = [ref(visit, other) for other in told.get("because", ())[:6]]
        stands = status(entry.disposition) if entry.disposition else ""
        at = told["recorded_at"]
        rows.append((at[:19].replace("T", " "), told["event_kind"], stands, told.get("reason", ""), join(because, " ")))
    return table(("known since", "what", "stands", "reason", "because of"), rows, "decisions, the latest first")
