"""Whether a text is English, as far as it can be told without a model; what is not is not read for claims."""

import re
import unicodedata

from hornbook.extraction.wordlists import words

ENGLISH = words(
    "the a an and or but of to in on at for with from by as is are was were be been has have had do does did "
    "not i you he she it we they my your his her our their this that these those who which what where when "
    "there will would can "
)
OTHERS = words(
    "der die das und ist nicht ich du wir ihr ein eine mit von zu den dem auf für sich auch le la les des et "
    "est une un dans pour avec je il elle nous vous ne pas du au sur el los las y es en con por una soy vive "
    "vivo mi su de il lo gli che sono della di non per o os um uma não eu com em het een van ik niet zijn och "
    "att jag inte som på med är w z na jest się nie og jeg ikke ja "
) - words("a an in on at de la")
WORD = re.compile(r"[^\W\d_]+")
NOTE = "not read for claims: the text does not look English"


def looks_english(text: str) -> bool:
    """Latin letters for the most part, and more English than other small words; a text without either is let pass.

    >>> looks_english("Ana lives in Oslo."), looks_english("Ana wohnt in Oslo und ist nicht hier.")
    (True, False)
    """
    spelled = [word.casefold() for word in WORD.findall(text[:5000])]
    letters = "".join(spelled)
    if not letters:
        return True
    if 2 * sum(_latin(letter) for letter in letters) < len(letters):
        return False
    english = sum(word in ENGLISH for word in spelled)
    return english >= sum(word in OTHERS for word in spelled) and (english > 0 or len(spelled) < 8)


def _latin(letter: str) -> bool:
    return letter.isascii() or unicodedata.name(letter, "").startswith("LATIN")
