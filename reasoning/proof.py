"""A proof as a value, and its forms: indented text, JSON, Mermaid, and a notebook's display.

Leaves are claims, and absences, which are a kind of their own. A node that was not opened says `partial`.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hornbook.graph.displayed import Displayed, counted
from hornbook.graph.interval import ALWAYS, FOREVER
from hornbook.reasoning.builtins import shown
from hornbook.reasoning.relation import derived_id
from hornbook.reasoning.terms import Key


@dataclass(frozen=True, slots=True, repr=False)
class Proof(Displayed):
    """One node: what holds over which piece, why, and what it rests on.

    kind: "claim" (asserted), "rule" (concluded), "aggregate" (counted), "interval" (joined pieces), "absent" (nothing
    matches), "query" (a conjunction asked for). `partial`: what it rests on is not shown, or was not found in bounds.
    """

    kind: str
    predicate: str
    terms: tuple[Any, ...]
    keys: tuple[Key | None, ...] = ()
    start: int = ALWAYS
    end: int = FOREVER
    uncertain: bool = False
    rule: str | None = None
    rule_id: str | None = None
    claim: str | None = None
    confidence: float = 1.0
    children: tuple["Proof", ...] = ()
    partial: bool = False

    @property
    def id(self) -> str:
        """Of what is derived the stable id, of a claim its own."""
        if self.claim is not None:
            return self.claim
        return derived_id(self.predicate, (key or "_" for key in self.keys), self.start, self.end)

    @property
    def statement(self) -> str:
        """What holds, in the words of the rule language."""
        inside = ", ".join("_" if term is ANYTHING else json.dumps(term, ensure_ascii=False) for term in self.terms)
        return f"{'not ' if self.kind == 'absent' else ''}{self.predicate}({inside})"

    @property
    def strength(self) -> float:
        """As strong as its weakest premise; absence counts 1."""
        return min((leaf.confidence for leaf in self.leaves()), default=1.0)

    def leaves(self) -> Iterator["Proof"]:
        """The claims and absences that it rests on."""
        if not self.children:
            yield self
        for child in self.children:
            yield from child.leaves()

    def nodes(self) -> Iterator["Proof"]:
        """Every node, itself first."""
        yield self
        for child in self.children:
            yield from child.nodes()

    def as_dict(self) -> dict[str, Any]:
        """The tree for JSON; open ends and what has nothing to say are left out."""
        full = {
            "kind": self.kind,
            "statement": self.statement,
            "id": self.id if self.kind != "absent" else None,
            "valid_from": _end(self.start),
            "valid_to": _end(self.end),
            "timing_uncertain": self.uncertain or None,
            "rule": self.rule,
            "rule_id": self.rule_id,
            "claim_ref": self.claim,
            "confidence": self.confidence if self.kind == "claim" else None,
            "partial": self.partial or None,
        }
        found = {name: value for name, value in full.items() if value is not None}
        return {**found, "premises": [child.as_dict() for child in self.children]} if self.children else found

    def text(self) -> str:
        """The tree as indented text.

        >>> leaf = Proof("claim", "q", ("Ana",), claim="7", confidence=0.9)
        >>> print(Proof("rule", "p", ("Ana",), rule="p(x) :- q(x).", children=(leaf,)).text())
        p("Ana")  by p(x) :- q(x).
        └─ q("Ana")  claim 7, confidence 0.9
        """
        return "\n".join(self._lines("", ""))

    def _lines(self, first: str, rest: str) -> Iterator[str]:
        yield f"{first}{self.statement}{self._remark()}"
        for number, child in enumerate(self.children):
            last = number == len(self.children) - 1
            yield from child._lines(rest + ("└─ " if last else "├─ "), rest + ("   " if last else "│  "))

    def _remark(self) -> str:
        time = when(self.start, self.end)
        parts = [f"  {time}" if time else ""]
        if self.kind == "claim":
            parts.append(f"  claim {self.claim}, confidence {self.confidence:g}")
        elif self.kind == "absent":
            parts.append("  nothing says so")
        elif self.rule is not None:
            parts.append(f"  by {self.rule}")
        parts.append("  timing uncertain" if self.uncertain else "")
        parts.append("  …" if self.partial else "")
        return "".join(parts)

    def mermaid(self) -> str:
        """The proof as a Mermaid graph; shared parts are drawn once.

        >>> print(Proof("claim", "q", ("Ana",), claim="7").mermaid())
        graph TD
          n0["q(#quot;Ana#quot;)"]
        """
        numbers: dict[tuple[str, str], int] = {}
        nodes: list[str] = []
        edges: dict[str, None] = {}
        for node in self.nodes():
            key = (node.kind, node.statement + node.id)
            if key not in numbers:
                numbers[key] = len(numbers)
                nodes.append(f"  n{numbers[key]}{_box(node)}")
        for node in self.nodes():
            for child in node.children:
                above = numbers[(node.kind, node.statement + node.id)]
                edges[f"  n{numbers[(child.kind, child.statement + child.id)]} --> n{above}"] = None
        return "\n".join(["graph TD", *nodes, *edges])

    def _told(self) -> Iterator[str]:
        yield self.statement
        yield from (part for part in (self.kind, self.rule or "", when(self.start, self.end)) if part)


class _Anything:
    """Stands in an absence for an argument that may be anything."""

    def __repr__(self) -> str:
        return "_"


ANYTHING = _Anything()


def _box(node: Proof) -> str:
    label = node.statement.replace("#", "#35;").replace('"', "#quot;").replace("<", "#lt;").replace(">", "#gt;")
    return f'(["{label}"])' if node.kind == "absent" else f'["{label}"]'


def _end(at: int) -> str | None:
    return None if at in (ALWAYS, FOREVER) else shown(at)


def when(start: int, end: int) -> str:
    """A piece of time for people.

    >>> when(0, FOREVER), when(ALWAYS, 0), when(ALWAYS, FOREVER)
    ('[1970-01-01, …)', '[…, 1970-01-01)', '')
    """
    if start == ALWAYS and end == FOREVER:
        return ""
    return f"[{_end(start) or '…'}, {_end(end) or '…'})"


@dataclass(frozen=True, slots=True, repr=False)
class Explanation(Displayed):
    """Why something holds: at least one proof, of each piece. `holds` is false, and `proofs` empty, if it does not.

    `confidence` is that of the strongest proof among `proofs_considered`. It decides nothing.
    """

    asked: str
    proofs: tuple[Proof, ...]
    confidence: float | None = None
    proofs_considered: int = 0

    @property
    def holds(self) -> bool:
        """Whether there is anything to explain."""
        return bool(self.proofs)

    def text(self) -> str:
        """Every proof as text."""
        return "\n\n".join(proof.text() for proof in self.proofs) or f"{self.asked} does not hold"

    def mermaid(self) -> str:
        """The first proof as a Mermaid graph."""
        return self.proofs[0].mermaid() if self.proofs else "graph TD"

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "asked": self.asked,
            "holds": self.holds,
            "confidence": self.confidence,
            "proofs_considered": self.proofs_considered,
            "proofs": [proof.as_dict() for proof in self.proofs],
        }

    def _told(self) -> Iterator[str]:
        yield self.asked
        yield "holds" if self.holds else "does not hold"
        if self.proofs:
            yield counted(len(self.proofs), "proof")
