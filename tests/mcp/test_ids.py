"""Every id that a reply names is taken by the tools that ask for one."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mcp import Client
from tests.mcp.test_round_trip import Ask, story

ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")  # conclusions have another version
CONCLUDED = re.compile(ID.pattern.replace("-7", "-5"))
LINE = {"subject": "Ben", "predicate": "lives_in"}


def texts(reply: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a reply with the key it stands under."""
    if isinstance(reply, dict):
        for name, part in reply.items():
            yield from texts(part, name)
    elif isinstance(reply, list):
        for part in reply:
            yield from texts(part, key)
    elif isinstance(reply, str):
        yield key, reply


async def told_of_ben(ask: Ask) -> list[dict[str, Any]]:
    """A life in a few calls: texts, memories, claims of all kinds, a contest, a rule; what was answered."""
    claim = {**LINE, "provenance": "External:UserAsserted"}
    replies = [
        await ask("memory_store", content="The spare key is under the blue pot.", session_id="s"),
        await ask("memory_store", content="Ben plays the oboe.", node_type="fact", **LINE | {"value": "Oslo"}),
        await ask("memory_ingest", content="I moved from Berlin to Munich. My sister Cleo lives in Rome."),
        await ask("ingest_claim", **claim, value="Rome", source="post"),
        await ask("ingest_claim", subject="Ben", predicate="owns", value="a mill", provenance="ModelDerived"),
        await ask(
            "ingest_claim", subject="Rome", predicate="located_in", value="Italy", provenance=claim["provenance"]
        ),
        await ask("add_rules", text="lives_in_country(x, c) :- lives_in(x, y), located_in(y, c)."),
    ]
    ref = replies[4]["claim_ref"]
    return [
        *replies,
        await ask(
            "ingest_claim", subject="Ben", predicate="is", value="rich", provenance="ModelDerived", derived_from=[ref]
        ),
        await ask("memory_retrieve", query="Where does Ben live, and who plays the oboe?"),
        await ask("memory_retrieve", query="Where is the spare key?"),
        await ask("memory_retrieve", query="Munich, Berlin, Rome"),
        await ask("memory_context", query="Where does Ben live?"),
        await ask("query_memory", **LINE, history=True),
        await ask("query_memory", subject="Ben"),
        await ask("query_memory", subject="Cleo"),
        await ask("query_memory", subject="Cleo", predicate="lives_in_country"),
        await ask("list_contested"),
        await ask("audit", limit=50),
        await ask("ask", query="lives_in_country(x, c)"),
        await ask("why", fact='lives_in_country("Cleo", "Italy")'),
    ]


def test_what_a_reply_names_can_be_read(tmp_path: Path) -> None:
    async def told(ask: Ask, client: Client) -> None:
        replies = await told_of_ben(ask)
        named = {(key, id_) for key, text in texts(replies) for id_ in ID.findall(text) if "cursor" not in key}
        assert {"node_id", "event_id", "claim_ref"} <= {key for key, _ in named}
        unread = []
        for key, id_ in sorted(named):
            node = await client.call_tool("memory_get_node", {"node_id": id_})
            if node.is_error or (node.structured_content or {})["node_id"] != id_:
                unread.append((key, id_))
        # an entry of the ledger is named to tell it from the next; no tool asks for one
        assert {"entry_id"} == {key for key, _ in unread}
        for id_ in sorted({id_ for key, id_ in named if key == "claim_ref"}):
            assert (await ask("audit", claim_ref=id_))["entries"]
            assert await ask("why", fact=id_)
        found = [(key, id_) for key, text in texts(replies) for id_ in CONCLUDED.findall(text)]
        concluded = {id_ for key, id_ in found if key == "claim_ref"}
        assert concluded
        for id_ in sorted(concluded):
            assert await ask("why", fact=id_)
        for id_ in sorted({id_ for key, id_ in found if key == "rule_id"}):
            assert await ask("remove_rule", rule_id=id_)

    story(tmp_path, told)
