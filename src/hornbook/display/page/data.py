"""The graph as the JSON that a page draws: what every line shows, for each valid and each known time, exactly.

    format   1
    title, user, as_known                        texts
    types    [text]                              the entity types that occur, in the order of their colours
    total    number                              nodes within reach; where more than there are nodes, the picture is cut
    centre   node | null      depth  number      whom it is drawn around, and how many steps
    valid    {stops: [{at, text}], start, text}  instants at which something shown changes; at: milliseconds since 1970
    known    {stops: [{at, text}], start}        instants at which what is known changed
    nodes    [{id, name, type: index | null, entity, also: [names], x, y}]
    arrows   [{from, to, label, not, rule: text | null}]
    lines    [{node, predicate, pieces: [[known0, known1, valid0, valid1, status, [[arrow, role, claims], ...]], ...]}]
    claims   [{ref, subject, predicate, value, ..., states: [[known, disposition, window, markers], ...]}]
    notes    [text]                              what is left out

A position i on a clock is the time from stops[i - 1] up to stops[i]; at 0 it is before all of them, when nothing is
known, or nothing has yet changed. A piece is shown where known0 <= known < known1 and valid0 <= valid < valid1. A role
is p (believed), b (also believed: a member of a set, or denied), c (contested) or o (said beside it, and not believed);
a "?" after it says that the side is only possible then. All other numbers are indices.

At every position the arrows that are shown are the sides of `memory.believe` at that valid and known instant. What
rules derive is worked out for the last 60 known stops, and a line with more than some 60 claims for its latest changes:
`notes` says so.
"""

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hornbook.display.claims import piece as in_words
from hornbook.display.markup import said
from hornbook.display.page.graph import Arrow, Graph, Infer, Span, build, centre_of, nothing, reached
from hornbook.display.page.layout import places
from hornbook.graph.claim import Claim, Mood, Polarity
from hornbook.graph.clock import rfc3339
from hornbook.graph.interval import ALWAYS, FOREVER
from hornbook.graph.store import Reading
from hornbook.graph.view.derived import Conclusion

FORMAT = 1
Conclusions = Mapping[str, tuple[int, Conclusion]]


def graph_data(
    reading: Reading,
    at: int,
    around: str | None = None,
    depth: int = 2,
    most: int = 3_000,
    infer: Infer = nothing,
    user: str = "",
) -> dict[str, Any]:
    """Everything that a picture shows which starts at a valid instant; NotFound where there is no entity `around`."""
    centre = None if around is None else centre_of(reading, around)
    graph = build(reading, infer, around=None if centre is None else (centre, depth))
    drawn, total = reached(graph, graph.arrows, centre, depth, most)
    data = _written(graph, drawn, at)
    data["centre"] = None if centre is None else drawn.index(centre)
    name = "the whole memory" if centre is None else f"around {graph.name(centre)}"
    notes = [f"{len(drawn)} of {total} nodes are drawn, the best connected"] if total > len(drawn) else []
    notes += _notes(graph)
    head = {"format": FORMAT, "title": name, "user": user, "as_known": reading.as_known, "total": total, "depth": depth}
    return {**head, **data, "notes": notes}


def _notes(graph: Graph) -> Iterator[str]:
    """What is left out of long lines, and of what rules derive."""
    cut = graph.past.cut
    if cut:
        lines = "one line is" if len(cut) == 1 else f"{len(cut)} lines are"
        yield f"{lines} said so much of that what was known before {_day(max(cut.values()))} may not be drawn"
    if graph.failed:
        yield "at some known times what rules derive is too much, or cannot be worked out: it is not drawn there"
    if graph.cut:
        yield f"what rules derived before {_day(graph.inferences[0].known_at)} is not drawn"
    left_out = graph.inferences[-1].inferred.left_out if graph.inferences else 0
    if left_out:
        yield f"{left_out} conclusions with one term, or more than two, are not drawn"


def _written(graph: Graph, drawn: Sequence[str], at: int) -> dict[str, Any]:
    index = {id_: number for number, id_ in enumerate(drawn)}
    lines = [(key, _kept(thens, index)) for key, thens in graph.lines.items() if key[0] in index]
    lines = [(key, thens) for key, thens in lines if any(spans for _, spans in thens)]
    spans = [span for _, thens in lines for _, then in thens for span in then]
    valid = sorted({end for span in spans for end in (span.since, span.until) if ALWAYS < end < FOREVER})
    known = sorted({known for _, thens in lines for known, _ in thens})
    arrows = {
        arrow: number for number, arrow in enumerate(dict.fromkeys(one[0] for span in spans for one in span.shown))
    }
    conclusions = graph.conclusions
    claims = _claims(graph, conclusions, dict.fromkeys(ref for span in spans for one in span.shown for ref in one[2]))
    numbers = {ref: number for number, ref in enumerate(claims)}
    types = sorted({type_ for id_ in drawn if (type_ := graph.type(id_))})
    writing = _Writing(index, arrows, numbers, valid, known)
    return {
        "types": types,
        "valid": {"stops": [_stop(one) for one in valid], "start": bisect_right(valid, at), "text": _day(at)},
        "known": {"stops": [_stop(one) for one in known], "start": len(known)},
        "nodes": _nodes(graph, drawn, types, [(index[arrow[0]], index[arrow[1]]) for arrow in arrows]),
        "arrows": [_told(arrow, index) for arrow in arrows],
        "lines": [{"node": index[key[0]], "predicate": key[1], "pieces": writing.line(thens)} for key, thens in lines],
        "claims": [_claim(graph, conclusions, ref, known, numbers) for ref in claims],
    }


def _kept(
    thens: Iterable[tuple[int, tuple[Span, ...]]], index: Mapping[str, int]
) -> list[tuple[int, tuple[Span, ...]]]:
    """What a line shows of what is drawn."""
    return [(known, tuple(one for span in spans if (one := _cut(span, index)).shown)) for known, spans in thens]


def _cut(span: Span, index: Mapping[str, int]) -> Span:
    shown = tuple(one for one in span.shown if one[0][0] in index and one[0][1] in index)
    return Span(span.known_at, span.since, span.until, span.status, shown)


@dataclass(frozen=True, slots=True)
class _Writing:
    """The numbers that nodes, arrows, claims and instants are written as."""

    nodes: Mapping[str, int]
    arrows: Mapping[Arrow, int]
    claims: Mapping[str, int]
    valid: Sequence[int]
    known: Sequence[int]

    def line(self, thens: Sequence[tuple[int, tuple[Span, ...]]]) -> list[list[Any]]:
        """The pieces of a line. What stays the same from one known instant to the next is one piece."""
        open_: dict[str, list[Any]] = {}
        found: list[list[Any]] = []
        for known, spans in thens:
            position = bisect_right(self.known, known)
            now = {repr(piece): piece for piece in (self._piece(span) for span in spans)}
            for text in [text for text in open_ if text not in now]:
                open_.pop(text)[1] = position
            for text, piece in now.items():
                if text not in open_:
                    open_[text] = [position, len(self.known) + 1, *piece]
                    found.append(open_[text])
        return [piece for piece in found if piece[0] < piece[1]]

    def _piece(self, span: Span) -> list[Any]:
        since = 0 if span.since == ALWAYS else bisect_right(self.valid, span.since)
        until = len(self.valid) + 1 if span.until == FOREVER else bisect_right(self.valid, span.until)
        shown = [[self.arrows[arrow], role, [self.claims[ref] for ref in refs]] for arrow, role, refs in span.shown]
        return [since, until, span.status, shown]


def _stop(at: int) -> dict[str, Any]:
    return {"at": at / 1_000, "text": _day(at)}


def _day(at: int) -> str:
    return rfc3339(at).removesuffix("T00:00:00Z")


def _told(arrow: Arrow, index: Mapping[str, int]) -> dict[str, Any]:
    source, target, label, denied, rule = arrow
    return {"from": index[source], "to": index[target], "label": label, "not": denied, "rule": rule}


def _nodes(
    graph: Graph, drawn: Sequence[str], types: Sequence[str], ends: Collection[tuple[int, int]]
) -> list[dict[str, Any]]:
    names = [graph.name(id_) for id_ in drawn]
    standing = places(len(drawn), ends)
    return [
        {
            "id": id_,
            "name": names[number],
            "type": types.index(type_) if (type_ := graph.type(id_)) else None,
            "entity": graph.is_entity(id_),
            "also": _also(graph, id_),
            "x": standing[number][0],
            "y": standing[number][1],
        }
        for number, id_ in enumerate(drawn)
    ]


def _also(graph: Graph, id_: str) -> list[str]:
    known = graph.past.entities.get(id_)
    names = [name for _, change in known.changes for name in change.get("aliases", ())] if known else []
    return list(dict.fromkeys(str(name) for name in names))


def _claims(graph: Graph, conclusions: Conclusions, shown: Iterable[str]) -> dict[str, None]:
    """The claims behind what is drawn, and those that what is derived follows from."""
    found = dict.fromkeys(shown)
    waiting = list(found)
    while waiting:
        known = conclusions.get(waiting.pop())
        for _, ref in known[1].premises if known else ():
            if ref not in found and (ref in graph.past.claims or ref in conclusions):
                found[ref] = None
                waiting.append(ref)
    return found


def _claim(
    graph: Graph, conclusions: Conclusions, ref: str, known: Sequence[int], numbers: Mapping[str, int]
) -> dict[str, Any]:
    if ref in conclusions:
        since, conclusion = conclusions[ref]
        premises = [numbers[id_] for _, id_ in conclusion.premises if id_ in numbers]
        return {
            "ref": ref,
            "subject": said(conclusion.terms[0]),
            "predicate": conclusion.predicate.removeprefix("-"),
            "value": said(conclusion.terms[1]),
            "not": conclusion.predicate.startswith("-"),
            "rule": conclusion.rule,
            "premises": premises,
            "states": [[bisect_right(known, since), "derived", in_words(conclusion.since, conclusion.until), []]],
        }
    claim = graph.past.claims[ref]
    shown = {key: value for key, value in _written_claim(claim).items() if value not in (None, "", False, [])}
    return {**shown, "known": rfc3339(graph.past.known(graph.past.born[ref])[0]), "states": _states(graph, ref, known)}


def _written_claim(claim: Claim) -> dict[str, Any]:
    return {
        "ref": claim.id,
        "subject": claim.subject,
        "predicate": claim.predicate,
        "value": said(claim.value),
        "not": claim.polarity is Polarity.NOT,
        "by": claim.speaker,
        "source": claim.source,
        "words": claim.evidence,
        "said": str(claim.occurred_at) if claim.occurred_at else None,
        "provenance": claim.provenance.value,
        "extractor": claim.extractor,
        "confidence": claim.confidence,
        "mood": None if claim.mood is Mood.ASSERTED else claim.mood.value,
        "rests_on": list(claim.derived_from),
    }


def _states(graph: Graph, ref: str, known: Sequence[int]) -> list[list[Any]]:
    """How a claim stood, each time that changed: from which position, its disposition, its window, its markers."""
    found: dict[int, list[Any]] = {}
    for seq, state in graph.past.states[ref]:
        position = bisect_right(known, graph.past.known(seq)[0])
        found[position] = [position, state.disposition.value, str(state.valid), list(state.markers)]
    return list(found.values())
