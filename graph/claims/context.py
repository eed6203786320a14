"""A text for a reader with a limited window: what is believed, with contests shown as such, then what was said."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from hornbook.graph import entities
from hornbook.graph.belief.belief import Belief, Slot, Status
from hornbook.graph.belief.state import Marker
from hornbook.graph.claims.believe import Answer, belief_on
from hornbook.graph.claims.lines import line_id
from hornbook.graph.dates import Moment
from hornbook.graph.displayed import Displayed, brief
from hornbook.graph.retrieval.found import Found, Results
from hornbook.graph.retrieval.pack import Passage, pack
from hornbook.graph.store import Reading

UNKNOWN = (Status.NO_BELIEF,)


@dataclass(frozen=True, slots=True, repr=False)
class Context(Displayed):
    """The text, about how many tokens it has, what did not fit, and as of which known instant."""

    text: str
    tokens: int
    cut: Mapping[str, int]
    as_known: str

    def _told(self) -> Iterator[str]:
        yield f"{self.tokens} tokens"
        yield from (f"{many} {how}" for how, many in self.cut.items() if many)
        yield brief(self.text, 80)

    def as_dict(self) -> dict[str, Any]:
        """The reply."""
        return {"text": self.text, "tokens": self.tokens, "cut": dict(self.cut), "as_known": self.as_known}


@dataclass(frozen=True, slots=True)
class Concluded:
    """What rules add to what was said, handed in by the caller: nothing here knows of rules.

    `believe` reads the line of an entity and a predicate with what rules derive for it; `about` are the lines, as
    subject and predicate, that rules alone may speak of and that have to do with whom the question names.
    """

    believe: Callable[[str, str], Answer]
    about: Iterable[tuple[str, str]] = ()


def context(reading: Reading, found: Results, at: int, budget: int, concluded: Concluded | None = None) -> Context:
    """Beliefs that speak to the question, then the passages that were found, inside the budget of tokens.

    What rules derive is told as such, where it is handed in.
    """
    answers = list(_answers(reading, found, at, concluded))
    lines = [line for answer in answers if (line := sentence(answer)) is not None]
    told = {slot.claim_ref for answer in answers for slot in answer.belief.slots}
    passages = [_passage(hit) for hit in found.hits if not (hit.kind == "claim" and hit.node_id in told)]
    packed = pack(list(dict.fromkeys(lines)), passages, budget)
    cut = {"left_out": packed.left_out, "shortened": packed.shortened, "folded": packed.folded}
    return Context(packed.text, packed.tokens, cut, reading.as_known)


def _answers(reading: Reading, found: Results, at: int, concluded: Concluded | None) -> Iterator[Answer]:
    """What the lines say that the search has found, in its order; each once, whatever its entity was merged into."""
    seen: set[str] = set()
    told: set[tuple[str, str]] = set()
    for ref in found.lines:
        id_, _, key = ref.partition("|")
        entity = entities.find(reading, id_)
        line = "" if entity is None else line_id(entity.id, key)
        if entity is None or line in seen:
            continue
        seen.add(line)
        predicate = reading.registry.named(key)
        told.add((entity.name, predicate.key))
        if concluded is not None:
            yield replace(concluded.believe(entity.id, predicate.key), subject=entity.name)
            continue
        belief = belief_on(reading, line, predicate, at)
        yield Answer(entity.name, predicate.key, belief, reading.as_known, predicate.event)
    for subject, key in dict.fromkeys(concluded.about if concluded else ()):
        if concluded is not None and (subject, key) not in told:
            yield concluded.believe(subject, key)


def sentence(answer: Answer) -> str | None:
    """A belief as one line of text; None where nothing is believed.

    Contested lines say so and name every side.
    """
    belief = answer.belief
    if belief.status in UNKNOWN:
        return None
    relation = f"{answer.subject} {answer.predicate.replace('_', ' ')}"
    if belief.status in (Status.CONTESTED, Status.CONFLICT):
        return f"{relation}: contested: {' / '.join(_side(slot) for slot in belief.alternatives)}"
    members = [slot for slot in belief.slots if Marker.NOT_ASSERTED.value not in slot.markers]
    said = ", ".join(_side(slot, answer.event) for slot in members) or "unknown"
    unsure = " (undated)" if belief.status is Status.TIMING_UNCERTAIN else ""
    return f"{relation}: {said}{unsure}{_marked(belief)}"


def _marked(belief: Belief) -> str:
    told = {"Contested": "in dispute at another time", "PendingReview": "what it rests on has changed"}
    found = [text for marker, text in told.items() if marker in belief.markers]
    return f" ({'; '.join(found)})" if found else ""


def _side(slot: Slot, event: bool = False) -> str:
    value = slot.value if isinstance(slot.value, str) else str(slot.value)
    denied = "not " if slot.polarity.value == "not" else ""
    if event:
        return f"{denied}{value}{f' ({slot.valid.start})' if slot.valid.start else ''}"
    said, approximate = slot.held.claim.valid, slot.held.state.approximate
    since, until = (
        f" {word} {'about ' if approximate and end != own else ''}{_day(end)}" if end else ""
        for word, end, own in (("since", slot.valid.start, said.start), ("until", slot.valid.end, said.end))
    )
    return f"{denied}{value}{since}{until}{_standing(slot)}"


def _standing(slot: Slot) -> str:
    """What a reader should know of whose word it is, where it is nobody's."""
    if slot.held.claim.extra.get("derived"):
        return " (follows by rule)"
    return "" if slot.external else " (a guess)"


def _day(moment: Moment) -> str:
    """A date as precisely as it was said, but for the time of day."""
    return str(moment)[:10]


def _passage(hit: Found) -> Passage:
    date = hit.occurred_at[:10] if hit.occurred_at else None
    return Passage(hit.node_id, hit.content.strip(), hit.speaker, date, hit.session, hit.order, hit.previous)
