"""What the graph adds: the other names of what a question names, and the texts and claims that stand near it.

Turns of one conversation are joined in the index; the graph is walked where that does not help, for things that are
known under several names.
"""

from dataclasses import dataclass

from hornbook.graph.retrieval.index import Index
from hornbook.graph.retrieval.nearness import nearness
from hornbook.graph.retrieval.question import Question
from hornbook.graph.store import Reading
from hornbook.graph.view import queries

MOST_WALKED, HOPS = 12, 2  # a node walked on from costs 0.3 to 1 ms
MOST_CONCLUDED, STEPS_BACK = 16, 4  # from whom a question names over what rules derive to the texts behind it
MOST_SEEDS = 4
MOST_NAMES = 8


@dataclass(frozen=True, slots=True)
class Aliased:
    """The entities that a question names and that have other names too, and those names."""

    entities: tuple[str, ...]
    names: tuple[str, ...]


def aliased(index: Index, question: Question) -> Aliased | None:
    """The things a question names that are also called otherwise, speakers aside; None where there are none."""
    seeds = [
        entity
        for name in question.named
        if name not in index.corpus.called
        for entity in sorted(index.names.get(name, ()))
        if len(index.called[entity]) > 1
    ][:MOST_SEEDS]
    if not seeds:
        return None
    others = [key for entity in seeds for key in sorted(index.called[entity]) if key not in question.named]
    return Aliased(tuple(seeds), tuple(dict.fromkeys(others))[:MOST_NAMES])


def nearby(reading: Reading, also: Aliased) -> dict[str, float]:
    """The weight of each text and claim near these entities, as the graph knew them at this instant."""
    found = reading.ask(queries.walk, also.entities, (), reading.upto, hops=HOPS, most=MOST_WALKED)
    return nearness(found, dict.fromkeys(also.entities, 1.0))


def behind(reading: Reading, index: Index, question: Question, at: int) -> dict[str, float]:
    """The weight of each text and claim behind what rules derive, at a valid instant, for whom a question names."""
    with index.turn:
        seeds = named(index, question)[:MOST_SEEDS]
    if not seeds:
        return {}
    found = reading.ask(
        queries.walk, seeds, (), reading.upto, hops=STEPS_BACK, most=MOST_CONCLUDED, kinds=("evidence",), at=at
    )
    return nearness(found, dict.fromkeys(seeds, 1.0))


def named(index: Index, question: Question) -> tuple[str, ...]:
    """The entities that a question names."""
    return tuple(dict.fromkeys(id_ for name in question.named for id_ in sorted(index.names.get(name, ()))))
