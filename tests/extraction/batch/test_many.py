"""Many texts: the same as one by one, in short transactions, and the same again after a run that was cut off."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from hornbook.extraction.candidate import Candidate, Extraction, Mention, Passage
from hornbook.graph.errors import EmbeddingError, InvalidArgument
from hornbook.graph.retrieval.embed import Embedder
from hornbook.memory import Memory

CITIES = ("Oslo", "Bergen", "Tromso", "Voss")


class Reading:
    """Reads "<name> lives in <city>."; stops the run before one text, as a person would with Ctrl-C."""

    def __init__(self, stops: int | None = None) -> None:
        self.left = stops

    def extract(self, passage: Passage) -> Extraction:
        """One claim, and the name."""
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                raise KeyboardInterrupt
        name, _, city = passage.text.rstrip(".").partition(" lives in ")
        claims = (Candidate(name, "lives_in", city, passage.text, "person", "place"),) if city else ()
        return Extraction((Mention(name, "person", 0, len(name)),), claims, "reading 1")

    def extract_many(self, passages: Iterable[Passage]) -> Iterator[Extraction]:
        """Each in turn."""
        return (self.extract(passage) for passage in passages)


class Short:
    """An embedder without a model: vectors by length, so that no test waits for one."""

    model, digest, dimension = "short", "0", 2

    def embed(self, texts: Any) -> Any:
        """One vector a text."""
        import numpy as np

        self.largest = max(getattr(self, "largest", 0), len(texts))
        return np.array([[1.0, 0.0] for _ in texts], dtype=np.float32).reshape(len(texts), 2)


def opened(extractor: Any = None, where: Any = ":memory:", embedder: Embedder | None = None) -> Memory:
    """A memory that reads without any model."""
    return Memory.open(where, user="ana", extractor=extractor or Reading(), embedder=embedder or Short())


def texts(many: int) -> list[dict[str, Any]]:
    """Texts about different people, some of them contradicting an earlier one."""
    return [
        {
            "content": f"Person {number % (many - 20)} lives in {CITIES[(number + number // (many - 20)) % 4]}.",
            "position": number,
        }
        for number in range(many)
    ]


def held(memory: Memory) -> tuple[list[Any], list[Any]]:
    """Everything that a memory holds, without the ids: its texts in order, and its claims with their states."""
    with memory._store.journal.reading() as snapshot:
        said = [e.body for e in snapshot.events(kinds=("episode.recorded",)) if e.body]
        claimed = [e.body["claim"] for e in snapshot.events(kinds=("claim.recorded",)) if e.body]
    shown = [
        (claim["subject"], claim["value"], memory.claim_at(claim["id"]).as_dict()["disposition"]) for claim in claimed
    ]
    return [(body["source"], body["position"], body["content"]) for body in said], sorted(shown)


def test_many_are_the_same_as_one_by_one_and_a_second_run_changes_nothing() -> None:
    with opened() as many, opened() as single:
        tally = many.ingest_many(texts(200), source="s")
        for one in texts(200):
            single.ingest(one["content"], source="s", position=one["position"])
        events = many.health()["events"]
        again = many.ingest_many(texts(200), source="s")

        assert (200, 200, 200, 200, 0) == (tally.texts, tally.stored, tally.extracted, tally.claims, tally.failed)
        assert held(single) == held(many)
        assert any(state == "Contested" for _, _, state in held(many)[1])
        assert (200, 200, 0) == (again.texts, again.known, again.stored)
        assert events == many.health()["events"]


@pytest.mark.parametrize("stops", [0, 1, 64, 100, 150])
def test_a_run_that_is_cut_off_and_run_again_equals_an_unbroken_one(stops: int) -> None:
    with opened() as unbroken, opened(Reading(stops)) as broken:
        unbroken.ingest_many(texts(200), source="s")
        with pytest.raises(KeyboardInterrupt):
            broken.ingest_many(texts(200), source="s")
        broken._extractor = Reading()
        broken.ingest_many(texts(200), source="s")

        assert held(unbroken) == held(broken)
        assert 0 == broken.retry_extraction().texts


def test_what_a_run_left_unread_is_read_by_a_retry_too() -> None:
    with opened(Reading(70)) as memory:
        with pytest.raises(KeyboardInterrupt):
            memory.ingest_many(texts(100), source="s")
        memory._extractor = Reading()

        assert 36 == memory.retry_extraction().extracted
        assert 100 == memory.ingest_many(texts(100), source="s").known


def test_transactions_are_short_and_texts_are_embedded_together() -> None:
    embedder = Short()
    with opened(embedder=embedder) as memory:
        memory.ingest_many(texts(200), source="s")
        with memory._store.journal.reading() as snapshot:
            sizes = Counter(e.txn for e in snapshot.events(kinds=("episode.recorded", "extraction.recorded")))

    assert 64 == embedder.largest
    assert max(sizes.values()) <= 64


def test_a_view_that_outgrew_memory_is_built_again_and_nothing_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hornbook.graph.store.COMPACT_FROM", 300)
    with opened() as plain, opened(where=tmp_path) as compacted:
        plain.ingest_many(texts(200), source="s")
        compacted.stats()
        first = compacted._store._view
        compacted.ingest_many(texts(200), source="s")

        assert first is not compacted._store._view
        assert held(plain) == held(compacted)


def test_only_a_group_of_texts_is_taken_at_a_time() -> None:
    taken: list[int] = []

    def endless() -> Iterator[str]:
        for number in range(10_000):
            taken.append(number)
            yield f"Person {number} lives in Oslo."

    with opened() as memory:
        found = list(islice(memory.ingesting(endless()), 3))

    assert 3 == len(found)
    assert 64 == len(taken)


def test_outcomes_come_in_the_order_of_the_texts_and_the_bad_ones_in_their_place() -> None:
    given: list[Any] = [
        "a",
        "",
        {"content": "b", "colour": 1},
        InvalidArgument("no text"),
        {"content": "c", "metadata": 7},
        "d",
    ]
    with opened() as memory:
        found = list(memory.ingesting(given))

    assert ["extracted", "refused", "refused", "refused", "refused", "extracted"] == [one.status for one in found]
    assert ["content", "colour", None, "metadata"] == [one.failed[0].get("field") for one in found[1:5]]
    assert 2 == found[2].failed[0]["position"]


def test_a_key_that_stands_for_another_text_is_refused_and_the_others_go_on() -> None:
    given: list[Any] = [{"content": "a", "idempotency_key": "k"}, {"content": "b", "idempotency_key": "k"}, "c"]
    with opened() as memory:
        found = list(memory.ingesting(given))

        assert ["extracted", "refused", "extracted"] == [one.status for one in found]
        assert "conflict" == found[1].failed[0]["code"]
        assert ["known", "refused"] == [one.status for one in memory.ingesting(given[:2])]


def test_the_same_text_twice_in_one_group_is_stored_once() -> None:
    with opened() as memory:
        tally = memory.ingest_many([{"content": "a", "position": 1}] * 3, source="s")

        assert (1, 2) == (tally.stored, tally.known)


def test_a_date_that_nobody_can_read_does_not_lose_the_text() -> None:
    with opened() as memory:
        (found,) = memory.ingesting([{"content": "a", "occurred_at": "whenever"}])

        assert "extracted" == found.status
        assert "occurred_at is left out" in found.notes[0]
        assert None is memory.get(found.event_id).occurred_at


def test_texts_are_kept_when_the_embedding_model_fails() -> None:
    class Broken(Short):
        def embed(self, texts: Any) -> Any:
            """Never."""
            raise EmbeddingError("no model")

    with opened(embedder=Broken()) as memory:
        assert 30 == memory.ingest_many(texts(30)[:30], source="s").extracted


def test_an_unknown_argument_for_all_is_an_error_at_once() -> None:
    with opened() as memory, pytest.raises(InvalidArgument, match="colour"):
        memory.ingest_many(["a"], colour="red")
