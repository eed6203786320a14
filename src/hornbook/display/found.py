"""Search results, stored texts and the memory itself as HTML."""

from collections.abc import Mapping, Sequence
from typing import Any

from hornbook.display.frame import coloured, framed, heading, known, moment, ref, soft, table
from hornbook.display.markup import Markup, join, said, short, tag
from hornbook.graph.claims.adjudicate import Question
from hornbook.graph.claims.context import Context
from hornbook.graph.displayed import counted
from hornbook.graph.nodes import Node
from hornbook.graph.records.record import Record
from hornbook.graph.records.shelf import Matches, Page
from hornbook.graph.retrieval.found import Found, Results

WHOLE = 4_000  # characters of a text that is asked for by its id
NODE = ("node_id", "content", "node_type", "lifecycle_state", "speaker", "occurred_at")
RECORDS = ("number", "text", "score", "said by", "since", "agent", "run", "metadata", "id")
COMMON = ("confidence", "salience", "substance", "evidence", "match")  # signals that every hit has, or that sum up
USUAL = ("tentative", "stable")  # states that nobody has to be told of
HITS = ("", "found", "said by", "when", "state", "claims", "because", "id")


def results(found: Results) -> str:
    """What was found, best first."""
    count = counted(len(found.hits), "result")
    failed = ", ".join(f"{name}: {why}" for name, why in dict(found.metrics.get("backend_failures", {})).items())
    title = heading(count, tag("span", failed, class_="bad") if failed else "", known(found.as_known))
    rows = table(HITS, (_hit(place, hit) for place, hit in enumerate(found.hits, 1)))
    return framed(title, rows, _signals(found.hits))


def _signals(hits: Sequence[Found]) -> Markup:
    """Each signal's score for each hit, and its rank where it has the first: of a search with `explain`."""
    told = [hit.explanation or {} for hit in hits]
    names = dict.fromkeys(name for one in told for name in one if any(each.get(name, {}).get("score") for each in told))
    rows = ((place, *(_score(one.get(name)) for name in names)) for place, one in enumerate(told, 1))
    return table(("", *names), rows) if names else Markup()


def _score(signal: Mapping[str, float] | None) -> object:
    if signal is None or not signal.get("score"):
        return soft("0")
    return tag("b" if signal.get("rank") == 1 else "span", f"{signal['score']:.2f}")


def hit(found: Found) -> str:
    """One thing that was found."""
    return framed(heading(found.kind), table(HITS, [_hit(1, found)]))


def _hit(place: int, hit: Found) -> Sequence[object]:
    return (
        place,
        short(hit.content),
        hit.speaker or hit.source or "",
        moment(hit.occurred_at),
        coloured(hit.lifecycle_state) if hit.lifecycle_state not in USUAL else "",
        join([_fact(claim) for claim in hit.claims], ", "),
        ", ".join([signal for signal in hit.why if signal not in COMMON][:3]),
        ref(hit.node_id),
    )


def _fact(claim: Any) -> Markup:
    fact = claim["fact"]
    return tag("span", f"{said(fact['subject'])} {fact['predicate']} {short(said(fact['value']), 80)}")


def node(found: Node) -> str:
    """A memory or an episode whole: its text, and what is known about it."""
    known = {name: value for name, value in found.as_dict().items() if name not in NODE and value not in ({}, "")}
    said_by = " ".join(word for word in (found.speaker or found.source or "", moment(found.occurred_at)) if word)
    title = heading(found.node_type, soft(said_by), coloured(found.lifecycle_state), ref(found.node_id))
    return framed(title, tag("div", short(found.content, WHOLE), "\n"), soft(_listed(known)))


def record(found: Record) -> str:
    """One record."""
    return framed(table(RECORDS, [_record(found)]))


def page(found: Page) -> str:
    """Some of the records, in the order of their numbers."""
    title = heading(f"{len(found.records)} of {counted(found.total, 'record')}", known(found.as_known))
    return framed(title, table(RECORDS, map(_record, found.records)))


def matches(found: Matches) -> str:
    """The records that a search found."""
    title = heading(counted(len(found.records), "record"), known(found.as_known))
    return framed(title, table(RECORDS, map(_record, found.records)))


def _record(one: Record) -> Sequence[object]:
    return (
        one.memory_id,
        short(one.content),
        "" if one.score is None else f"{one.score:.2f}",
        one.speaker or "",
        moment(one.created_at),
        one.agent_id or "",
        one.run_id or "",
        _listed(one.metadata),
        ref(one.node_id),
    )


def context(found: Context) -> str:
    """A text to read before answering, as it is, and what did not fit."""
    cut = ", ".join(f"{number} {how.replace('_', ' ')}" for how, number in found.cut.items() if number)
    title = heading(counted(found.tokens, "token"), cut, known(found.as_known))
    return framed(title, tag("pre", found.text))


def question(found: Question) -> str:
    """What a person is asked about a contested claim."""
    claims = (("is it", found.challenger), *(("or", one) for one in found.incumbents))
    rows = (
        (
            word,
            _not(one),
            one.get("speaker", ""),
            tag("q", one["evidence"]) if "evidence" in one else "",
            ref(one["claim_ref"]),
        )
        for word, one in claims
    )
    columns = ("", "value", "said by", "words", "claim")
    return framed(heading(f"{said(found.subject)} {found.predicate}?"), table(columns, rows))


def _not(claim: Mapping[str, Any]) -> Markup:
    return tag("b", "not " if claim["polarity"] == "not" else "", short(said(claim["fact"]["value"])))


def _listed(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {short(said(value), 80)}" for name, value in values.items())


def memory(user: str, stats: dict[str, int]) -> str:
    """Whose memory it is, and how much is in it."""
    told = ", ".join(f"{count} {name}" for name, count in stats.items() if count)
    return framed(heading(f"Memory of {user}", told or "empty"))
