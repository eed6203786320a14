"""Putting a contest to an oracle: asked outside the lock, with a deadline; it proposes, the gate commits."""

import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hornbook.graph.belief.case import COMPARED
from hornbook.graph.belief.oracle import WAITING, Verdict, judged_on, question
from hornbook.graph.belief.registry import Predicate
from hornbook.graph.belief.state import Held
from hornbook.graph.claim import Disposition
from hornbook.graph.claims import changes
from hornbook.graph.claims.lines import claim_rows, live_on
from hornbook.graph.claims.shown import claim_json
from hornbook.graph.displayed import Displayed, brief, counted
from hornbook.graph.errors import Conflict, InvalidArgument, NotFound
from hornbook.graph.events import Actor
from hornbook.graph.ids import new_id
from hornbook.graph.store import Reading, Store, Writing
from hornbook.graph.view import queries

DEADLINE = 30.0  # seconds

ANSWERS = {Verdict.TIMEOUT: "oracle.expired"}


@dataclass(frozen=True, slots=True, repr=False)
class Question(Displayed):
    """What an oracle is asked: is the challenger right, against the incumbents? Each as a reply shows a claim."""

    subject: str
    predicate: str
    challenger: Mapping[str, Any]
    incumbents: tuple[Mapping[str, Any], ...]

    def _told(self) -> Iterator[str]:
        yield f"{brief(self.subject)} {self.predicate}"
        yield f"{brief(self.challenger['fact']['value'])} against {counted(len(self.incumbents), 'other')}"


# affirm, deny or unknown, as a Verdict or its text
Oracle = Callable[[Question], Verdict | str]


def adjudicate(store: Store, actor: Actor, oracle: Oracle, challenger: str, deadline: float = DEADLINE) -> Disposition:
    """Ask an oracle about a queued claim and carry its verdict out; what the claim has come to.

    No answer by the deadline, or an oracle that raises, leaves the claim contested.
    """
    with store.reading() as reading:
        asked = question_about(reading, challenger)
    verdict, raised = _answer(oracle, asked, deadline)
    return store.write(actor, lambda writing: carry_out(writing, challenger, verdict, asked, raised=raised))


def carry_out(
    writing: Writing,
    challenger: str,
    verdict: Verdict,
    asked: Question,
    waiting: Collection[Disposition] = WAITING,
    who: str = "the oracle",
    raised: str | None = None,
) -> Disposition:
    """Record a verdict and what it changes; what the claim has come to.

    Of an oracle that raised the kind of error is told, and never its text, which may hold anything. Nothing is
    recorded where somebody settled it meanwhile.
    """
    lines = _lines_of(writing, challenger)
    try:
        stands = [(live_on(writing, line), _predicate_of(writing, line)) for line in lines]
        decided = judged_on(stands, challenger, verdict, waiting)
    except (Conflict, NotFound):
        return claim_rows(writing, (challenger,))[0].state.disposition
    writing.append(
        ANSWERS.get(verdict, "oracle.answered"),
        {
            "question": new_id(),
            "line": lines[0],
            "challenger": challenger,
            "claim": challenger,
            "incumbents": [one["claim_ref"] for one in asked.incumbents[:COMPARED]],
            "verdict": verdict.value,
            "reason": f"{who} said {verdict.value}" if raised is None else f"{who} raised {raised}",
        },
    )
    changes.record_on(writing, lines[0], decided)
    return claim_rows(writing, (challenger,))[0].state.disposition


def _lines_of(asking: Reading | Writing, claim: str) -> tuple[str, ...]:
    """The lines that a claim stands on, its own first."""
    (own,) = asking.ask(queries.claims, (claim,), upto=asking.upto)
    every = asking.ask(queries.lines_of_claims, (claim,), upto=asking.upto)
    return tuple(dict.fromkeys((own.line, *every)))


def _predicate_of(asking: Reading | Writing, line: str) -> Predicate:
    return asking.registry.named(line.partition("|")[2])


def question_about(reading: Reading, challenger: str) -> Question:
    """What is to be asked about a claim in dispute: whether it is right, against all that it contradicts."""
    (claim,) = claim_rows(reading, (challenger,))
    return Question(
        claim.claim.subject,
        claim.claim.predicate,
        claim_json(claim),
        tuple(claim_json(one) for one in _rivals(reading, challenger)),
    )


def _rivals(reading: Reading, challenger: str) -> tuple[Held, ...]:
    """Every claim that the challenger contradicts, on either of its lines."""
    found: dict[str, Held] = {}
    for line in _lines_of(reading, challenger):
        live = live_on(reading, line)
        if any(one.id == challenger for one in live):
            asked = question(live, _predicate_of(reading, line), challenger)
            found |= {one.id: one for one in asked.incumbents}
    return tuple(found.values())


def _answer(oracle: Oracle, question: Question, deadline: float) -> tuple[Verdict, str | None]:
    """The oracle's verdict, and the kind of error if it raised one.

    It is asked in a thread of its own so that one that never answers holds up nobody.
    """
    said: list[Verdict | str | BaseException] = []

    def ask() -> None:
        try:
            said.append(oracle(question))
        except Exception as error:  # whatever a callable of the user's raises is no verdict
            said.append(error)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(deadline)
    if not said:
        return Verdict.TIMEOUT, None
    return checked_verdict(said[0]), type(said[0]).__name__ if isinstance(said[0], BaseException) else None


def checked_verdict(said: object) -> Verdict:
    """A verdict as an oracle gave it; one that raised did not know.

    >>> checked_verdict("Affirm").value, checked_verdict(ValueError("?")).value
    ('affirm', 'unknown')
    """
    if isinstance(said, BaseException):
        return Verdict.UNKNOWN
    for verdict in (Verdict.AFFIRM, Verdict.DENY, Verdict.UNKNOWN):
        if isinstance(said, str) and said.strip().casefold() == verdict.value:
            return verdict
    raise InvalidArgument("an oracle answers affirm, deny or unknown", field="verdict")
