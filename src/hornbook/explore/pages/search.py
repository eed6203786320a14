"""Search: what is believed about what was asked, then the texts, each with why it is here."""

from collections.abc import Iterable, Mapping
from typing import Any

from hornbook.display.markup import Markup, join, said, short, tag
from hornbook.explore.parts import (
    NONE,
    items,
    line_address,
    link,
    names_of,
    nothing,
    plain,
    quote,
    section,
    sentence,
    status,
    table,
    value,
    when,
    words,
)
from hornbook.explore.visit import Page, Visit
from hornbook.graph.claims.believe import Answer
from hornbook.graph.displayed import counted
from hornbook.graph.retrieval.found import Found, Results

LINES = 6  # beliefs above what was found
HITS, MOST = 10, 100
REASONS = {  # what most hits have alike, as how sure they are, is in the table of signals only
    "evidence": "all that speaks for it",
    "match": "its words and its meaning",
    "lexical": "its words",
    "semantic": "its meaning",
    "exact": "words that stand in it to the letter",
    "neighbours": "what stands next to it",
    "speaker": "who said it",
    "session": "the conversation it stands in",
    "temporal": "the time it speaks of",
    "graph": "whom it names",
    "recency": "its being recent",
}


def search(visit: Visit) -> Page:
    """What answers a question."""
    asked = visit.asked("q")
    if not asked:
        return Page("Search", join([tag("h1", "Search"), nothing("Write a question or a few words above.")]), "/search")
    limit = visit.number("limit", HITS, MOST)
    found = visit.memory.search(asked, limit=limit, explain=True, **visit.clocks)
    believed = [answer for answer in _believed(visit, found) if answer.belief.slots]
    hits = [_hit(visit, hit) for hit in found.hits]
    main = join(
        [
            tag("h1", "Found for ", tag("q", short(asked, 120))),
            _failed(found),
            section("Believed", _lines(visit, believed)) if believed else NONE,
            section("Texts", _hits(hits, counted(len(hits), "hit"))) if hits else nothing("No text speaks to it."),
            _more(visit, len(hits), limit),
        ]
    )
    return Page(short(asked, 60), main, "/search")


def _failed(found: Results) -> Markup:
    failures = dict(found.metrics.get("backend_failures", {})).items()
    return join([tag("p", f"{name}: {why}", class_="bad") for name, why in failures])


def _believed(visit: Visit, found: Results) -> Iterable[Answer]:
    for line in found.lines[:LINES]:
        subject, _, predicate = line.partition("|")
        yield visit.memory.believe(subject, predicate, **visit.clocks)


def _lines(visit: Visit, answers: list[Answer]) -> Markup:
    names = names_of(visit, (slot.value for answer in answers for slot in answer.belief.slots))
    rows = []
    for answer in answers:
        slots = answer.belief.slots
        subject = slots[0].subject
        shown = join([value(visit, one, names) for one in slots[:3]], ", ")
        about = link(
            line_address(visit, subject, answer.predicate), tag("b", f"{said(subject)} {plain(answer.predicate)}")
        )
        time = tag("span", when(slots[0]), class_="quiet")
        rows.append(words([about, tag("span", shown), status(answer.status), time]))
    return items(rows, "items lines")


def _hits(hits: list[Markup], count: str) -> Markup:
    return tag("ol", *(tag("li", hit) for hit in hits), class_="items hits", aria_label=count)


def _hit(visit: Visit, hit: Found) -> Markup:
    by = ", ".join(word for word in (hit.speaker or hit.source, (hit.occurred_at or "")[:10]) if word)
    address = visit.to("/claim", ref=hit.node_id) if hit.kind == "claim" else visit.to("/text", id=hit.node_id)
    text = link(address, short(hit.content, 400), class_="words")
    state = status(hit.lifecycle_state) if hit.lifecycle_state not in ("recorded", "tentative", "stable") else NONE
    claims = [link(visit.to("/claim", ref=one["claim_ref"]), _fact(one), class_="fact") for one in hit.claims]
    more = tag("span", f"and {hit.more_claims} more", class_="quiet") if hit.more_claims else NONE
    return join(
        [text, quote(None, by), state, tag("p", *claims, more, class_="facts-of") if claims else NONE, _why(hit)]
    )


def _fact(claim: Mapping[str, Any]) -> str:
    fact = claim["fact"]
    return sentence(fact["subject"], fact["predicate"], fact["value"], claim.get("polarity"))


def _why(hit: Found) -> Markup:
    """Why a hit is here: the reasons in words, each signal's place below them."""
    signals = dict(hit.explanation or {}).items()
    reasons = [REASONS[one] for one in hit.why if one in REASONS]
    rows = [(name, f"{one['rank']:g}", f"{one['score']:g}") for name, one in signals]
    similar = "" if hit.semantic_relevance is None else f", similarity {hit.semantic_relevance:.2f}"
    summary = tag("summary", tag("span", f"because of {', '.join(reasons[:3]) or 'nothing by itself'}"))
    score = tag("p", f"score {hit.score:.3f}{similar}", class_="quiet")
    signs = table(("signal", "rank", "score"), rows, "signals") if rows else NONE
    return tag("details", summary, score, signs, class_="because")


def _more(visit: Visit, shown: int, limit: int) -> Markup:
    if shown < limit or limit >= MOST:
        return NONE
    return tag("p", link(visit.here(limit=min(limit * 3, MOST)), "More"), class_="more")
