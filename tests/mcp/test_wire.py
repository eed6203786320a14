"""Replies that fit: texts are shortened and say so, rows stay."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.graph.errors import InvalidArgument, TooLarge
from hornbook.mcp_tools.wire import ASKED, MANY, USUAL, Body, fit, naming, piece, size

TEXT = st.text(max_size=3000)


@settings(max_examples=40, deadline=None)
@given(st.lists(TEXT, min_size=1, max_size=10))
def test_a_reply_fits_and_keeps_its_rows(texts: list[str]) -> None:
    body = {"results": [{"node_id": "0" * 36, "content": text} for text in texts], "count": len(texts)}
    fitted = fit(body, USUAL)

    assert size(fitted) <= USUAL
    assert [row["node_id"] for row in fitted["results"]] == ["0" * 36] * len(texts)
    for row, text in zip(fitted["results"], texts, strict=True):
        assert row["content"] == text or row["truncated"] is True


def test_a_reply_that_fits_is_left_alone() -> None:
    body = {"results": [{"content": "x" * 4000}]}

    assert fit(body, USUAL) is body


def test_only_the_long_texts_are_shortened() -> None:
    body = {"results": [{"content": "x" * 20_000}, {"content": "y" * 1000}]}
    long, short = fit(body, USUAL)["results"]

    assert len(long["content"]) > 5000 and long["truncated"]
    assert short == {"content": "y" * 1000}


def test_a_long_value_is_shortened_and_its_claim_says_so() -> None:
    body: Body = {"belief": {"primary": {"fact": {"value": {"deep": ["x" * 20_000]}}}}}
    primary = fit(body, USUAL)["belief"]["primary"]

    assert primary["fact"]["truncated"] is True
    assert set(primary["fact"]["value"]) == {"deep"}


def test_many_small_rows_take_the_room_of_many() -> None:
    body = {"rows": [{"id": index, "word": "x" * 40} for index in range(300)]}

    assert USUAL < size(fit(body, USUAL)) <= MANY


def test_nothing_is_shortened_in_the_room_of_many() -> None:
    body: Body = {"rows": [{"id": number, "text": "x" * 100, "ref": "r" * 45} for number in range(100)]}
    assert USUAL < size(body) <= MANY
    assert body == fit(body, USUAL)


def test_what_fits_nowhere_is_refused() -> None:
    with pytest.raises(TooLarge):
        fit({"rows": [{"id": index} for index in range(50_000)]}, ASKED)


@settings(max_examples=40, deadline=None)
@given(st.text(min_size=1, max_size=30_000))
def test_the_pieces_of_a_text_are_the_text(text: str) -> None:
    found, offset, rounds = "", 0, 0
    while True:
        part = piece({"node_id": "0" * 36, "content": text}, "content", offset)
        assert size(part) <= USUAL
        found, rounds = found + part["content"], rounds + 1
        if not part.get("truncated"):
            break
        offset = part["next_offset"]

    assert found == text


def test_an_offset_behind_the_end_is_refused() -> None:
    with pytest.raises(InvalidArgument):
        piece({"content": "abc"}, "content", 3)


def test_an_error_names_the_field_as_the_tool_calls_it() -> None:
    with pytest.raises(InvalidArgument) as refused, naming(knowledge_at="as_of_tx_time"):
        raise InvalidArgument("no date", field="knowledge_at")

    assert refused.value.field == "as_of_tx_time"
