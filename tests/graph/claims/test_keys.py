"""What is one name, and what is one value: texts that look alike, and dates however they are worded."""

import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.graph.claims.conftest import letters, small

from hornbook.extraction.candidate import Candidate, Extraction
from hornbook.extraction.scripted import ScriptedExtractor
from hornbook.graph.belief.codec import claim_to_json, state_to_json
from hornbook.graph.belief.state import ClaimState
from hornbook.graph.claim import Claim, Disposition, Provenance
from hornbook.graph.clock import ticking
from hornbook.graph.errors import InvalidArgument
from hornbook.graph.events import KINDS, Actor, Vocabulary
from hornbook.graph.ids import new_id
from hornbook.graph.interval import Interval
from hornbook.graph.journal import Journal
from hornbook.graph.names import name_key, value_key
from hornbook.graph.rekeyed import REKEYED
from hornbook.graph.retrieval.embed import CallableEmbedder
from hornbook.memory import Memory
from hornbook.opening import journal_path

UNSEEN = "\u200b\u2060\ufeff\u202e\u2066\u2069\u00ad\x00\x7f\ufe0f\u034f\u200d"
ENGLAND, SCOTLAND = ("".join(chr(0xE0000 + ord(letter)) for letter in name) for name in ("gbeng", "gbsct"))
END = "\U000e007f"


def test_a_character_that_shows_nothing_makes_no_other_name() -> None:
    assert {"ana"} == {name_key(f"A{hidden}na") for hidden in UNSEEN}
    assert {value_key("Ana", exact=True)} == {value_key(f"{hidden}Ana", exact=True) for hidden in UNSEEN}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("\u0646\u0627\u0645\u200c\u0647\u0627\u06cc", "\u0646\u0627\u0645\u0647\u0627\u06cc"),  # a non-joiner
        ("क\u094d\u200dष", "क\u094dष"),  # a consonant's half form, and the two as one sign
        ("👩\u200d🚒", "👩🚒"),
        ("🏴" + ENGLAND + END, "🏴" + SCOTLAND + END),
        ("10²", "102"),  # compatibility forms stay apart
    ],
)  # fmt: skip
def test_what_is_seen_makes_another_name(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


def test_a_non_joiner_after_a_letter_that_never_joins_is_not_seen() -> None:
    assert name_key("\u06a9\u0627\u0631\u062e\u0627\u0646\u0647") == name_key(
        "\u06a9\u0627\u0631\u200c\u062e\u0627\u0646\u0647"
    )


TEXTS = st.text(
    st.one_of(st.characters(codec="utf-8"), st.sampled_from("\u200b\u200c\u200d\u202eaA\u0627 नक्\u094d👩🏽🚒"))
)


@given(TEXTS)
@settings(max_examples=50, deadline=None)
def test_a_key_is_its_own_key_and_that_of_every_normal_form(text: str) -> None:
    key = name_key(text)
    assert key == name_key(key)
    assert {key} == {name_key(unicodedata.normalize(form, text)) for form in ("NFC", "NFD")}


def test_a_name_is_found_however_it_was_pasted(memory: Memory) -> None:
    memory.claim("A\u200bna", "lives_in", "Oslo\u00ad")
    assert ("Oslo\u00ad", 1) == (memory.believe("Ana", "lives_in").value, len(memory.history("ana\u202c", "lives_in")))
    assert "CommittedCheap" == memory.claim("Ana", "lives_in", "Oslo").disposition.value
    assert 2 == memory.believe("ana", "lives_in").primary.evidence_count


@pytest.mark.parametrize("blank", ["", "  ", "\u200b", "\u202e\x00"])
@pytest.mark.parametrize("field", ["subject", "predicate", "value"])
def test_what_shows_nothing_is_blank_and_refused(memory: Memory, field: str, blank: str) -> None:
    said = {"subject": "Ana", "predicate": "lives_in", "value": "Oslo", field: blank}
    with pytest.raises(InvalidArgument) as refused:
        memory.claim(said["subject"], said["predicate"], said["value"])
    assert field == refused.value.field
    assert () == memory.history("Ana")


@pytest.mark.parametrize("field", ["subject", "predicate", "value"])
def test_a_blank_that_an_extractor_hands_in_is_told_as_failed_and_nothing_else_is_lost(field: str) -> None:
    said = {"subject": "user", "predicate": "lives_in", "value": "Oslo"}
    good, blank = (
        Candidate(one["subject"], one["predicate"], one["value"], "Oslo") for one in (said, {**said, field: "\u200b"})
    )
    script = {"Oslo": Extraction(candidates=(blank, good))}
    with small(extractor=ScriptedExtractor(script)) as memory:
        told = memory.ingest("Oslo").as_dict()
        assert [field] == [failed["field"] for failed in told["failed"]]
        assert (1, "Oslo") == (len(told["claims"]), memory.believe("ana", "lives_in").value)


# dates


def test_a_date_is_one_value_however_it_is_worded(memory: Memory) -> None:
    for number, worded in enumerate(("1990-02-28", "28 February 1990", "Feb 28, 1990", "28th of february 1990")):
        outcome = memory.claim("Ana", "born_on", worded, source=f"source {number}")
        assert ("CommittedCheap", ()) == (outcome.disposition.value, outcome.contested_with)
    primary = memory.believe("Ana", "born_on").primary
    assert (4, 3) == (primary.evidence_count, primary.corroboration_count)
    assert memory.end("Ana", "born_on", at="2100", value="1990/02/28").at is not None


@given(st.permutations(["1990", "1990-02", "28 February 1990"]))
@settings(max_examples=6, deadline=None)
def test_a_year_that_holds_the_day_corroborates_it_and_the_day_is_shown(told: list[str]) -> None:
    with small() as memory:
        dispositions = {memory.claim("Ana", "born_on", value, source=value).disposition.value for value in told}
        belief = memory.believe("Ana", "born_on")
        assert ({"CommittedCheap"}, "28 February 1990") == (dispositions, belief.value)
        assert ((), 3, 2) == (belief.alternatives, belief.primary.evidence_count, belief.primary.corroboration_count)
        assert not memory.contested().lines


def test_two_days_of_one_year_are_contested_and_the_year_is_right_either_way(memory: Memory) -> None:
    memory.claim("Ana", "born_on", "1990")
    memory.claim("Ana", "born_on", "1990-02-28")
    outcome = memory.claim("Ana", "born_on", "1990-03-01")
    assert ("Contested", 1) == (outcome.disposition.value, len(outcome.contested_with))
    (line,) = memory.contested().lines
    assert ["1990-02-28", "1990-03-01"] == [side["value"] for side in line.as_dict()["sides"]]
    memory.resolve("Ana", "born_on", "winner", winner="1 March 1990", reason="the passport")
    belief = memory.believe("Ana", "born_on")
    assert ("1990-03-01", 2) == (belief.value, belief.primary.evidence_count)


def test_a_day_that_never_was_is_kept_as_a_text_and_said_to_be_none(memory: Memory) -> None:
    (note,) = memory.claim("Ana", "born_on", "30 February 1990").notes
    assert "is no date" in note
    assert "30 February 1990" == memory.believe("Ana", "born_on").value
    assert "Contested" == memory.claim("Ana", "born_on", "1990-02-28").disposition.value


# stores from before

IDS = [new_id() for _ in range(4)]
USER = Provenance.USER_ASSERTED
STATE = ClaimState(Disposition.COMMITTED_CHEAP, True, Interval())


def opened(folder: Path) -> Memory:
    return Memory.open(folder, user="ana", embedder=CallableEmbedder(letters, "letters", 2))


def as_before(folder: Path, told: list[tuple[str, dict[str, Any]]]) -> None:
    """A store written when keys still held what shows nothing."""
    path, _ = journal_path(folder, "ana")
    old = Vocabulary(dict.fromkeys(KINDS, 1), {})
    with Journal.open(path, clock=ticking(), owner="ana", vocabulary=old) as journal, journal.writing(Actor()) as write:
        for kind, body in told:
            write.append(kind, body, event_id=body.get("id") or body["claim"]["id"])


def old_entity(number: int, name: str) -> tuple[str, dict[str, Any]]:
    return "entity.recorded", {"id": IDS[number], "name": name, "type": None, "aliases": [], "keys": [name.casefold()]}


def old_claim(number: int, entity: int, subject: str, predicate: str, value: str) -> tuple[str, dict[str, Any]]:
    claim = Claim(IDS[number], subject, predicate, value, subject.casefold(), f'"{value.casefold()}"', USER)
    line = {"line": f"{IDS[entity]}|{predicate}", "entity": IDS[entity], "predicate": predicate}
    body: dict[str, Any] = {
        "claim": claim_to_json(claim),
        "value_entity": None,
        "state": state_to_json(STATE),
        "row": 7,
        "reason": "",
    }
    body |= {"lines": [{**line, "value_key": claim.value_key, "mirrored": False}], "ledger": "ClaimCommitted"}
    return "claim.recorded", {**body, "compared_with": [], "repeats": None, "memory": None}


def test_a_store_from_before_is_read_with_todays_keys(tmp_path: Path) -> None:
    told = [
        old_entity(0, "Ana"),
        old_claim(1, 0, "Ana", "born_on", "28 February 1990"),
        old_claim(2, 0, "Ana", "lives_in", "Os\u200blo"),
    ]
    as_before(tmp_path, told)
    with opened(tmp_path) as memory:
        assert ["CommittedCheap"] * 2 == [
            memory.claim("Ana", "born_on", "1990-02-28").disposition.value,
            memory.claim("Ana", "lives_in", "Oslo").disposition.value,
        ]
        assert [2, 2] == [memory.believe("ana", name).primary.evidence_count for name in ("born_on", "lives_in")]


def test_two_entities_that_only_unseen_characters_told_apart_become_one(tmp_path: Path) -> None:
    told = [
        old_entity(0, "Ana"),
        old_claim(1, 0, "Ana", "lives_in", "Oslo"),
        old_entity(2, "A\u200bna"),
        old_claim(3, 2, "A\u200bna", "works_for", "Acme"),
    ]
    as_before(tmp_path, told)
    with opened(tmp_path) as memory:
        assert "Oslo" == memory.believe("A\u200bna", "lives_in").value  # the one recorded first is meant
        memory.organize(["alias_resolve"])
        assert ("Oslo", "Acme") == (memory.believe("Ana", "lives_in").value, memory.believe("Ana", "works_for").value)


def test_every_kind_that_holds_keys_is_rekeyed() -> None:
    assert {(kind, 1) for kind, version in KINDS.items() if version == 2} == set(REKEYED)
