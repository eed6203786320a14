"""What it costs rules to read a memory's facts from the view, and what rules over them then cost.

    python benchmarks/facts.py [--claims 10000 100000] [--folder DIR] [--json FILE]

A memory of people with a town, an employer, a birthplace and what they like: one claim in ten is told without a start,
one in ten stands beside a model's guess, and one in thirty is contested, so that its line has to be weighed. Filled
straight into the journal. Measured are the view's rebuild from it, the facts of one predicate and of all, at present
and as known before the last tenth was said, two rules over them, and what follows brought up to date after one claim
more.
"""

import random
import tempfile
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from claims import AT_ONCE
from measure import Spent, peak_mb, publish, reader
from memory import settings_of
from view import STATE, VALID, id_of

from hornbook.graph.clock import system_clock
from hornbook.graph.events import Actor
from hornbook.graph.ids import new_id
from hornbook.graph.journal import Journal
from hornbook.memory import Memory
from hornbook.opening import journal_path
from hornbook.reasoning.facts import pull
from hornbook.settings import read

PREDICATES = ("lives_in", "works_for", "born_in", "likes")
TOWNS = ("lives_in", "born_in")
RULES = "local(x) :- born_in(x, y), lives_in(x, y). pays(y, z) :- works_for(x, y), lives_in(x, z)."
Row = dict[str, Any]


def entity(name: str) -> tuple[str, tuple[str, dict[str, Any]]]:
    """A person."""
    id_ = new_id()
    body = {"id": id_, "name": name, "type": None, "aliases": [], "keys": [name.casefold()]}
    return id_, ("entity.recorded", body)


def claim(subject: str, entity_id: str, predicate: str, value: str, kind: str) -> tuple[str, dict[str, Any]]:
    """Something said: `plain`, `undated`, a `guess`, or `contested`."""
    key = f'"{value.casefold()}"'
    valid = {**VALID, "start": None} if kind == "undated" else VALID
    source = "ModelDerived" if kind == "guess" else "External:UserAsserted"
    contested = {"disposition": "Contested", "rivals": [id_of("c", 0)], "live": True} if kind == "contested" else {}
    said = {
        **{"id": new_id(), "subject": subject, "predicate": predicate, "value": value, "valid": valid},
        **{"subject_key": subject.casefold(), "value_key": key, "provenance": source, "polarity": "holds"},
        **{"mood": "asserted", "confidence": 0.9, "criticality": "Low", "intent": "state", "cardinality": None},
        **{"speaker": None, "source": None, "evidence": None, "episode": None, "occurred_at": None, "present": True},
        **{"channel": "stated", "extractor": None, "scope": None, "agent": None, "run": None, "derived_from": []},
        **{"kind": "fact", "subject_type": None, "value_type": None, "extra": {}},
    }
    place = {"line": f"{entity_id}|{predicate}", "entity": entity_id, "predicate": predicate, "value_key": key}
    body = {
        **{"claim": said, "lines": [{**place, "mirrored": False}], "value_entity": None, "repeats": None, "row": 7},
        **{
            "state": {**STATE, "valid": valid, **contested},
            "ledger": "ClaimCommitted",
            "reason": "first",
            "compared_with": [],
        },
    }
    return "claim.recorded", {**body, "memory": None}


def history(claims: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """A memory of so many claims."""
    choice, said, number = random.Random(5), 0, 0
    while said < claims:
        name = f"Person {number}"
        id_, recorded = entity(name)
        yield recorded
        for predicate in PREDICATES:
            value = f"{'town' if predicate in TOWNS else predicate} {choice.randrange(max(claims // 400, 5))}"
            chance = choice.random()
            kind = "undated" if chance < 0.1 else "contested" if chance < 0.13 else "plain"
            yield claim(name, id_, predicate, value, kind)
            said += 1
            if chance > 0.9 or kind == "contested":
                yield claim(name, id_, predicate, f"{value} or so", "guess" if kind == "plain" else kind)
                said += 1
        number += 1


def fill(folder: Path, claims: int) -> None:
    """The journal of such a memory."""
    path, _ = journal_path(folder / "store", "ana")
    with Journal.open(path, clock=system_clock, owner="ana") as journal:
        for some in batched(history(claims), AT_ONCE):
            with journal.writing(Actor("benchmark")) as transaction:
                for kind, body in some:
                    transaction.append(kind, body, event_id=body.get("id") or body["claim"]["id"])


def batched(events: Iterator[Any], size: int) -> Iterator[list[Any]]:
    """Events in groups."""
    while some := list(islice(events, size)):
        yield some


def measured(memory: Memory, claims: int) -> Iterator[Row]:
    """The steps one after the other."""

    def row(what: str, act: Callable[[], Any]) -> Row:
        spent = Spent()
        told = spent.of(act)
        costs = {"CPU s": f"{spent.cpu[0] / 1e3:.2f}", "wall s": f"{spent.wall[0] / 1e3:.2f}"}
        return {"what": what, "claims": f"{claims:,}", **costs, "peak MB": f"{peak_mb():.0f}", "": told or ""}

    def pulled(*names: str, known: int | None = None) -> None:
        with memory._store.reading(known) as reading:
            pull(reading, names)

    def derived() -> str:
        with memory._store.reading() as reading, memory._derived.at(reading) as current:
            return f"{sum(len(list(current.result.base.all(name))) for name in current.compiled.heads):,} derived"

    def followed() -> None:
        with memory._store.reading() as reading, memory._derived.at(reading):
            pass

    yield row("open, rebuild the view from the journal", lambda: memory.stats() and None)
    yield row("facts of one predicate", lambda: pulled("lives_in"))
    yield row("facts of four predicates", lambda: pulled(*PREDICATES))
    with memory._store.reading() as reading:
        before = reading.known_at(reading.upto * 9 // 10)
    yield row("the same, as known before", lambda: pulled(*PREDICATES, known=before))
    memory.rules(RULES)
    memory._derived.close()
    yield row("two rules, from nothing", derived)
    memory.claim("Person 1", "lives_in", "town 2", valid_from="2025")
    yield row("one claim more", followed)
    memory.claim("Person 2", "lives_in", "town 2", valid_from="2025")
    yield row("one claim more", followed)


def main() -> None:
    """Fill, measure, print."""
    parser = reader(__doc__)
    parser.add_argument("--claims", type=int, nargs="*", default=[10_000, 100_000])
    parser.add_argument("--folder", type=Path, help="where to write; default: a temporary folder")
    given = parser.parse_args()
    found: list[Row] = []
    for claims in given.claims:
        with tempfile.TemporaryDirectory(dir=given.folder) as name:
            folder = Path(name)
            fill(folder, claims)
            settings = read({"db_path": str(folder / "store")}, environ=settings_of(folder))
            with Memory.open(user="ana", settings=settings) as memory:
                found += measured(memory, claims)
    publish(found, given.json)


if __name__ == "__main__":
    main()
