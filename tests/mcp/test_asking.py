"""The person at the client is asked about a contradiction, where the client can ask; everybody else is not."""

from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp_types import ElicitRequestParams, ElicitResult

from hornbook.mcp_tools.server import build
from hornbook.settings import Settings

Told = Callable[[Callable[..., Awaitable[dict[str, Any]]]], Awaitable[None]]
MODES = pytest.mark.parametrize("mode", ["auto", "legacy"])


class Person:
    """Somebody at a client, with an answer ready and a memory of what they were asked."""

    def __init__(self, action: Any = "accept", **content: Any) -> None:
        self.action, self.content = action, content
        self.asked: list[str] = []

    async def __call__(self, context: Any, params: ElicitRequestParams) -> ElicitResult:
        self.asked.append(params.message)
        return ElicitResult(action=self.action, content=self.content if self.action == "accept" else None)


def story(told: Told, mode: Any, person: Person | None, **given: Any) -> None:
    """Tell a story through a client with a person at it, or without one."""

    async def run() -> None:
        settings = Settings(db_path=":memory:", user_id="ana", **given)
        async with Client(build(settings), mode=mode, elicitation_callback=person) as client:

            async def ask(tool: str, **arguments: Any) -> dict[str, Any]:
                result = await client.call_tool(tool, arguments)
                assert result.structured_content is not None and not result.is_error, result
                return dict(result.structured_content)

            await told(ask)

    anyio.run(run)


SINCE = {"start": "2024", "valid_time_confidence": 0.9}


def desk(value: str, **more: Any) -> dict[str, Any]:
    return {
        "subject": "Dora",
        "predicate": "desk_number",
        "value": value,
        "provenance": "user asserted",
        "valid_time": SINCE,
        **more,
    }


@MODES
@pytest.mark.parametrize(
    ("verdict", "disposition", "believed"), [("affirm", "CommittedCheap", "D-2"), ("deny", "Invalidated", "D-1")]
)
def test_what_the_person_says_ends_the_contest(mode: str, verdict: str, disposition: str, believed: str) -> None:
    person = Person(verdict=verdict)

    async def told(ask: Any) -> None:
        await ask("ingest_claim", **desk("D-1", speaker="Ben"))
        reply = await ask("ingest_claim", **desk("D-2", speaker="Ana"))
        assert (disposition, []) == (reply["disposition"], reply["contested_with"])
        (question,) = person.asked
        assert question.startswith('Dora, desk number: "D-2" (Ana; since 2024) was stated')
        assert 'contradicts "D-1" (Ben; since 2024)' in question
        belief = (await ask("query_memory", subject="Dora", predicate="desk_number"))["belief"]
        assert ("Resolved", believed) == (belief["status"], belief["primary"]["fact"]["value"])
        kinds = [entry["event_kind"] for entry in (await ask("audit"))["entries"]]
        assert {"AdjudicationResolved", "ClaimContested"} <= set(kinds)
        history = (await ask("query_memory", subject="Dora", predicate="desk_number", history=True))["history"]
        assert ["D-2", "D-1"] == [one["fact"]["value"] for one in history]

    story(told, mode, person)


@MODES
@pytest.mark.parametrize("person", [Person("decline"), Person("cancel"), Person(verdict="unknown"), Person(verdict=7)])
def test_no_verdict_leaves_it_contested_with_both_sides(mode: str, person: Person) -> None:
    async def told(ask: Any) -> None:
        first = await ask("ingest_claim", **desk("D-1"))
        reply = await ask("ingest_claim", **desk("D-2"))
        assert ("Contested", [first["claim_ref"]]) == (reply["disposition"], reply["contested_with"])
        assert 2 == len((await ask("list_contested"))["lines"][0]["sides"])

    story(told, mode, person)


@MODES
def test_a_client_that_cannot_ask_sees_the_contest(mode: str) -> None:
    async def told(ask: Any) -> None:
        await ask("ingest_claim", **desk("D-1"))
        assert "Contested" == (await ask("ingest_claim", **desk("D-2")))["disposition"]

    story(told, mode, None)


@MODES
def test_asking_can_be_turned_off(mode: str) -> None:
    person = Person(verdict="affirm")

    async def told(ask: Any) -> None:
        await ask("ingest_claim", **desk("D-1"))
        assert "Contested" == (await ask("ingest_claim", **desk("D-2")))["disposition"]

    story(told, mode, person, ask_about_contests=False)
    assert [] == person.asked


@MODES
def test_nobody_is_asked_where_nothing_is_contested(mode: str) -> None:
    person = Person(verdict="deny")

    async def told(ask: Any) -> None:
        await ask("ingest_claim", **desk("D-1"))
        await ask("ingest_claim", **desk("D-1", source="badge list"))
        await ask("ingest_claim", **desk("D-9", provenance="ModelDerived"))

    story(told, mode, person)
    assert [] == person.asked


def test_a_person_who_does_not_answer_in_time_holds_nobody_up() -> None:
    class Silent(Person):
        async def __call__(self, context: Any, params: ElicitRequestParams) -> ElicitResult:
            await anyio.sleep_forever()
            raise AssertionError

    async def told(ask: Any) -> None:
        await ask("ingest_claim", **desk("D-1"))
        assert "Contested" == (await ask("ingest_claim", **desk("D-2")))["disposition"]

    story(told, "legacy", Silent(), ask_seconds=0.05)


def test_a_client_that_fails_to_ask_leaves_it_contested() -> None:
    class Broken(Person):
        async def __call__(self, context: Any, params: ElicitRequestParams) -> ElicitResult:
            raise RuntimeError("there is no window to show it in")

    async def told(ask: Any) -> None:
        await ask("ingest_claim", **desk("D-1"))
        assert "Contested" == (await ask("ingest_claim", **desk("D-2")))["disposition"]

    story(told, "legacy", Broken())


@MODES
def test_a_cardinality_that_was_not_sent_is_not_disagreed_with(mode: str) -> None:
    async def told(ask: Any) -> None:
        speaks = {"subject": "Dora", "predicate": "speaks", "value": "Welsh", "provenance": "user asserted"}
        assert "notes" not in await ask("ingest_claim", **speaks)
        assert "notes" in await ask("ingest_claim", **{**speaks, "value": "Breton", "cardinality": "Functional"})

    story(told, mode, None)
