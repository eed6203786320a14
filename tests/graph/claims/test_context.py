"""A text to read before answering: what is in it, in which order, and that it fits."""

import random
from collections.abc import Iterator

import pytest

from hornbook.extraction.candidate import Candidate, Extraction
from hornbook.extraction.scripted import ScriptedExtractor
from hornbook.graph.clock import ticking
from hornbook.graph.errors import InvalidArgument
from hornbook.graph.retrieval.pack import tokens
from hornbook.graph.retrieval.search import FEW_LINES
from hornbook.graph.retrieval.static import StaticEmbedder
from hornbook.memory import Memory

MOVED = "I moved to Munich for the new job."
SCRIPT = {MOVED: Extraction(candidates=(Candidate("user", "lives_in", "Munich", MOVED, present=True),))}


@pytest.fixture(scope="module")
def memory() -> Iterator[Memory]:
    """A conversation of four turns, a contest, a person much spoken of, and a hundred long texts about a market."""
    chance = random.Random(7)
    given = {"embedder": StaticEmbedder(), "extractor": ScriptedExtractor(SCRIPT), "clock": ticking()}
    with Memory.open(":memory:", user="ana", **given) as memory:  # type: ignore[arg-type]  # one kind each
        for speaker, text in (("Ben", "Where do you live these days?"), ("Ana", MOVED), ("Ben", "That is far away!")):
            memory.ingest(text, speaker=speaker, session="talk", occurred_at="2024-04-02")
        memory.claim("Ben", "works_for", "Acme", speaker="Cleo", source="a")
        memory.claim("Ben", "works_for", "Bolt", speaker="Dag", source="b")
        for number in range(40):
            memory.claim("Cleo", f"likes_{number}", f"thing {number}")
        memory.claim("Cleo", "lives_in", "Oslo", valid_from="2020")
        for day in range(100):
            goods = chance.choice(("plums", "bread", "tea"))
            text = f"On day {day} the market had {goods}, and the weather was fair."
            memory.store(
                text * chance.choice((1, 1, 4)), speaker="Ana", session=f"s{day // 9}", occurred_at="2024-05-01"
            )
        yield memory


@pytest.mark.parametrize(
    ("question", "stands"),
    [
        ("Where does Ana live?", ("- Ana lives in: Munich", "[2024-04-02]", "Ana: I moved to Munich for the new job.")),
        ("Who does Ben work for?", ("- Ben works for: contested: Acme / Bolt",)),
        ("Where does Cleo live?", ("- Cleo lives in: Oslo since 2020",)),
    ],
)
def test_what_stands_in_it(memory: Memory, question: str, stands: tuple[str, ...]) -> None:
    text = memory.context(question).text
    assert [] == [line for line in stands if line not in text]


def test_neighbours_read_on(memory: Memory) -> None:
    text = memory.context("Where does Ana live?").text
    assert "Ben: Where do you live these days?\nAna: I moved to Munich for the new job.\n" in text


def test_of_somebody_much_spoken_of_little_is_believed_that_was_not_asked(memory: Memory) -> None:
    text = memory.context("Where does Cleo live?").text
    assert text.count("- Cleo likes ") <= FEW_LINES < 40


def test_a_belief_is_not_told_again_as_a_passage(memory: Memory) -> None:
    assert 1 == memory.context("Where does Cleo live?").text.count("Cleo lives in")


@pytest.mark.parametrize("budget", [100, 101, 140, 250, 1_000, 4_000, 50_000])
@pytest.mark.parametrize(
    "question", ["What had the market in fair weather?", "Where does Ana live?", "What does Cleo like?"]
)
def test_the_budget_is_kept_and_cuts_are_stated(memory: Memory, budget: int, question: str) -> None:
    packed = memory.context(question, token_budget=budget)

    assert tokens(packed.text) == packed.tokens <= budget
    assert bool(packed.cut["left_out"] + packed.cut["shortened"]) == ("(cut to " in packed.text)
    if budget >= 250:
        assert packed.text


def test_most_of_a_budget_is_used(memory: Memory) -> None:
    packed = memory.context("What had the market in fair weather?", token_budget=1_000)
    assert packed.cut["left_out"] and packed.tokens > 850


@pytest.mark.parametrize("budget", [99, 60_001, 0, True])
def test_a_budget_that_is_none_is_refused(memory: Memory, budget: int) -> None:
    with pytest.raises(InvalidArgument):
        memory.context("Where?", token_budget=budget)
