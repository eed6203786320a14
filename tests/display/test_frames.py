"""Claims and lines as data frames, in either library, and a clear word where there is none."""

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from hornbook.graph.clock import ticking
from hornbook.graph.errors import InvalidArgument
from hornbook.memory import Memory

LIBRARIES = ["pandas", "polars"]


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory.open(":memory:", user="ana", clock=ticking()) as memory:
        memory.claim("Ana", "lives_in", "Berlin", valid_from="2020", speaker="Ben")
        memory.claim("Ana", "lives_in", "Munich", valid_from="2024-03", intent="update", speaker="Ben")
        memory.claim("Ana", "age", 34)
        yield memory


def rows(frame: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = frame.to_dicts() if hasattr(frame, "to_dicts") else frame.to_dict("records")
    return found


@pytest.mark.parametrize("library", LIBRARIES)
def test_every_claim_is_a_row_with_its_windows_and_its_standing(memory: Memory, library: str) -> None:
    pytest.importorskip(library)
    frame = memory.claims_frame(library=library)
    first, second, third = rows(frame)

    assert library == type(frame).__module__.partition(".")[0]
    assert ("Ana", "lives_in", "Berlin", "Ben", True) == tuple(
        first[name] for name in ("subject", "predicate", "value", "speaker", "live")
    )
    assert datetime(2024, 3, 1, tzinfo=UTC) == first["valid_to"] == second["valid_from"]
    assert "34" == third["value"] and third["speaker"] is None
    assert datetime(2026, 1, 1, 0, 0, 1, tzinfo=UTC) == first["recorded_at"]


@pytest.mark.parametrize("library", LIBRARIES)
def test_every_line_is_a_row_as_true_and_known_when_it_is_asked(memory: Memory, library: str) -> None:
    pytest.importorskip(library)
    memory.claim("Ana", "age", 35)
    now, then = rows(memory.lines_frame(library=library)), rows(memory.lines_frame(valid_at="2021", library=library))

    assert [("lives_in", "Resolved", "Munich"), ("age", "Contested", None)] == [
        (one["predicate"], one["status"], one["value"]) for one in now
    ]
    assert ("Berlin", 0, 2) == (then[0]["value"], then[0]["alternatives"], now[1]["alternatives"])
    known = memory.history("Ana", "lives_in")[0].as_dict()["recorded_at"]
    assert 1 == len(rows(memory.claims_frame(knowledge_at=known, library=library)))


@pytest.mark.parametrize("library", LIBRARIES)
def test_an_empty_memory_gives_empty_columns_with_their_types(memory: Memory, library: str) -> None:
    pytest.importorskip(library)
    with Memory.open(":memory:", user="eva", clock=ticking()) as empty:
        for full, none in (
            (memory.claims_frame(library=library), empty.claims_frame(library=library)),
            (memory.lines_frame(library=library), empty.lines_frame(library=library)),
        ):
            assert 0 == len(none) < len(full)
            assert list(full.dtypes) == list(none.dtypes) and list(full.columns) == list(none.columns)


def test_the_first_library_that_is_installed_is_taken(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("polars")
    monkeypatch.setitem(sys.modules, "pandas", None)  # as if it were not installed
    assert "polars" == type(memory.claims_frame()).__module__.partition(".")[0]

    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(InvalidArgument, match="neither pandas nor polars is installed") as none:
        memory.claims_frame()
    assert "pip install pandas" == none.value.hint
    with pytest.raises(InvalidArgument, match="polars is not installed"):
        memory.lines_frame(library="polars")
    with pytest.raises(InvalidArgument, match="there is no library"):
        memory.lines_frame(library="numpy")
