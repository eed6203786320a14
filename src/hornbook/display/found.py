"""Search results and the memory itself as HTML."""

from collections.abc import Sequence
from typing import Any

from hornbook.display.frame import coloured, counted, framed, heading, soft, table
from hornbook.display.markup import Markup, join, said, short, tag
from hornbook.graph.retrieval.found import Found, Results

HITS = ("", "found", "said by", "when", "state", "claims", "because", "id")


def results(found: Results) -> str:
    """What was found, best first."""
    count = counted(len(found.hits), "result")
    failed = ", ".join(f"{name}: {why}" for name, why in dict(found.metrics.get("backend_failures", {})).items())
    title = heading(count, tag("span", failed, class_="bad") if failed else "", soft(f"as known {found.as_known}"))
    return framed(title, table(HITS, (_hit(place, hit) for place, hit in enumerate(found.hits, 1))))


def hit(found: Found) -> str:
    """One thing that was found."""
    return framed(heading(found.kind), table(HITS, [_hit(1, found)]))


def _hit(place: int, hit: Found) -> Sequence[object]:
    return (
        place,
        short(hit.content),
        hit.speaker or hit.source or "",
        (hit.occurred_at or "").removesuffix("T00:00:00Z"),
        coloured(hit.lifecycle_state),
        join([_fact(claim) for claim in hit.claims], ", "),
        ", ".join(hit.why[:3]),
        tag("code", hit.node_id),
    )


def _fact(claim: Any) -> Markup:
    fact = claim["fact"]
    return tag("span", f"{said(fact['subject'])} {fact['predicate']} {short(said(fact['value']), 80)}")


def memory(user: str, stats: dict[str, int]) -> str:
    """Whose memory it is, and how much is in it."""
    told = ", ".join(f"{count} {name}" for name, count in stats.items())
    return framed(heading(f"Memory of {user}", told))
