"""The index: what of a store is taken in at the first search, and how."""

from typing import Any

from tests.graph.retrieval.test_search import opened, refs

from hornbook.graph.retrieval.index import Index


def index_of(memory: Any) -> Index:
    with memory._store.reading() as reading:
        index = Index.of(memory._embedder)
        index.extend(reading.snapshot)
    return index


def test_a_store_is_taken_in_without_reading_what_nobody_asks_for(tmp_path: Any) -> None:
    with opened(tmp_path) as memory:
        for number in range(40):
            memory.store(f"Jar {number} is on the shelf.", metadata={"shelf": number}, session="s", speaker="Ana")
        index = index_of(memory)
        assert all(isinstance(written, str) for written in index._more)

        facets = index.facets(3)
        assert ("personal", "s", "Ana", {"shelf": 3}) == (
            *(facets[name] for name in ("scope", "session", "speaker")),
            facets["record"]["metadata"],
        )
        assert 1 == sum(not isinstance(written, str) for written in index._more)


def test_a_revised_text_is_offered_for_the_past_only(tmp_path: Any) -> None:
    with opened(tmp_path) as memory:
        stored = memory.store("The plum jam is on the upper shelf.")
        before = memory.search("Where is the plum jam?").as_known
        memory.update(stored.number, "The plum jam is in the cellar.")

        assert ["The plum jam is in the cellar."] == [hit.content for hit in memory.search("plum jam").hits]
        memory._index = None  # as a process that has just begun
        assert ["The plum jam is in the cellar."] == [hit.content for hit in memory.search("plum jam").hits]
        assert [stored.node_id] == refs(memory, "plum jam", knowledge_at=before)
