"""Dates as people say them: to an interval and a granularity, against the instant at which they were said."""

from hornbook.extraction.dates.find import Found, Role, find_dates
from hornbook.extraction.dates.phrases import resolve_phrase

__all__ = ["Found", "Role", "find_dates", "resolve_phrase"]
