"""The journal: the only truth, and the only SQLite. Everything else is a view of it."""

from hornbook.graph.journal.check import Damage, tables_sound, verify
from hornbook.graph.journal.copy import copy
from hornbook.graph.journal.journal import Journal, forked
from hornbook.graph.journal.lexical import expression
from hornbook.graph.journal.place import is_network
from hornbook.graph.journal.read import Document, Snapshot, Standing
from hornbook.graph.journal.vectors import Model, Vectors
from hornbook.graph.journal.write import Transaction

__all__ = [
    "Damage",
    "Document",
    "Journal",
    "Model",
    "Snapshot",
    "Standing",
    "Transaction",
    "Vectors",
    "copy",
    "expression",
    "forked",
    "is_network",
    "tables_sound",
    "verify",
]
