"""The words of which date phrases are made, and the one spelling in which phrases are compared."""

import re
import unicodedata
from collections.abc import Iterable

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            ("january", "jan"),
            ("february", "feb"),
            ("march", "mar"),
            ("april", "apr"),
            ("may",),
            ("june", "jun"),
            ("july", "jul"),
            ("august", "aug"),
            ("september", "sept", "sep"),
            ("october", "oct"),
            ("november", "nov"),
            ("december", "dec"),
        ),
        start=1,
    )
    for name in names
}
WEEKDAYS = {
    name: number
    for number, names in enumerate(
        (
            ("monday", "mon"),
            ("tuesday", "tues", "tue"),
            ("wednesday", "wed"),
            ("thursday", "thurs", "thur", "thu"),
            ("friday", "fri"),
            ("saturday", "sat"),
            ("sunday", "sun"),
        )
    )
    for name in names
}
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}  # first month, northern, meteorological
HOLIDAYS = {
    "christmas eve": (12, 24),
    "christmas day": (12, 25),
    "christmas": (12, 25),
    "new year's eve": (12, 31),
    "new year's day": (1, 1),
    "new year's": (1, 1),
    "halloween": (10, 31),
    "valentine's day": (2, 14),
}
COUNTED = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
NUMBERS = {word: number for number, word in enumerate(COUNTED.split(), start=1)} | {
    "a": 1,
    "an": 1,
    "a couple of": 2,
    "a couple": 2,
    "couple of": 2,
    "half a dozen": 6,
    "a dozen": 12,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
}
ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
ROUGH_COUNTS = {"a few": (2, 5), "few": (2, 5), "several": (3, 7), "some": (2, 7), "many": (5, 20), "a couple": (2, 3)}
STEPS = {
    "last": -1,
    "past": -1,
    "previous": -1,
    "this past": -1,
    "this last": -1,
    "this": 0,
    "current": 0,
    "next": 1,
    "coming": 1,
    "this coming": 1,
    "following": 1,
    "upcoming": 1,
}


def any_of(words: Iterable[str]) -> str:
    """A pattern for one of the words, the longest first."""
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


def count_of(text: str) -> int:
    """The number that a word or a numeral says.

    >>> count_of("three"), count_of("12"), count_of("a couple of")
    (3, 12, 2)
    """
    return int(text) if text.isdigit() else NUMBERS[text]


def normalised(phrase: str) -> str:
    """Lower case, single blanks, straight quotes, no comma, no outer punctuation, no dot after a short month.

    >>> normalised(" In  Sept., 2019. ")
    'in sept 2019'
    """
    text = unicodedata.normalize("NFKC", phrase).casefold().replace("\u2019", "'")
    text = re.sub(r"\s*,\s*|\s+", " ", text)
    text = re.sub(r"\b([a-z]{3,4})\.(?=\s|$)", r"\1", text)
    text = re.sub(r"\b([ap])\.m\b\.?", r"\1m", text)
    return text.strip(" .,;:!?()[]\"'")
