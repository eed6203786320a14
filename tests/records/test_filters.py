"""Filters against a plain oracle, and what they refuse."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.graph.dates import parse_moment
from hornbook.graph.errors import InvalidArgument
from hornbook.graph.records.filters import MISSING, holds, parse

KEYS = ("deck", "rank", "a.b", "$x")
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.sampled_from([0.5, 1.0]), st.sampled_from("ab1"))
RECORDS = st.dictionaries(st.sampled_from(KEYS), SCALARS)
ORDERED = st.one_of(st.integers(-3, 3), st.sampled_from([0.5, 1.0]), st.sampled_from("ab1"))
CONDITIONS = st.one_of(
    SCALARS,
    st.dictionaries(st.sampled_from(["eq", "ne"]), SCALARS, min_size=1),
    st.dictionaries(st.sampled_from(["gt", "gte", "lt", "lte"]), ORDERED, min_size=1),
    st.dictionaries(st.sampled_from(["in", "nin"]), st.lists(SCALARS, max_size=3), min_size=1),
)
FLAT = st.dictionaries(st.sampled_from(KEYS), CONDITIONS, max_size=3)
FILTERS = st.recursive(
    FLAT,
    lambda inner: st.dictionaries(
        st.sampled_from(["and", "or", "not", "$OR"]), st.lists(inner, min_size=1, max_size=3), max_size=2
    ),
    max_leaves=6,
)


def plain(wanted: Mapping[str, Any], record: Mapping[str, Any]) -> bool:
    """The filter read naively, straight from its JSON."""
    return all(plain_entry(key, value, record) for key, value in wanted.items())


def plain_entry(key: str, value: Any, record: Mapping[str, Any]) -> bool:
    word = key.lower().lstrip("$")
    if word in ("and", "or", "not"):
        every = [plain(one, record) for one in value]
        return {"and": all(every), "or": any(every), "not": not all(every)}[word]
    conditions = value if isinstance(value, dict) else {"eq": value}
    return all(plain_term(record.get(key, MISSING), operator, one) for operator, one in conditions.items())


def plain_term(found: Any, operator: str, wanted: Any) -> bool:
    def alike(one: Any, other: Any) -> bool:
        return (
            type(one is True or one is False) is bool
            and isinstance(one, bool) == isinstance(other, bool)
            and (one == other)
        )

    if operator in ("eq", "ne"):
        return alike(found, wanted) == (operator == "eq")
    if operator in ("in", "nin"):
        return any(alike(found, one) for one in wanted) == (operator == "in")
    if isinstance(found, bool) or isinstance(found, str) != isinstance(wanted, str) or found in (None, MISSING):
        return False
    return bool({"gt": found > wanted, "gte": found >= wanted, "lt": found < wanted, "lte": found <= wanted}[operator])


@given(FILTERS, RECORDS)
@settings(max_examples=50)
def test_a_filter_keeps_what_a_plain_reading_of_it_keeps(wanted: dict[str, Any], record: dict[str, Any]) -> None:
    assert plain(wanted, record) == holds(parse(wanted), lambda key: record.get(key, MISSING))


@pytest.mark.parametrize(
    ("wanted", "kept"),
    [
        ("2024", [False, True, True, False]),
        ({"gte": "2024-03"}, [False, False, True, True]),
        ({"gt": "2024"}, [False, False, False, True]),
        ({"lte": "2024"}, [True, True, True, False]),
        ({"lt": "2024-03-02"}, [True, True, False, False]),
        ({"ne": "2024"}, [True, False, False, True]),
    ],
)
def test_a_time_is_compared_with_the_whole_period_that_was_named(wanted: Any, kept: list[bool]) -> None:
    days = [parse_moment(day).at for day in ("2023-12-31", "2024-01-01", "2024-12-31", "2025-01-01")]
    chosen = parse({"created_at": wanted})

    # 2024-12-31 is after March and within the year
    assert kept == [holds(chosen, lambda _, day=day: day) for day in days]  # type: ignore[misc]  # one day each


@pytest.mark.parametrize(
    ("wanted", "field"),
    [
        ({"rank": {"above": 3}}, "filters.rank"),
        ({"rank": {}}, "filters.rank"),
        ({"rank": [1, 2]}, "filters.rank"),
        ({"rank": {"in": 3}}, "filters.rank"),
        ({"rank": {"gt": True}}, "filters.rank"),
        ({"or": {"rank": 1}}, "filters.or"),
        ({"or": []}, "filters.or"),
        ({"or": ["rank"]}, "filters.or.0"),
        ({"created_at": {"gte": "soon"}}, "filters.created_at"),
        ("rank = 3", "filters"),
    ],
)
def test_what_is_no_filter_is_refused_where_it_is_wrong(wanted: Any, field: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        parse(wanted)

    assert refused.value.field == field


def test_a_filter_has_bounds() -> None:
    deep: Any = {"a": 1}
    for _ in range(20):
        deep = {"not": deep}
    with pytest.raises(InvalidArgument):
        parse(deep)
    with pytest.raises(InvalidArgument):
        parse({f"key {at}": at for at in range(300)})


def test_an_attribute_hides_the_metadata_of_its_name_unless_that_is_meant() -> None:
    record = {"scope": "personal", "metadata.scope": "mine"}

    assert holds(parse({"scope": "personal", "metadata.scope": "mine"}), lambda key: record.get(key, MISSING))
