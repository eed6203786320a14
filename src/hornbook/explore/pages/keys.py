"""The keys, for who reads without scripts or wants to look them up."""

from hornbook.display.markup import join, tag
from hornbook.explore.shell import key_list
from hornbook.explore.visit import Page, Visit


def keys(visit: Visit) -> Page:
    """Every key."""
    return Page("Keys", join([tag("h1", "Keys"), key_list()]))
