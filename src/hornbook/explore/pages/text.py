"""A text as it came in, with the words marked that claims were taken from."""

from collections.abc import Sequence

from hornbook.display.markup import Markup, join, short, tag
from hornbook.display.markup import text as escaped
from hornbook.explore.parts import NONE, facts, items, link, section, sentence, status
from hornbook.explore.visit import Page, Visit
from hornbook.graph.claims.ledger import Told

LONGEST_SHOWN = 200_000  # characters of one text


def text(visit: Visit) -> Page:
    """One text or memory."""
    node = visit.memory.get(visit.needed("id", 100), **visit.known)
    claims = visit.memory.claims_of(node.event_id, **visit.known)
    quotes = [one.held.claim.evidence or "" for one in claims]
    by = ", ".join(word for word in (node.speaker or node.source, node.occurred_at) if word)
    rows = facts(
        (
            ("said by", node.speaker or ""),
            ("role", node.role or ""),
            ("said on", node.occurred_at or ""),
            ("known since", node.known_at),
            ("source", node.source or ""),
            ("session", node.session_id or ""),
            ("kind", node.node_type),
            ("scope", node.scope),
            ("state", status(node.lifecycle_state)),
            ("id", tag("code", node.node_id)),
        )
    )
    main = join(
        [
            tag("h1", "A text"),
            tag("p", by, class_="lead"),
            tag("div", marked(node.content, quotes), class_="text"),
            section("What was taken from it", _claims(visit, claims)),
            section("Where it comes from", rows),
        ]
    )
    return Page(short(" ".join(node.content.split()), 40), main)


def marked(content: str, quotes: Sequence[str]) -> Markup:
    """A text with quotes from it marked; what stands in it in other words is not.

    >>> marked("I live in Berlin now.", ["live in Berlin"])
    'I <mark>live in Berlin</mark> now.'
    """
    longer, content = len(content) > LONGEST_SHOWN, content[:LONGEST_SHOWN]
    spans = sorted((at, at + len(one)) for one in set(quotes) if one and (at := content.find(one)) >= 0)
    parts: list[Markup] = []
    done = 0
    for start, end in spans:
        start = max(start, done)
        if end > start:
            parts += [escaped(content[done:start]), tag("mark", content[start:end])]
            done = end
    cut = tag("p", f"The first {LONGEST_SHOWN:,} characters are shown.", class_="quiet") if longer else NONE
    return join([*parts, escaped(content[done:]), cut])


def _claims(visit: Visit, claims: Sequence[Told]) -> Markup:
    rows = []
    for told in claims:
        one = told.held.claim
        about = sentence(one.subject, one.predicate, one.value, one.polarity)
        way = link(visit.to("/claim", ref=one.id), tag("b", about))
        rows.append(join([way, status(told.held.state.disposition.value)]))
    return items(rows, "items plain") if rows else Markup()
