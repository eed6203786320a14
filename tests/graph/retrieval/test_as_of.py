"""What a search may return at (valid, known) is exactly what the events say: random histories against a slow oracle."""

import json
import random
from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from tests.graph.claims.conftest import letters

from hornbook.extraction.candidate import Candidate, Extraction
from hornbook.extraction.scripted import ScriptedExtractor
from hornbook.graph.belief.codec import state_from_json
from hornbook.graph.clock import rfc3339, ticking
from hornbook.graph.dates import parse_moment
from hornbook.graph.errors import HornbookError
from hornbook.graph.interval import FOREVER
from hornbook.graph.lifecycle import ACTIVE
from hornbook.graph.retrieval.embed import CallableEmbedder
from hornbook.memory import Memory

WORD = "walnut"  # in every text and every claim, so that nothing but eligibility decides
PEOPLE, YEARS = ("Ana", "Ben", "Cleo"), range(2018, 2027)


class Script(ScriptedExtractor):
    """Reads one claim in every text: its first word is what its speaker has."""

    def extract(self, passage: Any) -> Extraction:
        return Extraction(candidates=(Candidate("user", "has", f"{passage.text.split()[0]} {WORD}", passage.text),))


def opened(user: str = "ana", where: Any = ":memory:") -> Memory:
    embedder = CallableEmbedder(letters, "letters", 2)
    return Memory.open(where, user=user, clock=ticking(), embedder=embedder, extractor=Script({}))


# acts


def stored(memory: Memory, chance: random.Random) -> None:
    memory.store(f"{WORD} number {chance.randrange(10**6)}")


def fact(memory: Memory, chance: random.Random) -> None:
    value = f"{chance.randrange(4)} {WORD}"
    memory.store(
        f"of {value} {chance.random()}", node_type="fact", subject=chance.choice(PEOPLE), predicate="owns", value=value
    )


def ingested(memory: Memory, chance: random.Random) -> None:
    memory.ingest(f"{chance.randrange(10**6)} {WORD} it is", speaker=chance.choice(PEOPLE))


def claimed(memory: Memory, chance: random.Random) -> None:
    since, until = sorted(chance.sample(YEARS, 2))
    memory.claim(
        chance.choice(PEOPLE),
        chance.choice(("owns", "eats")),
        f"{chance.randrange(4)} {WORD}",
        valid_from=chance.choice((None, str(since))),
        valid_to=chance.choice((None, str(until))),
        intent=chance.choice(("state", "update")),
        speaker=chance.choice(PEOPLE),
    )


def ended(memory: Memory, chance: random.Random) -> None:
    memory.end(chance.choice(PEOPLE), chance.choice(("owns", "eats")), at=str(chance.choice(YEARS)))


def resolved(memory: Memory, chance: random.Random) -> None:
    line = chance.choice(memory.contested().lines)
    outcome = chance.choice(("winner", "none", "all"))
    winner = chance.choice(line.as_dict()["sides"])["claim_ref"] if outcome == "winner" else None
    memory.resolve(line.subject, line.predicate, outcome, winner=winner, reason="by lot")


def archived(memory: Memory, chance: random.Random) -> None:
    memory.archive(chance.choice(memory.search(WORD, limit=200).hits).node_id)


def deleted(memory: Memory, chance: random.Random) -> None:
    memory.delete(chance.randrange(1, 8))


ACTS: tuple[Callable[[Memory, random.Random], None], ...] = (
    *(stored, fact, ingested, claimed, claimed, claimed, ended, resolved, archived, deleted),
)


def lived(memory: Memory, chance: random.Random, acts: int) -> list[str]:
    """Do random things; the known instants at which to look back."""
    seen = []
    for _ in range(acts):
        try:
            chance.choice(ACTS)(memory, chance)
        except (HornbookError, IndexError):
            continue  # nothing to end, resolve or archive: then nothing happens
        seen.append(memory.search(WORD).as_known)
    return seen


# the oracle


def offered(memory: Memory, known: str, at: int) -> tuple[set[str], set[Any]]:
    """Ids of texts, and facts of claims without one, that are active at the valid instant by the events alone."""
    texts: dict[str, dict[str, Any]] = {}
    claims: dict[str, dict[str, Any]] = {}
    with memory._store.reading(parse_moment(known, "known").at) as reading:
        for event in reading.snapshot.events(0, reading.upto):
            told(texts, claims, event.kind, event.body or {})
    found = {id_ for id_, text in texts.items() if text["shown"] and stands(text, claims, at)}
    alone = (one for one in claims.values() if not one["claim"].get("episode"))
    return found, {fact_of(one["claim"]) for one in alone if true_at(one["state"], at)}


def told(
    texts: dict[str, dict[str, Any]], claims: dict[str, dict[str, Any]], kind: str, body: Mapping[str, Any]
) -> None:
    if kind == "episode.recorded":
        texts[body["id"]] = {"shown": body["channel"] == "ingest", "lifecycle": "tentative", "claim": None}
    elif kind == "memory.recorded":
        texts[body["id"]] = {"shown": True, "lifecycle": body["state"], "claim": body["claim"]}
    elif kind == "memory.moved":
        texts[body["memory"]]["lifecycle"] = body["state"]
    elif kind == "memory.deleted":
        texts[body["memory"]]["shown"] = False
    elif kind == "claim.recorded":
        claims[body["claim"]["id"]] = dict(body)
    elif kind == "claim.changed":
        claims[body["claim"]]["state"] = body["state"]


def stands(text: Mapping[str, Any], claims: Mapping[str, Mapping[str, Any]], at: int) -> bool:
    if text["claim"] is None:
        return text["lifecycle"] in ACTIVE
    return text["lifecycle"] != "archived" and true_at(claims[text["claim"]]["state"], at)


def true_at(written: Any, at: int) -> bool:
    state = state_from_json(json.loads(written) if isinstance(written, str) else written)
    until = state.valid.until if state.valid.end_trusted else FOREVER
    return state.live and state.valid.since <= at < until


def fact_of(claim: Mapping[str, Any]) -> tuple[Any, ...]:
    return (claim["subject"], claim["predicate"], claim["value"])


def returned(memory: Memory, known: str, at: int) -> tuple[set[str], set[Any], set[Any]]:
    """The same of a search, and the facts that its texts say, which no claim repeats."""
    hits = memory.search(WORD, limit=200, valid_at=rfc3339(at), knowledge_at=known).hits
    facts: dict[bool, set[Any]] = {True: set(), False: set()}
    for hit in hits:
        facts[hit.kind == "claim"] |= {tuple(one["fact"].values()) for one in hit.claims}
    return {hit.node_id for hit in hits if hit.kind != "claim"}, facts[True], facts[False]


@settings(max_examples=12, deadline=None, phases=[Phase.generate])
@given(seed=st.integers(0, 10**9))
def test_what_is_found_at_any_instant_is_what_the_events_say(seed: int) -> None:
    chance = random.Random(seed)
    with opened() as memory:
        for known in chance.sample(seen := lived(memory, chance, 25), min(4, len(seen))):
            for year in chance.sample(YEARS, 3):
                at = parse_moment(f"{year}-06-01").at
                texts, facts = offered(memory, known, at)
                found, alone, said = returned(memory, known, at)
                assert texts == found
                assert alone <= facts <= alone | said


@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_an_index_that_grew_finds_what_a_new_one_finds(seed: int) -> None:
    chance = random.Random(seed)
    with opened() as memory:
        lived(memory, chance, 15)
        grown = [(hit.node_id, hit.score) for hit in memory.search(WORD, limit=200).hits]
        memory._index = None
        assert grown == [(hit.node_id, hit.score) for hit in memory.search(WORD, limit=200).hits]


@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_tenants_never_mix(seed: int, tmp_path_factory: Any) -> None:
    chance, where = random.Random(seed), tmp_path_factory.mktemp("tenants")
    with opened("ana", where) as one, opened("ben", where) as other:
        for _ in range(4):
            lived(chance.choice((one, other)), chance, 4)
        for mine, theirs in ((one, other), (other, one)):
            with theirs._store.journal.reading() as snapshot:
                foreign = {event.event_id for event in snapshot.events()}
            found = mine.search(WORD, limit=200, include_inactive=True).hits
            assert not foreign & {ref for hit in found for ref in (hit.node_id, hit.episode)}
