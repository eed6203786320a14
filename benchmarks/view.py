"""What the graph view costs: statements by kind of event, questions, a rebuild, and catching up.

    python benchmarks/view.py [--claims N ...] [--folder DIR] [--json FILE]

Figures are CPU milliseconds of this process, on disk. The history has an episode and an extraction for every two
claims, a change for every fifth, and an entity for every ten. Budget: a rebuild of 100,000 claims in 2.5 s.
"""

import gc
import json
import random
import shutil
import tempfile
import time
import warnings
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from measure import publish, reader

from hornbook.graph.events import Actor, Event
from hornbook.graph.view import queries
from hornbook.graph.view.bulk import copy_columns
from hornbook.graph.view.catch_up import by_statements
from hornbook.graph.view.engine import Engine
from hornbook.graph.view.gather import gathered
from hornbook.graph.view.project import project
from hornbook.graph.view.statements import run

REBUILD = 2_500.0  # milliseconds, the budget at 100,000 claims
Rows = list[dict[str, Any]]
PREDICATES = ("lives_in", "works_at", "likes", "has", "met")


def id_of(kind: str, number: int) -> str:
    """An id as long as a real one."""
    return f"{kind}{number:07}-0000-7000-8000-000000000000"


def history(claims: int) -> list[Event]:
    """A conversation with so many claims in it."""
    choice, bodies, people = random.Random(0), list[tuple[str, dict[str, Any]]](), max(5, claims // 10)
    bodies += [("entity.recorded", entity(number)) for number in range(people)]
    for number in range(claims):
        if number % 2 == 0:
            bodies.append(("episode.recorded", episode(number)))
            mentions = [{"entity": id_of("e", choice.randrange(people)), "quote": "x"} for _ in range(2)]
            text = {"episode": id_of("t", number), "extractor": "spacy 1", "claims": 2, "notes": []}
            bodies.append(("extraction.recorded", {**text, "mentions": mentions}))
        bodies.append(("claim.recorded", claim(number, choice.randrange(people), choice)))
        if number % 5 == 4:
            ended = {**STATE, "disposition": "Superseded", "valid": {**VALID, "end": VALID["start"]}}
            changed = {"claim": id_of("c", number - 3), "ledger": "x", "reason": "r", "because": []}
            bodies.append(("claim.changed", {**changed, "state": ended}))
    return [Event(seq, 1, 1, "", "", kind, 1, Actor(), body) for seq, (kind, body) in enumerate(bodies, 1)]


VALID: dict[str, Any] = {"start": {"at": 1_700_006_400_000_000, "granularity": "day"}, "end": None, "confidence": 0.9}
STATE: dict[str, Any] = {
    **{"disposition": "CommittedCheap", "live": True, "valid": VALID, "markers": [], "rivals": []},
    **{"review": None, "approximate": False},
}


def entity(number: int) -> dict[str, Any]:
    """A person."""
    return {
        **{"id": id_of("e", number), "name": f"Name {number}", "type": "person"},
        **{"aliases": [], "keys": [f"name {number}"]},
    }


def episode(number: int) -> dict[str, Any]:
    """A turn of a conversation of twenty turns."""
    before = id_of("t", number - 2) if number % 40 else None
    return {
        **{"id": id_of("t", number), "content": "some text " * 20, "role": "user", "speaker": "Ana"},
        **{"scope": "personal", "session": f"s{number // 40}", "source": None, "position": str(number)},
        **{"occurred_at": VALID["start"], "agent": None, "run": None, "metadata": {}, "previous": before},
        "channel": "ingest",
    }


def claim(number: int, subject: int, choice: random.Random) -> dict[str, Any]:
    """Something said about somebody, half of the time about somebody else too."""
    predicate, value = choice.choice(PREDICATES), f"value {number % 97}"
    key, other = f'"{value}"', id_of("e", choice.randrange(5)) if choice.random() < 0.5 else None
    line = {"line": f"{id_of('e', subject)}|{predicate}", "entity": id_of("e", subject), "predicate": predicate}
    said = {
        **{"id": id_of("c", number), "subject": f"Name {subject}", "predicate": predicate, "value": value},
        **{"subject_key": f"name {subject}", "value_key": key, "provenance": "External:UserAsserted"},
        **{"polarity": "holds", "mood": "asserted", "valid": VALID, "confidence": 0.9, "criticality": "Low"},
        **{"intent": "state", "cardinality": "Functional", "speaker": "Ana", "source": None, "evidence": "a quote"},
        **{"episode": id_of("t", number - number % 2), "occurred_at": VALID["start"], "present": True},
        **{"channel": "extracted", "extractor": "spacy 1", "scope": "personal", "agent": None, "run": None},
        **{"derived_from": [], "kind": "fact", "subject_type": "person", "value_type": None, "extra": {}},
    }
    return {
        **{"claim": said, "lines": [{**line, "value_key": key, "mirrored": False}], "value_entity": other},
        **{"state": STATE, "row": 7, "reason": "first", "compared_with": [], "repeats": None, "memory": None},
    }


def cpu(act: Callable[[], Any], times: int = 1) -> float:
    """Milliseconds of CPU of one call."""
    start = time.process_time()
    for _ in range(times):
        act()
    return (time.process_time() - start) / times * 1_000


def row(what: str, claims: int, milliseconds: float, budget: float | None = None) -> dict[str, Any]:
    """What is published of one cost."""
    met = "" if budget is None else "yes" if milliseconds <= budget else "no"
    told = {"what": what, "claims": f"{claims:,}", "CPU ms": f"{milliseconds:.2f}"}
    return {**told, "budget": "" if budget is None else f"{budget:.0f}", "met": met}


def statements(folder: Path) -> Rows:
    """The cost of each kind of event, one by one, twenty to a transaction, past the first thousand."""
    engine, spent = Engine(folder / "statements.view"), defaultdict[str, list[float]](list)
    for event in history(2_000):
        if not engine.mine:
            engine.begin()
        cost = cpu(lambda seen=event: run(engine, project(seen)))
        if event.seq > 1_000:
            spent[event.kind].append(cost)
        if event.seq % 20 == 0:
            engine.commit()
    engine.rollback()
    engine.close()
    return [row(f"apply {kind}", 2_000, sum(costs) / len(costs)) for kind, costs in sorted(spent.items())]


def rebuild(folder: Path, claims: int) -> Rows:
    """Gathering, copying, and what is asked of the result."""
    events = history(claims)
    gc.freeze()  # the events are not part of what is measured
    start = time.process_time()
    columns = gathered(events)
    gathering = (time.process_time() - start) * 1_000
    engine = Engine(folder / f"{claims}.view", pool=1 << 30)
    copying = cpu(lambda: copy_columns(engine, columns))
    engine.reopen()
    found = [
        row("rebuild", claims, gathering + copying, REBUILD if claims == 100_000 else None),
        *questions(engine, claims, len(events)),
    ]
    tail = [Event(len(events) + event.seq, *FIXED, event.kind, 1, Actor(), fresh(event)) for event in history(40)[5:]]
    engine.begin()
    found.append(row("catch up, an event", claims, cpu(lambda: by_statements(engine, tail)) / len(tail)))
    engine.rollback()
    engine.close()
    return found


FIXED = (1, 1, "", "")


def fresh(event: Event) -> dict[str, Any]:
    """The event's body about things that are not in the view yet."""
    return dict(json.loads(json.dumps(event.body).replace("-0000-7000-8000-", "-0000-7000-9000-")))


def questions(engine: Engine, claims: int, upto: int) -> Rows:
    """What the gate, a belief and a search ask."""
    line, some = f"{id_of('e', 3)}|likes", range(0, 100, 2)
    asked: dict[str, Callable[[], Any]] = {
        "entity_by_name": lambda: queries.entity_by_name(engine, "name 3", upto),
        "line": lambda: queries.line(engine, line, upto),
        "live_on": lambda: queries.live_on(engine, line, 0, 2**62, upto),
        "read_on": lambda: queries.read_on(engine, line, 1_800_000_000_000_000, upto),
        "same_value": lambda: queries.same_value(engine, line, '"value 3"', upto),
        "line_ids_of": lambda: queries.line_ids_of(engine, id_of("e", 3), upto),
        "items, 50": lambda: queries.items(engine, [id_of("t", number) for number in some], upto),
        "claims, 50": lambda: queries.claims(engine, [id_of("c", number) for number in some], upto),
        "claims_of_items, 50": lambda: queries.claims_of_items(engine, [id_of("t", number) for number in some], upto),
        "walk, 10 items, 1 hop": lambda: queries.walk(engine, [], [id_of("t", n) for n in some[:10]], upto, hops=1),
        "contested_claims": lambda: queries.contested_claims(engine, upto),
        "known_names": lambda: queries.known_names(engine, upto),
        "counts": lambda: queries.counts(engine, upto),
    }
    for ask in asked.values():
        ask()  # prepares it
    return [row(f"ask {name}", claims, cpu(ask, 10)) for name, ask in asked.items()]


def main() -> None:
    """Print all figures."""
    parser = reader(__doc__)
    parser.add_argument("--claims", type=int, nargs="*", default=[10_000, 100_000])
    parser.add_argument("--folder", type=Path, help="where to write; default: a temporary folder")
    given = parser.parse_args()
    warnings.filterwarnings("ignore", "The use of separate prepare", DeprecationWarning)
    folder = Path(tempfile.mkdtemp(dir=given.folder))
    try:
        found = [*statements(folder), *(one for claims in given.claims for one in rebuild(folder, claims))]
    finally:
        shutil.rmtree(folder)
    publish(found, given.json)


if __name__ == "__main__":
    main()
