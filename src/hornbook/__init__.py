"""A memory for agents that knows what it believes, since when, who said so, what contradicts it, and what follows."""

from typing import TYPE_CHECKING, Any

from hornbook.graph.errors import (
    Ambiguous,
    Conflict,
    EngineFault,
    ExtractionError,
    Forbidden,
    HornbookError,
    Incoherent,
    InvalidArgument,
    NotFound,
    RuleError,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreNewer,
    TooLarge,
)

if TYPE_CHECKING:
    from hornbook.memory import Memory

__version__ = "0.1.0"

__all__ = [
    "Ambiguous",
    "Conflict",
    "EngineFault",
    "ExtractionError",
    "Forbidden",
    "HornbookError",
    "Incoherent",
    "InvalidArgument",
    "Memory",
    "NotFound",
    "RuleError",
    "StoreBusy",
    "StoreDamaged",
    "StoreError",
    "StoreNewer",
    "TooLarge",
    "__version__",
]


def __getattr__(name: str) -> Any:
    """`Memory`, loaded when it is asked for: `import hornbook` alone costs nothing."""
    if name == "Memory":
        from hornbook.memory import Memory

        return Memory
    raise AttributeError(f"module 'hornbook' has no attribute '{name}'")
