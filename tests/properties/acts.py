"""What a user may do to a memory, as values: drawn at random, done one after the other; refusals are part of it."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st
from tests.processes.kit import EMBEDDER

from hornbook.extraction.candidate import Candidate, Extraction
from hornbook.extraction.scripted import ScriptedExtractor
from hornbook.graph.claim import Polarity
from hornbook.graph.clock import Clock, ticking
from hornbook.graph.errors import HornbookError
from hornbook.graph.retrieval.embed import CallableEmbedder
from hornbook.memory import Memory

PEOPLE = ("Ana", "Ben")
PREDICATES = ("lives_in", "likes")
VALUES = ("Berlin", "tea", 7)
YEARS = ("2019", "2021-03", "2024-05-06", "2030")
NOTES = ("The spare key is under the blue pot.", "Ben drinks tea.", "Tea or coffee? 咖啡好喝", "Reference 48-B, 2021.")
SAID = {
    "I moved to Munich.": Extraction(candidates=(Candidate("user", "lives_in", "Munich", "moved to Munich"),)),
    "I never liked tea.": Extraction(
        candidates=(Candidate("user", "likes", "tea", "never liked tea", polarity=Polarity.NOT),)
    ),
    "Nothing is said here.": Extraction(),
}


@dataclass(frozen=True, slots=True)
class Act:
    """One call: the method's name and its arguments. `at` picks one of the memories stored so far."""

    name: str
    given: dict[str, Any] = field(default_factory=dict)
    at: int | None = None


def memory_in(where: Any = ":memory:", user: str = "ana", clock: Clock | None = None) -> Memory:
    """A memory that costs little: words for vectors, a script for an extractor."""
    embedder: CallableEmbedder = EMBEDDER
    return Memory.open(where, user, clock=clock or ticking(), embedder=embedder, extractor=ScriptedExtractor(SAID))


def maybe(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """One of these, or none."""
    return st.none() | strategy


LINES = {"subject": st.sampled_from(PEOPLE), "predicate": st.sampled_from(PREDICATES)}
TURNS = {
    "speaker": maybe(st.sampled_from(PEOPLE)),
    "session": maybe(st.sampled_from(("one", "two"))),
    "occurred_at": maybe(st.sampled_from(YEARS)),
}
CLAIMS = st.fixed_dictionaries(
    {
        **LINES,
        "value": st.sampled_from(VALUES),
        "speaker": maybe(st.sampled_from(PEOPLE)),
        "valid_from": maybe(st.sampled_from(YEARS)),
        "polarity": st.sampled_from(("holds", "holds", "not")),
        "intent": st.sampled_from(("state", "update")),
        "cardinality": st.sampled_from(("Functional", "SetValued", None)),
        "provenance": st.sampled_from(("External:UserAsserted", "External:ExternalFirstHand", "ModelDerived")),
    }
).map(lambda given: Act("claim", given))
ACTS = st.one_of(
    st.fixed_dictionaries(
        {"content": st.sampled_from(NOTES), "scope": st.sampled_from(("personal", "project")), **TURNS}
    ).map(lambda given: Act("store", given)),
    st.fixed_dictionaries(
        {"content": st.sampled_from(NOTES), "node_type": st.sampled_from(("fact", "decision")), **LINES, **TURNS}
        | {"value": st.sampled_from(VALUES)}
    ).map(lambda given: Act("store", given)),
    st.fixed_dictionaries({"content": st.sampled_from(tuple(SAID)), **TURNS}).map(lambda given: Act("ingest", given)),
    CLAIMS,
    CLAIMS,
    st.fixed_dictionaries({**LINES, "at": maybe(st.sampled_from(YEARS)), "reopen": st.booleans()}).map(
        lambda given: Act("end", given)
    ),
    st.fixed_dictionaries({**LINES, "outcome": st.sampled_from(("winner", "all", "none", "reopen"))}).map(
        lambda given: Act("resolve", {**given, "reason": "looked"})
    ),
    st.integers(0, 9).map(lambda at: Act("archive", at=at)),
    st.integers(0, 9).map(lambda at: Act("promote", at=at)),
)
TAKEN_BACK = st.one_of(ACTS, ACTS, ACTS, st.integers(0, 9).map(lambda at: Act("delete", at=at)), st.just(Act("undo")))


def do(memory: Memory, act: Act, stored: list[str]) -> None:
    """Do it; what the memory refuses is left undone."""
    method: Callable[..., Any] = getattr(memory, act.name)
    with suppress(HornbookError):
        if act.at is not None:
            if stored:
                method(stored[act.at % len(stored)])
            return
        given = dict(act.given)
        if given.get("outcome") == "winner":
            given["winner"] = winner(memory, given)
        done = method(**given)
        if act.name == "store":
            stored.append(done.node_id)


def winner(memory: Memory, line: dict[str, Any]) -> str | None:
    """The first claim of a line."""
    told = memory.history(line["subject"], line["predicate"])
    return told[0].claim_ref if told else None
