"""Filters of a search: what is outside is as if it were not there, however much of it there is."""

import random
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from tests.graph.retrieval.test_as_of import opened

from hornbook.graph.events import Actor
from hornbook.graph.ids import new_id
from hornbook.memory import Memory

MANY = 5_000  # ten times what is taken from the index of words
TEXT = "The spare key is under the blue pot."
OTHERS: Mapping[str, str] = {"scope": "personal", "node_type": "note", "agent": "someone", "run": "earlier"}
MINE: Mapping[str, Any] = {"scope": "project", "node_types": ["decision"], "agent": "me", "run": "now"}


@pytest.fixture(scope="module")
def crowded() -> Iterator[Memory]:
    """One text of mine among thousands that match as well, or better, and are somebody else's."""
    with opened() as memory:
        mine = {**MINE, "node_type": MINE["node_types"][0]}
        mine.pop("node_types")
        memory.store(f"{TEXT} I put it there on Monday, as the plumber comes.", **mine)
        stored = memory.store("Nothing to do with it.")
        with memory._store.journal.writing(Actor()) as writing:
            seq = writing.head
            for _ in range(MANY):
                writing.add_document(
                    new_id(), "memory", seq, TEXT, facets={**OTHERS, "episode": stored.event_id, "length": 36}
                )
        yield memory


@pytest.mark.parametrize("name", MINE)
def test_one_match_is_found_among_thousands_that_are_out_of_bounds(crowded: Memory, name: str) -> None:
    (hit,) = crowded.search("Where is the spare key, under the blue pot?", **{name: MINE[name]}).hits
    assert hit.content.startswith(TEXT)
    assert "lexical" in hit.why


WORD = "walnut"
VALUES: Mapping[str, tuple[Any, ...]] = {
    "scope": ("personal", "project"),
    "node_type": ("note", "decision", "preference"),
    "agent": (None, "one", "two"),
    "run": (None, "r1", "r2"),
}


@settings(max_examples=8, deadline=None, phases=[Phase.generate])
@given(seed=st.integers(0, 10**9))
def test_what_a_filter_lets_through_is_what_a_look_at_every_text_says(seed: int) -> None:
    chance = random.Random(seed)
    with opened() as memory:
        kept = {}
        for number in range(24):
            drawn = {name: chance.choice(values) for name, values in VALUES.items()}
            kept[memory.store(f"{WORD} {number}", **drawn).node_id] = drawn
        for _ in range(6):
            asked = {name: chance.choice(values) for name, values in VALUES.items() if chance.random() < 0.5}
            wanted = {name: value for name, value in asked.items() if value is not None}
            expected = {id_ for id_, one in kept.items() if all(one[name] == value for name, value in wanted.items())}
            filters = {("node_types" if name == "node_type" else name): value for name, value in wanted.items()}
            if "node_types" in filters:
                filters["node_types"] = [filters["node_types"]]
            assert expected == {hit.node_id for hit in memory.search(WORD, limit=200, **filters).hits}
