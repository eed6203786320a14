"""What rules derive, copied into the graph view: it is the derived view, goes with it, and leaves the rest alone."""

import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from tests.graph.histories import UNSHRUNK
from tests.graph.view.dump import dump, dump_rows
from tests.reasoning.test_memory_changes import RULES, Timed, beginnings, histories

from hornbook.graph.view import GraphView, derived, queries
from hornbook.graph.view.fold import folded
from hornbook.memory import Memory
from hornbook.reasoning.copied import conclusions, copy_into_view
from hornbook.reasoning.intervals import normal
from hornbook.reasoning.maintain import close
from hornbook.reasoning.relation import SPECIAL

KIN = "aunt(x, z) :- sister(x, y), son(y, z).\nkin(x, y) :- aunt(x, y)."
Pieces = dict[tuple[str, str], Any]


def view_of(memory: Memory) -> GraphView:
    assert memory._store._view is not None
    return memory._store._view


def shown(memory: Memory) -> bool:
    """Bring the copy up to date."""
    with memory._store.reading() as reading:
        return memory._show_derived(reading)


def in_graph(memory: Memory) -> Pieces:
    """What the graph holds, coalesced."""
    found = defaultdict(list)
    view = view_of(memory)
    if derived.copied_at(view) is not None:
        for since, until, data in view.rows("MATCH (d:Derived) RETURN d.since, d.until, d.data"):
            said = derived.parsed(data)
            found[said["predicate"], repr(tuple(said["terms"]))].append((since, until, said["uncertain"]))
    return {line: list(normal(pieces)) for line, pieces in found.items()}


def from_nothing(memory: Memory) -> Pieces:
    """What follows, evaluated from nothing."""
    with memory._store.reading() as reading:
        fresh = memory._derived.evaluated(reading, memory._derived.rules(reading), frozenset())
        try:
            found = defaultdict(list)
            for head in fresh.compiled.heads - set(SPECIAL):
                for one in fresh.result.derived(head):
                    found[head, repr(one.terms)].append((one.start, one.end, one.uncertain))
            return {line: list(normal(pieces)) for line, pieces in found.items()}
        finally:
            close(fresh.result)


def edges(memory: Memory) -> tuple[list[Any], list[Any]]:
    """The relations of the copy, and those that it should have."""
    view = view_of(memory)
    there = [("concludes", *row) for row in view.rows("MATCH (e:Entity)-[r:Concludes]->(d:Derived) RETURN e.id, d.id")]
    for table in derived.PREMISES:
        rows = view.rows(f"MATCH (d:Derived)-[r:Premise]->(o:{table}) RETURN d.id, o.id")
        there += [("premise", *row) for row in rows]
    with memory._store.reading() as reading, memory._derived.at(reading) as current:
        expected = conclusions(reading, current) or ()
    wanted = [("concludes", entity, one.id) for one in expected for entity in one.entities]
    wanted += [("premise", one.id, id_) for one in expected for _, id_ in one.premises]
    return sorted(there), sorted(wanted)


def projection(memory: Memory) -> tuple[Any, Any]:
    """The view without what was copied, and the journal folded."""
    with memory._store.reading() as reading:
        fresh = dump_rows(folded(reading.snapshot.events(0, reading.upto)))
    found = dump(view_of(memory))
    found["Meta"] = [row for row in found["Meta"] if row[0] != derived.MARK]
    return fresh, found


def copied_alike(first: list[Any], then: list[Any]) -> None:
    """Tell a memory a history, and compare after every deed."""
    timed = Timed()
    with timed.memory as memory:
        for deed in first:
            timed.act(deed)
        memory.rules(RULES)
        for deed in [("claim", "Ada", "follows", "Bo", {}), *then]:
            timed.act(deed)
            assert shown(memory)
            assert from_nothing(memory) == in_graph(memory), deed
            there, wanted = edges(memory)
            assert wanted == there, deed
        fresh, found = projection(memory)
        assert fresh == found


@settings(max_examples=5, deadline=None, phases=UNSHRUNK, suppress_health_check=[HealthCheck.too_slow])
@given(beginnings, histories)
def test_the_copy_is_what_follows(first: list[Any], then: list[Any]) -> None:
    copied_alike(first, then)


@pytest.mark.slow
@settings(max_examples=100, deadline=None, phases=UNSHRUNK, suppress_health_check=[HealthCheck.too_slow])
@given(beginnings, histories)
def test_the_copy_is_what_follows_over_many_histories(first: list[Any], then: list[Any]) -> None:
    copied_alike(first, then)


def family(where: str = ":memory:") -> Memory:
    memory = Memory.open(where, user="ana")
    memory.store("Ana grew up with Ben.", node_type="fact", subject="Ana", predicate="sister", value="Ben")
    memory.store("Tim came in the night of the storm.", node_type="fact", subject="Ben", predicate="son", value="Tim")
    memory.rules(KIN)
    return memory


def held_now(memory: Memory) -> set[str]:
    """The predicates that a walk from Ana finds something derived of."""
    with memory._store.reading() as reading:
        ana = [row.id for row in reading.bearers("ana")]
        walked = reading.ask(queries.walk, ana, (), reading.upto, at=reading.now, kinds=())
        said = dict(map(tuple, view_of(memory).rows("MATCH (d:Derived) RETURN d.id, d.data")))
        return {derived.parsed(said[id_])["predicate"] for id_ in walked.hops["derived"]}


def test_what_rests_on_a_claim_that_is_contested_is_withdrawn() -> None:
    with family() as memory:
        assert shown(memory)
        assert {"aunt", "kin"} == held_now(memory)
        memory.claim("Ben", "son", "Tom", speaker="ben")
        assert "Contested" == memory.believe("Ben", "son").status
        assert shown(memory)
        assert set() == held_now(memory)
        assert from_nothing(memory) == in_graph(memory)


def test_what_rests_on_a_claim_that_ended_holds_no_longer() -> None:
    with family() as memory:
        assert shown(memory)
        memory.end("Ben", "son", "2020")
        assert shown(memory)
        assert set() == held_now(memory)


def test_the_copy_goes_with_its_rule() -> None:
    with family() as memory:
        assert shown(memory)
        kin = next(rule.rule_id for rule in memory.list_rules() if rule.text.startswith("kin"))
        memory.remove_rule(kin)
        assert shown(memory)
        assert {"aunt"} == {predicate for predicate, _ in in_graph(memory)}
        for rule in memory.list_rules():
            memory.remove_rule(rule.rule_id)
        assert not shown(memory)
        assert {} == in_graph(memory)
        assert [] == view_of(memory).rows("MATCH (d:Derived) RETURN d.id")


def test_a_view_that_was_thrown_away_gets_its_copy_again() -> None:
    with family() as memory:
        assert shown(memory)
        before = in_graph(memory)
        memory._store.discard_view()
        assert shown(memory)
        assert before == in_graph(memory) != {}


def test_maintenance_ends_with_what_follows() -> None:
    with family() as memory:
        memory.organize(["promote"])
        assert {} == in_graph(memory)
        assert () == memory.organize(budget_ms=60_000).left
        assert {"aunt", "kin"} == held_now(memory)


def test_a_copy_that_changed_nothing_is_not_written_again() -> None:
    with family() as memory:
        assert shown(memory)
        memory.store("The ferry leaves at six.")
        with memory._store.reading() as reading, memory._derived.at(reading) as current:
            assert derived.Copied() == copy_into_view(reading, current)
            assert (reading.upto, current.version) == derived.copied_at(view_of(memory))


def test_where_too_much_follows_nothing_is_copied() -> None:
    with family() as memory:
        assert shown(memory)
        memory.claim("Ida", "sister", "Ben")
        with memory._store.reading() as reading, memory._derived.at(reading) as current:
            assert copy_into_view(reading, current, most=1) is None
        assert {} == in_graph(memory)
        assert memory.ask('kin("Ana", x)').rows


def test_many_conclusions_come_and_go_in_bulk() -> None:
    with Memory.open(":memory:", user="ana") as memory:
        for number in range(20):
            memory.claim(f"n{number}", "follows", f"n{number + 1}", valid_from="2020")
        memory.rules("knows(x, y) :- follows(x, y).\nknows(x, z) :- knows(x, y), follows(y, z).")
        assert shown(memory)
        assert 210 == len(in_graph(memory))
        there, wanted = edges(memory)
        assert wanted == there
        memory.claim("n10", "follows", "n11", polarity="not", speaker="ben")
        assert shown(memory)
        assert from_nothing(memory) == in_graph(memory)
        there, wanted = edges(memory)
        assert wanted == there


def test_a_question_finds_the_texts_behind_what_follows() -> None:
    with family() as memory:
        found = {hit.content: hit.why for hit in memory.search("What do you know about Ana?").hits}
        assert "graph" in found["Tim came in the night of the storm."]


def test_a_context_tells_what_follows_as_such() -> None:
    with family() as memory:
        text = memory.context("Who is Ana an aunt of?").text
        assert "- Ana aunt: Tim (follows by rule)" in text
        assert "- Ana sister: Ben" in text
        assert "follows by rule" not in memory.context("Who is Ana an aunt of?", scope="personal").text


def test_the_graph_has_what_follows_with_its_premises() -> None:
    with family() as memory:
        graph = memory.graph()
        kinds = {data["predicate"]: id_ for id_, data in graph.nodes(data=True) if data["kind"] == "derived"}
        premises = {graph.nodes[target]["kind"] for _, target, _ in graph.out_edges(kinds["aunt"], keys=True)}
        assert {"claim"} == premises
        assert kinds["aunt"] in graph.successors(kinds["kin"])
        assert 2 == graph.graph["derived"]


def test_a_reading_of_the_past_sees_no_copy_of_now() -> None:
    with family() as memory:
        with memory._store.reading() as reading:
            then = reading.known_at(reading.upto)
        memory.claim("Ida", "sister", "Ben")
        assert shown(memory)
        with memory._store.reading(then) as reading:
            assert not memory._show_derived(reading)
            ana = [row.id for row in reading.bearers("ana")]
            walked = reading.ask(queries.walk, ana, (), reading.upto, at=reading.now, kinds=())
            assert {} == walked.hops["derived"]


OTHER = """
import sys
from hornbook.memory import Memory
with Memory.open(sys.argv[1], user="ana") as memory:
    assert "follows by rule" in memory.context("Who is Ana an aunt of?").text
    memory.claim("Ben", "son", "Tom", speaker="ben")
"""


def test_each_process_has_its_own_copy(tmp_path: Path) -> None:
    where = str(tmp_path / "ana.hornbook")
    with family(where) as memory:
        assert shown(memory)
        subprocess.run([sys.executable, "-c", OTHER, where], check=True, timeout=120)
        assert shown(memory)
        assert set() == held_now(memory)
        assert from_nothing(memory) == in_graph(memory)
