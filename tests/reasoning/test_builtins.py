"""Functions of the language: their values, and where they have none."""

import pytest

from hornbook.reasoning.builtins import FUNCTIONS as functions
from hornbook.reasoning.builtins import Undefined, apply, compute
from hornbook.reasoning.parse import parse_query
from hornbook.reasoning.syntax import Compare, Const
from hornbook.reasoning.terms import holds, rank


def value(expression: str) -> object:
    """The value of an expression without variables."""
    (literal,) = parse_query(f"x = {expression}").body
    assert isinstance(literal, Compare)
    return compute(literal.right, {})


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("1 + 2 * 3 - 4 / 2", 5),
        ("(1 + 2) * -3", -9),
        ("1 - 2 - 3", -4),
        ("7 / 2", 3.5),
        ("div(7, 2)", 3),
        ("mod(7, 2)", 1),
        ("abs(-3)", 3),
        ("round(2.345, 1)", 2.3),
        ("floor(2.9)", 2),
        ('length("Zoë")', 3),
        ('upper("ab")', "AB"),
        ('lower("AB")', "ab"),
        ('trim("  a ")', "a"),
        ('concat("a", 1, true)', "a1true"),
        ('substring("Munich", 2, 3)', "uni"),
        ('replace("a-b", "-", "+")', "a+b"),
        ("year(@2024-03-05)", 2024),
        ("month(@2024-03-05)", 3),
        ("day(@2024-03-05)", 5),
        ("days(@2024-03-01, @2024-04-01)", 31),
        ("months(@2024-01-31, @2024-02-29)", 0),
        ("months(@2023-01-15, @2024-03-15)", 14),
        ("years(@1990-05-17, @2024-05-16)", 33),
        ("years(@1990-05-17, @2024-05-17)", 34),
        (r"'it\'s'", "it's"),
        ("'say \"hi\"'", 'say "hi"'),
        (r'"a\n"', "a\n"),
    ],
)
def test_a_function_has_its_value(expression: str, expected: object) -> None:
    assert expected == value(expression)


@pytest.mark.parametrize(
    "expression",
    [
        *("1 / 0", "div(1, 0)", "mod(1, 0)", '1 + year("never")', "1e300 * 1e300", 'length("a") + year(@2024) / 0'),
        *('substring("a", 0, 1)', "now", "floor(1e300) * floor(1e300) * 1e300"),
    ],
)
def test_a_function_without_a_value_has_none(expression: str) -> None:
    with pytest.raises(Undefined):
        value(expression)


def test_a_function_looks_at_the_type_of_what_it_is_given() -> None:
    for name, args in (("+", ["a", 1]), ("+", [True, 1]), ("length", [3]), ("year", [2024])):
        with pytest.raises(Undefined):
            apply(functions[name], args)


def test_between_kinds_there_is_no_order_but_for_min_and_max() -> None:
    assert not holds("<", "1", '"a"') and not holds(">=", "1", '"a"') and not holds("<", "false", "true")
    assert ["null", "false", "true", "2", "10", '"a"', "[1]"] == sorted(
        ["[1]", '"a"', "10", "true", "null", "2", "false"], key=rank
    )


def test_a_number_too_large_to_be_one_is_last() -> None:
    assert float("inf") == rank("1" + "0" * 400)[1]


def test_a_date_is_the_text_of_that_date() -> None:
    (literal,) = parse_query("x = @2024-03").body
    assert isinstance(literal, Compare) and isinstance(literal.right, Const)
    assert "2024-03" == literal.right.value
