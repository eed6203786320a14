"""Closed word lists, written as running text."""


def words(text: str) -> frozenset[str]:
    """The words of a text as a set.

    >>> sorted(words("two one"))
    ['one', 'two']
    """
    return frozenset(text.split())
