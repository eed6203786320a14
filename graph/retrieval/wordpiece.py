"""BERT's uncased WordPiece in plain Python: a text as the ids that the embedding model was trained on."""

import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files

from hornbook.graph.errors import EmbeddingError

VOCABULARY_DIGEST = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
# the model's own ranges, with its gaps: what is in none of them is no character that stands alone
CJK = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)
LONGEST_WORD = 100  # BERT's own bound; a longer word is [UNK]
PIECES = 254  # what is left of 256 positions beside [CLS] and [SEP]
CHARACTERS = 16_384  # no text needs more of them to fill its pieces, and a megabyte must not cost a second


@lru_cache(1)
def vocabulary() -> Mapping[str, int]:
    """The shipped vocabulary, piece to id; a changed file is refused, since every vector depends on it."""
    raw = files("hornbook.graph").joinpath("assets/bert-uncased-vocab.txt").read_bytes()
    if sha256(raw).hexdigest() != VOCABULARY_DIGEST:
        raise EmbeddingError("the vocabulary file is not the pinned one", hint="reinstall hornbook")
    return {piece: number for number, piece in enumerate(raw.decode().splitlines())}


def encode(text: str, most: int = PIECES) -> list[int]:
    """The ids of a text between [CLS] and [SEP], cut after `most` pieces.

    >>> encode("Héllo, snowboarding!")
    [101, 7592, 1010, 4586, 21172, 999, 102]
    """
    ids: list[int] = []
    for word in words(text[:CHARACTERS]):
        ids.extend(pieces(word))
        if len(ids) >= most:
            break
    known = vocabulary()
    return [known["[CLS]"], *ids[:most], known["[SEP]"]]


def words(text: str) -> list[str]:
    """Lower-cased, unaccented words; punctuation and CJK characters stand alone.

    >>> words("Zoë's café, 東京")
    ['zoe', "'", 's', 'cafe', ',', '東', '京']
    """
    return "".join(map(_spaced, unicodedata.normalize("NFD", text.lower()))).split()


@lru_cache(4096)
def _spaced(char: str) -> str:
    kind, code = unicodedata.category(char), ord(char)
    if kind == "Mn" or code in (0, 0xFFFD) or (kind in ("Cc", "Cf") and char not in "\t\n\r"):
        return ""
    ascii_mark = 32 < code < 127 and not char.isalnum()
    alone = ascii_mark or kind[0] == "P" or any(low <= code <= high for low, high in CJK)
    return f" {char} " if alone else char


@lru_cache(16_384)
def pieces(word: str) -> tuple[int, ...]:
    """Longest known prefix first, then '##' continuations; [UNK] when stuck or longer than 100 characters."""
    known = vocabulary()
    unknown = (known["[UNK]"],)
    if len(word) > LONGEST_WORD:
        return unknown
    found, start = [], 0
    while start < len(word):
        piece, start = _longest(known, word, start)
        if piece is None:
            return unknown
        found.append(piece)
    return tuple(found)


def _longest(known: Mapping[str, int], word: str, start: int) -> tuple[int | None, int]:
    mark = "##" if start else ""
    for end in range(len(word), start, -1):
        if (piece := known.get(mark + word[start:end])) is not None:
            return piece, end
    return None, start
