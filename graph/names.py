"""How texts are compared: the keys of subjects, predicates and values."""

import json
import re
import unicodedata
from typing import Any

SEPARATORS = re.compile(r"[\s\-_]+")


def name_key(text: str) -> str:
    """The key under which a name is matched: NFC, blanks collapsed, case folded.

    >>> name_key("  Zoe\u0308  KRÜGER ")
    'zoë krüger'
    """
    return " ".join(unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold()).split())


def predicate_key(text: str) -> str:
    """A predicate's key: as a name, with blanks, hyphens and underscores as one.

    >>> predicate_key("Lives in"), predicate_key("lives-in")
    ('lives_in', 'lives_in')
    """
    return SEPARATORS.sub("_", name_key(text)).strip("_")


def value_key(value: Any, *, exact: bool = False) -> str:
    """A text that two values share exactly when they are the same value.

    Numbers compare as numbers, texts after NFC and trimming and (unless `exact`) without case,
    objects without the order of their keys; true is not 1 and 1 is not "1".

    >>> value_key(1) == value_key(1.0), value_key(1) == value_key("1"), value_key(True) == value_key(1)
    (True, False, False)
    >>> value_key(" Munich ") == value_key("munich"), value_key("Munich", exact=True) == value_key("munich", exact=True)
    (True, False)
    """
    return json.dumps(_canonical(value, exact), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _canonical(value: Any, exact: bool) -> Any:
    if isinstance(value, str):
        return " ".join(unicodedata.normalize("NFC", value).split()) if exact else name_key(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list | tuple):
        return [_canonical(item, exact) for item in value]
    if isinstance(value, dict):
        return {unicodedata.normalize("NFC", key): _canonical(item, exact) for key, item in value.items()}
    return value
