"""How much an evaluation may do, and what is said when it would do more."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hornbook.reasoning.errors import Divergent, LimitExceeded
from hornbook.reasoning.plan import Plan
from hornbook.reasoning.syntax import NOWHERE


@dataclass(frozen=True, slots=True)
class Limits:
    """`derived`: tuples in all. `rounds`: of one recursion; `making`: of one that computes new values.

    `deep`: rounds of a linear recursion after which a back end may finish it without recording proofs; they are then
    looked for when asked. `memory`, `threads`: what DuckDB may use, and `seconds`: how long one join of it may take.
    """

    derived: int = 5_000_000
    rounds: int = 100_000
    making: int = 500
    deep: int = 60
    memory: str = "2GB"
    threads: int = 2
    seconds: float = 120.0


def refuse_more(derived: int, plans: Iterable[Plan], text: str, limits: Limits) -> None:
    """Stop an evaluation that has derived more than it may."""
    if derived > limits.derived:
        plan = next(iter(plans))
        problem = f"more than {limits.derived:,} tuples would be derived; the last were of {plan.head}"
        raise LimitExceeded(problem, plan.where, text, mend="bind more of the body, or raise the limit")


JOINED = "join every atom to another by a variable, or raise the limit"


def out_of_memory(plans: Sequence[Plan], text: str, limits: Limits) -> LimitExceeded:
    """What is said when a join does not fit."""
    return _too_much(plans, text, f"need more memory than {limits.memory}")


def out_of_time(plans: Sequence[Plan], text: str, limits: Limits) -> LimitExceeded:
    """What is said when a join was stopped."""
    return _too_much(plans, text, f"take longer than {limits.seconds:g} s")


def _too_much(plans: Sequence[Plan], text: str, problem: str) -> LimitExceeded:
    """Of several rules that ran together the one that joins most is named."""
    plan = max(plans, key=lambda each: len(each.goals))
    if plan.number < 0:
        return LimitExceeded(f"the joins of the question {problem}", NOWHERE, "", mend=JOINED)
    return LimitExceeded(f"the joins of {plan.rule} {problem}", plan.where, text, mend=JOINED)


def refuse_rounds(rounds: int, plans: Iterable[Plan], text: str, limits: Limits) -> None:
    """Stop a recursion that does not end."""
    making = [plan for plan in plans if plan.makes]
    if making and rounds > limits.making:
        plan = making[0]
        problem = f"{plan.head} makes a new value in every round, {limits.making:,} rounds long: {plan.rule}"
        raise Divergent(problem, plan.where, text, mend="bound it, say by a comparison such as n < 100 in the body")
    if rounds > limits.rounds:
        plan = next(iter(plans))
        problem = f"the recursion of {plan.head} did not end within {limits.rounds:,} rounds"
        raise LimitExceeded(problem, plan.where, text, mend="raise the limit")
