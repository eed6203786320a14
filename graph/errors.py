"""Every error that hornbook raises on purpose.

HornbookError
├── InvalidArgument      invalid_argument   an input is malformed; `field` names it
├── NotFound             not_found          an id, line or name that is not there (or is another tenant's)
├── Ambiguous            ambiguous          several things fit; nothing is picked
├── Incoherent           incoherent         the times contradict each other
├── Forbidden            forbidden          provenance or owner does not allow it
├── Conflict             conflict           the state does not allow the move
├── TooLarge             too_large          the input is above a stated limit
├── StoreError           unavailable        the store cannot serve; the text says what to do
│   ├── StoreBusy                           another process held the write lock for too long
│   ├── StoreDamaged                        the journal is damaged; the good prefix can be read
│   ├── StoreNewer                          the file was written by a newer version
│   ├── StoreMoved                          the file was moved or replaced under whoever has it open
│   └── EngineFault                         the graph engine failed; the view is discarded and rebuilt
├── EmbeddingError       unavailable        the embedding model is missing, changed or failed
├── ExtractionError      unavailable        a text could not be extracted; it is stored and can be retried
│   └── BudgetSpent                         extracting it would cost more than was allowed
└── RuleError            invalid_argument   a rule or a query is wrong; see `hornbook.reasoning`

An error carries a code, one sentence for the reader, and where they help the field, a hint that mends it and the
valid choices. None carries a path of the machine, a key, or another library's message.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from hornbook.graph.displayed import Displayed


class HornbookError(Displayed, Exception):
    """The root: anything hornbook refuses or cannot do.

    >>> InvalidArgument("limit must be 1 to 200", field="limit", hint="leave it out for 10").as_dict()
    {'code': 'invalid_argument', 'message': 'limit must be 1 to 200', 'field': 'limit', 'hint': 'leave it out for 10'}
    """

    code: ClassVar[str] = "unavailable"
    __repr__ = Exception.__repr__  # whole: it may be all that a log has

    def __init__(
        self, message: str, *, field: str | None = None, hint: str | None = None, valid: Sequence[str] | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.field = field
        self.hint = hint
        self.valid = tuple(valid) if valid is not None else None

    def as_dict(self) -> dict[str, Any]:
        """The error in its one wire shape, without the keys that have nothing to say."""
        parts = {"code": self.code, "message": self.message, "field": self.field, "hint": self.hint}
        found = {key: value for key, value in parts.items() if value is not None}
        return {**found, "valid": list(self.valid)} if self.valid is not None else found


class InvalidArgument(HornbookError):
    """An input is malformed."""

    code = "invalid_argument"


class NotFound(HornbookError):
    """Nothing of that name is in this memory."""

    code = "not_found"


class Ambiguous(HornbookError):
    """More than one thing fits, and hornbook does not pick."""

    code = "ambiguous"


class Incoherent(HornbookError):
    """The times given contradict each other or what is stored."""

    code = "incoherent"


class Forbidden(HornbookError):
    """The provenance or the owner does not allow it."""

    code = "forbidden"


class Conflict(HornbookError):
    """The state that something is in does not allow the move."""

    code = "conflict"


class TooLarge(HornbookError):
    """The input is above a stated limit."""

    code = "too_large"


class StoreError(HornbookError):
    """The store cannot serve this now."""


class StoreBusy(StoreError):
    """Another process held the write lock for longer than the deadline."""


class StoreDamaged(StoreError):
    """The journal's hash chain is broken; what stands before the break can be read."""


class StoreNewer(StoreError):
    """The file was written by a newer version of hornbook."""


class StoreMoved(StoreError):
    """The store's file was moved, replaced or removed while it was open; what is written there would be lost."""


class EngineFault(StoreError):
    """The graph engine failed. The view is discarded; the next use rebuilds it."""


class EmbeddingError(HornbookError):
    """The embedding model is missing, is not the pinned one, or failed. Lexical search still answers."""


class ExtractionError(HornbookError):
    """A text could not be extracted. The text itself is stored."""


class BudgetSpent(ExtractionError):
    """Extracting a text would cost more than was allowed. The text itself is stored."""


class RuleError(HornbookError):
    """A rule, a program or a query is wrong."""

    code = "invalid_argument"
