"""A move told in plain words is believed from then on, whatever the model takes the town for."""

import pytest
from tests.graph.claims.conftest import small

from hornbook.extraction.candidate import Passage
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


PAIRS = """Lyon Ghent, Berlin Munich, Oslo Bergen, Paris London, Lisbon Porto, Vienna Graz, Lima Cusco, Kyoto Osaka,
Leeds York, Turin Milan, Bath Bristol, Boston Austin, Krakow Warsaw, Gdansk Riga, Tartu Tallinn, Basel Bern,
Utrecht Delft, Malmo Lund, Nairobi Mombasa, Aachen Bonn"""


@pytest.mark.parametrize("pair", PAIRS.replace("\n", " ").split(", "))
def test_from_one_town_to_another_names_two(pair: str) -> None:
    left, reached = pair.split()
    for told, who in (("I moved from {} to {} in March 2024.", "ana"), ("Eva moved from {} to {}.", "Eva")):
        found = SpacyExtractor().extract(Passage(told.format(left, reached), "ana"))
        said = {(one.subject, one.predicate, one.value, one.polarity.value) for one in found.candidates}

        assert (who, "lives_in", reached, "holds") in said
        assert said <= {(who, "lives_in", reached, "holds"), (who, "lives_in", left, "not")}
