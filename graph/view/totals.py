"""What was noted about predicates, contests, questions and rules; and how much there is."""

import json
from collections import Counter

from hornbook.graph.view.asked import Asked
from hornbook.graph.view.claims import OPEN_CONTESTS
from hornbook.graph.view.log import entries, latest, merged


def notes(view: Asked, kind: str, upto: int) -> dict[str, tuple[str, ...]]:
    """What was noted about each thing of a kind, oldest first, as JSON.

    `predicate`: declarations by predicate · `contest`: resolutions and reopenings by line, `kind` says which ·
    `question`: the oracle's by question · `rule`: texts by rule id, null once removed.
    """
    rows = view.rows("MATCH (m:Meta) WHERE m.kind = $kind RETURN m.id, m.log ORDER BY m.seq, m.id", {"kind": kind})
    found = {id_.partition("|")[2]: tuple(text for _, text in entries(log, upto)) for id_, log in rows}
    return {about: texts for about, texts in found.items() if texts}


def notes_about(view: Asked, kind: str, about: str, upto: int) -> tuple[str, ...]:
    """What was noted about one thing, oldest first, as JSON."""
    rows = view.rows("MATCH (m:Meta {id: $id}) RETURN m.log", {"id": f"{kind}|{about}"})
    return tuple(text for row in rows for _, text in entries(row[0], upto))


def counts(view: Asked, upto: int) -> dict[str, int]:
    """How many there are: entities, lines, claims, live claims, contested claims, episodes, memories.

    Of texts and memories those that were deleted are not counted; the history of the others' claims is.
    """
    found = {
        table.lower(): view.rows(f"MATCH (n:{table}) WHERE n.seq <= $upto RETURN count(n.id)", {"upto": upto})[0][0]
        for table in ("Entity", "Line", "Claim")
    }
    rows = view.rows("MATCH (i:Item) WHERE i.seq <= $upto RETURN i.kind, count(i.id)", {"upto": upto})
    kinds = Counter({row[0]: row[1] for row in rows}) - _deleted(view, upto)
    live, contested = _states(view, upto)
    return {
        "entities": found["entity"],
        "lines": found["line"],
        "claims": found["claim"],
        "live": live,
        "contested": contested,
        "episodes": kinds["episode"],
        "memories": kinds["memory"],
    }


def _deleted(view: Asked, upto: int) -> "Counter[str]":
    """How many texts and memories are deleted, by kind."""
    text = "MATCH (i:Item) WHERE i.seq <= $upto AND i.log CONTAINS $word RETURN i.kind, i.log"
    rows = view.rows(text, {"upto": upto, "word": '"deleted":true'})
    return Counter(kind for kind, log in rows if merged(log, upto)["deleted"])


def _states(view: Asked, upto: int) -> tuple[int, int]:
    """How many claims are live, and how many of those contested."""
    settled = view.rows(
        "MATCH (c:Claim) WHERE c.seq <= $upto AND c.changed <= $upto AND c.live RETURN c.disposition, count(c.id)",
        {"upto": upto},
    )
    changed = view.rows("MATCH (c:Claim) WHERE c.seq <= $upto AND c.changed > $upto RETURN c.log", {"upto": upto})
    states = [json.loads(latest(row[0], upto)) for row in changed]
    live = [state["disposition"] for state in states if state["live"]]
    totals = [*settled, *([disposition, 1] for disposition in live)]
    return (
        sum(number for _, number in totals),
        sum(number for disposition, number in totals if disposition in OPEN_CONTESTS),
    )
