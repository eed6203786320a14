"""The offline extractor beyond single sentences: grounding, pronouns, languages, and life without a model."""

import json
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.extraction.candidate import Extraction, Passage
from hornbook.extraction.offline.language import looks_english
from hornbook.extraction.offline.spacy_extractor import LONGEST, SpacyExtractor
from hornbook.extraction.spacy_model import BLANK_NOTE, load_model
from hornbook.graph.claim import Mood, Polarity
from hornbook.graph.dates import parse_moment

EXTRACTOR = SpacyExtractor()
SAID = parse_moment("2024-04-02")
WORDS = ["Ana", "Bob", "Oslo", "Acme", "I", "my", "sister", "lives", "works", "for", "in", "said", "that", "might"]
WORDS += ["not", "since", "2019", "moved", "to", "Peru's", ",", ".", "?", "he"]


def triples(extraction: Extraction) -> list[tuple[str, str, str]]:
    """Subject, predicate and value of each claim."""
    return [(c.subject, c.predicate, c.value) for c in extraction.candidates]


def read(text: str, speaker: str | None = "Ana", **given: object) -> Extraction:
    """One text of Ana's."""
    return EXTRACTOR.extract(Passage(text, speaker, SAID, **given))  # type: ignore[arg-type]  # known, title


# -- the threads of other systems that came out wrong ---------------------------------------------------------------


def test_what_a_friend_dislikes_is_not_given_to_the_speaker() -> None:  # mem0ai/mem0#1528
    claims = read("my friend Jack says he hates football").candidates
    assert {("Jack", "dislikes")} == {(c.subject, c.predicate) for c in claims if "football" == c.value}
    assert {"Jack"} == {c.speaker for c in claims if "football" == c.value}


@pytest.mark.parametrize("name", ["王伟", "Олег", "محمد", "Ørjan", "Łucja"])
def test_a_name_keeps_its_script(name: str) -> None:  # mem0ai/mem0#3206, #3707
    extraction = read(f"I met {name} in Beijing.")
    assert name in {value for _, _, value in triples(extraction)} | {m.name for m in extraction.mentions}


def test_a_past_without_a_date_gets_none_and_never_today() -> None:  # getzep/graphiti#1492
    [visited] = [c for c in read("I visited Lisbon.").candidates if c.predicate == "visited"]
    assert (None, None) == (visited.valid.start, visited.valid.end)


def test_without_a_reference_a_relative_date_dates_nothing() -> None:  # vectorize-io/hindsight PR #2974
    [visited] = EXTRACTOR.extract(Passage("I visited Lisbon last week.", "Ana")).candidates
    assert visited.valid.start is None


def test_the_same_text_gives_the_same_claims_alone_and_in_a_batch() -> None:
    passages = [Passage(text, "Ana", SAID) for text in ("I live in Oslo.", "", "Bob works for Acme.", "Thanks!")]
    assert [EXTRACTOR.extract(p) for p in passages] == list(EXTRACTOR.extract_many(passages))


# -- grounding ------------------------------------------------------------------------------------------------------


def grounded(text: str, extraction: Extraction) -> bool:
    """Whether every quote and every mention stands in the text."""
    quotes = all(c.quote and c.quote in text for c in extraction.candidates)
    return quotes and all(0 <= m.start < m.end <= len(text) for m in extraction.mentions)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join), st.sampled_from([None, "Ana"]))
def test_every_quote_stands_in_the_text(text: str, speaker: str | None) -> None:
    assert grounded(text, EXTRACTOR.extract(Passage(text, speaker, SAID)))


@settings(max_examples=30, deadline=None)
@given(st.text(max_size=120), st.lists(st.text(max_size=5), max_size=2))
def test_no_text_makes_it_fail(text: str, known: list[str]) -> None:
    assert grounded(text, EXTRACTOR.extract(Passage(text, None, SAID, tuple(known))))


@pytest.mark.parametrize("text", ["", " \n\t", "\x00", "\ud800", "a" * 5000, "?" * 300, "🎉🎉🎉", "I " * 2000])
def test_odd_text_gives_an_answer(text: str) -> None:
    assert () == read(text).candidates


def test_a_sentence_without_end_is_left_out_and_said_so() -> None:
    extraction = read("I ran " + "and ran " * 1500)
    assert any("not read for claims" in note for note in extraction.notes)


def test_a_text_over_the_limit_says_what_was_read() -> None:
    extraction = load_and_read("blank", "Bob lives in Oslo. " * (LONGEST // 19 + 2))
    assert any(f"{LONGEST:,}" in note for note in extraction.notes)


# -- other languages, and no model ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "Anna wohnt in Berlin und arbeitet nicht für Siemens.",
        "Je vis à Paris avec ma sœur et je ne travaille pas.",
        "Vivo en Madrid con mi hermana y no trabajo.",
        "Олег живёт в Москве и работает в школе.",
        "王伟住在北京。",
        "私は東京に住んでいます。",
        "يعيش محمد في القاهرة.",
    ],
)
def test_another_language_gives_a_note_and_no_nonsense(text: str) -> None:
    extraction = read(text)
    assert () == extraction.candidates
    assert any("English" in note for note in extraction.notes)


def test_known_names_are_found_in_any_language() -> None:
    assert ["王伟"] == [m.name for m in read("王伟 住在北京。", known=("王伟",)).mentions]


@pytest.mark.parametrize(
    "text", ["Ana lives in Oslo.", "Thanks!", "", "Bob", "I met 王伟 in Beijing.", "Łukasz works."]
)
def test_english_with_foreign_names_is_english(text: str) -> None:
    assert looks_english(text)


def load_and_read(model: str, text: str) -> Extraction:
    """A text read with another pipeline."""
    return SpacyExtractor(model).extract(Passage(text, "Ana", SAID, ("Maria Lind",)))


def test_without_a_model_plain_sentences_are_read_and_the_want_is_said() -> None:
    extraction = load_and_read("blank", "I live in Oslo. I moved to Bergen in March 2024. Maria Lind works for Acme.")
    assert [
        ("Ana", "lives_in", "Oslo"),
        ("Ana", "lives_in", "Bergen"),
        ("Maria Lind", "works_for", "Acme"),
    ] == triples(extraction)
    assert "2024-03" == str(extraction.candidates[1].valid.start)
    assert {"Maria Lind", "in March 2024"} == {m.name for m in extraction.mentions}
    assert BLANK_NOTE in extraction.notes
    assert "blank en" in extraction.extractor


@pytest.mark.parametrize(
    "text",
    [
        "I might live in Oslo.",
        "Do I live in Oslo?",
        "I don't live in Oslo.",
        "Bob said I live in Oslo.",
        "If I live in Oslo, fine.",
        "I love that.",
        "I love you.",
    ],
)
def test_without_a_model_nothing_is_read_that_is_not_plain(text: str) -> None:
    assert () == load_and_read("blank", text).candidates


def test_a_model_that_is_not_there_is_named_and_the_next_one_taken() -> None:
    model = load_model("xx_no_such_model")
    assert model.parses
    assert any("xx_no_such_model" in note for note in model.notes)


def test_importing_the_extractor_loads_no_spacy() -> None:
    code = "import sys, hornbook.extraction.offline.spacy_extractor; sys.exit('spacy' in sys.modules)"
    assert 0 == subprocess.run([sys.executable, "-c", code], check=False).returncode


# -- prose ----------------------------------------------------------------------------------------------------------

STORY = (
    "Eva Lind (3 May 1930 - 10 March 2010) was a Swedish chemist. She was born in Falun, Dalarna. "
    "Lind studied at the Royal Institute of Chemistry in Falun. She founded Novalab in 1961. "
    "The company was bought by Bergson Group."
)


def test_prose_is_read_for_its_main_person_under_the_full_name() -> None:
    found = set(triples(EXTRACTOR.extract(Passage(STORY))))
    assert {
        ("Eva Lind", "born_on", "1930-05-03"),
        ("Eva Lind", "died_on", "2010-03-10"),
        ("Eva Lind", "nationality", "Swedish"),
        ("Eva Lind", "born_in", "Falun"),
    } <= found
    assert not [t for t in found if t[0] == "Lind"]


def test_a_title_says_whom_the_pronouns_mean() -> None:
    text = "Tom Berg met Eva Lind in Falun. She was born in Lund."
    assert ("Eva Lind", "born_in", "Lund") in triples(EXTRACTOR.extract(Passage(text, title="Eva Lind")))


def test_a_functional_line_has_one_sure_value_a_sentence() -> None:
    claims = EXTRACTOR.extract(Passage("The Lind Museum is located in Oslo, Bergen and Molde.")).candidates
    sure = [c.value for c in claims if c.predicate == "located_in" and c.confidence >= 0.7]
    assert len(sure) <= 1


def test_what_is_only_concluded_is_marked() -> None:
    claims = EXTRACTOR.extract(Passage(STORY)).candidates
    concluded = {c.predicate for c in claims if c.concluded}
    assert {"country"} <= concluded <= {"country", "born_in_region"}
    assert all(c.confidence < 0.7 for c in claims if c.predicate == "country")


def test_talk_is_not_read_for_loose_links() -> None:
    loose = EXTRACTOR.extract(Passage("The Lind Museum in Oslo is nice.", "Ana"))
    assert () == loose.candidates


def test_moods_and_denials_are_kept_apart_from_fact() -> None:
    by_text = {text: read(text).candidates for text in ("I might move to Oslo.", "I do not live in Oslo.")}
    assert {Mood.POSSIBLE} == {c.mood for c in by_text["I might move to Oslo."]}
    assert {Polarity.NOT} == {c.polarity for c in by_text["I do not live in Oslo."]}


def test_the_name_of_the_extractor_says_model_and_rules() -> None:
    assert EXTRACTOR.extract(Passage("Hello.")).extractor.startswith("spacy en_core_web_sm")
    assert "rules" in EXTRACTOR.name
    json.dumps(EXTRACTOR.name)
