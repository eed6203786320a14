"""A diary or a log that dates itself: its dates are when it was said, and no window of what it says."""

from pathlib import Path

import pytest

from hornbook.extraction.dated import parts_of
from hornbook.memory import Memory

DIARY = """# 2 June 2024

I work for Tern Robotics.

## At home
I live in Ghent.

# 3 June 2024

I bought a bike. Yesterday I met Paul.

# Plans
I like green tea.
"""


def told(text: str) -> list[tuple[str | None, str | None, str]]:
    """The pieces of a text: their dates, who speaks, their words."""
    return [(str(one.at) if one.at else None, one.speaker, " ".join(one.text.split())) for one in parts_of(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I moved in March 2024.\nIn 2025 I left.", [(None, None, "I moved in March 2024. In 2025 I left.")]),
        ("# Diary - Sunday, 2 June 2024\nTea.", [("2024-06-02", None, "Diary Tea.")]),
        ("# June 2024: in Lyon\nTea.", [(None, None, "# June 2024: in Lyon Tea.")]),
        ("# June 2024\nTea.", [("2024-06", None, "Tea.")]),
        ("# 2024\n## 2 June\nTea.\n## 9 June\nRain.", [("2024-06-02", None, "Tea."), ("2024-06-09", None, "Rain.")]),
        ("**2 June 2024**\nTea.\n# Else\nRain.", [("2024-06-02", None, "Tea."), (None, None, "# Else Rain.")]),
        ("[2024-06-02] Ana: Tea.\nMore.\n\nRain.", [("2024-06-02", "Ana", "Tea. More."), (None, None, "Rain.")]),
        ("2024-06-02 14:03 - Bob B.: Tea.", [("2024-06-02T14:03:00Z", "Bob B.", "Tea.")]),
        ("- 2024-06-02: Work: done.", [("2024-06-02", None, "Work: done.")]),
        ("[2024-06-02] User: Tea.", [("2024-06-02", None, "Tea.")]),
        ("03/04/2024: Tea.", [(None, None, "03/04/2024: Tea.")]),
        ("# 2 June 2024", [(None, None, "# 2 June 2024")]),
    ],
)
def test_a_text_is_cut_where_it_says_another_day(text: str, expected: list[tuple[str | None, str | None, str]]) -> None:
    assert expected == told(text)


def test_what_a_diary_says_is_believed_from_its_day_on() -> None:
    with Memory.open(":memory:", user="ana") as memory:
        memory.ingest(DIARY)
        works, lives = memory.believe("ana", "works_for"), memory.believe("ana", "lives_in")
        bought, met = memory.believe("ana", "bought"), memory.believe("ana", "met")

        assert ("Resolved", "Tern Robotics") == (works.status, works.value)
        assert ("Resolved", "Ghent") == (lives.status, lives.value)
        assert "TimingUncertain" == memory.believe("ana", "works_for", valid_at="2024-06-01").status
        assert ("Resolved", "bike") == (bought.status, bought.value)
        assert met.primary is not None
        assert "2024-06-02" == str(met.primary.valid.start)


def test_a_log_is_said_by_whom_it_names() -> None:
    with Memory.open(":memory:", user="ana") as memory:
        memory.ingest("[2024-06-02] Ana: I live in Ghent.\n[2024-06-02] Nora: I live in Oslo.")

        assert ("Ghent", "Oslo") == (memory.believe("ana", "lives_in").value, memory.believe("Nora", "lives_in").value)
        assert [] == memory.contested().as_dict()["lines"]


def test_the_sections_of_a_file_stand_under_its_headings(tmp_path: Path) -> None:
    path = tmp_path / "diary.md"
    path.write_text(DIARY)
    with Memory.open(":memory:", user="ana") as memory:
        memory.ingest_files(path)
        found = memory.search("Where do I live?")

        assert "2024-06-02T00:00:00Z" == found.hits[0].as_dict()["occurred_at"]
        assert "Ghent" == memory.believe("ana", "lives_in").value


def test_a_heading_and_an_item_are_sentences_of_their_own() -> None:
    with Memory.open(":memory:", user="ana") as memory:
        memory.ingest("## At home\n\nI live in Ghent\n\n- I work for Tern Robotics\n- I like green tea")

        told = {line: memory.believe("ana", line).value for line in ("lives_in", "works_for", "likes")}
        assert {"lives_in": "Ghent", "works_for": "Tern Robotics", "likes": "green tea"} == told
