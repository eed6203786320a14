"""Searching through a memory: texts and claims, both clocks, other models, what is said in other scripts."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from tests.graph.retrieval.store import MINILM, read, texts

from hornbook.extraction.candidate import Candidate, Extraction, Mention
from hornbook.extraction.scripted import ScriptedExtractor
from hornbook.graph.claim import Intent
from hornbook.graph.clock import ticking
from hornbook.graph.errors import EmbeddingError, InvalidArgument, TooLarge
from hornbook.graph.events import Actor
from hornbook.graph.retrieval.embed import CallableEmbedder
from hornbook.graph.retrieval.static import StaticEmbedder
from hornbook.memory import Memory
from hornbook.settings import Settings

STATIC = StaticEmbedder()
MOVED = "I moved from Berlin to Munich, finally."
BOUGHT = "Bob bought the old mill."
ROBERT = Mention("Robert Lind", "person", 0, 3, ("Bob",))
SCRIPT: Mapping[str, Extraction] = {
    MOVED: Extraction(candidates=(Candidate("user", "lives_in", "Munich", MOVED, intent=Intent.UPDATE),)),
    BOUGHT: Extraction(mentions=(ROBERT,)),
}


def opened(where: Any = ":memory:", **given: Any) -> Memory:
    plain: dict[str, Any] = {"embedder": STATIC, "extractor": ScriptedExtractor(SCRIPT), "clock": ticking()}
    return Memory.open(where, user="ana", **{**plain, **given})


@pytest.fixture
def memory() -> Iterator[Memory]:
    with opened() as one:
        yield one


def refs(memory: Memory, question: str, **given: Any) -> list[str]:
    return [hit.node_id for hit in memory.search(question, **given).hits]


# claims


def test_a_sentence_is_found_by_the_claim_that_was_taken_from_it_and_once(memory: Memory) -> None:
    said = memory.ingest(MOVED, speaker="Ana").event_id
    for text in ("The bakery opens at seven.", "Ben repaired the roof.", "The ferry leaves at noon."):
        memory.store(text)

    found = memory.search("Where does Ana live?").hits

    assert [said] == [hit.node_id for hit in found[:1]]
    assert 1 == [hit.node_id for hit in found].count(said)
    assert ("Ana", "lives_in", "Munich") == tuple(found[0].claims[0]["fact"].values())
    assert MOVED == found[0].content


def test_a_claim_without_a_text_is_found_and_says_what_it_is(memory: Memory) -> None:
    claim = memory.claim("Ben", "allergic_to", "walnuts", source="clinic").claim_ref
    (hit,) = memory.search("What is Ben allergic to?").hits

    assert (claim, "claim", "Ben allergic to walnuts") == (hit.node_id, hit.kind, hit.content)
    assert ("fact", "stable", "clinic") == (hit.node_type, hit.lifecycle_state, hit.source)
    assert "lexical" in hit.why


def test_claims_get_their_vectors_at_the_next_search(memory: Memory) -> None:
    memory.claim("Ben", "allergic_to", "walnuts")
    (hit,) = memory.search("What is Ben allergic to?").hits

    assert hit.semantic_relevance is not None
    assert hit.semantic_relevance > 0.3
    assert (0, False) == (memory.index().embedded, memory.index().waiting)  # and they are kept


def test_a_claim_is_found_in_other_words_without_anybody_asking_for_it(tmp_path: Any) -> None:
    with opened(tmp_path, embedder=MINILM) as memory:
        for thing in ("the piano", "stamps", "a canoe", "chess"):
            memory.claim("Ben", "likes", thing)
        claim = memory.claim("Ben", "allergic_to", "walnuts").claim_ref
    with opened(tmp_path, embedder=MINILM) as memory:  # another process
        assert claim == refs(memory, "Which nuts make him ill?")[0]
        assert [] == refs(memory, "When does the ferry leave?")


def test_who_may_only_read_finds_in_other_words_too(tmp_path: Any) -> None:
    with opened(tmp_path, embedder=MINILM) as memory:
        claim = memory.claim("Ben", "allergic_to", "walnuts").claim_ref
        with memory._store.journal.writing(Actor()):  # somebody is writing
            assert claim == refs(memory, "Which nuts make him ill?")[0]
        assert (1, False) == (memory.index().embedded, memory.index().waiting)


def test_the_same_claim_made_twice_is_one_hit(memory: Memory) -> None:
    memory.claim("Ben", "plays", "oboe", source="a")
    memory.claim("Ben", "plays", "oboe", source="b")
    assert 1 == len(refs(memory, "Who plays the oboe?"))


def test_both_sides_of_a_contest_are_found_and_name_each_other(memory: Memory) -> None:
    one = memory.claim("Ben", "lives_in", "Oslo", speaker="Cleo", source="a").claim_ref
    other = memory.claim("Ben", "lives_in", "Rome", speaker="Dag", source="b").claim_ref
    hits = {hit.node_id: hit for hit in memory.search("Where does Ben live?").hits}

    assert {one, other} == set(hits)
    assert "contested" == hits[one].lifecycle_state
    assert [{"claim_ref": other, "value": "Rome"}] == hits[one].claims[0]["contested_with"]


def test_an_ended_claim_is_found_for_its_time_and_as_it_was_known(memory: Memory) -> None:
    claim = memory.claim("Ben", "works_for", "Acme", valid_from="2019").claim_ref
    before = memory.search("Who works for Acme?").as_known
    memory.end("Ben", "works_for", at="2021")

    assert [] == refs(memory, "Who works for Acme?")
    assert [claim] == refs(memory, "Who works for Acme?", valid_at="2020")
    assert [claim] == refs(memory, "Who works for Acme?", knowledge_at=before)
    assert [claim] == refs(memory, "Who works for Acme?", include_inactive=True)


def test_a_superseded_claim_no_longer_speaks_for_its_sentence(memory: Memory) -> None:
    memory.ingest(MOVED, speaker="Ana", occurred_at="2024-01-05")
    moved_on = "And then Hamburg it was."
    script = {
        moved_on: Extraction(candidates=(Candidate("user", "lives_in", "Hamburg", moved_on, intent=Intent.UPDATE),))
    }
    memory._extractor = ScriptedExtractor(script)
    later = memory.ingest(moved_on, speaker="Ana", occurred_at="2025-01-05").event_id

    assert later == refs(memory, "Where does Ana live?")[0]


def test_filters_hold_for_claims_too(memory: Memory) -> None:
    memory.claim("Ben", "plays", "oboe", scope="project")
    assert [] == refs(memory, "Who plays the oboe?", scope="personal")
    assert 1 == len(refs(memory, "Who plays the oboe?", scope="project"))
    assert [] == refs(memory, "Who plays the oboe?", node_types=["note"])


# names and time


def test_a_thing_is_found_by_its_other_name(memory: Memory) -> None:
    said = memory.ingest(BOUGHT, speaker="Ana").event_id
    for text in ("The lake froze over.", "We bought a dozen eggs.", "A mill grinds flour."):
        memory.store(text)

    hit = memory.search("What has Robert Lind bought?").hits[0]

    assert said == hit.node_id
    assert "graph" in hit.why


def test_an_event_that_the_question_names_gives_it_its_time(memory: Memory) -> None:
    early = memory.store("Tom helped with the painting.", occurred_at="2024-02-03").node_id
    memory.store("The move to Bergen was on a rainy day.", occurred_at="2024-05-10")
    late = memory.store("Kim helped with the painting.", occurred_at="2024-09-01").node_id

    before = refs(memory, "Who helped with the painting before the move to Bergen?")
    after = refs(memory, "Who helped with the painting after the move to Bergen?")

    assert before.index(early) < before.index(late)
    assert after.index(late) < after.index(early)


def test_limit_min_score_and_explanation(memory: Memory) -> None:
    for number in range(5):
        memory.store(f"Shelf {number} holds the jars of plum jam.")
    found = memory.search("Which shelf holds the plum jam?", limit=2, explain=True)

    assert 2 == len(found.hits)
    assert {"rank", "score"} == set(found.hits[0].explanation["semantic"])  # type: ignore[index]
    assert () == memory.search("Which shelf holds the plum jam?", min_score=0.999).hits


# what is asked


@pytest.mark.parametrize(
    "query", ['"', "NEAR(", "plum* -jam", "AND OR NOT (", "jam?", "col:plum", "(((", "'; DROP TABLE x"]
)
def test_operators_are_text(memory: Memory, query: str) -> None:
    memory.store("AND OR NOT stand on the jar of plum jam.")
    memory.search(query)


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"query": " \n"}, InvalidArgument),
        ({"query": "x" * 1_000_000}, TooLarge),
        ({"query": "jam", "limit": 0}, InvalidArgument),
        ({"query": "jam", "limit": 201}, InvalidArgument),
        ({"query": "jam", "limit": True}, InvalidArgument),
        ({"query": "jam", "node_types": ["gossip"]}, InvalidArgument),
        ({"query": "jam", "valid_at": "2023-02-30"}, InvalidArgument),
    ],
)
def test_what_cannot_be_asked_is_refused(memory: Memory, given: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        memory.search(**given)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("我每天早上喝一杯黑咖啡", "咖啡"),
        ("昨日、京都で抹茶を飲みました", "抹茶"),
        ("Zoë trinkt Kräutertee", "Zoe Krautertee"),
        ("The 🦊 sticker marks the spare box", "🦊 sticker"),
        ("The card is an rtx4090", "rtx4090"),
        ("Read user_id from the token", "user_id"),
        ("Pinned to 0.11.3 for now", "0.11.3"),
        ("The controller is in C++", "C++"),
        ("Write to a@b.co about it", "a@b.co"),
    ],
)
def test_other_scripts_and_identifiers_are_found(memory: Memory, text: str, question: str) -> None:
    stored = memory.store(text).node_id
    for other in ("会议改到星期四下午", "Nothing to do with it.", "Version 0.11.2 of the C compiler"):
        memory.store(other)
    assert stored == refs(memory, question)[0]


# models


def letters(dimension: int, name: str) -> CallableEmbedder:
    def vectors(said: Any) -> list[list[float]]:
        return [[1.0 + text.count(chr(97 + at)) for at in range(dimension)] for text in said]

    return CallableEmbedder(vectors, name, dimension)


def test_after_a_change_of_model_words_still_answer_until_all_is_embedded_anew(tmp_path: Any) -> None:
    with opened(where=tmp_path, embedder=letters(3, "three")) as memory:
        first = memory.store("The spare key is under the blue pot.").node_id
    with opened(where=tmp_path, embedder=letters(5, "five")) as memory:
        second = memory.store("The spare key is with Tom.").node_id
        found = memory.search("Where is the spare key?", min_score=0.99)
        assert {first, second} == {hit.node_id for hit in found.hits}
        assert found.metrics["min_score_skipped"]
        assert "three" in found.metrics["backend_failures"]["vector"]

        assert memory.index().waiting
        while memory.reembed(budget_ms=1).waiting:
            pass
        found = memory.search("Where is the spare key?")
        assert "backend_failures" not in found.metrics
        assert {first, second} == {hit.node_id for hit in found.hits if hit.semantic_relevance}


def test_no_text_is_lost_when_the_model_fails() -> None:
    def broken(said: Any) -> Any:
        raise EmbeddingError("the model has gone")

    with opened(embedder=CallableEmbedder(broken, "broken", 3)) as memory:
        stored = memory.store("The spare key is under the blue pot.").node_id
        found = memory.search("Where is the spare key?")

    assert [stored] == [hit.node_id for hit in found.hits]
    assert {"vector": "the model has gone"} == found.metrics["backend_failures"]


def test_the_weights_of_the_settings_are_honoured() -> None:
    plain = Settings()
    deaf = Settings.model_validate({"scoring": {"fusion": "weighted", "weights": {"salience": 50.0}}})
    for settings in (plain, deaf):
        with opened(settings=settings) as memory:
            memory.store("The plum jam is on the shelf.")
            found = memory.search("Where is the plum jam?")
            assert settings.scoring.fusion == found.metrics["fusion"]
    with pytest.raises(InvalidArgument):
        Settings.model_validate({"scoring": {"weights": {"speaker": -1}}})


# sets of questions, through a whole memory


@pytest.mark.slow
def test_the_question_sets_hold_through_a_memory() -> None:
    with Memory.open(":memory:", user="ana", extractor=ScriptedExtractor({})) as memory:
        stored = {text: memory.store(text).node_id for text in texts()}
        for name, within, least in (("paraphrase", 3, 0.9), ("answerable", 1, 1.0), ("exact", 1, 1.0)):
            hit = [stored[case["memory"]] in refs(memory, case["question"])[:within] for case in read(name)]
            assert sum(hit) / len(hit) >= least, name
        empty = [not refs(memory, question) for question in read("unrelated")]
        assert sum(empty) / len(empty) >= 0.95
