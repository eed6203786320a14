"""What a search gives back: each hit with what it is, who said it and when, how it stands, and why it is here."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hornbook.graph.claim import Disposition
from hornbook.graph.claims.indexed import text_of
from hornbook.graph.clock import rfc3339
from hornbook.graph.displayed import Displayed, brief, counted
from hornbook.graph.lifecycle import Lifecycle, mirrored
from hornbook.graph.retrieval.index import Index, line_of
from hornbook.graph.retrieval.rank import Hit

if TYPE_CHECKING:
    from hornbook.graph.retrieval.documents import Mask
    from hornbook.graph.store import Reading

MOST_CLAIMS = 4  # of one text, told beside it; the others are counted
MOST_SIDES = 8  # of a contest, named beside a hit
NAMED = 3  # signals named as the reason of a hit
DIGITS = 4  # of a score that is told; a floor is compared with what is told


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked, of whom and as of when. Instants are microseconds; `at` is the valid instant."""

    text: str
    at: int
    limit: int = 10
    filters: Mapping[str, Collection[str]] = field(default_factory=dict)
    min_score: float | None = None
    include_inactive: bool = False
    explain: bool = False
    only: "Callable[[Reading, Index], Mask] | None" = None  # narrows what may be found, beside the filters
    asker: str | None = None  # whom "I" means in it


@dataclass(frozen=True, slots=True, repr=False)
class Found(Displayed):
    """One thing that was found: what it is, what it says, who said it and when, how it stands, and why it is here.

    `score` only ranks. `semantic_relevance` is the cosine with the question, None where there is no vector.
    """

    node_id: str
    kind: str
    content: str
    score: float
    semantic_relevance: float | None
    lifecycle_state: str
    node_type: str
    scope: str
    why: tuple[str, ...]
    speaker: str | None = None
    session: str | None = None
    occurred_at: str | None = None
    number: int | None = None
    episode: str | None = None
    source: str | None = None
    recorded_at: str | None = None
    order: int = 0  # its place in time among the others
    previous: str | None = None  # the turn before it in its session
    truncated: bool = False  # whether `content` is a passage of a longer text
    claims: tuple[Mapping[str, Any], ...] = ()  # the claims taken from it, or the one that it is
    more_claims: int = 0  # that are not named here
    lines: tuple[str, ...] = ()  # the lines that its claims stand on
    explanation: Mapping[str, Mapping[str, float]] | None = None

    def _told(self) -> Iterator[str]:
        yield self.node_type if self.kind == "memory" else self.kind
        yield brief(self.content)
        yield f"score={brief(self.score)}"
        yield f"node_id={self.node_id!r}"

    def as_dict(self) -> dict[str, Any]:
        """The hit as a reply shows it, without what is not known."""
        shown: dict[str, Any] = {
            "node_id": self.node_id,
            "content": self.content,
            "score": round(self.score, DIGITS),
            "semantic_relevance": None if self.semantic_relevance is None else round(self.semantic_relevance, DIGITS),
            "node_type": self.node_type,
            "lifecycle_state": self.lifecycle_state,
            "scope": self.scope,
            "speaker": self.speaker,
            "source": self.source,
            "occurred_at": self.occurred_at,
            "recorded_at": self.recorded_at,
            "session_id": self.session,
            "memory_id": self.number,
            "truncated": self.truncated or None,
            "claims": [dict(claim) for claim in self.claims] or None,
            "more_claims": self.more_claims or None,
            "why": list(self.why[:NAMED]),
            "explanation": self.explanation,
        }
        return {key: value for key, value in shown.items() if value is not None}


@dataclass(frozen=True, slots=True, repr=False)
class Results(Displayed):
    """What a search found, best first, and as of which known instant."""

    hits: tuple[Found, ...]
    metrics: Mapping[str, Any]
    as_known: str
    lines: tuple[str, ...] = ()  # the lines of claims that speak to the question, nearest first

    def _told(self) -> Iterator[str]:
        yield counted(len(self.hits), "hit")
        yield from (brief(hit.content) for hit in self.hits)

    def as_dict(self) -> dict[str, Any]:
        """The reply."""
        return {
            "results": [hit.as_dict() for hit in self.hits],
            "count": len(self.hits),
            "metrics": dict(self.metrics),
            "as_known": self.as_known,
        }


def content(reading: "Reading", index: Index, row: int) -> tuple[str, Mapping[str, Any]]:
    """The passage of a row, and the body it stands in; a text that is one passage is given whole, a claim in words."""
    facets = index.facets(row)
    alone = facets.get("episode") is None
    event = reading.snapshot.by_id(facets["claim"] if alone else facets["episode"])
    if event is None or event.body is None:
        return "", {}
    if alone:
        return text_of(event.body), event.body["claim"]
    start, end = facets.get("span") or (0, None)
    return str(event.body["content"][start:end]), event.body


def found(reading: "Reading", index: Index, hit: Hit, query: Query, *, claims: bool = True) -> Found:
    """A ranked document as a hit, read from the same instant."""
    row, document = hit.row, hit.document
    facets = index.facets(row)
    said, body = content(reading, index, row)
    at = document.occurred_at
    held = _by_standing(index.claims_of(row, reading.upto)) if claims else {}
    return Found(
        node_id=document.ref,
        kind=document.kind,
        content=said,
        score=hit.score,
        semantic_relevance=hit.cosine,
        lifecycle_state=_lifecycle(index.lifecycle(row, reading.upto)),
        node_type=facets.get("node_type", "note"),
        scope=facets["scope"],
        why=hit.why,
        speaker=document.speaker,
        session=document.session,
        occurred_at=rfc3339(at) if at is not None else None,
        number=facets.get("number"),
        episode=facets.get("episode"),
        source=body.get("source"),
        recorded_at=rfc3339(reading.known_at(document.position)),
        order=document.position,
        previous=index.before(row),
        truncated=facets.get("span") is not None,
        claims=tuple(_claims(reading, dict(list(held.items())[:MOST_CLAIMS]))),
        more_claims=max(len(held) - MOST_CLAIMS, 0),
        lines=tuple(sorted(line_of(fact) for fact in index.facts_of(row))) if claims else (),
        explanation=_explained(hit) if query.explain else None,
    )


def _lifecycle(noted: str | None) -> str:
    """A standing's word as a state of a memory: a claim's is its disposition."""
    if noted is None:
        return Lifecycle.TENTATIVE.value
    return mirrored(Disposition(noted), Lifecycle.STABLE).value if noted in DISPOSITIONS else noted


DISPOSITIONS = frozenset(one.value for one in Disposition)


def _by_standing(held: Mapping[str, str]) -> dict[str, str]:
    """Claims with their dispositions, those first that still speak."""
    spent = (Lifecycle.SUPERSEDED.value, Lifecycle.DEPRECATED.value)
    return dict(sorted(held.items(), key=lambda one: _lifecycle(one[1]) in spent))


def _claims(reading: "Reading", held: Mapping[str, str]) -> list[dict[str, Any]]:
    """The claims of a hit as they stood: what each says, its disposition, and whom it is contested with."""
    shown = []
    for id_, disposition in held.items():
        event = reading.snapshot.by_id(id_)
        if event is None or event.body is None:
            continue
        said = event.body["claim"]
        one: dict[str, Any] = {
            "claim_ref": id_,
            "fact": {name: said[name] for name in ("subject", "predicate", "value")},
            "disposition": disposition,
        }
        one |= {name: said[name] for name in ("polarity", "mood") if said.get(name) not in (None, "holds", "asserted")}
        if _lifecycle(disposition) == Lifecycle.CONTESTED.value:
            one["contested_with"] = _sides(reading, id_)
        shown.append(one)
    return shown


def _sides(reading: "Reading", claim: str) -> list[dict[str, Any]]:
    """The other sides of a contest: which claims, and what they say."""
    from hornbook.graph.claims.lines import claim_rows

    (held,) = claim_rows(reading, (claim,))
    rivals = ((ref, reading.snapshot.by_id(ref)) for ref in held.state.rivals[:MOST_SIDES])
    return [{"claim_ref": ref, "value": one.body["claim"]["value"]} for ref, one in rivals if one and one.body]


def _explained(hit: Hit) -> dict[str, dict[str, float]]:
    return {
        name: {"rank": signal.rank, "score": round(signal.score, 4)}
        for name, signal in hit.signals.items()
        if signal.rank
    }
