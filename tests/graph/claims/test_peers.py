"""What goes wrong in other stores with the same tools, and is right here: through the tools, or the facade."""

from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pytest
from mcp import Client

from hornbook.graph.errors import InvalidArgument, NotFound
from hornbook.mcp_tools.server import build
from hornbook.memory import Memory
from hornbook.settings import Settings

Ask = Callable[..., Awaitable[dict[str, Any]]]


def through_the_tools(told: Callable[[Ask], Awaitable[None]]) -> None:
    """Tell a story to a fresh server through a client."""

    async def run() -> None:
        async with Client(build(Settings(db_path=":memory:", user_id="ana"))) as client:

            async def ask(tool: str, **arguments: Any) -> dict[str, Any]:
                result = await client.call_tool(tool, arguments)
                assert result.structured_content is not None and not result.is_error, result
                return dict(result.structured_content)

            await told(ask)

    anyio.run(run)


def said(subject: str, predicate: str, value: Any, **more: Any) -> dict[str, Any]:
    provenance = {"type": "External", "kind": "UserAsserted"}
    return {"subject": subject, "predicate": predicate, "value": value, "provenance": provenance, **more}


def window(start: str | None = None, end: str | None = None) -> dict[str, Any]:
    ends = {"start": start, "end": end}
    return {**{name: date for name, date in ends.items() if date}, "valid_time_confidence": 0.9}


# contradiction, corroboration, dependency


def test_the_same_claim_twice_is_one_belief_with_both_sources() -> None:
    async def told(ask: Ask) -> None:
        for source in ("letter", "phone call"):
            reply = await ask("ingest_claim", **said("Bob", "lives_in", "Berlin", source=source))
            assert ("CommittedCheap", []) == (reply["disposition"], reply["contested_with"])
        belief = (await ask("query_memory", subject="Bob", predicate="lives_in"))["belief"]
        signal = belief["primary"]["currency_signal"]
        assert (2, 1) == (signal["evidence_count"], signal["corroboration_count"])
        assert [] == belief["alternatives"]

    through_the_tools(told)


def test_a_set_takes_a_second_member() -> None:
    async def told(ask: Ask) -> None:
        for value in ("en", "fr"):
            assert "CommittedCheap" == (await ask("ingest_claim", **said("Bob", "speaks", value)))["disposition"]
        belief = (await ask("query_memory", subject="Bob", predicate="speaks"))["belief"]
        assert ("Resolved", "fr") == (belief["status"], belief["primary"]["fact"]["value"])
        assert ["en"] == [one["fact"]["value"] for one in belief["alternatives"]]

    through_the_tools(told)


@pytest.mark.parametrize("outcome", ["winner", "split", "all", "none"])
def test_a_contested_line_has_a_way_out_and_a_way_back(outcome: str) -> None:
    async def told(ask: Ask) -> None:
        refs = [
            (await ask("ingest_claim", **said("Bob", "desk_number", value, valid_time=window("2024"))))["claim_ref"]
            for value in (1, 2)
        ]
        line = {"subject": "Bob", "predicate": "desk_number"}
        halves = {refs[0]: {"start": "2024", "end": "2025"}, refs[1]: {"start": "2025"}}
        ways: dict[str, dict[str, Any]] = {"winner": {"winner": 2}, "split": {"windows": halves}}
        resolved = await ask("resolve_contested", **line, outcome=outcome, reason="asked Bob", **ways.get(outcome, {}))
        assert resolved["status"] != "Contested"
        belief = (await ask("query_memory", **line))["belief"]
        assert belief["status"] == ("NoBelief" if outcome == "none" else "Resolved")
        assert "Contested" not in belief["markers"]
        assert [] == (await ask("list_contested"))["lines"]
        await ask("resolve_contested", **line, outcome="reopen", reason="he was not sure")
        assert 2 == len((await ask("list_contested"))["lines"][0]["sides"])

    through_the_tools(told)


def test_a_guess_stands_beside_what_a_user_said_and_hides_nothing() -> None:
    async def told(ask: Ask) -> None:
        await ask("ingest_claim", **said("Bob", "employer", "Acme", valid_time=window("2024")))
        guess = {"type": "ModelDerived"}
        reply = await ask("ingest_claim", **{**said("Bob", "employer", "Initech"), "provenance": guess})
        assert "CommittedInferred" == reply["disposition"]
        belief = (await ask("query_memory", subject="Bob", predicate="employer"))["belief"]
        assert ("Resolved", "Acme") == (belief["status"], belief["primary"]["fact"]["value"])
        assert ["Initech"] == [one["fact"]["value"] for one in belief["alternatives"]]

    through_the_tools(told)


def test_a_second_value_is_contested_or_follows_in_time(memory: Memory) -> None:
    memory.claim("Bob", "lives_in", "Lima", valid_from="2020")
    assert "Contested" == memory.claim("Bob", "lives_in", "Cairo", valid_from="2021").disposition.value
    memory.claim("Eve", "lives_in", "Lima", occurred_at="2024-01-01", speaker="Eve")
    memory.claim("Eve", "lives_in", "Cairo", occurred_at="2024-06-01", speaker="Eve")
    assert ["Lima", "Cairo"] == [memory.believe("Eve", "lives_in", valid_at=at).value for at in ("2024-02", "2024-07")]


def test_what_rests_on_a_claim_is_flagged_all_the_way_when_it_falls(memory: Memory) -> None:
    root = memory.claim("Bob", "employer", "Acme", valid_from="2020").claim_ref
    office = memory.claim("Bob", "office", "Oslo", derived_from=[root]).claim_ref
    memory.claim("Bob", "commute", "by train", derived_from=[office])
    memory.end("Bob", "employer", "2023-05-01")
    for predicate in ("office", "commute"):
        assert "PendingReview" in memory.believe("Bob", predicate).markers
    late = memory.claim("Bob", "badge", "blue", derived_from=[root]).claim_ref
    assert [root, late] == memory.claim_at(late).as_dict()["pending_review"]


# time


def test_what_is_over_and_what_has_not_begun_is_not_believed_now(memory: Memory) -> None:
    memory.claim("Bob", "employer", "Acme", valid_from="2019", valid_to="2020")
    memory.claim("Eve", "employer", "Acme", valid_from="2031")
    assert ["NoBelief", "NoBelief"] == [memory.believe(name, "employer").status for name in ("Bob", "Eve")]
    assert "Acme" == memory.believe("Bob", "employer", valid_at="2019-06").value


def test_a_future_end_leaves_the_present_alone(memory: Memory) -> None:
    memory.claim("Bob", "employer", "Acme", valid_from="2020")
    memory.end("Bob", "employer", "2030")
    assert "Acme" == memory.believe("Bob", "employer", valid_at="2026").value
    assert None is memory.believe("Bob", "employer", valid_at="2030-02").value


def test_an_end_without_a_start_keeps_the_past(memory: Memory) -> None:
    memory.claim("Bob", "employer", "Acme")
    memory.end("Bob", "employer", "2030")
    assert "Acme" == memory.believe("Bob", "employer", valid_at="2015").value


def test_a_year_is_a_date_everywhere(memory: Memory) -> None:
    memory.claim("Bob", "employer", "Acme", valid_from="2019", valid_to="2021", occurred_at="2019-02")
    assert "Acme" == memory.believe("Bob", "employer", valid_at="2020").value
    assert "Acme" == memory.believe("Bob", "employer", valid_at="2020-03").value
    assert "NoBelief" == memory.believe("Bob", "employer", valid_at="2020", knowledge_at="2021").status
    assert () == memory.contested(valid_at="2020").lines


def test_the_day_that_was_said_is_the_day_that_is_shown() -> None:
    async def told(ask: Ask) -> None:
        await ask("ingest_claim", **said("Bob", "employer", "Acme", valid_time=window("2020-01-01")))
        await ask("ingest_claim", **said("Eve", "employer", "Acme", valid_time=window("2020-01-01T00:00:00+09:00")))
        day, instant = [
            (await ask("query_memory", subject=name, predicate="employer"))["belief"]["primary"]
            for name in ("Bob", "Eve")
        ]
        assert ("2020-01-01", "day") == (day["valid_from_display"], day["valid_time"]["start_granularity"])
        assert "2019-12-31T15:00:00" in instant["valid_from_display"]  # an instant, and the same one
        assert "instant" == instant["valid_time"]["start_granularity"]

    through_the_tools(told)


def test_a_denied_claim_is_out_of_belief_and_history_says_so(memory: Memory) -> None:
    memory.claim("Bob", "desk_number", 1, valid_from="2024")
    ref = memory.claim("Bob", "desk_number", 2, valid_from="2024", source="badge list").claim_ref
    assert "Invalidated" == memory.judge(ref, "deny").value
    assert 1 == memory.believe("Bob", "desk_number").value
    told = {
        one.as_dict()["fact"]["value"]: one.as_dict()["disposition"] for one in memory.history("Bob", "desk_number")
    }
    assert {1: "CommittedCheap", 2: "Invalidated"} == told


# silent loss, interface


def test_a_recall_adds_nothing_and_no_id_is_made_up(memory: Memory) -> None:
    ref = memory.claim("Bob", "employer", "Acme").claim_ref
    for _ in range(12):
        again = memory.claim("Bob", "employer", "Acme", provenance="RecallReEntry")
        assert (ref, "CommittedCheap") == (again.claim_ref, again.disposition.value)
    assert 1 == len(memory.history("Bob", "employer"))
    with pytest.raises(NotFound) as caught:
        memory.claim("Bob", "employer", "Acme", derived_from=["01900000-0000-7000-8000-000000000000"])
    assert "derived_from" == caught.value.field
    other = memory.claim("Bob", "employer", "Initech", provenance="RecallReEntry")
    assert "CommittedInferred" == other.disposition.value
    assert "RecallTainted" in memory.claim_at(other.claim_ref).as_dict()["markers"]
    assert "Acme" == memory.believe("Bob", "employer").value


def test_numbers_are_numbers_and_names_are_names(memory: Memory) -> None:
    memory.claim("user: Alice ", "shoe-size", 1)
    assert "CommittedCheap" == memory.claim("USER: alice", "shoe size", 1.0).disposition.value
    assert "Contested" == memory.claim("user: alice", "shoe_size", "1").disposition.value
    for value, confidence, subject in ((None, 0.9, "Bob"), (1, 5, "Bob"), (1, 0.9, " ")):
        with pytest.raises(InvalidArgument) as caught:
            memory.claim(subject, "shoe_size", value, confidence=confidence)
        assert caught.value.field


def test_the_ledger_comes_newest_first_and_is_filtered_before_it_is_cut(memory: Memory) -> None:
    first = memory.claim("Bob", "employer", "Acme", valid_from="2020").claim_ref
    for number in range(10):
        memory.claim(f"subject {number}", "colour", "red")
    memory.end("Bob", "employer", "2024")
    newest, *_ = memory.audit(limit=3).entries
    assert first == newest.claim_ref
    assert 2 == len(memory.audit(limit=2, claim_ref=first).entries)
    seen, cursor = [], None
    while True:
        page = memory.audit(limit=4, cursor=cursor)
        seen += [entry.seq for entry in page.entries]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert seen == sorted(seen, reverse=True) and 12 == len(seen)


def test_a_reply_on_a_line_with_many_sides_is_cut_and_says_so() -> None:
    async def told(ask: Ask) -> None:
        for number in range(60):
            reply = await ask("ingest_claim", **said("Bob", "desk_number", number))
        assert 59 == len(reply["contested_with"])
        belief = (await ask("query_memory", subject="Bob", predicate="desk_number"))["belief"]
        assert (50, 60, True) == (len(belief["alternatives"]), belief["alternatives_count"], belief["truncated"])

    through_the_tools(told)


def test_the_lines_of_a_subject_are_found_without_knowing_them() -> None:
    async def told(ask: Ask) -> None:
        for predicate, value in (("employer", "Acme"), ("lives_in", "Oslo"), ("speaks", "Welsh")):
            await ask("ingest_claim", **said("Bob", predicate, value))
        beliefs = (await ask("query_memory", subject="bob"))["beliefs"]
        assert {"works_for", "lives_in", "speaks"} == {one["predicate"] for one in beliefs}
        history = (await ask("query_memory", subject="bob", history=True))["history"]
        assert 3 == len(history)

    through_the_tools(told)
