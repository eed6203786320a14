"""Passages: a text cut so that every part of it can be found."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from hornbook.graph.passages import passages


@given(st.text(alphabet="ab .\n。", max_size=400), st.integers(10, 60), st.integers(0, 5))
def test_passages_cover_the_text_in_order_and_none_is_longer_than_allowed(
    text: str, longest: int, overlap: int
) -> None:
    found = passages(text, longest, overlap)
    assert 0 == found[0][0] and len(text) == found[-1][1]
    assert all(end - start <= longest for start, end in found)
    assert all(before < after and after <= end for (before, end), (after, _) in pairwise(found))


def test_a_short_text_is_one_passage() -> None:
    assert ((0, 11),) == passages("Ana drinks.")


def test_a_cut_falls_between_sentences_where_there_is_one() -> None:
    text = "The kettle is blue. " * 100
    assert all(text[start:end].endswith(". ") for start, end in passages(text)[:-1])
