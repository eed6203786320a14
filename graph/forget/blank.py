"""Which bodies an erasure removes, and what it leaves of those that other things still need.

A body goes when it holds the words of what is erased: the texts and memories themselves, their claims, what became of
these, and entities that nothing else speaks of. Of some a skeleton is left, so that what refers to them still can:
a claim without subject, predicate and value, that was never believed; a merge without names; a decision without its
words. Envelopes stay as they are.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hornbook.graph.belief.codec import interval_to_json
from hornbook.graph.claim import Disposition
from hornbook.graph.interval import Interval
from hornbook.graph.names import name_key

if TYPE_CHECKING:
    from hornbook.graph.events import Event
    from hornbook.graph.forget.select import Selected
    from hornbook.graph.store import Writing

ERASED = "[erased]"
NOWHERE = "erased|erased"  # the line of claims that say nothing any more
Body = Mapping[str, Any]
Left = dict[str, Any] | None


@dataclass(slots=True)
class Plan:
    """What is to be erased: events by seq, each with what is left of its body."""

    episodes: frozenset[str]
    memories: frozenset[str]
    claims: set[str] = field(default_factory=set)
    entities: set[str] = field(default_factory=set)  # those of which nothing is left
    events: dict[int, tuple["Event", Left]] = field(default_factory=dict)
    kept: set[int] = field(default_factory=set)  # events of claims that stay, without what they told of erased ones

    def put(self, event: "Event", left: Left = None) -> None:
        """Erase an event's body, if it is there and not yet what would be left."""
        if event.body is not None and event.body != left:
            self.events[event.seq] = (event, left)


def planned(writing: "Writing", selected: "Selected") -> Plan:
    """The plan for a selection: three walks over the journal, since each needs what the one before found."""
    plan = Plan(frozenset(selected.episodes), frozenset(selected.memories))
    plan.claims |= set(selected.claims)
    spoken = _Spoken()
    for event in writing.snapshot.events(kinds=("claim.recorded", "extraction.recorded", "episode.recorded")):
        if event.body is not None:
            _look(plan, spoken, event, event.body)
    plan.entities = spoken.touched - spoken.kept
    spoken.keep_words()
    for event in writing.snapshot.events(kinds=tuple(BLANKS)):
        if event.body is not None:
            BLANKS[event.kind](plan, spoken, event, event.body)
    return plan


@dataclass(slots=True)
class _Spoken:
    """Which entities the erased things speak of, which the others do, and in which words."""

    touched: set[str] = field(default_factory=set)
    kept: set[str] = field(default_factory=set)
    words: dict[str, set[str]] = field(default_factory=dict)  # entity -> names under which what stays speaks of it
    texts: dict[str, str] = field(default_factory=dict)  # the texts that stay, as long as they are needed
    mentions: list[tuple[str, str]] = field(default_factory=list)  # (episode, entity)

    def keep_words(self) -> None:
        """Fold the texts that stay into the words of their entities: a name that stands in one of them may stay."""
        for episode, entity in self.mentions:
            if entity in self.touched:
                self.words.setdefault(entity, set()).add(name_key(self.texts.get(episode, "")))
        self.texts.clear()

    def may_stay(self, entity: str, name: str) -> bool:
        """Whether a name of an entity is among the words of what stays."""
        key = name_key(name)
        return entity not in self.touched or any(key in said for said in self.words.get(entity, ()))


def _look(plan: Plan, spoken: _Spoken, event: "Event", body: Body) -> None:
    if event.kind == "episode.recorded":
        if body["id"] not in plan.episodes:
            spoken.texts[body["id"]] = body["content"]
        return
    if event.kind == "extraction.recorded":
        gone = body["episode"] in plan.episodes
        found = {mention["entity"] for mention in body["mentions"]}
        (spoken.touched if gone else spoken.kept).update(found)
        if not gone:
            spoken.mentions += [(body["episode"], entity) for entity in found]
        return
    claim = body["claim"]
    if claim["episode"] in plan.episodes or body["memory"] in plan.memories or claim["id"] in plan.claims:
        plan.claims.add(claim["id"])
        spoken.touched |= set(_entities(body))
        return
    for entity in _entities(body):
        spoken.kept.add(entity)
        spoken.words.setdefault(entity, set()).update((name_key(str(claim["subject"])), name_key(str(claim["value"]))))


def _entities(body: Body) -> Iterator[str]:
    yield from (place["entity"] for place in body["lines"])
    if body["value_entity"]:
        yield body["value_entity"]


TOLD = (
    *("speaker", "source", "evidence", "episode", "occurred_at", "agent", "run", "memory", "extractor"),
    *("subject_type", "value_type", "cardinality"),
)

# what goes, and what is left, by the kind of event


def _text(plan: Plan, spoken: _Spoken, event: "Event", body: Body) -> None:
    if body.get("id", body.get("episode")) in plan.episodes:
        plan.put(event)


def _memory(plan: Plan, spoken: _Spoken, event: "Event", body: Body) -> None:
    if body.get("id", body.get("memory")) in plan.memories:
        plan.put(event)


def _claim(plan: Plan, spoken: _Spoken, event: "Event", body: Body) -> None:
    claim = body["claim"]
    if claim["id"] not in plan.claims:
        _unpin(plan, event, body)
    elif claim["subject"] != ERASED:
        plan.put(event, skeleton(body))


def _unpin(plan: Plan, event: "Event", body: Body) -> None:
    """A claim that stays, and rests on a derived one: its pinned proof goes where it tells of an erased claim."""
    extra = body["claim"].get("extra") or {}
    if "pinned" in extra and not plan.claims.isdisjoint(body["claim"]["derived_from"]):
        rest = {name: value for name, value in extra.items() if name != "pinned"}
        plan.put(event, {**body, "claim": {**body["claim"], "extra": rest}})
        plan.kept.add(event.seq)


def skeleton(body: Body) -> dict[str, Any]:
    """A recorded claim that says nothing: its id stays, so that what names it still can."""
    claim = body["claim"]
    said = {"subject": ERASED, "predicate": "erased", "value": None, "subject_key": ERASED, "value_key": claim["id"]}
    gone = dict.fromkeys(TOLD)
    kept = {"valid": interval_to_json(Interval()), "derived_from": [], "extra": {}}
    state = {
        "disposition": Disposition.INVALIDATED.value,
        "live": False,
        "valid": interval_to_json(Interval()),
        "markers": [],
        "rivals": [],
        "review": None,
        "approximate": False,
    }
    place = {"line": NOWHERE, "entity": "erased", "predicate": "erased", "value_key": claim["id"], "mirrored": False}
    return {
        **body,
        "claim": {**claim, **said, **gone, **kept},
        "lines": [place],
        "value_entity": None,
        "state": state,
        "reason": ERASED,
        "compared_with": [],
        "repeats": None,
        "memory": None,
    }


def _changed(plan: Plan, spoken: _Spoken, event: "Event", body: Body) -> None:
    if body["claim"] in plan.claims:
        plan.put(event)
    elif not plan.claims.isdisjoint(body["because"]) and body["reason"] != ERASED:
        plan.put(event, {**body, "reason": ERASED})


def _question(plan: Plan, spoken: _Spoken, event: "Event", body: Body) -> None:
    if not plan.claims.isdisjoint((body.get("challenger"), *body.get("incumbents", ()))):
        plan.put(event)


def _resolution(plan: Plan, spoken: _Spoken, event: "Event", body: Body) -> None:
    gone = plan.claims & body.get("before", {}).keys()
    if gone or body["line"].partition("|")[0] in plan.entities:
        before = {ref: state for ref, state in body.get("before", {}).items() if ref not in gone}
        words = {"subject": ERASED, "winner": None, "windows": None} if "subject" in body else {}
        plan.put(event, {**body, **words, **({"before": before} if "before" in body else {}), "reason": ERASED})


def _entity(plan: Plan, spoken: _Spoken, event: "Event", body: Body) -> None:
    id_ = body.get("id") or body["entity"]
    if id_ in plan.entities:
        plan.put(event)
    elif event.kind == "entity.recorded":
        _renamed(plan, spoken, event, body)
    elif event.kind == "entity.aliased" and not spoken.may_stay(id_, body["alias"]):
        plan.put(event)
    elif event.kind in ("entity.retired", "entity.restored"):
        keys = [key for key in body["keys"] if spoken.may_stay(id_, key)]
        plan.put(event, {**body, "keys": keys, "aliases": []})


def _renamed(plan: Plan, spoken: _Spoken, event: "Event", body: Body) -> None:
    """An entity that stays keeps the names under which what stays speaks of it."""
    names = [name for name in (body["name"], *body["aliases"]) if spoken.may_stay(body["id"], name)]
    if len(names) <= len(body["aliases"]):
        keys = list(dict.fromkeys(name_key(name) for name in names))
        plan.put(event, {**body, "name": names[0] if names else ERASED, "aliases": names[1:], "keys": keys})


def _merge(plan: Plan, spoken: _Spoken, event: "Event", body: Body) -> None:
    moves = [move for move in body["moves"] if move["claim"] not in plan.claims]
    lost = not plan.entities.isdisjoint((body["kept"], body["merged"]))
    keys = [] if lost else [key for key in body["keys"] if spoken.may_stay(body["merged"], key)]
    if lost or len(moves) < len(body["moves"]) or keys != body["keys"]:
        plan.put(event, {**body, "keys": keys, "moves": moves, "reason": ERASED})


BLANKS = {
    "episode.recorded": _text,
    "extraction.recorded": _text,
    "extraction.failed": _text,
    "memory.recorded": _memory,
    "memory.revised": _memory,
    "claim.recorded": _claim,
    "claim.changed": _changed,
    "oracle.asked": _question,
    "oracle.answered": _question,
    "oracle.expired": _question,
    "contest.resolved": _resolution,
    "contest.reopened": _resolution,
    "entity.recorded": _entity,
    "entity.aliased": _entity,
    "entity.retyped": _entity,
    "entity.retired": _entity,
    "entity.restored": _entity,
    "entities.merged": _merge,
    "entities.parted": _merge,
}
