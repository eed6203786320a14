"""A move told in plain words is believed from then on, whatever the model takes the town for."""

import pytest
from tests.graph.claims.conftest import small

from hornbook.extraction.offline.spacy_extractor import SpacyExtractor


@pytest.mark.parametrize(
    "told", ["Nora moved to Bergen last month.", "Nora just moved to Bergen.", "Nora moved to Bergen."]
)
def test_a_move_succeeds_the_earlier_home(told: str) -> None:
    with small(extractor=SpacyExtractor()) as memory:
        memory.ingest("Nora lives in Oslo.", occurred_at="2024-01-01")
        memory.ingest(told, occurred_at="2024-09-01")
        assert "Bergen" == memory.believe("Nora", "lives_in").value
        assert "Oslo" == memory.believe("Nora", "lives_in", valid_at="2024-03").value
        assert () == memory.contested().lines
