"""Merging entities: lines come together and are gated; parting takes everything back."""

import pytest

from hornbook.graph.errors import Conflict, NotFound
from hornbook.memory import Memory


def values(memory: Memory, subject: str, predicate: str, **when: str) -> set[object]:
    belief = memory.believe(subject, predicate, **when).belief
    return {slot.value for slot in belief.slots}


def test_an_alias_makes_two_names_one_subject_from_then_on(memory: Memory) -> None:
    memory.claim("New York City", "mayor", "Rosa Lind", valid_from="2024")
    memory.alias("New York City", "NYC")
    assert "Rosa Lind" == memory.believe("nyc", "mayor").value


def test_merging_two_entities_brings_their_contradiction_to_light(memory: Memory) -> None:
    memory.claim("NYC", "mayor", "Rosa Lind", valid_from="2024")
    memory.claim("New York City", "mayor", "Theo Park", valid_from="2024")
    before = memory.believe("NYC", "mayor").as_known
    memory.merge("New York City", "NYC", reason="one city")
    assert "Contested" == memory.believe("NYC", "mayor").status
    assert 1 == len(memory.contested().lines)
    assert "Rosa Lind" == memory.believe("NYC", "mayor", knowledge_at=before).value
    assert "Theo Park" == memory.believe("New York City", "mayor", knowledge_at=before).value


def test_parting_takes_the_lines_apart_again_with_what_was_said_since(memory: Memory) -> None:
    memory.claim("NYC", "mayor", "Rosa Lind", valid_from="2024")
    memory.claim("New York City", "mayor", "Theo Park", valid_from="2024")
    merged = memory.merge("New York City", "NYC", reason="one city")
    memory.claim("NYC", "anthem", "Harbour Song")
    memory.part(merged.merge_id, reason="they are not")
    assert "Rosa Lind" == memory.believe("NYC", "mayor").value
    assert "Theo Park" == memory.believe("New York City", "mayor").value
    assert "Harbour Song" == memory.believe("NYC", "anthem").value
    assert None is memory.believe("New York City", "anthem").value
    assert () == memory.contested().lines


def test_a_value_that_names_a_merged_entity_is_the_same_value(memory: Memory) -> None:
    memory.claim("NYC", "founded_in", 1624)
    memory.claim("New York City", "motto", "Excelsior")
    memory.claim("ana", "lives_in", "NYC", valid_from="2024", source="letter")
    memory.claim("ana", "lives_in", "New York City", valid_from="2024", source="phone call")
    assert "Contested" == memory.believe("ana", "lives_in").status
    memory.merge("New York City", "NYC", reason="one city")
    belief = memory.believe("ana", "lives_in")
    assert "Resolved" == belief.status
    assert 1 == belief.primary.corroboration_count


def test_a_merge_is_undone_once(memory: Memory) -> None:
    memory.claim("NYC", "mayor", "Rosa Lind")
    memory.claim("New York City", "mayor", "Rosa Lind")
    merged = memory.merge("New York City", "NYC", reason="one city")
    memory.part(merged.merge_id, reason="no")
    with pytest.raises(Conflict):
        memory.part(merged.merge_id, reason="no")


def test_what_is_not_there_or_one_already_cannot_be_merged(memory: Memory) -> None:
    memory.claim("NYC", "mayor", "Rosa Lind")
    with pytest.raises(NotFound) as caught:
        memory.merge("NYC", "Gotham", reason="one city")
    assert "merged" == caught.value.field
    with pytest.raises(Conflict):
        memory.merge("NYC", "nyc", reason="one city")


def test_a_merged_subject_is_the_same_value_where_it_is_seen_from_the_other_end(memory: Memory) -> None:
    memory.claim("Ada", "married_to", "Bo", source="a letter")
    memory.claim("Cyn", "married_to", "Ada", source="a phone call")
    assert "Contested" == memory.believe("Ada", "married_to").status
    merged = memory.merge("Bo", "Cyn", reason="one person")
    assert () == memory.contested().lines
    assert "Contested" != memory.believe("Ada", "married_to").status
    memory.part(merged.merge_id, reason="they are two")
    assert "Contested" == memory.believe("Ada", "married_to").status


def test_one_who_was_said_to_be_married_to_herself_says_the_entity_that_she_became(memory: Memory) -> None:
    memory.claim("Ada", "married_to", "Ada", source="a letter")
    memory.claim("Ada", "married_to", "Bo", source="a phone call")
    memory.merge("Bo", "Ada", reason="one person")
    assert () == memory.contested().lines
    memory.claim("Ada", "married_to", "Cyn", source="a card")
    memory.claim("Cyn", "married_to", "Ada", source="a register")
    assert "Contested" == memory.believe("Bo", "married_to").status
    cyn = memory.believe("Cyn", "married_to").belief
    assert 1 == len({slot.held.value_key for slot in cyn.slots})


def test_a_value_is_the_same_after_two_merges_in_a_row(memory: Memory) -> None:
    memory.claim("NYC", "founded_in", 1624)
    memory.claim("New York City", "motto", "Excelsior")
    memory.claim("Big Apple", "mayor", "Rosa Lind")
    memory.claim("ana", "lives_in", "NYC", valid_from="2024", source="letter")
    memory.merge("New York City", "NYC", reason="one city")
    memory.merge("Big Apple", "New York City", reason="one city")
    memory.claim("ana", "lives_in", "Big Apple", valid_from="2024", source="phone call")
    assert () == memory.contested().lines
    assert 1 == memory.believe("ana", "lives_in").primary.corroboration_count


def test_the_name_that_a_subject_had_before_is_no_other_value_at_the_other_end(memory: Memory) -> None:
    memory.claim("Ada", "born_in", "Oslo")
    memory.claim("Adele", "born_in", "Oslo")
    merged = memory.merge("Adele", "Ada", reason="one person")
    memory.claim("Ada", "married_to", "Cyn", source="a letter")
    memory.claim("Cyn", "married_to", "Adele", source="a card")
    assert () == memory.contested().lines
    memory.part(merged.merge_id, reason="they are two")
    assert {"Ada", "Adele"} == {slot.value for slot in memory.believe("Cyn", "married_to").belief.slots}
    assert "Cyn" == memory.believe("Ada", "married_to").value


def test_of_two_merges_in_a_row_the_later_is_undone_first(memory: Memory) -> None:
    said = {"Ada": "tea", "Bo": "coffee", "Cyn": "milk"}
    for name, drink in said.items():
        memory.claim(name, "likes", drink)
    inner = memory.merge("Ada", "Bo", reason="one person")
    outer = memory.merge("Cyn", "Ada", reason="one person")
    with pytest.raises(Conflict, match="Ada was itself merged"):
        memory.part(inner.merge_id, reason="they are two")
    for merge in (outer, inner):
        memory.part(merge.merge_id, reason="they are two")
    assert [{drink} for drink in said.values()] == [values(memory, name, "likes") for name in said]
