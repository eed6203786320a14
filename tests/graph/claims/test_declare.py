"""Declaring predicates, in Python and in TOML."""

import pytest

from hornbook.graph.errors import InvalidArgument
from hornbook.memory import Memory


def test_declaring_a_predicate_set_valued_settles_its_contests(memory: Memory) -> None:
    memory.claim("yard", "lock", "brass")
    memory.claim("yard", "lock", "steel")
    memory.declare({"predicate": "lock", "cardinality": "SetValued"})
    assert () == memory.contested().lines
    assert "Resolved" == memory.believe("yard", "lock").status


def test_toml_declares_several(memory: Memory) -> None:
    memory.declare('[gate_code]\nexact = true\ncardinality = "Functional"\n[tool]\ncardinality = "SetValued"\n')
    memory.claim("yard", "gate code", "aB")
    memory.claim("yard", "gate code", "ab")
    memory.claim("yard", "tool", "saw")
    memory.claim("yard", "tool", "axe")
    assert "Contested" == memory.believe("yard", "gate code").status
    assert "Resolved" == memory.believe("yard", "tool").status


def test_what_is_no_declaration_is_refused_and_nothing_is_recorded(memory: Memory) -> None:
    with pytest.raises(InvalidArgument):
        memory.declare({"predicate": "tool", "cardinality": "Several"})
    assert 0 == memory.stats()["events"]
