"""The reference memory server's file: observations and relations come in once, as what a model has written."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.properties.acts import memory_in

from hornbook.graph.errors import InvalidArgument
from hornbook.memory import Memory

LINES = (
    {
        "type": "entity",
        "name": "Ana",
        "entityType": "person",
        "observations": ["Drinks green tea", "At night", " "],
    },
    {"type": "entity", "name": "Acme", "entityType": "company", "observations": []},
    {"type": "relation", "from": "Ana", "to": "Acme", "relationType": "works for"},
)


@pytest.fixture
def memory() -> Iterator[Memory]:
    """An empty memory."""
    with memory_in() as memory:
        yield memory


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file as the server writes it."""
    path = tmp_path / "memory.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in LINES), encoding="utf-8")
    return path


def test_observations_are_found_and_relations_believed(memory: Memory, file: Path) -> None:
    report = memory.bring(file, "reference-server")

    assert (report.texts, report.claims) == (2, 3)
    assert "Ana: Drinks green tea" in [hit.content for hit in memory.search("green tea").hits]
    belief = memory.believe("Ana", "works_for").belief
    assert belief.primary and belief.primary.value == "Acme"
    assert memory.history("Ana", "works_for")[0].held.claim.provenance.value == "ModelDerived"


def test_what_a_person_says_is_believed_before_it(memory: Memory, file: Path) -> None:
    memory.claim("Ana", "is_a", "astronaut")
    memory.bring(file, "reference-server")
    belief = memory.believe("Ana", "is_a").belief
    assert belief.primary and belief.primary.value == "astronaut"


def test_repeating_it_brings_in_only_what_is_new(memory: Memory, file: Path) -> None:
    memory.bring(file, "reference-server")
    events = memory.stats()["events"]
    again = memory.bring(file, "reference-server")
    assert (again.texts, again.claims, again.already, memory.stats()["events"]) == (0, 0, 5, events)

    with file.open("a", encoding="utf-8") as more:
        more.write('\n{"type": "relation", "from": "Ana", "to": "Ben", "relationType": "knows"}\n')
    assert memory.bring(file, "reference-server").claims == 1


def test_the_report_says_what_was_not_carried(memory: Memory, file: Path) -> None:
    left = {one["what"]: one["many"] for one in memory.bring(file, "reference-server").as_dict()["not_carried"]}
    assert left["an observation"] == 1
    assert left["when it became known, and who said it"] > 1


@pytest.mark.parametrize("line", ["{", "[]", '{"type": "relation"}', "3"])
def test_a_line_that_is_no_line_of_it_is_named(memory: Memory, file: Path, line: str) -> None:
    file.write_text(f"{json.dumps(LINES[1])}\n{line}\n", encoding="utf-8")
    with pytest.raises(InvalidArgument, match="line 2"):
        memory.bring(file, "reference-server")


def test_an_unknown_system_is_answered_with_those_there_are(memory: Memory, file: Path) -> None:
    with pytest.raises(InvalidArgument) as refused:
        memory.bring(file, "somewhere")
    assert refused.value.valid and "reference-server" in refused.value.valid
    with pytest.raises(InvalidArgument):
        memory.bring(file.with_name("nowhere"), "reference-server")
