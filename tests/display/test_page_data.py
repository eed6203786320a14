"""What a page carries: at every position of its two clocks what the memory itself says there, and nothing more."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.graph.histories import UNSHRUNK

from hornbook.display.page.layout import places
from hornbook.graph.clock import rfc3339, ticking
from hornbook.graph.errors import HornbookError, InvalidArgument, NotFound
from hornbook.memory import Memory

Side = tuple[str, str, str, bool, str, bool]  # subject, predicate, value, denied, role, whether it is sure


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory.open(":memory:", user="ana", clock=ticking()) as memory:
        yield memory


def at_position(data: dict[str, Any], valid: int, known: int) -> dict[tuple[str, str], tuple[str, set[Side]]]:
    """What a page shows at a position: the status of each line and its sides, as the page's script reads them."""
    found = {}
    for line in data["lines"]:
        for known0, known1, valid0, valid1, status, shown in line["pieces"]:
            if known0 <= known < known1 and valid0 <= valid < valid1:
                key = data["nodes"][line["node"]]["name"], line["predicate"]
                assert key not in found, "two pieces of one line overlap"
                found[key] = status, {_side(data, *one[:2]) for one in shown}
    return found


def _side(data: dict[str, Any], arrow: int, role: str) -> Side:
    said = data["arrows"][arrow]
    source, target = (data["nodes"][said[end]]["name"] for end in ("from", "to"))
    return source, said["label"], target, said["not"], role[0], not role.endswith("?")


def believed(memory: Memory, valid: str, known: str) -> dict[tuple[str, str], tuple[str, set[Side]]]:
    """What the memory itself says at an instant: the oracle. Members of a set are told from what is beside them."""
    found = {}
    for id_, entity in entities(memory, known).items():
        if entity["merged_into"]:
            continue
        for answer in memory.believe(id_, valid_at=valid, knowledge_at=known):
            if answer.belief.slots:
                sides = {_told(slot, slot is answer.primary) for slot in answer.belief.slots}
                found[entity["name"], answer.predicate] = answer.status, sides
    return found


def entities(memory: Memory, known: str) -> dict[str, dict[str, Any]]:
    """The entities that were known."""
    return {id_: one for id_, one in memory.graph(knowledge_at=known).nodes(data=True) if one["kind"] == "entity"}


def _told(slot: Any, primary: bool) -> Side:
    ends = (str(slot.value), str(slot.subject)) if slot.held.mirrored else (str(slot.subject), str(slot.value))
    role = "c" if slot.contested else "p" if primary else "-"
    return ends[0], slot.held.claim.predicate, ends[1], slot.polarity.value == "not", role, not slot.timing_uncertain


def merged(memory: Memory, known: str) -> dict[str, str]:
    """What each entity is called that was merged into another: a claim keeps the name it was said with."""
    every, names = entities(memory, known), {}
    for entity in every.values():
        name = entity["name"]
        while entity["merged_into"]:
            entity = every[entity["merged_into"]]
        names[name] = entity["name"]
    return names


def coarse(
    found: dict[tuple[str, str], tuple[str, set[Side]]], names: dict[str, str]
) -> dict[tuple[str, str], tuple[str, set[Side]]]:
    """Without what `believe` does not tell (which of the others are believed too), and with one name for an entity."""
    return {key: (status, {_coarse(side, names) for side in sides}) for key, (status, sides) in found.items()}


def _coarse(side: Side, names: dict[str, str]) -> Side:
    source, label, target, denied, role, sure = side
    return names.get(source, source), label, names.get(target, target), denied, role if role in "cp" else "-", sure


def instants(stops: list[dict[str, Any]]) -> list[str]:
    """The stops as the memory takes them."""
    return [rfc3339(round(one["at"] * 1_000)) for one in stops]


def same_everywhere(memory: Memory, step: int = 1) -> int:
    """Compare the page with the memory at every pair of stops, or each so many valid ones; how many were looked at."""
    data = memory.show().data
    valid, known = instants(data["valid"]["stops"]), instants(data["known"]["stops"])
    json.dumps(data, allow_nan=False)
    positions = list(enumerate(["0001-01-01T00:00:00Z", *valid]))[::-step]
    for position, at in positions:
        for then, upto in enumerate(known, 1):
            names = merged(memory, upto)
            shown = coarse(at_position(data, position, then), names)
            assert coarse(believed(memory, at, upto), names) == shown, (at, upto)
    return len(positions) * len(known)


def test_a_page_shows_at_every_position_what_the_memory_says_there(memory: Memory) -> None:
    memory.claim("Ana", "lives_in", "Berlin", valid_from="2020", speaker="Ana", evidence="I live in Berlin.")
    memory.claim("Ana", "lives_in", "Munich", valid_from="2021-06", speaker="Ben")
    memory.claim("Ana", "works_for", "Acme", valid_from="2019", valid_to="2022")
    memory.claim("Ana", "married_to", "Ben", valid_from="2018", speaker="Eva")
    memory.claim("Eva", "lives_in", "Oslo", occurred_at="2024-02-19", speaker="Ana")
    memory.claim("Eva", "likes", "tea", polarity="not")
    memory.claim("Eva", "likes", "long walks", mood="possible")
    memory.claim("Ana", "likes", "rain", provenance="ModelDerived")
    memory.resolve("Ana", "lives_in", "winner", winner="Munich", reason="she said so")
    memory.end("Ana", "lives_in", "2027")

    assert same_everywhere(memory) > 50


def test_a_merge_is_seen_from_when_it_became_known(memory: Memory) -> None:
    memory.claim("Ana", "likes", "tea", cardinality="SetValued")
    memory.claim("Annie", "likes", "rain", cardinality="SetValued")
    memory.claim("Ben", "knows", "Annie", cardinality="SetValued")
    merged = memory.merge("Ana", "Annie", reason="a nickname")
    memory.part(merged.merge_id, reason="no, her cousin")
    data = memory.show().data

    shown = [sorted(key[0] for key in at_position(data, len(data["valid"]["stops"]), known)) for known in range(6)]
    assert [[], ["Ana"], ["Ana", "Annie"], ["Ana", "Annie", "Ben"], ["Ana", "Ben"], ["Ana", "Annie", "Ben"]] == shown


def test_members_of_a_set_are_believed_and_what_is_only_possible_is_not(memory: Memory) -> None:
    memory.declare({"predicate": "speaks", "cardinality": "SetValued"})
    memory.claim("Ana", "speaks", "German", valid_from="2000")
    memory.claim("Ana", "speaks", "Polish", valid_from="2010")
    memory.claim("Ana", "speaks", "Basque", mood="planned")
    data = memory.show().data

    _, sides = at_position(data, data["valid"]["start"], data["known"]["start"])["Ana", "speaks"]
    assert {("German", "b"), ("Polish", "p"), ("Basque", "o")} == {(side[2], side[4]) for side in sides}


def test_what_rules_derive_is_drawn_with_its_rule_and_its_premises(memory: Memory) -> None:
    memory.claim("Ana", "sister", "Ben", valid_from="2010", evidence="Ben is my brother.")
    memory.claim("Ben", "son", "Tim", valid_from="2015")
    memory.rules("aunt(x, z) :- sister(x, y), son(y, z).")
    data = memory.show("Ana").data

    (arrow,) = (one for one in data["arrows"] if one["label"] == "aunt")
    assert "aunt(x, z) :- sister(x, y), son(y, z)." == arrow["rule"]
    (claim,) = (one for one in data["claims"] if one["predicate"] == "aunt")
    assert {("Ana", "Ben"), ("Ben", "Tim")} == {
        (data["claims"][one]["subject"], data["claims"][one]["value"]) for one in claim["premises"]
    }
    first = at_position(data, 1, data["known"]["start"])
    later = at_position(data, 2, data["known"]["start"])
    assert ("Ana", "aunt") not in first and "Resolved" == later["Ana", "aunt"][0]
    for valid in ("2012", "2016"):
        answer = memory.believe("Ana", "aunt", valid_at=valid)
        assert bool(answer.belief.slots) == (valid == "2016")


def test_what_rules_derived_is_there_from_when_it_was_known_and_goes_with_its_rule(memory: Memory) -> None:
    memory.claim("Ana", "sister", "Ben", valid_from="2010")
    memory.rules("aunt(x, z) :- sister(x, y), son(y, z).\nbrave(x, y) :- aunt(x, y).")
    memory.claim("Ben", "son", "Tim", valid_from="2015")
    memory.claim("Ana", "aunt", "Zoe", valid_from="2016", cardinality="SetValued")
    memory.claim("Ben", "son", "Tom", valid_from="2020", valid_to="2022", intent="update")
    memory.remove_rule(memory.list_rules()[1].rule_id)

    assert same_everywhere(memory, step=2) >= 18  # each look of the memory at its past evaluates the rules anew
    labels = [one["label"] for one in memory.show().data["arrows"]]
    assert {"aunt", "brave", "son", "sister"} == set(labels)


def test_a_broken_denial_is_drawn_as_a_contest(memory: Memory) -> None:
    memory.claim("Ana", "born_on", "2001-01-01")
    memory.claim("Ana", "parent_of", "Ana")
    memory.rules(":- parent_of(x, x).")
    data = memory.show().data

    status, sides = at_position(data, data["valid"]["start"], data["known"]["start"])["Ana", "parent_of"]
    assert "Contested" == status == memory.believe("Ana", "parent_of").status
    assert {"c"} == {side[4] for side in sides}


def test_nothing_that_became_known_later_is_in_a_page_of_the_past(memory: Memory) -> None:
    memory.claim("Ana", "lives_in", "Berlin", valid_from="2020")
    known = memory.history("Ana")[0].as_dict()["recorded_at"]
    memory.claim("Ana", "secret", "xyzzy")
    page = memory.show(knowledge_at=known)

    assert "xyzzy" not in page.html and ["Ana", "Berlin"] == [node["name"] for node in page.data["nodes"]]


def test_a_page_around_an_entity_holds_what_is_within_reach_at_any_time(memory: Memory) -> None:
    memory.claim("Ana", "works_for", "Acme", valid_from="2019", valid_to="2020")
    memory.claim("Acme", "based_in", "Oslo")
    memory.claim("Oslo", "capital_of", "Norway")
    data = memory.show("ana", 2, valid_at="2023").data

    assert {"Ana", "Acme", "Oslo"} == {node["name"] for node in data["nodes"]}
    assert "Ana" == data["nodes"][data["centre"]]["name"] and 2 == data["depth"]


def test_a_page_around_an_entity_shows_what_the_whole_one_shows_there(memory: Memory) -> None:
    for number in range(14):
        memory.claim(
            f"P{number}", "knows", f"P{number * 5 % 11}", cardinality="SetValued", valid_from=f"20{10 + number}"
        )
    memory.merge("P3", "P4", reason="the same")
    memory.claim("P3", "likes", "tea")
    whole, part = memory.show().data, memory.show("P4", 1).data

    assert {"P3"} < {node["name"] for node in part["nodes"]} < {node["name"] for node in whole["nodes"]}
    wanted, near = _arrows(whole), {node["id"] for node in part["nodes"]}
    assert {arrow for arrow in wanted if {arrow[0], arrow[2]} <= near} == _arrows(part)


def _arrows(data: dict[str, Any]) -> set[tuple[str, str, str]]:
    ids = [node["id"] for node in data["nodes"]]
    return {(ids[one["from"]], one["label"], ids[one["to"]]) for one in data["arrows"]}


def test_a_page_that_leaves_nodes_out_says_so(memory: Memory) -> None:
    for number in range(6):
        memory.claim("Ana", "knows", f"P{number}", cardinality="SetValued")
    page = memory.show(most=3)

    assert 3 == len(page.data["nodes"]) and 7 == page.data["total"]
    assert "3 of 7 nodes are drawn" in page.data["notes"][0]


def test_a_line_of_which_too_much_was_said_is_drawn_as_it_was_known_lately_and_the_page_says_so(memory: Memory) -> None:
    for number in range(90):
        memory.claim("Bo", "lives_in", f"Town {number}", source=f"letter {number}")
    data = memory.show().data
    (line,) = data["lines"]
    assert "one line is said so much of" in data["notes"][0]
    assert 90 == len(
        {side[0] for piece in line["pieces"] if piece[1] >= len(data["known"]["stops"]) for side in piece[5]}
    )
    assert 0 < min(piece[0] for piece in line["pieces"]) < len(data["known"]["stops"])


def test_such_a_line_is_bounded_too_where_rules_speak_of_it(memory: Memory) -> None:
    memory.rules("lives_in(x, y) :- moved_to(x, y).")
    memory.claim("Bo", "moved_to", "Ulm")
    for number in range(90):
        memory.claim("Bo", "lives_in", f"Town {number}", source=f"letter {number}")
    data = memory.show().data
    assert "one line is said so much of" in data["notes"][0]
    (line,) = (one for one in data["lines"] if one["predicate"] == "lives_in")
    assert len(data["known"]["stops"]) - 20 < min(piece[0] for piece in line["pieces"]) < len(data["known"]["stops"])


def test_an_empty_memory_is_a_page_too(memory: Memory) -> None:
    data = memory.show().data

    assert [] == data["nodes"] == data["lines"] and 0 == data["known"]["start"]


def test_the_same_memory_gives_the_same_page(memory: Memory) -> None:
    memory.claim("Ana", "lives_in", "Berlin", valid_from="2020")
    memory.claim("Ana", "knows", "Ben")

    assert memory.show(valid_at="2023").html == memory.show(valid_at="2023").html


@pytest.mark.parametrize("wrong", [{"depth": 0}, {"depth": 99}, {"most": 10_001}, {"most": 0}, {"around": ""}])
def test_a_page_that_cannot_be_names_what_is_wrong(memory: Memory, wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidArgument):
        memory.show(**wrong)
    with pytest.raises(NotFound):
        memory.show("Nobody")


SAID = st.tuples(
    st.sampled_from(["Ana", "Ben", "Eva"]),
    st.sampled_from(["lives_in", "likes", "married_to", "visited", "boss"]),
    st.sampled_from(["Berlin", "Ben", "Ana", "tea", 7]),
    st.fixed_dictionaries(
        {},
        optional={
            "valid_from": st.sampled_from(["2019", "2020-03", "2021-06-15"]),
            "valid_to": st.sampled_from(["2020", "2022-05"]),
            "valid_time_confidence": st.sampled_from([0.5, 0.9]),
            "occurred_at": st.sampled_from(["2020-01-01", "2023-07-01"]),
            "polarity": st.sampled_from(["holds", "not"]),
            "mood": st.sampled_from(["asserted", "planned"]),
            "provenance": st.sampled_from(["External:UserAsserted", "ModelDerived"]),
            "confidence": st.sampled_from([0.1, 0.9]),
            "intent": st.sampled_from(["state", "update"]),
            "speaker": st.sampled_from(["Ana", "Ben"]),
            "cardinality": st.sampled_from(["Functional", "SetValued"]),
        },
    ),
)
DONE = st.one_of(
    SAID.map(lambda said: ("claim", said)),
    st.tuples(st.just("resolve"), st.sampled_from(["Ana", "Ben"]), st.sampled_from(["all", "none"])),
    st.tuples(st.just("end"), st.sampled_from(["Ana", "Ben"]), st.sampled_from(["2021", "2024"])),
    st.tuples(st.just("merge"), st.sampled_from(["Ana", "Ben"]), st.sampled_from(["Eva", "Ben"])),
)


def do(memory: Memory, what: Any) -> None:
    """One step of a history; what the memory refuses is no step."""
    try:
        if what[0] == "claim":
            memory.claim(*what[1][:3], **what[1][3])
        elif what[0] == "resolve":
            memory.resolve(what[1], "lives_in", what[2], reason="it was settled")
        elif what[0] == "end":
            memory.end(what[1], "lives_in", what[2])
        else:
            memory.merge(what[1], what[2], reason="the same")
    except HornbookError:
        pass  # nothing was written


@given(st.lists(DONE, min_size=1, max_size=7))
@settings(max_examples=20, deadline=None, phases=UNSHRUNK)
def test_pages_of_random_histories_agree_with_the_memory_everywhere(history: list[Any]) -> None:
    with Memory.open(":memory:", user="ana", clock=ticking()) as memory:
        for what in history:
            do(memory, what)
        if memory.show().data["lines"]:
            assert same_everywhere(memory)


@given(st.integers(0, 40), st.randoms(use_true_random=False))
@settings(max_examples=20, deadline=None)
def test_nodes_stand_apart_and_always_at_the_same_places(count: int, random: Any) -> None:
    ends = [(random.randrange(count), random.randrange(count)) for _ in range(count)] if count else []
    found = places(count, ends)

    assert found == places(count, ends) and len(set(found)) == count
    assert all(abs(complex(*one) - complex(*other)) > 20 for at, one in enumerate(found) for other in found[:at])
