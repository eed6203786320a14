"""What can be told from a text by itself when it is indexed: whether it asks something, and of whom it speaks."""

import re
from itertools import islice

from hornbook.graph.names import name_key

SUBJECT = re.compile(r"(?<!\w)([^\W\d_]\w+)(?:['\u2019]s\b|(?= [^\W\d_]))")
CALLING = re.compile(r"\b(?:hey|hi|hello|thanks|thank you|wow|yes|yeah|no|bye|congrats|sorry|ok|okay|dear),?\s+$", re.I)
MOST_ABOUT = 32


def asks(text: str) -> bool:
    """Whether a turn ends by asking something, so that the next turn is its answer.

    >>> asks("I ran! How was your race?"), asks("Why? Because I like it, and it rained all day long, so there.")
    (True, False)
    """
    return "?" in text[-40:]


def spoken_of(text: str) -> tuple[str, ...]:
    """The capitalised names that a text says something about, as name keys; not those it is only addressed to.

    First words of sentences are among them, names or not: they are looked up by name and do no harm.

    >>> spoken_of("Ana moved to Munich. Ben's van broke."), spoken_of("Hey Ana, how are you?"), spoken_of("Bye, Ben!")
    (('ana', 'ben'), ('hey',), ())
    """
    found = (
        name_key(one[1])
        for one in SUBJECT.finditer(text)
        if one[1][0].isupper() and not CALLING.search(text[max(0, one.start() - 12) : one.start()])
    )
    return tuple(islice(dict.fromkeys(found), MOST_ABOUT))
