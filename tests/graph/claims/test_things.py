"""Values that are things: what a predicate of places or people leads to has a node of its own."""

from hornbook.memory import Memory


def test_what_two_claims_lead_to_is_one_node(memory: Memory) -> None:
    for town in ("Munich", "Berlin"):
        memory.claim(town, "located_in", "Germany")
    led_to = [end for _, end, kind in memory.graph().edges(keys=True) if kind == "says"]
    germany = memory.entity("germany").entity
    assert [germany.id] * 2 == led_to
    assert "place" == germany.type


def test_what_leads_to_words_names_nothing(memory: Memory) -> None:
    memory.claim("Ana", "works_as", "nurse")
    memory.claim("Ana", "gate_code", "17b")
    assert ["Ana"] == [one["name"] for _, one in memory.graph().nodes(data=True) if one["kind"] == "entity"]


def test_the_range_of_an_own_predicate_counts_as_well(memory: Memory) -> None:
    memory.declare({"predicate": "rides", "cardinality": "SetValued", "range": "horse"})
    memory.claim("Ana", "rides", "Blesk")
    assert "horse" == memory.entity("Blesk").entity.type
