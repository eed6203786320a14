"""What the gate is given, and what it answers."""

from dataclasses import dataclass

from hornbook.graph.belief.registry import Predicate
from hornbook.graph.belief.settings import DEFAULTS, BeliefSettings
from hornbook.graph.belief.state import Change, ClaimState, Held, Ledger
from hornbook.graph.claim import Cardinality, Disposition


@dataclass(frozen=True, slots=True)
class Line:
    """A line at the moment of a write, as much of it as the new claim can touch.

    `live` are the live claims whose window can touch the new claim's, with all live claims of their sides; `same` is
    every claim, live or not, that says what the new one says. A claim may be in both. `value_key` is what the new
    claim says on this line, where that differs from the claim's own key (a mirrored line, an entity).
    """

    predicate: Predicate
    live: tuple[Held, ...] = ()
    same: tuple[Held, ...] = ()
    value_key: str | None = None
    mirrored: bool = False


@dataclass(frozen=True, slots=True)
class Context:
    """What else a decision depends on. `known_at` is the journal's clock, in microseconds.

    `premises` are the states of the claims in `derived_from`; `anchored` says whether one of their roots is External.
    """

    known_at: int
    oracle: bool = False
    owner: str | None = None
    premises: tuple[tuple[str, ClaimState], ...] = ()
    anchored: bool = True
    settings: BeliefSettings = DEFAULTS


@dataclass(frozen=True, slots=True)
class Decision:
    """What the gate decided about a claim, why, and what else changes with it.

    `state` is None where the claim only repeats another (`repeats`): nothing is stored but the ledger's entry. `row` is
    the row of the table that fitted. `declares` is a cardinality to declare for the predicate.
    """

    disposition: Disposition
    state: ClaimState | None
    row: int
    reason: str
    ledger: Ledger = Ledger.COMMITTED
    contested_with: tuple[str, ...] = ()
    compared_with: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()
    repeats: str | None = None
    notes: tuple[str, ...] = ()
    declares: Cardinality | None = None
