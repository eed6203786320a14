"""A conversation of some forty turns, and what a memory makes of it: no key, no network, nothing of yours touched."""

import json
from collections.abc import Iterator
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from hornbook.graph.clock import ticking
from hornbook.graph.events import Actor

if TYPE_CHECKING:
    from hornbook.memory import Memory

OWNER = "Ana"
MOMENT = "2024-11-01"  # the day on which the questions are asked
QUESTION = "Where can I find the spare key?"


def turns() -> Iterator[dict[str, Any]]:
    """The conversation that ships with the package: session, occurred_at, speaker, role, text."""
    for line in files("hornbook.demo").joinpath("conversation.jsonl").read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def told() -> "Memory":
    """A memory in memory, with the conversation in it."""
    from hornbook.memory import Memory

    clock = ticking(f"{MOMENT}T09:00:00+00:00")
    memory = Memory.open(":memory:", user=OWNER, clock=clock, actor=Actor("hornbook", "demo"))
    for turn in turns():
        memory.ingest(
            turn["text"],
            speaker=turn["speaker"],
            role=turn["role"],
            session=turn["session"],
            occurred_at=turn["occurred_at"],
        )
    return memory


def run() -> int:
    """Print what the memory makes of the conversation; 0, as a command's exit code."""
    with told() as memory:
        for line in report(memory):
            print(line)
    return 0


def report(memory: "Memory") -> Iterator[str]:
    """What there is, what is believed, what is contested, what is found by meaning, and what was true before."""
    counts = memory.stats()
    yield (
        f"{counts['episodes']} turns of talk between Ana and Ben were read offline:"
        f" {counts['claims']} claims about {counts['lines']} things, by {counts['entities']} names."
    )
    yield from ("", "What it believes")
    yield from _believed(memory)
    yield from ("", "What is contested, with both sides")
    yield from _contested(memory)
    yield from ("", f"Found by meaning: {QUESTION}")
    (hit,) = memory.search(QUESTION, limit=1).hits
    yield f"  {hit.speaker}, {str(hit.occurred_at)[:10]}: {hit.content}"
    yield from ("", "The same question on two days: where does Ana live?")
    for day in ("2024-01-20", MOMENT):
        answer = memory.believe("Ana", "lives_in", valid_at=day)
        yield f"  on {day}: {answer.value}"


SHOWN = (
    ("Ana", "lives_in"),
    ("Ana", "works_for"),
    ("Ana", "has_pet"),
    ("Ana", "eats"),
    ("Ana", "visited"),
    ("Ben", "works_for"),
    ("Marta Keller", "lives_in"),
    ("Marta Kellner", "lives_in"),
)


def _believed(memory: "Memory") -> Iterator[str]:
    from hornbook.graph.claims.context import sentence

    for subject, predicate in SHOWN:
        if (line := sentence(memory.believe(subject, predicate))) is not None:
            yield f"  {line}"


def _contested(memory: "Memory") -> Iterator[str]:
    for line in memory.contested().lines:
        yield f"  {line.subject} {line.predicate.replace('_', ' ')}"
        for side in line.dispute.sides:
            for one in side.told:
                yield f'    {one.value}: {one.claim.speaker} said "{one.claim.evidence}"'
