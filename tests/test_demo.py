"""The demo, and its output as the README shows it."""

from pathlib import Path

import pytest

from hornbook.demo import report, told, turns

README = Path(__file__).parent.parent / "README.md"


@pytest.fixture(scope="module")
def lines() -> list[str]:
    with told() as memory:
        return list(report(memory))


def test_the_readme_shows_what_the_demo_prints(lines: list[str]) -> None:
    shown = README.read_text(encoding="utf-8").split("<!-- demo -->")[1].strip().removeprefix("```text\n")
    assert "\n".join(lines) == shown.removesuffix("\n```")


def test_the_conversation_has_several_dated_sessions() -> None:
    said = list(turns())
    assert len(said) >= 40 and len({turn["session"] for turn in said}) >= 4
    assert [turn["occurred_at"] for turn in said] == sorted(turn["occurred_at"] for turn in said)


def test_the_demo_shows_a_contest_with_both_sides_and_a_move_on_two_days(lines: list[str]) -> None:
    text = "\n".join(lines)
    assert "Bergen: Ana said" in text and "Oslo: Ben said" in text
    assert "on 2024-01-20: Berlin" in text and "on 2024-11-01: Munich" in text
