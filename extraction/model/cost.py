"""What reading costs: tokens and dollars, counted as they are spent, and a budget that is not overdrawn."""

import threading
from collections.abc import Callable

from hornbook.extraction.candidate import Usage
from hornbook.graph.errors import BudgetSpent

Price = Callable[[int, int], float | None]  # dollars for tokens in and out; None where nobody knows
LETTERS = 3  # characters in a token, rather too few: an estimate that is kept must not be too low
ANSWERED, LEAST = 5, 200  # tokens answered for a token of the text, and for the shortest text: rather too many too


class Meter:
    """Counts what was spent, and refuses a call that would go beyond `most` dollars.

    A call is booked before it is made with what it may cost at most, so that calls at the same time cannot overdraw
    together.

    >>> meter = Meter(lambda read, written: read * 1e-6 + written * 2e-6, most=0.001)
    >>> booked = meter.book(prompt=300, text=30)
    >>> meter.settle(booked, 120, 10)
    Usage(calls=1, read=120, written=10, cost=0.00014)
    """

    def __init__(self, price: Price, most: float | None = None) -> None:
        self._price, self.most = price, most
        self._lock = threading.Lock()
        self._booked = self._dearest = 0.0
        self.spent = Usage()

    def book(self, prompt: int, text: int) -> float:
        """Set aside what a call may cost, given the characters sent and those of the text in them."""
        dear = self._price(prompt // LETTERS + 1, ANSWERED * text // LETTERS + LEAST) or 0.0
        with self._lock:
            dear = max(dear, self._dearest)
            if self.most is not None and (self.spent.cost or 0.0) + self._booked + dear > self.most:
                raise BudgetSpent(
                    f"the budget of ${self.most:g} is spent",
                    field="max_cost",
                    hint="the text is stored: raise the budget and resume",
                )
            self._booked += dear
        return dear

    def settle(self, booked: float, read: int, written: int) -> Usage:
        """Count a call that was made, and release what was set aside for it."""
        usage = Usage(1, read, written, self._price(read, written))
        with self._lock:
            self._booked -= booked
            self.spent += usage
            self._dearest = max(self._dearest, usage.cost or 0.0)
        return usage

    def release(self, booked: float) -> None:
        """A call came to nothing and cost nothing."""
        with self._lock:
            self._booked -= booked
