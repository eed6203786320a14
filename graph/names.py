"""How texts are compared: the keys of subjects, predicates and values.

Two texts that look alike to a reader are one name: characters that show nothing (zero-width ones, marks of direction,
controls, variation selectors) are left out of keys, as UAX #31 and NFKC_Casefold do. A joiner stays where it is seen:
between letters that would otherwise join or part (Persian, the scripts of India), and within an emoji; so do the tags
that tell one flag from another. Width and other compatibility forms are kept apart: normalization is NFC, since NFKC
would make 10² the same number as 102.
"""

import json
import re
import unicodedata
from functools import lru_cache
from typing import Any

from hornbook.graph.dates import spoken_date

SEPARATORS = re.compile(r"[\s\-_]+")
DATE = re.compile(r'"\d{4}(?:-\d{2}(?:-\d{2}(?:T[^"]+)?)?)?"')
NON_JOINER, JOINER = "\u200c", "\u200d"
# controls but blanks, then the code points of Default_Ignorable_Code_Point; bidi controls are among both
UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f")  # a black flag, and tags that say which country's
VIRAMA = 9  # the combining class of the sign that joins two consonants of an Indic script
# Arabic letters that never join the next one: after them a non-joiner changes nothing
PARTED = re.compile(
    "[\u0621-\u0625\u0627\u0629\u062f-\u0632\u0648\u0671-\u0677\u0688-\u0699\u06c0\u06c3-\u06cb\u06cd\u06cf\u06d2"
    "\u06d3\u06d5\u06ee\u06ef\u0759-\u075b\u076b\u076c\u0771\u0773\u0774\u0778\u0779]"
)
CURSIVE = ("ARABIC", "SYRIAC", "MONGOLIAN", "NKO", "MANDAIC", "PHAGS-PA", "ADLAM", "HANIFI")


def name_key(text: str) -> str:
    r"""The key under which a name is matched: NFC, blanks collapsed, case folded, without what shows nothing.

    >>> name_key("  Zoe\u0308  KRÜGER "), name_key("A\u200bna")
    ('zoë krüger', 'ana')
    """
    if text.isascii() and text.isprintable():
        return " ".join(text.lower().split())
    folded = unicodedata.normalize("NFD", seen(text)).casefold()
    return " ".join(unicodedata.normalize("NFC", folded).split())


def predicate_key(text: str) -> str:
    """A predicate's key: as a name, with blanks, hyphens and underscores as one.

    >>> predicate_key("Lives in"), predicate_key("lives-in")
    ('lives_in', 'lives_in')
    """
    return SEPARATORS.sub("_", name_key(text)).strip("_")


def value_key(value: Any, *, exact: bool = False, dated: bool = False) -> str:
    """A text that two values share exactly when they are the same value.

    Numbers compare as numbers, texts after NFC and trimming and (unless `exact`) without case,
    objects without the order of their keys; true is not 1 and 1 is not "1". Where values are `dated`, texts that are
    dates compare as dates.

    >>> value_key(1) == value_key(1.0), value_key(1) == value_key("1"), value_key(True) == value_key(1)
    (True, False, False)
    >>> value_key(" Munich ") == value_key("munich"), value_key("Munich", exact=True) == value_key("munich", exact=True)
    (True, False)
    >>> value_key("28 February 1990", dated=True), value_key("30 February 1990", dated=True)
    ('"1990-02-28"', '"30 february 1990"')
    """
    if dated and isinstance(value, str) and (date := spoken_date(seen(value))) is not None:
        value = str(date)
        exact = True
    return json.dumps(_canonical(value, exact), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def within(fine: str, coarse: str) -> bool:
    """Whether one date, as the key of a value, lies in the period of another: then both can be right.

    >>> within('"1990-02-28"', '"1990"'), within('"1990"', '"1990"'), within('"1990-02"', '"1990-03"')
    (True, False, False)
    """
    begins = fine[: len(coarse) - 1] == coarse[:-1] and fine != coarse
    return begins and bool(DATE.fullmatch(fine) and DATE.fullmatch(coarse))


def refolded(key: str, *, dated: bool = False) -> str:
    """A value's key of before what shows nothing was left out of keys, as it is today.

    >>> refolded('"a\u200bna"'), refolded("2"), refolded('"28 february 1990"', dated=True)
    ('"ana"', '2', '"1990-02-28"')
    """
    return value_key(json.loads(key), exact=True, dated=dated) if dated or UNSEEN.search(key) else key


def _canonical(value: Any, exact: bool) -> Any:
    if isinstance(value, str):
        return " ".join(unicodedata.normalize("NFC", seen(value)).split()) if exact else name_key(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list | tuple):
        return [_canonical(item, exact) for item in value]
    if isinstance(value, dict):
        return {unicodedata.normalize("NFC", key): _canonical(item, exact) for key, item in value.items()}
    return value


def seen(text: str) -> str:
    r"""A text without the characters that show nothing.

    >>> seen("A\u200bna"), seen("\u202eana\x00"), len(seen("\u0645\u06cc\u200c\u062e\u0648"))
    ('Ana', 'ana', 5)
    """
    if not UNSEEN.search(text):
        return text
    shown = SELECTORS.sub("", text)
    flags = {at for found in FLAG.finditer(shown) for at in range(*found.span())}
    return "".join(char for at, char in enumerate(shown) if not UNSEEN.match(char) or at in flags or _joins(shown, at))


def _joins(text: str, at: int) -> bool:
    """Whether a joiner or a non-joiner changes what is seen, by the contexts A1, A2 and B of UAX #31 and in emoji."""
    if text[at] not in (NON_JOINER, JOINER):
        return False
    before, after = _letter(text, at, -1), _letter(text, at, 1)
    if not (before and after):
        return False
    if unicodedata.combining(text[at - 1]) == VIRAMA:
        return unicodedata.category(after) == "Lo"
    if text[at] == JOINER:
        return unicodedata.category(before) == unicodedata.category(after) == "So"
    return _cursive(before) and _cursive(after) and not PARTED.match(before)


def _letter(text: str, at: int, step: int) -> str:
    """The next character in a direction that is no mark and shows something; none at the end of a word."""
    at += step
    while 0 <= at < len(text) and (unicodedata.combining(text[at]) or UNSEEN.match(text[at]) or _tone(text[at])):
        at += step
    return text[at] if 0 <= at < len(text) and not text[at].isspace() else ""


def _tone(char: str) -> bool:
    """Whether a character is the skin tone of the emoji before it."""
    return "\U0001f3fb" <= char <= "\U0001f3ff"


@lru_cache(1_024)
def _cursive(char: str) -> bool:
    return unicodedata.category(char) in ("Lo", "Lm") and unicodedata.name(char, "").startswith(CURSIVE)
