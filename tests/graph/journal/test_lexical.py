"""Whatever is written can be found by its own words, and no question can break the search."""

import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.graph.clock import ticking
from hornbook.graph.events import Actor, Vocabulary
from hornbook.graph.journal import Journal, expression

WORDS = Vocabulary({"said": 1}, {})
TEXTS = {
    "gpu": "the box has an RTX4090 and runs kuzu 0.11.3",
    "code": "user_id is a column of C++ structs, mail a@b.co",
    "tea": "我喜欢喝茶, не кофе",
    "kana": "カタカナとひらがなを書く",
    "hangul": "나는 커피를 마신다",
    "french": "le café d'été est fermé",
    "fullwidth": "部屋番号は１２３です",
    "hindi": "मुझे चाय पसंद है",
}


def filled() -> Journal:
    """A journal in memory with the texts above."""
    journal = Journal.open(":memory:", clock=ticking(), vocabulary=WORDS)
    with journal.writing(Actor()) as tx:
        for ref, text in TEXTS.items():
            tx.add_document(ref, "memory", tx.append("said", {"text": text}), text, None, {"speaker": ref})
    return journal


def refs(journal: Journal, question: str) -> list[str]:
    with journal.reading() as snap:
        hits = snap.lexical(question, 10)
        found = snap.documents(id_ for id_, _ in hits)
        return [found[id_].ref for id_, _ in hits]


@pytest.mark.parametrize(
    ("question", "ref"),
    [
        ("rtx4090", "gpu"),
        ("which version: 0.11.3?", "gpu"),
        ("user_id", "code"),
        ("C++", "code"),
        ("a@b.co", "code"),
        ("喝茶", "tea"),
        ("茶", "tea"),
        ("我", "tea"),
        ("кофе", "tea"),
        ("ひらがな", "kana"),
        ("く", "kana"),
        ("커피", "hangul"),
        ("cafe ete", "french"),
        ("123", "fullwidth"),
        ("चाय", "hindi"),
        ("columns", "code"),
    ],
)
def test_a_text_is_found_by_what_stands_in_it(question: str, ref: str) -> None:
    with filled() as journal:
        assert [ref] == refs(journal, question)[:1]


def test_a_compound_as_it_was_written_comes_before_its_parts_apart() -> None:
    with Journal.open(":memory:", clock=ticking(), vocabulary=WORDS) as journal:
        with journal.writing(Actor()) as tx:
            for text in ("at 11 we saw 3 or 0", "it is 0.11.3 now"):
                tx.add_document(text, "memory", tx.append("said", {"text": text}), text)
        assert ["it is 0.11.3 now", "at 11 we saw 3 or 0"] == refs(journal, "0.11.3")


@pytest.mark.parametrize("question", ["", "  ", "???", '"', "* - + ^ : ( ) { }", "\0", "\u200b"])
def test_a_question_without_words_finds_nothing(question: str) -> None:
    assert expression(question) is None
    with filled() as journal:
        assert [] == refs(journal, question)


def test_stop_words_count_only_when_there_is_nothing_else() -> None:
    assert 'text : ("tea")' == expression("what is the tea")
    assert 'text : ("what" OR "is" OR "it")' == expression("what is it?")


def test_a_search_is_bounded_by_its_instant() -> None:
    with filled() as journal, journal.reading() as snap:
        assert [] == snap.lexical("user_id", 10, upto=1)


SHARED = filled()


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=60) | st.text(alphabet="\"*^:(){}+-ANDORNEAR '茶가あ0é_.@\0", max_size=30))
def test_no_question_breaks_the_search(question: str) -> None:
    if not re.search("[\ud800-\udfff]", question):
        refs(SHARED, question)


PLAIN = st.text(alphabet=st.sampled_from("abcé0159茶喝커피あアñя._-@+ '\""), min_size=1, max_size=25)


@settings(max_examples=50, deadline=None)
@given(PLAIN)
def test_a_text_finds_itself(text: str) -> None:
    if not any(unicodedata.category(char)[0] in "LN" for char in text):
        return
    with Journal.open(":memory:", clock=ticking(), vocabulary=WORDS) as journal:
        with journal.writing(Actor()) as tx:
            tx.add_document("it", "memory", tx.append("said", {}), text)
        assert ["it"] == refs(journal, text)


def test_a_text_of_a_megabyte_is_indexed_and_asked_for() -> None:
    text = "tea 茶道 " * 100_000
    with filled() as journal:
        with journal.writing(Actor()) as tx:
            tx.add_document("long", "memory", tx.append("said", {"text": text}), text)
        assert "long" in refs(journal, text) and "long" in refs(
            journal, " ".join(f"w{n}" for n in range(5_000)) + "茶道"
        )
