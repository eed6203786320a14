"""Why and why not over a memory: a proof whose leaves are claims with the words they were taken from."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hornbook.graph.belief.state import Held
from hornbook.graph.claims.lines import held
from hornbook.graph.claims.shown import claim_json
from hornbook.graph.displayed import Displayed
from hornbook.graph.errors import NotFound
from hornbook.graph.store import Reading
from hornbook.graph.view import queries
from hornbook.reasoning.derived import Current
from hornbook.reasoning.proof import Explanation, Proof
from hornbook.reasoning.prove import why
from hornbook.reasoning.relation import Tuple, derived_id
from hornbook.reasoning.syntax import Query
from hornbook.reasoning.why_not import Absence, why_not

DEPTH = 40


@dataclass(frozen=True, slots=True, repr=False)
class Explained(Displayed):
    """Why something holds, with every claim that it rests on; where it does not hold, `absence` says why not."""

    explanation: Explanation
    claims: Mapping[str, Held]
    as_known: str
    absence: Absence | None = None

    @property
    def holds(self) -> bool:
        """Whether there is a proof."""
        return self.explanation.holds

    @property
    def proofs(self) -> tuple[Proof, ...]:
        """The proofs, one of each piece at least."""
        return self.explanation.proofs

    @property
    def confidence(self) -> float | None:
        """That of the strongest proof."""
        return self.explanation.confidence

    def text(self) -> str:
        """The tree, and below it the words that each claim was taken from."""
        if self.absence is not None:
            return self.absence.text()
        words = [line for ref in self.claims if (line := _words(ref, self.claims[ref]))]
        return "\n".join([self.explanation.text(), *(["", *words] if words else [])])

    def mermaid(self) -> str:
        """The first proof as a Mermaid graph."""
        return self.explanation.mermaid()

    def _told(self) -> Iterator[str]:
        yield from self.explanation._told()

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        shown = self.explanation.as_dict()
        claims = {ref: _evidence(one) for ref, one in self.claims.items()}
        more = {"claims": claims, "text": self.text(), "as_known": self.as_known}
        return {**shown, **more, **({"why_not": self.absence.as_dict()} if self.absence else {})}


def explain(
    reading: Reading, current: Current, asked: Query | str, depth: int, proofs: int, at: int | None
) -> Explained:
    """Why a fact or an answer holds, or (a text that is an id) a claim or a derived claim."""
    result = current.result
    if isinstance(asked, str):
        named = _found(reading, current, asked)
        found = named if isinstance(named, Explanation) else why(result, named, depth, proofs=proofs)
    else:
        found = why(result, asked, depth, proofs=proofs, at=at, now=reading.now)
    absence = None
    if not found.holds and not isinstance(asked, str):
        absence = why_not(result, asked, at=at, now=reading.now)
    return Explained(found, _claims(reading, found), reading.as_known, absence)


def _claims(reading: Reading, found: Explanation) -> dict[str, Held]:
    """The claims at the leaves of proofs, in their order; a leaf may also be an entity or a text."""
    refs = dict.fromkeys(leaf.claim for proof in found.proofs for leaf in proof.leaves() if leaf.claim is not None)
    rows = held(reading, reading.ask(queries.claims, list(refs), upto=reading.upto))
    known = {row.id: row for row in rows}
    return {ref: known[ref] for ref in refs if ref in known}


def _found(reading: Reading, current: Current, ref: str) -> Tuple | Explanation:
    """What an id is of: something derived, or a claim, which is its own proof."""
    if (derived := _derived(current, ref)) is not None:
        return derived
    rows = held(reading, reading.ask(queries.claims, [ref], upto=reading.upto))
    if not rows:
        raise NotFound(f"there is no claim {ref}", field="ref", hint="a derived claim goes when a premise goes")
    claim, state = rows[0].claim, rows[0].state
    sign = "-" if claim.polarity.value == "not" else ""
    terms = (claim.subject, claim.value)
    ends = (state.valid.since, state.valid.until)
    leaf = Proof("claim", sign + claim.predicate, terms, (), *ends, claim=ref, confidence=claim.confidence)
    asked = f"{leaf.predicate}({', '.join(json.dumps(term, ensure_ascii=False) for term in terms)})"
    return Explanation(asked, (leaf,), claim.confidence, 1)


def _derived(current: Current, ref: str) -> Tuple | None:
    """The conclusion that has an id, if one has."""
    base = current.result.base
    for head in sorted(current.compiled.heads):
        for row in base.all(head):
            if row.rule is not None and derived_id(head, row.keys, row.start, row.end) == ref:
                return Tuple(head, tuple(map(base.value, row.keys)), row.keys, row.start, row.end, row.uncertain)
    return None


def _evidence(one: Held) -> dict[str, Any]:
    shown = claim_json(one)
    names = ("fact", "provenance", "disposition", "recorded_at", "occurred_at", "speaker", "source", "evidence")
    found = {name: shown[name] for name in (*names, "extractor") if name in shown}
    return {**found, "episode": one.claim.episode} if one.claim.episode else found


def _words(ref: str, one: Held) -> str | None:
    said = one.claim
    if said.evidence is None and said.source is None and said.speaker is None:
        return None
    quote = f" “{said.evidence}”" if said.evidence else ""
    by = ", ".join(word for word in (said.speaker, said.source) if word)
    return f"claim {ref}:{quote}{f' ({by})' if by else ''}"


def pinned(
    reading: Reading, current: Current, refs: Sequence[str], derived: Collection[str]
) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Premises with each derived one replaced by the claims of its proof, and those proofs to be kept."""
    premises: dict[str, None] = {}
    proofs: dict[str, Any] = {}
    for ref in refs:
        found = _derived(current, ref.lower()) if ref in derived else None
        if found is None:  # a claim; or nothing, which the store will say
            premises[ref] = None
            continue
        explanation = why(current.result, found, DEPTH)
        premises |= dict.fromkeys(_claims(reading, explanation))
        proofs[ref.lower()] = [proof.as_dict() for proof in explanation.proofs]
    return tuple(premises), {"pinned": proofs} if proofs else {}
