"""Random histories: well-formed events of every kind, in an order that could have happened.

`histories()` is a Hypothesis strategy of lists of events; `history(random, n)` makes one from a random generator, for
benchmarks. What an event refers to was recorded before it, as the store's writers see to it.
"""

import hashlib
import random as randoms
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from hypothesis import Phase
from hypothesis import strategies as st

from hornbook.graph.dates import parse_moment
from hornbook.graph.events import KINDS, Actor, Event
from hornbook.graph.names import name_key, value_key

UNSHRUNK = (Phase.explicit, Phase.reuse, Phase.generate)  # a history is one seed: shrinking it only costs time
NAMES = ("Ana", "Bø Ek", "Zoë", "老王", "user:alice", "O'Neil", "")
PREDICATES = ("lives_in", "works_at", "likes", "married_to")
DISPOSITIONS = ("CommittedCheap", "Contested", "QueuedForAdjudication", "Superseded", "Invalidated")


@dataclass
class World:
    """What the events so far have brought into being."""

    random: randoms.Random
    events: list[Event] = field(default_factory=list)
    made: int = 0
    entities: list[str] = field(default_factory=list)
    names: dict[str, list[str]] = field(default_factory=dict)
    episodes: list[str] = field(default_factory=list)
    memories: list[str] = field(default_factory=list)
    claims: list[str] = field(default_factory=list)
    places: dict[str, list[dict[str, Any]]] = field(default_factory=dict)  # claim -> the lines it is on now
    sessions: dict[str, str] = field(default_factory=dict)
    merges: list[dict[str, Any]] = field(default_factory=list)
    resolved: list[str] = field(default_factory=list)

    def new(self, kind: str) -> str:
        """An id that sorts by when it was made."""
        self.made += 1
        return f"{kind}{self.made:06d}"

    def add(self, kind: str, body: dict[str, Any]) -> None:
        """Record an event."""
        seq = len(self.events) + 1
        self.events.append(Event(seq, seq, seq, f"ev{seq}", "here", kind, KINDS.get(kind, 1), Actor(), body))

    def one(self, of: list[str]) -> str:
        """One of the things that are there."""
        return self.random.choice(of)

    def maybe(self, of: list[str]) -> str | None:
        """One of the things that are there, or none."""
        return self.random.choice([None, *of[-5:]])


def moment(world: World) -> dict[str, Any] | None:
    """A moment as it goes over the wire, or none."""
    if world.random.random() < 0.4:
        return None
    year, month, day = world.random.randrange(1990, 2031), world.random.randrange(1, 13), world.random.randrange(1, 29)
    text = world.random.choice([f"{year}", f"{year}-{month:02}", f"{year}-{month:02}-{day:02}"])
    said = parse_moment(text if world.random.random() < 0.7 else f"{year}-{month:02}-{day:02}T12:30Z")
    return {"at": said.at, "granularity": said.granularity.value}


def state(world: World) -> dict[str, Any]:
    """What is decided about a claim."""
    disposition = world.random.choice(DISPOSITIONS)
    review = {"chain": world.claims[-2:], "from": world.random.choice([None, 7])}
    return {
        "disposition": disposition,
        "live": disposition != "Invalidated" and world.random.random() < 0.8,
        "valid": {"start": moment(world), "end": moment(world), "confidence": world.random.choice([0.5, 0.9])},
        "markers": world.random.choice([[], ["Contested"]]),
        "rivals": world.claims[-2:],
        "review": world.random.choice([None, review]),
        "approximate": world.random.random() < 0.1,
    }


def entity(world: World) -> None:
    """An entity is recorded, under a name that others may bear too."""
    id_, name = world.new("e"), world.random.choice(NAMES) or world.new("Name ")
    aliases = [world.random.choice(NAMES)] if world.random.random() < 0.3 else []
    keys = list(dict.fromkeys(name_key(text) for text in (name, *aliases)))
    world.add(
        "entity.recorded",
        {"id": id_, "name": name, "type": world.random.choice([None, "person"]), "aliases": aliases, "keys": keys},
    )
    world.entities.append(id_)
    for key in keys:
        world.names.setdefault(key, []).append(id_)


def alias(world: World) -> None:
    """An entity gets one more name."""
    id_, name = world.one(world.entities), world.new("alias ")
    world.add("entity.aliased", {"entity": id_, "alias": name, "key": name_key(name), "reason": "said so"})
    world.names.setdefault(name_key(name), []).append(id_)


def retype(world: World) -> None:
    """An entity turns out to be of another type."""
    world.add("entity.retyped", {"entity": world.one(world.entities), "type": world.random.choice(["city", "person"])})


def merge(world: World) -> None:
    """Two entities are one: names and claims move to the one that is kept."""
    kept, merged = world.one(world.entities), world.one(world.entities)
    if kept == merged:
        return
    keys = [key for key, bearers in world.names.items() if merged in bearers and kept not in bearers]
    body = {"id": world.new("merge"), "kept": kept, "merged": merged, "keys": keys, "reason": "same"}
    world.merges.append({**body, "moves": _moves(world, merged, kept)})
    world.add("entities.merged", world.merges[-1])
    _rename(world, keys, merged, kept)


def _moves(world: World, giver: str, taker: str) -> list[dict[str, Any]]:
    moves = []
    for claim, places in world.places.items():
        for place in places:
            if place["entity"] == giver:
                line = f"{taker}|{place['predicate']}"
                moves.append({"claim": claim, "from": place["line"], "to": line, "value_key": place["value_key"]})
                moves[-1]["mirrored"] = place["mirrored"]
                place.update(line=line, entity=taker)
    return moves


def _rename(world: World, keys: Iterable[str], giver: str, taker: str) -> None:
    for key in keys:
        world.names[key] = [taker if bearer == giver else bearer for bearer in world.names[key]]


def part(world: World) -> None:
    """The last merge is undone."""
    if not world.merges:
        return
    done = world.merges.pop()
    moves = []
    for move in done["moves"]:
        for place in world.places[move["claim"]]:
            if (place["line"], place["mirrored"]) == (move["to"], move["mirrored"]):
                place.update(line=move["from"], entity=move["from"].partition("|")[0])
                moves.append({**move, "from": move["to"], "to": move["from"]})
    body = {"merge": done["id"], "kept": done["kept"], "merged": done["merged"], "keys": done["keys"]}
    world.add("entities.parted", {**body, "moves": moves, "reason": "not the same"})
    _rename(world, done["keys"], done["kept"], done["merged"])


def episode(world: World) -> None:
    """A text comes in."""
    id_, session = world.new("t"), world.random.choice([None, "s1", "s2|x"])
    world.add(
        "episode.recorded",
        {
            "id": id_,
            "content": f"text of {id_}",
            "role": world.random.choice(["user", "assistant"]),
            "speaker": world.random.choice([None, "Ana"]),
            "scope": world.random.choice(["personal", "project"]),
            "session": session,
            "source": world.random.choice([None, "chat"]),
            "position": world.random.choice([None, "D1:3"]),
            "occurred_at": moment(world),
            "agent": None,
            "run": world.random.choice([None, "r1"]),
            "metadata": world.random.choice([{}, {"k": [1, 2.5, None]}]),
            "previous": world.sessions.get(session) if session else None,
            "channel": world.random.choice(["ingest", "store"]),
        },
    )
    world.episodes.append(id_)
    if session:
        world.sessions[session] = id_


def memory(world: World) -> None:
    """A memory is stored, whose claim may already be there."""
    id_ = world.new("m")
    world.add(
        "memory.recorded",
        {
            "id": id_,
            "number": world.made,
            "episode": world.one(world.episodes),
            "node_type": world.random.choice(["note", "fact"]),
            "scope": "personal",
            "confidence": 0.9,
            "salience": 0.5,
            "state": "tentative",
            "claim": world.maybe(world.claims),
            "metadata": {},
            "agent": None,
            "run": None,
        },
    )
    world.memories.append(id_)


def memory_moved(world: World) -> None:
    """A memory moves on in its life."""
    to = world.random.choice(["stable", "archived"])
    world.add(
        "memory.moved",
        {"memory": world.one(world.memories), "state": to, "reason": "r", "because": world.maybe(world.claims)},
    )


def memory_revised(world: World) -> None:
    """A memory gets another text."""
    metadata = world.random.choice([None, {"v": 2}])
    body = {"memory": world.one(world.memories), "episode": world.one(world.episodes), "metadata": metadata}
    world.add("memory.revised", {**body, "reason": "r"})


def memory_deleted(world: World) -> None:
    """A memory is deleted."""
    world.add("memory.deleted", {"memory": world.one(world.memories), "reason": "r"})


def memory_restored(world: World) -> None:
    """A memory that was deleted, or was not, is there again."""
    state = world.random.choice(["tentative", "stable"])
    world.add("memory.restored", {"memory": world.one(world.memories), "state": state, "reason": "r"})


def entity_retired(world: World) -> None:
    """An entity is not offered any more, or not under some of its names; or it is again."""
    id_ = world.one(world.entities)
    keys = [key for key, bearers in world.names.items() if id_ in bearers]
    some, aliases = world.random.choice([[], keys]), world.random.choice([[], ["alias"]])
    whole = world.random.random() < 0.7
    body = {"entity": id_, "keys": some, "aliases": aliases, "whole": whole, "reason": "r"}
    world.add("entity.retired", body)
    if world.random.random() < 0.5:
        world.add("entity.restored", body)


def claim(world: World) -> None:
    """Somebody says something; the claim may be on a second line, rest on others, and name what is not there."""
    id_, subject, value = world.new("c"), world.one(world.entities), world.one(world.entities)
    predicate, said = world.random.choice(PREDICATES), value_key(world.random.choice([1, "Oslo", value]))
    place = {"line": f"{subject}|{predicate}", "entity": subject, "predicate": predicate, "value_key": said}
    lines = [{**place, "mirrored": False}]
    if predicate == "married_to":
        back = {"line": f"{value}|{predicate}", "entity": value, "predicate": predicate}
        lines.append({**back, "value_key": value_key(subject), "mirrored": True})
    told = state(world)
    world.add(
        "claim.recorded",
        {
            "claim": written(world, id_, predicate, said, told["valid"]),
            "lines": [dict(line) for line in lines],
            "value_entity": world.random.choice([None, value]),
            "state": told,
            "row": 7,
            "reason": "first",
            "compared_with": world.claims[-1:],
            "repeats": world.maybe(world.claims),
            "memory": world.random.choice([world.maybe(world.memories), "not there yet"]),
        },
    )
    world.claims.append(id_)
    world.places[id_] = lines


def written(world: World, id_: str, predicate: str, said: str, valid: dict[str, Any]) -> dict[str, Any]:
    """A claim as JSON."""
    return {
        "id": id_,
        "subject": "Ana",
        "predicate": predicate,
        "value": said,
        "subject_key": "ana",
        "value_key": said,
        "provenance": world.random.choice(["External:UserAsserted", "ModelDerived"]),
        "polarity": world.random.choice(["holds", "holds", "not"]),
        "mood": world.random.choice(["asserted", "asserted", "planned"]),
        "valid": valid,
        "confidence": world.random.choice([0.5, 0.9, 1]),
        "evidence": "as \u0000 said",
        "episode": world.maybe(world.episodes),
        "derived_from": [premise for premise in (world.maybe(world.claims), "elsewhere") if premise],
        "extra": {},
    }


def claim_changed(world: World) -> None:
    """Something is decided anew about a claim."""
    body = {"claim": world.one(world.claims), "state": state(world), "ledger": "ClaimCommitted", "reason": "r"}
    world.add("claim.changed", {**body, "because": world.claims[-1:]})


def recall(world: World) -> None:
    """A model says what it was told."""
    id_ = world.one(world.claims)
    body = {"claim": id_, "line": world.places[id_][0]["line"], "provenance": "RecallReEntry", "reason": "r"}
    world.add("recall.detected", body)


def declaration(world: World) -> None:
    """A predicate is declared."""
    cardinality = world.random.choice(["Functional", "SetValued"])
    body = {"predicate": world.random.choice(PREDICATES), "cardinality": cardinality, "reason": "r"}
    world.add("predicate.declared", body)


def resolution(world: World) -> None:
    """A contest is resolved, or taken up again."""
    subject = world.one(world.entities)
    line = f"{subject}|lives_in"
    if world.resolved and world.random.random() < 0.5:
        world.add("contest.reopened", {"resolution": world.resolved.pop(), "line": line, "reason": "r"})
        return
    world.resolved.append(f"ev{len(world.events) + 1}")
    body = {"line": line, "subject": subject, "predicate": "lives_in", "outcome": "none", "winner": None}
    world.add(
        "contest.resolved",
        {**body, "windows": None, "reason": "r", "provenance": "External:UserAsserted", "before": {}},
    )


def rule(world: World) -> None:
    """A rule is added, or removed again."""
    id_ = world.random.choice(["r1", "r2"])
    if world.random.random() < 0.4:
        world.add("rule.removed", {"rule_id": id_, "reason": "r"})
    else:
        world.add("rules.added", {"rules": [{"rule_id": id_, "text": "p(x) :- q(x)."}], "reason": "r"})


def oracle(world: World) -> None:
    """A question is put to the oracle, answered, or left."""
    kind = world.random.choice(["oracle.asked", "oracle.answered", "oracle.expired"])
    body = {"question": world.random.choice(["q1", "q2"]), "line": "e1|lives_in", "challenger": world.one(world.claims)}
    world.add(kind, {**body, "incumbents": world.claims[:1], "verdict": None})


def extraction(world: World) -> None:
    """A text is read, or cannot be read."""
    id_ = world.one(world.episodes)
    if world.random.random() < 0.2:
        world.add("extraction.failed", {"episode": id_, "extractor": "spacy 1", "error": "e"})
        return
    mentioned = [world.one(world.entities) for _ in range(world.random.randrange(3))] if world.entities else []
    mentions = [{"entity": one, "quote": f"“{one}”"} for one in mentioned]
    body = {"episode": id_, "extractor": "spacy 1", "claims": 1, "mentions": mentions, "notes": []}
    world.add("extraction.recorded", body)


Act = tuple[Callable[[World], None], int, tuple[str, ...]]  # what happens, how often, and what must be there

ACTS: tuple[Act, ...] = (
    (entity, 4, ()),
    (episode, 5, ()),
    (alias, 1, ("entities",)),
    (retype, 1, ("entities",)),
    (merge, 1, ("entities",)),
    (part, 1, ("entities",)),
    (memory, 3, ("episodes",)),
    (memory_moved, 1, ("memories",)),
    (memory_revised, 1, ("memories", "episodes")),
    (memory_deleted, 1, ("memories",)),
    (memory_restored, 1, ("memories",)),
    (entity_retired, 1, ("entities",)),
    (claim, 10, ("entities",)),
    (claim_changed, 5, ("claims",)),
    (recall, 1, ("claims",)),
    (declaration, 1, ()),
    (resolution, 1, ("entities",)),
    (oracle, 1, ("claims",)),
    (rule, 1, ()),
    (extraction, 3, ("episodes",)),
)


def history(random: randoms.Random, length: int) -> list[Event]:
    """At least `length` events that could have happened."""
    world = World(random)
    while len(world.events) < length:
        possible = [act for act in ACTS if all(getattr(world, need) for need in act[2])]
        act = random.choices(possible, [weight for _, weight, _ in possible])[0][0]
        act(world)
    return world.events


def histories(longest: int = 60) -> st.SearchStrategy[list[Event]]:
    """Histories of up to so many events."""
    return st.builds(history, st.randoms(use_true_random=False), st.integers(1, longest))


@dataclass
class ListJournal:
    """A journal that is a list: what a view follows, without a file. It is its own snapshot."""

    items: list[Event]
    id: str = "journal-1"
    bound: int | None = None

    erased: int = 0

    @property
    def head(self) -> int:
        """The last event's place."""
        return len(self.items) if self.bound is None else self.bound

    def hash_at(self, seq: int) -> bytes:
        """A digest of everything up to there."""
        return hashlib.sha256(repr([self.id, self.items[:seq]]).encode()).digest()

    def events(self, after: int = 0, upto: int | None = None) -> Iterator[Event]:
        """The events after one place up to another."""
        return iter(self.items[after : self.head if upto is None else min(upto, self.head)])

    @contextmanager
    def reading(self) -> "Iterator[ListJournal]":
        """A snapshot as of now."""
        yield ListJournal(self.items, self.id, self.head)
