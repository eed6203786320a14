"""Identifiers: UUIDv7 (RFC 9562), so that they sort by the time they were made."""

import os
import re
import time

from hornbook.graph.errors import InvalidArgument

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


def new_id() -> str:
    """A fresh UUIDv7 as text: 48 bits of milliseconds, then 74 random bits.

    >>> UUID.fullmatch(new_id()) is not None
    True
    """
    value = int.from_bytes(os.urandom(10)) | (time.time_ns() // 1_000_000 & (2**48 - 1)) << 80
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    text = f"{value:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def is_id(text: str) -> bool:
    """Whether a text has the form of an id."""
    return UUID.fullmatch(text.lower()) is not None


def checked_id(text: object, field: str) -> str:
    """The id in lower case, or an error that names the field."""
    if not isinstance(text, str) or not is_id(text.strip()):
        raise InvalidArgument(f"{field} is not an id", field=field, hint="ids are UUIDs as other tools returned them")
    return text.strip().lower()
